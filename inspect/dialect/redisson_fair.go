package dialect

import (
	"fmt"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

// redissonReads are the reads that tell a fair and a fenced lock from a plain one:
// their hashes look the same. A fair lock has its waiters in a list, and in a sorted
// set until when each keeps its place; a fenced one has a counter.
type redissonReads struct {
	token, length, queue, places []string
	channel                      redissonChannel
}

func redissonReadsOf(key string) redissonReads {
	queue, places := companion("redisson_lock_queue", key), companion("redisson_lock_timeout", key)
	return redissonReads{
		token:   []string{"GET", companion("redisson_lock_token", key)},
		length:  []string{"LLEN", queue},
		queue:   []string{"LRANGE", queue, "0", "99"},
		places:  []string{"ZRANGE", places, "0", "99", "WITHSCORES"},
		channel: redissonChannel(companion("redisson_lock__channel", key)),
	}
}

func (c redissonReads) own() [][]string {
	return [][]string{c.token, c.length, c.queue, c.places}
}

func (c redissonReads) learn(d *evidence.Dialect, because *[]string, now time.Time, a Answers) {
	c.learnToken(d, because, a)
	v, ok := a.Get(c.queue...)
	if !ok || len(v.Array) == 0 {
		c.channel.learn(d, a)
		return
	}
	*because = append(*because, "it has a queue beside it")
	if d.Form == "lock" {
		d.Form = "fair lock"
	}
	places, _ := a.Get(c.places...)
	d.Queue = redissonQueue(v, places)
	d.Waiters = evidence.Saw("LRANGE", int64(len(v.Array)))
	if n, ok := a.Get(c.length...); ok && n.Int >= int64(len(v.Array)) {
		d.Waiters = evidence.Saw("LLEN", n.Int)
	}
	redissonGone(d, now)
}

// learnToken: the counter goes up at every acquisition and re-entry, and outlives the
// lock. Only a fenced lock has one.
func (c redissonReads) learnToken(d *evidence.Dialect, because *[]string, a Answers) {
	v, came := a[join(c.token)]
	switch {
	case !came || v.IsError():
	case v.Null:
		d.Fence = evidence.None[string](c.token[1], "there is no such key: not a fenced lock")
	case redissonCount(v.Str):
		d.Form, d.FencedBy, d.Fence = "fenced lock", c.token[1], evidence.Saw(c.token[1], v.Str)
		*because = append(*because, "it has a fencing token beside it")
	}
}

// redissonCount says whether s is a whole number that a counter can show.
func redissonCount(s string) bool {
	return len(s) > 0 && of(s, min(len(s), 19), "0123456789")
}

// redissonQueue is the list in its order, with the places' ends beside the names.
func redissonQueue(list, places redis.Value) []evidence.Waiter {
	till := map[string]time.Time{}
	for _, s := range scored(places) {
		till[s.Member] = redissonMoment(s.Score)
	}
	var out []evidence.Waiter
	for _, w := range list.Array[:min(len(list.Array), redissonMost)] {
		out = append(out, evidence.Waiter{Text: redissonShown(w.Str), Till: till[w.Str]})
	}
	return out
}

// redissonGone counts the waiters whose place has run out. They are dropped from the
// head of the queue only, when somebody tries or unlocks; one whose place has not run
// out blocks all behind it, even if it is dead.
func redissonGone(d *evidence.Dialect, now time.Time) {
	gone := 0
	for _, w := range d.Queue {
		if !now.IsZero() && !w.Till.IsZero() && w.Till.Before(now) {
			gone++
		}
	}
	if gone > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("waiters whose place had run out, by their own clocks: %d; they left without leaving the queue", gone))
	}
	d.Notes = append(d.Notes, "while a queue has anyone in it whose place has not run out, only its first can take the lock, and it blocks the others even if it is dead")
}

// redissonMoment reads a time in ms; what is no time of this age is none.
func redissonMoment(ms float64) time.Time {
	if !(ms > 0 && ms < 1e14) { // also when it is no number
		return time.Time{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}

// redissonShown is text out of Redis as people may see it.
func redissonShown(s string) string { return evidence.Printable(evidence.Clip(s, 80)) }
