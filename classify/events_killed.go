package classify

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// A death that nobody looked for: the log of the owner's host names the process or
// its unit. Such a line is one source, and whether the lock was that process's is
// what its holder's name or the responder says, so that it makes death likely.

// ownersPid is the owner's number on its host: the process that was found, else the
// one that the lock's value names there. Zero where neither tells. Number one is the
// first process of some container, and the host's own init.
func (c *incident) ownersPid() int {
	if c.owner != nil {
		return c.owner.proc.Pid
	}
	n := evidence.NamedIn(c.first.Holder)
	if n.Pid > 1 && c.localHost() != "" && !c.elsewhere(n) {
		return n.Pid
	}
	return 0
}

// goneByHostLog: the kernel, a program that kills for memory, or systemd noted the
// end of the owner's process after the owner was last heard.
func (c *incident) goneByHostLog(x *exam) bool {
	if len(c.sights) == 0 {
		return false // nothing tells when it held the lock
	}
	heard := c.lastHeard()
	kill := c.killRecord(heard)
	unit, ended := c.unitEnded(heard)
	at := ended
	if kill != nil {
		at = c.kernelTime(*kill)
	}
	switch {
	case !at.Known():
		return false
	case c.owed().Known() && at.After(c.lateBy()):
		x.cite("system log", "its end is noted at %s; whether the renewal that was due before came is not told", moment(at))
		return false
	case c.missedOne() && at.After(c.lateBy()):
		x.cite("system log", "its end is noted at %s, after the renewal was missed: that is not why", moment(at))
		return false
	}
	x.only(gone)
	x.cap = true
	c.kill, c.death, c.cause, c.recorded = kill, at, "gone", true
	if kill != nil {
		c.byKernel(x, kill)
	}
	if unit != nil && belongs(at, ended.Shift(-near, near)) {
		x.source("system log")
		x.cite("system log", "%s", line(unit.Text))
		if kill == nil {
			c.cause = causeIn(unit.Text)
			x.says = "systemd noted at " + moment(ended) + ": " + line(unit.Text)
		}
	}
	c.undated = c.missedOne() && !c.beforeMiss()
	c.notices(x)
	return true
}

// lastHeard is the last moment at which the owner was certainly alive: it took the
// lock, or by its own record did something that only it does.
func (c *incident) lastHeard() evidence.Interval {
	out := evidence.Interval{Clock: evidence.Coordinator}
	heard := func(at evidence.Interval) {
		if !at.From.IsZero() && at.From.After(out.From) {
			out.From = at.From
		}
	}
	if !c.former { // then the key is another's, and so is what the record tells of it
		heard(c.begun)
		if c.renewed.Known() && len(c.renewals) == 0 {
			heard(c.renewed) // it took the lock then, or renewed it, alone
		}
	}
	for _, r := range c.record {
		switch r.Event {
		case evidence.DeedAcquire, evidence.DeedHeartbeat, evidence.DeedStart, evidence.DeedResume:
			if c.asked(r.on) && (c.former && c.ofProcess(r) || !c.former && c.ofHolder(r)) {
				heard(r.on)
			}
		}
	}
	return out
}

// ofProcess says whether an event is the doing of the process that is judged, by the
// name that its party bears.
func (c *incident) ofProcess(r recorded) bool {
	n := evidence.NamedIn(r.party)
	return c.owner != nil && n.Pid == c.owner.proc.Pid && !c.elsewhere(n)
}

// misdated says of a kill of the owner's process, dated before the owner was last
// heard, that it is not this death: another process had the number, or the log's
// times are of another zone than they were read in.
func (c *incident) misdated(x *exam) {
	heard := c.lastHeard()
	if c.kill != nil || !heard.Known() {
		return
	}
	for _, e := range c.s.Host.Kernel.Value.Events {
		if e.Forged || !deadly(e.Class) || !c.isOwner(e) {
			continue
		}
		if at := c.kernelTime(e); at.Before(heard) {
			x.cite(cmpOr(c.s.Host.Kernel.Source, "kernel log"), "a kill of pid %d is dated %s, before the owner was last heard at %s: another process had the number, or the log's times are of another zone (--tz)",
				c.ownersPid(), evidence.FormatTime(at.Mid()), evidence.FormatTime(heard.From))
			if len(x.possible()) > 1 {
				x.says = "not known; a kill of its pid is dated before it was last heard: is the log's zone (--tz) right?"
			}
			return
		}
	}
}

// unitEnded is the first end of the owner's unit that systemd noted after the owner
// was last heard. A unit of which more was shown is judged by that.
func (c *incident) unitEnded(heard evidence.Interval) (*evidence.KernelEvent, evidence.Interval) {
	name := c.unitNamed()
	if name == "" || !heard.Known() {
		return nil, evidence.Interval{}
	}
	for _, u := range c.s.Host.Units {
		if u.Name == name {
			return nil, evidence.Interval{}
		}
	}
	events := c.s.Host.Kernel.Value.Events
	var first *evidence.KernelEvent
	var at evidence.Interval
	for i, e := range events {
		on, _ := c.around(e.Wall)
		if e.Class != "unit-exit" || e.Forged || !speaksOf(e.Text, name) || !on.Known() || on.Before(heard) {
			continue
		}
		if first == nil || on.Before(at) {
			first, at = &events[i], on
		}
	}
	return first, at
}

// unitNamed is the unit that the responder named, else the one in which the kernel
// killed the owner's process.
func (c *incident) unitNamed() string {
	name := c.s.Subject.Unit
	for _, e := range c.s.Host.Kernel.Value.Events {
		if name == "" && e.Kill != nil && !e.Forged && c.isOwner(e) {
			name = e.Kill.TaskMemcg[strings.LastIndexByte(e.Kill.TaskMemcg, '/')+1:]
		}
	}
	if name != "" && !contains(name, ".") {
		name += ".service"
	}
	return name
}

// speaksOf says whether a line of systemd's is about a unit: the unit's whole name
// stands in front of what it says.
func speaksOf(text, unit string) bool {
	before, _, found := strings.Cut(text, unit+": ")
	return found && (before == "" || before[len(before)-1] == ' ')
}

// untilEnd carries the question on to the owner's end, where a log of its host or of
// its cluster dates that later than the record of the lock reaches, and a renewal was
// overdue by then: what became of the lease meanwhile nobody wrote down.
func (c *incident) untilEnd() {
	if c.recalled == "" || !c.s.At.IsZero() || !c.renewed.Known() || c.lost.yes || c.owed().Known() {
		return
	}
	heard := c.lastHeard()
	_, end := c.unitEnded(heard)
	if kill := c.killRecord(heard); kill != nil {
		end = c.kernelTime(*kill)
	}
	for _, e := range c.s.Host.Cluster {
		if _, ends := clusterEnds(e.Reason); ends && !end.Known() && c.holdersObject(e.Object) {
			if at, _ := c.around(e.At); !at.Before(heard) {
				end = at
			}
		}
	}
	if end.Closed() && end.To.After(c.now.To) && end.To.After(c.renewed.To.Add(c.grace())) {
		c.s.Looks = append(c.s.Looks, evidence.Look{Placed: end})
	}
}
