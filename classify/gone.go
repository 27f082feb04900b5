package classify

import (
	"fmt"
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

// ownerGone judges whether the owner is dead, and whether it died before T* or
// at least not provably after it.
func (c *incident) ownerGone(x *exam) bool {
	p := c.owner
	dead, how := c.firstDead()
	if dead < 0 {
		return false
	}
	c.death = c.deathWindow(dead)
	if c.kill = c.killRecord(c.death); c.kill != nil {
		if at := c.kernelTime(*c.kill); at.Known() {
			c.death = at
		}
	}
	if c.missedOne() && c.death.Known() && c.death.After(c.lateBy()) {
		x.cite("/proc/"+itoa(p.proc.Pid), "it went at %s, after the renewal was missed: that is not why", moment(c.death))
		return false
	}
	if c.mistyped() {
		x.cite("/proc/"+itoa(p.proc.Pid), "%s; the lock is renewed all the same, and nothing but --pid names this process", how)
		x.says = how + ", and nothing but --pid names it: check the number"
		return false
	}
	x.only(gone)
	x.source("process table")
	x.cite("/proc/"+itoa(p.proc.Pid), "%s", how)
	c.cause = "gone"
	x.says = how
	c.inactive = p.proc.Looks[dead].Span.End.Boot
	c.byConnection(x, dead)
	c.byKernel(x, c.kill)
	c.bySupervisor(x)
	c.byBoot(x)
	c.exitBeside(x)
	c.undated = c.missedOne() && !c.beforeMiss() // after whoever may date it
	x.cap = x.cap || c.undated
	return true
}

// firstDead is the first look from which on the owner was dead, and how that
// showed; -1 while it lives.
func (c *incident) firstDead() (int, string) {
	p := c.owner
	pid := itoa(p.proc.Pid)
	first, how := -1, ""
	for i, l := range p.proc.Looks {
		h := ""
		st, seen := l.Stat.Get()
		letter, known := state(l)
		switch {
		case l.Stat.State == evidence.Absent:
			h = cmpOr(p.heir, "pid "+pid+" does not exist")
		case known && (letter == "Z" || letter == "X") && !otherThreadLives(l, p.proc.Pid):
			h = "pid " + pid + " is a zombie" + died(st.Exit)
		case !known && onlyDead(l):
			h = "pid " + pid + " is a zombie"
		case seen && p.same == another:
			h = fmt.Sprintf("pid %s is another process now: %s, begun %s", pid, quote(st.Comm), moment(c.sinceBoot(st.StartAfterBoot())))
			if p.group {
				h = fmt.Sprintf("the %s's present process %s began after the lock was last touched", p.way, pid)
			}
		}
		switch {
		case h != "" && first < 0:
			first, how = i, h
		case h == "" && known:
			first, how = -1, ""
		}
	}
	return first, how
}

// died reads a wait status for people. Without ptrace access it is zero, which
// looks like a clean exit and is therefore not repeated.
func died(status int) string {
	switch {
	case status == 0:
		return ""
	case status&0x7f != 0:
		return ", killed by signal " + itoa(status&0x7f)
	}
	return ", exited with code " + itoa(status>>8&0xff)
}

// otherThreadLives says whether only the first thread of a process has ended:
// the others keep it alive.
func otherThreadLives(l evidence.ProcLook, pid int) bool {
	if l.Tasks.State == evidence.Unread || l.TasksPart {
		return l.Stat.Value.Threads > 1
	}
	return slices.ContainsFunc(l.Tasks.Or(nil), func(t evidence.Task) bool {
		return t.Tid != pid && t.State != "Z" && t.State != "X"
	})
}

// deathWindow is when the owner died, on the coordinator's clock: between the
// last look alive and the first dead, made narrower by what the kernel logged.
func (c *incident) deathWindow(dead int) evidence.Interval {
	looks := c.owner.proc.Looks
	w := evidence.Interval{To: c.place(looks[dead].Span.End.Boot).To, Clock: evidence.Coordinator}
	for i := range dead {
		if _, known := state(looks[i]); known && c.owner.same != another {
			w.From = c.place(looks[i].Span.Start.Boot).From
		}
	}
	if c.owner.same == another {
		if start, ok := c.started(c.owner.proc); ok {
			w.To = start.To
		}
		if c.renewed.Known() && len(c.renewals) == 0 && !c.renewedAside() {
			w.From = c.renewed.From
		}
	}
	if booted, ok := c.booted(); ok && (w.To.IsZero() || booted.To.Before(w.To)) {
		w.To = booted.To
	}
	if !w.To.IsZero() || !w.From.IsZero() {
		return w
	}
	return evidence.Interval{}
}

// beforeMiss says whether the death is known to have come before, or not
// provably after, the moment the missed renewal was due.
func (c *incident) beforeMiss() bool {
	return c.death.Known() && !c.death.To.IsZero() && !c.when.To.IsZero() && !c.death.To.After(c.when.To)
}

// byConnection counts CLIENT LIST as a second source when the owner's
// connection was there before and went with it.
func (c *incident) byConnection(x *exam, dead int) {
	lists := c.s.Node.Clients
	if len(lists) < 2 || dead == 0 {
		return
	}
	first, last := lists[0], lists[len(lists)-1]
	for _, k := range c.connections(first) {
		stays := slices.ContainsFunc(last.Clients.Or(nil), func(o evidence.Client) bool { return o.ID == k.ID })
		if last.Clients.State == evidence.Seen && !last.Partial && !stays {
			x.source("client list")
			x.cite(c.read("client-list"), "its connection id=%d %s was there and is gone", k.ID, quote(k.Addr))
			return
		}
	}
}

// mistyped says whether the owner may be nobody: a number the responder gave,
// never seen alive, that neither the lock's value nor the kernel's log names,
// while the lock goes on being renewed.
func (c *incident) mistyped() bool {
	p := c.owner
	if p.way != "flag" || c.leaseIs.Value != renewing || c.kill != nil || evidence.NamedIn(c.first.Holder).Pid == p.proc.Pid {
		return false
	}
	return !slices.ContainsFunc(p.proc.Looks, func(l evidence.ProcLook) bool { return l.Stat.State == evidence.Seen })
}

// lateBy is the moment from which a death comes too late to be why: T*, or where
// a renewal was due then, when it was overdue. Renewals come late before they do
// not come, and a process that dies meanwhile is why it never came: one that runs
// out of memory crawls before it is killed.
func (c *incident) lateBy() evidence.Interval {
	if c.when != c.due && c.when != c.owed() || c.every == 0 || c.when == c.now {
		return c.when
	}
	return c.when.Shift(c.grace()-c.every, c.grace()-c.every)
}
