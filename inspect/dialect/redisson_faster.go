package dialect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Redisson's FasterMultiLock: one hash for a group, in it for each locked value its
// hash with the holder CLIENT:THREAD, and beside it HASH:CLIENT:THREAD:expire_time and
// HASH:CLIENT:THREAD:lock_count. The ends are written, and judged, by the clients'
// clocks; what has ended stays until another takes the value or the key expires.
func redissonFaster(s Shape) Reading {
	g, ok := readGroup(s.Fields)
	if !ok {
		return misfit
	}
	channel := redissonChannel(companion("redisson_lock__channel", s.Key))
	r := Reading{
		Fit: evidence.Certain, Because: []string{"a hash with expire_time and lock_count fields for each value"},
		Dialect: redissonForm("faster multi lock", "Remove of one holder's values the three fields each, not the key: others hold other values in it. "+
			"Compare the holder in the value's field first. Waiters sleep until the unlock message 0 comes on the lock's channel, or the end that they saw is over."),
		Ask:   channel.own(),
		Learn: func(r *Reading, a Answers) { channel.learn(&r.Dialect, a) },
	}
	d := &r.Dialect
	d.Holders, d.Notes = g.holders(s.Now)
	redissonUnusual(d, s)
	return r
}

// A redissonGroup is the hash in order: who holds a value, and by value and holder
// until when and how often.
type redissonGroup struct {
	values []evidence.Field // name: the value's hash; value: its holder
	ends   map[string]time.Time
	counts map[string]int64
}

// readGroup reads the fields. All must be of the three kinds, and some must carry an
// end.
func readGroup(fields []evidence.Field) (redissonGroup, bool) {
	g := redissonGroup{ends: map[string]time.Time{}, counts: map[string]int64{}}
	for _, f := range fields {
		if !g.read(f) {
			return redissonGroup{}, false
		}
	}
	return g, len(g.ends) > 0
}

func (g *redissonGroup) read(f evidence.Field) bool {
	if len(f.Name) < 22 || !redissonHash(f.Name[:22]) {
		return false
	}
	if len(f.Name) == 22 {
		_, ok := redissonThread(f.Value)
		g.values = append(g.values, f)
		return ok
	}
	at := strings.LastIndexByte(f.Name, ':')
	if at < 23 || f.Name[22] != ':' {
		return false
	}
	n, err := strconv.ParseInt(f.Value, 10, 64)
	if _, ok := redissonThread(f.Name[23:at]); !ok || err != nil {
		return false
	}
	switch f.Name[at:] {
	case ":expire_time":
		g.ends[f.Name[:at]] = redissonMoment(float64(n))
	case ":lock_count":
		g.counts[f.Name[:at]] = n
	default:
		return false
	}
	return true
}

// redissonHash says whether s is a 128-bit hash in base64, its padding cut off.
func redissonHash(s string) bool {
	b, ok := decode64(s + "==")
	return ok && len(b) == 16
}

// holders are the threads that hold values, each once: a lock of many values names its
// thread in every one.
func (g redissonGroup) holders(now time.Time) (out []evidence.Locker, notes []string) {
	over := 0
	for _, v := range g.values {
		part := v.Name + ":" + v.Value
		i := slices.IndexFunc(out, func(l evidence.Locker) bool { return l.Text == v.Value })
		if i < 0 {
			if len(out) == redissonMost {
				continue
			}
			l, _ := redissonThread(v.Value)
			i, out = len(out), append(out, l)
		}
		l := &out[i]
		l.Holds = max(l.Holds, g.counts[part])
		if end := g.ends[part]; end.After(l.Ends) {
			l.Ends = end
		}
		if end := g.ends[part]; !now.IsZero() && end.Before(now) {
			over++
		}
	}
	notes = append(notes, fmt.Sprintf("%d values of the group are in it; their ends are written and judged by the clients' clocks", len(g.values)))
	if over > 0 {
		notes = append(notes, fmt.Sprintf("%d of them have ended: they are free to take, though still in the hash", over))
	}
	return out, notes
}
