package classify

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A flush takes every key of a database, or of all of them. Whoever sends it means
// no lock by it, and no compare-and-delete stands in its way: the coordinator did
// not keep what it was given. On a large database it is slow enough for SLOWLOG,
// which does not say which database was meant; the counts of keys do.

// flushed is the entry of a flush that certainly came between the key's last sight
// and its loss, while the lease was in force. emptied says whether the count of keys
// shows that it was of this lock's database.
func (c *incident) flushed() (e evidence.SlowEntry, emptied bool, ok bool) {
	w, ok := c.inForce()
	if !ok {
		return evidence.SlowEntry{}, false, false
	}
	for _, e := range c.s.Node.Slowlog.Or(nil) {
		if !flushes(e) || !endedAt(e).Within(w) {
			continue
		}
		emptied, told := c.emptied(endedAt(e))
		if strings.EqualFold(e.Args[0], "FLUSHDB") && told && !emptied {
			continue // another database's
		}
		return e, emptied, true
	}
	return evidence.SlowEntry{}, false, false
}

func flushes(e evidence.SlowEntry) bool {
	return len(e.Args) > 0 && (strings.EqualFold(e.Args[0], "FLUSHDB") || strings.EqualFold(e.Args[0], "FLUSHALL"))
}

// endedAt is when a command ended, which SLOWLOG gives in whole seconds.
func endedAt(e evidence.SlowEntry) evidence.Interval {
	return evidence.Interval{From: e.Ended, To: e.Ended.Add(time.Second), Clock: evidence.Coordinator}
}

// emptied says whether the lock's database had far fewer keys after a moment than
// before it: what is written again soon after a flush is not what was there.
func (c *incident) emptied(at evidence.Interval) (yes, told bool) {
	before, after, ok := c.keysAround(at)
	return ok && after < before/2, ok && before > 1
}

func (c *incident) keysAround(at evidence.Interval) (before, after int64, ok bool) {
	db := itoa(c.s.Subject.DB)
	var had, has bool
	for _, i := range c.s.Node.Infos {
		keys, seen := i.Keys.Get()
		switch s := c.span(i.Span); {
		case !seen:
		case !s.After(at) && !had, s.Before(at):
			before, had = keys[db], true
		case !has:
			after, has = keys[db], true
		}
	}
	return before, after, had && has
}

// byFlush excludes a release. Where nothing shows that the flush was of this lock's
// database, its holder may have released it in the same stretch of time.
func (c *incident) byFlush(x *exam, e evidence.SlowEntry, emptied bool) {
	x.exclude(released)
	x.source("slowlog")
	x.cap = true
	c.byCommand = c.byCommand || !emptied && strings.EqualFold(e.Args[0], "FLUSHDB")
	x.cite(c.read("slowlog"), "%s", flushWords(e))
	x.says = "lost to a " + strings.ToUpper(e.Args[0]) + " at " + e.Ended.UTC().Format("15:04:05Z") + ", before its end"
}

// flushWords say what was sent, when and by whom. Whose it was a live look or a
// text shows only where the entry came with its sender.
func flushWords(e evidence.SlowEntry) string {
	who := ""
	if e.Client != "" {
		who = " from " + quote(e.Client)
	}
	if e.Name != "" {
		who += " (" + quote(e.Name) + ")"
	}
	return strings.ToUpper(e.Args[0]) + cmpOr(who, " from a client that was not told") + " at " + e.Ended.UTC().Format("15:04:05Z")
}

// wiped answers for the coordinator: the key went with all others of its database.
func (c *incident) wiped(x *exam) bool {
	e, _, ok := c.flushed()
	if !ok || !c.hurt() {
		return c.wipedByCount(x)
	}
	c.cause = "flushed"
	x.only(broke)
	x.source("slowlog")
	x.cap = true
	x.cite(c.read("slowlog"), "%s", flushWords(e))
	x.says = "flushed: " + flushWords(e)
	if before, after, ok := c.keysAround(endedAt(e)); ok && after < before {
		x.source("info")
		x.cite(c.read("keyspace"), "db%d had %s before it and %s after it", c.s.Subject.DB, plural(int(before), "key"), plural(int(after), "key"))
		x.says += fmt.Sprintf("; db%d went from %s to %d", c.s.Subject.DB, plural(int(before), "key"), after)
	}
	return true
}

// wipedByCount: the server counted a flush, and the lock's database lost most of its
// keys, between two INFOs around the loss. Which came first is not shown.
func (c *incident) wipedByCount(x *exam) bool {
	if !c.hurt() {
		return false
	}
	a, b, ok := c.infosAround(c.lost.at)
	emptied, told := c.emptied(c.lost.at)
	grew := b.Calls.Value["flushdb"] + b.Calls.Value["flushall"] - a.Calls.Value["flushdb"] - a.Calls.Value["flushall"]
	if !ok || !sameRun(a, b) || grew <= 0 || told && !emptied {
		return false
	}
	c.unpresumed = true
	x.cite(c.read("info/commandstats"), "%s ran between two INFOs around the loss", plural(int(grew), "flush"))
	x.says = "flushed about when the key went; whether that took it is not shown"
	return true
}

// flushRule: a flush in this lease's life is worth a word whatever became of the
// lock.
func flushRule(c *incident, _ evidence.Verdict) evidence.Finding {
	e, emptied, ok := c.flushed()
	switch {
	case !ok:
		return nothing()
	case emptied || strings.EqualFold(e.Args[0], "FLUSHALL"):
		return found(evidence.Critical, c.read("slowlog"), flushWords(e)+" took every key of the database, and the lock with them")
	}
	return found(evidence.Critical, c.read("slowlog"), flushWords(e)+" took every key of a database, about when the lock went; which one is not shown")
}
