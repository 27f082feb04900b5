package classify

import (
	"fmt"
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// deadlocked: the runtime itself found a deadlock, and two dumps show the same
// threads blocked in the same frames while nothing else of the application moved;
// or one dump that tells how long has a thread wait for a lock since more than a
// lease. Such threads do not go on, whatever renews beside them; that one of them
// is the worker is presumed.
func (c *incident) deadlocked(x *exam) bool {
	d, ok := c.stuckDump()
	if !ok || !d.still || d.text == "" {
		return false
	}
	c.holdUp(x, "thread dumps", "thread dump", d.text, "deadlock")
	c.later = c.missedOne() && d.since.After(c.when)
	x.cap = true
	return true
}

// A stuckness is what dumps show of threads that do not move.
type stuckness struct {
	still bool // nothing else of the application moved either
	text  string
	since evidence.Interval
}

// stuckDump compares the owner's first and last dump.
func (c *incident) stuckDump() (stuckness, bool) {
	var all []evidence.ThreadDump
	for _, d := range c.s.Host.Dumps {
		if c.ownersRuntime(d.Pid) && (len(all) == 0 || d.Runtime == all[0].Runtime && d.Pid == all[0].Pid) {
			all = append(all, d)
		}
	}
	if len(all) == 0 {
		return stuckness{}, false
	}
	first, last := all[0], all[len(all)-1]
	if len(all) == 1 || !first.Dead || !last.Dead {
		return c.waitsLong(last)
	}
	blocked, moved := compareDumps(first, last)
	if len(blocked) == 0 {
		return c.waitsLong(last)
	}
	return stuckness{still: moved == 0, since: c.dumpAt(first),
		text: fmt.Sprintf("its runtime reports a deadlock; %s blocked in the same frame in two dumps (%s in %s)",
			plural(len(blocked), "thread"), quote(blocked[0].Name), quote(blocked[0].Top))}, true
}

func (c *incident) dumpAt(d evidence.ThreadDump) evidence.Interval {
	if at, _ := c.around(d.At); at.Known() {
		return at
	}
	return c.span(d.Span)
}

// compareDumps lists the threads that are blocked in the same frame in both, and
// counts those of the application that moved meanwhile.
func compareDumps(a, b evidence.ThreadDump) (blocked []evidence.DumpThread, moved int) {
	type key struct {
		name string
		tid  int
	}
	before := map[key]evidence.DumpThread{}
	for _, t := range a.Threads {
		before[key{t.Name, t.Tid}] = t
	}
	for _, t := range b.Threads {
		was, had := before[key{t.Name, t.Tid}]
		switch {
		case keeper(t.Name) || keeper(t.Top):
		case had && t.State == "blocked" && was.State == "blocked" && t.Top == was.Top && t.Lock == was.Lock:
			blocked = append(blocked, t)
		case t.State == "runnable" || t.State == "syscall" || had && t.Top != was.Top:
			moved++
		}
	}
	return blocked, moved
}

// waitsLong reads one dump that tells how long each thread has waited, as Go's do:
// one that has waited for a lock since more than a lease is stuck. Channels and
// sockets are waited for all day by whoever has nothing to do.
func (c *incident) waitsLong(d evidence.ThreadDump) (stuckness, bool) {
	limit := max(c.leaseHi, time.Minute)
	stuck := slices.IndexFunc(d.Threads, func(t evidence.DumpThread) bool {
		return t.State == "blocked" && t.Waits >= limit && !keeper(t.Name) && !keeper(t.Top)
	})
	out := stuckness{since: c.dumpAt(d)}
	if stuck < 0 {
		if d.Dead {
			out.text = "its runtime reports a deadlock"
		}
		return out, d.Dead
	}
	t := d.Threads[stuck]
	out.since = out.since.Shift(-t.Waits-time.Minute, -t.Waits)
	out.text = fmt.Sprintf("%s has waited for a lock for %s in %s", quote(t.Name), round(t.Waits), quote(t.Top))
	out.still = !slices.ContainsFunc(d.Threads, func(o evidence.DumpThread) bool {
		fresh := o.State == "runnable" || o.State == "syscall" || o.State == "blocked" && o.Waits < time.Minute
		return fresh && !keeper(o.Name) && !keeper(o.Top)
	})
	return out, true
}
