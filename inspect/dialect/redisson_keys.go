package dialect

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// redissonCompanion recognises a key that Redisson keeps beside a lock: whoever names
// one is told which lock it belongs to, and whether that is held.
func redissonCompanion(s Shape) Reading {
	for _, kind := range []func(Shape) (redissonKey, bool){redissonToken, redissonLatch, redissonWaiters, redissonPlaces, redissonReaderTime} {
		if k, ok := kind(s); ok {
			return k.reading(s)
		}
	}
	return misfit
}

// A redissonKey is a companion.
type redissonKey struct {
	what    string // the fencing token, …
	lock    string // as the key has it: {NAME}, or a name with braces of its own
	release string
	endless bool
	ask     [][]string                              // beside the lock's own
	learn   func(*evidence.Dialect, Shape, Answers) // may be nil
}

func redissonToken(s Shape) (redissonKey, bool) {
	name, ok := strings.CutPrefix(s.Key, "redisson_lock_token:")
	return redissonKey{
		what: "the fencing token", lock: name, endless: true,
		release: "Nothing is released here. The counter must never go down or away: whoever has seen a higher token would refuse every later holder.",
		learn: func(d *evidence.Dialect, s Shape, _ Answers) {
			d.FencedBy, d.Fence = s.Key, evidence.Saw(s.Key, s.Value)
		},
	}, ok && s.Type == "string" && redissonCount(s.Value)
}

func redissonLatch(s Shape) (redissonKey, bool) {
	rest, ok := strings.CutPrefix(s.Key, "redisson_unlock_latch:")
	at := strings.LastIndexByte(rest, ':')
	if !ok || at < 0 || s.Type != "string" || !of(rest[at+1:], 32, lowerHex) || s.Value != "0" && s.Value != "1" {
		return redissonKey{}, false
	}
	outcome := "it freed the lock"
	if s.Value == "0" {
		outcome = "the lock stayed held, by another hold or holder"
	}
	return redissonKey{
		what: "the trace of an unlock", lock: rest[:at],
		release: "Nothing is released here: the key goes by itself, and only saves a repeated unlock from being carried out twice.",
		learn: func(d *evidence.Dialect, _ Shape, _ Answers) {
			d.Notes = append(d.Notes, "an unlock was carried out moments ago: "+outcome)
		},
	}, true
}

func redissonWaiters(s Shape) (redissonKey, bool) {
	name, ok := strings.CutPrefix(s.Key, "redisson_lock_queue:")
	list := []string{"LRANGE", s.Key, "0", "99"}
	places := []string{"ZRANGE", "redisson_lock_timeout:" + name, "0", "99", "WITHSCORES"}
	return redissonKey{
		what: "the queue", lock: name, endless: true, ask: [][]string{list, places},
		release: "A waiter that is certainly gone must leave the queue and the redisson_lock_timeout set together, while it is still in both; the next one is told on its own channel.",
		learn: func(d *evidence.Dialect, s Shape, a Answers) {
			v, ok := a.Get(list...)
			if !ok || len(v.Array) == 0 {
				return
			}
			till, _ := a.Get(places...)
			d.Queue = redissonQueue(v, till)
			d.Waiters = evidence.Saw("LRANGE", int64(len(v.Array)))
			redissonGone(d, s.Now)
		},
	}, ok && s.Type == "list"
}

func redissonPlaces(s Shape) (redissonKey, bool) {
	name, ok := strings.CutPrefix(s.Key, "redisson_lock_timeout:")
	return redissonKey{
		what: "the waiters' places", lock: name, endless: true,
		release: "A waiter that is certainly gone must leave this set and the redisson_lock_queue list together, while it is still in both; the next one is told on its own channel.",
		learn: func(d *evidence.Dialect, s Shape, _ Answers) {
			for _, m := range s.Scored[:min(len(s.Scored), redissonMost)] {
				d.Queue = append(d.Queue, evidence.Waiter{Text: redissonShown(m.Member), Till: redissonMoment(m.Score)})
			}
			if len(d.Queue) > 0 {
				d.Notes = append(d.Notes, "in the order in which the places run out, by the clients' clocks; the list has the order of the queue")
			}
		},
	}, ok && s.Type == "zset"
}

func redissonReaderTime(s Shape) (redissonKey, bool) {
	rest, nth, ok := redissonCutLast(s.Key)
	n, err := strconv.ParseInt(nth, 10, 64)
	rest, isTime := strings.CutSuffix(rest, ":rwlock_timeout")
	if !ok || err != nil || n < 1 || !isTime || s.Type != "string" || s.Value != "1" {
		return redissonKey{}, false
	}
	head, thread, _ := redissonCutLast(rest)
	lock, client, _ := redissonCutLast(head)
	l, ok := redissonThread(client + ":" + thread)
	return redissonKey{
		what: fmt.Sprintf("the time of hold %d of reader %s", n, l.Text), lock: lock,
		release: "Nothing is released here: the reader's own field is in the lock's hash, and this key must go with its hold.",
	}, ok && strings.Contains(lock, "{")
}

func redissonCutLast(s string) (before, after string, ok bool) {
	at := strings.LastIndexByte(s, ':')
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+1:], true
}

// locks are the names that the lock may have: Redisson puts a name into braces unless
// it has some, so that {orders} is orders or {orders}.
func (k redissonKey) locks() []string {
	inner, opened := strings.CutPrefix(k.lock, "{")
	inner, closed := strings.CutSuffix(inner, "}")
	if opened && closed && inner != "" && !strings.Contains(inner, "{") {
		return []string{inner, k.lock}
	}
	return []string{k.lock}
}

func (k redissonKey) reading(s Shape) Reading {
	locks := k.locks()
	if k.lock == "" {
		return misfit
	}
	r := Reading{
		Fit: evidence.Certain, Because: []string{"its key is that of a companion of Redisson's locks"},
		Dialect: evidence.Dialect{
			Form:   fmt.Sprintf("not a lock: %s of the lock %s", k.what, redissonShown(locks[0])),
			Renews: evidence.NeverRenews, Endless: k.endless, Release: k.release,
		},
		Learn: func(r *Reading, a Answers) {
			if k.learn != nil {
				k.learn(&r.Dialect, s, a)
			}
			learnWhetherHeld(&r.Dialect, locks, a)
		},
	}
	r.Ask = append(r.Ask, k.ask...)
	for _, name := range locks {
		r.Ask = append(r.Ask, []string{"TYPE", name}, []string{"PTTL", name})
	}
	return r
}

// learnWhetherHeld says whether a companion's lock is there.
func learnWhetherHeld(d *evidence.Dialect, locks []string, a Answers) {
	asked := false
	for _, name := range locks {
		kind, ok := a.Get("TYPE", name)
		asked = asked || ok
		if !ok || kind.Str != "hash" {
			continue
		}
		said := fmt.Sprintf("the lock %s is held", redissonShown(name))
		if left, ok := a.Get("PTTL", name); ok && left.Int > 0 && left.Int < 1e12 {
			said += fmt.Sprintf(", %v left", (time.Duration(left.Int) * time.Millisecond).Round(100*time.Millisecond))
		}
		d.Notes = append(d.Notes, said)
		return
	}
	if asked {
		d.Notes = append(d.Notes, fmt.Sprintf("the lock %s is not held now", redissonShown(locks[0])))
	}
}
