package classify

import (
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// holdersRun is the run of a supervisor that held the lock: the newest that had
// begun when the lock was last renewed. A run that began later is another process,
// whatever has the unit's name now; a run that ended before the last renewal did
// not send it.
func (c *incident) holdersRun(s supervisor) (run stint, found bool) {
	asked := evidence.Interval{}
	if len(c.renewals) == 0 {
		asked = c.renewed
	}
	later := evidence.Interval{}
	for _, r := range s.runs {
		switch {
		case asked.Known() && r.began.Known() && r.began.After(asked):
			later = r.began
			continue
		case asked.Known() && r.over && r.ended.Known() && r.ended.Before(asked):
			return stint{}, false
		}
		return r, true
	}
	if !later.Known() {
		return stint{}, false
	}
	return stint{over: true, hidden: true, cause: "gone", how: "its present run began after the lock was last renewed",
		ended: evidence.Interval{From: asked.From, To: later.To, Clock: evidence.Coordinator}}, true
}

// goneByRecord judges an owner that no process table shows.
func (c *incident) goneByRecord(x *exam) bool {
	return c.goneBySupervisor(x) || c.goneByCluster(x) || c.goneByHostLog(x)
}

// goneBySupervisor judges it by its unit or its container.
func (c *incident) goneBySupervisor(x *exam) bool {
	for _, s := range c.supervisors() {
		run, ok := c.holdersRun(s)
		switch {
		case !ok:
			continue
		case !run.over:
			c.aliveBySupervisor(x, s, run)
			continue
		case !run.ended.Known():
			run.ended = evidence.Interval{To: c.span(s.span).To, Clock: evidence.Coordinator}
		}
		x.cap = x.cap || s.rough
		if c.missedOne() && run.ended.After(c.lateBy()) {
			if c.owed().Known() {
				x.cite(s.name, "%s at %s; whether the renewal that was due before came is not told", run.how, moment(run.ended))
				return false
			}
			x.exclude(gone)
			x.source("supervisor")
			x.cite(s.name, "%s at %s, after the renewal was missed: that is not why", run.how, moment(run.ended))
			x.says = "it ended only at " + moment(run.ended) + ", after the renewal was missed"
			return false
		}
		x.only(gone)
		x.source("supervisor")
		x.cite(s.name, "%s%s", run.how, atMoment(run.ended))
		x.says = strings.TrimPrefix(s.name, "container ") + ": " + run.how + atMoment(run.ended)
		c.death, c.cause, c.recorded = run.ended, cmpOr(run.cause, "gone"), true
		c.undated = c.missedOne() && !c.beforeMiss()
		x.cap = x.cap || c.undated
		c.corroborate(x, s, run)
		return true
	}
	return false
}

func atMoment(i evidence.Interval) string {
	if !i.Closed() || i.Bound() > time.Hour {
		return "" // the middle of hours is no moment
	}
	return " at " + moment(i)
}

// aliveBySupervisor: the holder is the first process of a container or unit whose
// run had begun before the lock's life and goes on.
func (c *incident) aliveBySupervisor(x *exam, s supervisor, run stint) {
	named := evidence.NamedIn(c.first.Holder).Pid
	if named == 0 || named != 1 && named != run.pid || !c.renewed.Known() || !run.began.Before(c.renewed.Shift(-c.leaseHi, 0)) {
		return
	}
	if c.missedOne() && !c.span(s.span).After(c.when) {
		return
	}
	x.cap = true
	x.exclude(gone)
	x.source("supervisor")
	x.cite(s.name, "its run began at %s and goes on", moment(run.began))
	x.says = s.name + " runs; whether it works is not shown"
}

// bySupervisor adds the unit's or the container's record to a death that the
// process table shows. What an unmeasured clock dates makes no interval narrower,
// unless nothing else dates the death at all.
func (c *incident) bySupervisor(x *exam) {
	for _, s := range c.supervisors() {
		run, ok := c.holdersRun(s)
		if !ok || !run.over {
			continue
		}
		if at := run.ended; at.Known() {
			if at.Before(c.death) || at.After(c.death) {
				continue // another run's
			}
			if dated := c.beforeMiss() || !c.missedOne(); !dated || !s.rough {
				c.death = narrowed(c.death, at)
				x.cap = x.cap || s.rough && !dated
			}
		}
		x.source("supervisor")
		x.cite(s.name, "%s%s", run.how, atMoment(run.ended))
		if c.cause == "gone" {
			c.cause = cmpOr(run.cause, "gone")
		}
		c.corroborate(x, s, run)
		return
	}
	c.notices(x)
}

// corroborate looks for what others say of the same death: the kernel's log, the
// cluster, and the program's own last words.
func (c *incident) corroborate(x *exam, s supervisor, run stint) {
	if e := c.killIn(s, run); e != nil && c.kill == nil {
		x.source(killSource(*e))
		x.cite(cmpOr(c.s.Host.Kernel.Source, killSource(*e)), "%s", line(e.Text))
		c.cause = e.Class
		x.says += "; " + killers[e.Class]
	}
	if e := c.undatedKillIn(s, run); e != nil && c.kill == nil && c.cause == "killed" {
		x.cite(cmpOr(c.s.Host.Kernel.Source, killSource(*e)), "%s (no date)", line(e.Text))
		c.cause = e.Class
		x.says += "; the kernel's OOM killer took a process of it"
	}
	for _, e := range c.eventsOf(s) {
		at, _ := c.around(e.At)
		if !belongs(at, run.ended) {
			continue
		}
		x.cite("cluster events", "%s: %s", quote(e.Reason), line(e.Text))
		switch e.Reason {
		case "OOMKilling", "SystemOOM":
			// The kubelet reads it in the kernel's log.
			x.source("kernel log")
			c.cause = "oom-kill"
		case "Evicted", "Evicting":
			c.cause = "pod-evicted"
		case "Unhealthy":
			x.says += "; its probe had failed"
		}
	}
	if _, told := killers[c.cause]; run.oom && !told {
		x.cite(s.name, "its supervisor calls it out of memory, and nothing else does: some process inside was killed at some time")
	}
	c.notices(x)
}

// killers is who took a process of a supervised run, by the record's class.
var killers = map[string]string{
	"oom-kill":   "the kernel's OOM killer took a process of it then",
	earlyoomKill: "earlyoom took a process of it then",
	oomdKill:     "systemd-oomd took all of it then",
}

// belongs says whether an event goes with an end: within the grace that a killed
// container gets before it is gone.
func belongs(at, ended evidence.Interval) bool {
	const grace = 35 * time.Second // terminationGracePeriodSeconds is 30 unless somebody changed it
	return at.Known() && ended.Closed() && !at.After(ended.Shift(0, 2*time.Second)) && !at.Before(ended.Shift(-grace, 0))
}

// killIn is the kernel's record of a kill in the container, at the run's end.
func (c *incident) killIn(s supervisor, run stint) *evidence.KernelEvent {
	events := c.s.Host.Kernel.Value.Events
	for i, e := range events {
		if e.Forged || !run.ended.Known() {
			continue
		}
		of := false
		switch {
		case e.Kill != nil:
			of = len(s.id) >= 12 && (strings.HasPrefix(e.Kill.Container, s.id) || contains(e.Kill.TaskMemcg, s.id)) || run.pid > 0 && e.Kill.Victim == run.pid
		case e.Class == oomdKill:
			unit, isUnit := strings.CutPrefix(s.name, "unit ")
			of = len(s.id) >= 12 && contains(e.Group, s.id) || isUnit && strings.HasSuffix(e.Group, "/"+unit)
		case e.Class == earlyoomKill:
			of = run.pid > 0 && e.Pid == run.pid
		}
		if at := c.kernelTime(e).Shift(-time.Second, time.Second); of && at.Known() && !at.Before(run.ended) && !at.After(run.ended) {
			return &events[i]
		}
	}
	return nil
}

// undatedKillIn is a kernel's record of a kill in the container that nothing dates,
// where its supervisor too calls the end one by memory, and a SIGKILL ended it. It
// tells why, and no source of when.
func (c *incident) undatedKillIn(s supervisor, run stint) *evidence.KernelEvent {
	if !run.oom || len(s.id) < 12 {
		return nil
	}
	events := c.s.Host.Kernel.Value.Events
	for i, e := range events {
		its := e.Kill != nil && (strings.HasPrefix(e.Kill.Container, s.id) || contains(e.Kill.TaskMemcg, s.id))
		if its && !e.Forged && !c.kernelTime(e).Known() {
			return &events[i]
		}
	}
	return nil
}

// eventsOf are the cluster's notes of a supervisor's container, its pod, or a kill
// on its node that names the owner's process.
func (c *incident) eventsOf(s supervisor) []evidence.ClusterEvent {
	var out []evidence.ClusterEvent
	for _, e := range c.s.Host.Cluster {
		object := e.Object[strings.LastIndexByte(e.Object, '/')+1:]
		switch {
		case s.pod != "" && object == s.pod:
		case len(s.id) >= 12 && strings.HasPrefix(object, s.id), object != "" && "container "+object == s.name:
		case (e.Reason == "OOMKilling" || e.Reason == "SystemOOM") && c.namesVictim(e.Text):
		default:
			continue
		}
		out = append(out, e)
	}
	return out
}

// namesVictim says whether a line names the owner's process by its number.
func (c *incident) namesVictim(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	return c.owner != nil && slices.Contains(words, itoa(c.owner.proc.Pid))
}

// pausedBySupervisor: the container is paused by its runtime, which freezes it.
func (c *incident) pausedBySupervisor(x *exam) bool {
	for _, s := range c.supervisors() {
		if !s.paused {
			continue
		}
		since := c.pausedSince(s)
		if c.missedOne() && since.After(c.lateBy()) {
			x.cite(s.name, "paused only at %s, after the renewal was missed: that is not why", moment(since))
			continue
		}
		c.holdUp(x, "supervisor", s.name, "is paused by its container runtime"+atMoment(since), "paused")
		c.undated = c.missedOne() && (!since.Known() || since.To.After(c.when.To))
		x.cap = x.cap || s.rough || c.undated
		return true
	}
	return false
}

// pausedSince is when the runtime noted the pause that lasts; unbounded when it
// did not.
func (c *incident) pausedSince(s supervisor) evidence.Interval {
	var out evidence.Interval
	for _, e := range c.eventsOf(s) {
		switch at, _ := c.around(e.At); strings.ToLower(e.Reason) {
		case "pause", "paused":
			out = at
		case "unpause", "unpaused":
			out = evidence.Interval{}
		}
	}
	return out
}

// holdUp concludes that something held the owner up. Where a process was looked
// at, who it is stays as open as it was.
func (c *incident) holdUp(x *exam, source, reading, text, cause string) {
	if c.owner != nil && len(c.owner.proc.Looks) > 0 {
		x.exclude(running)
	} else {
		x.only(stalled)
	}
	x.source(source)
	x.cite(reading, "%s", text)
	x.says = text
	c.cause = cause
}
