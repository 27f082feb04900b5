package classify

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What supervisors know of the owner: its unit's and its container's last run. A
// record of a run that ended is a source of its own beside the process table. What
// it calls the reason is passed on and proves nothing: OOMKilled is set when any
// process inside was killed and cleared by a restart, and 137 is any SIGKILL.

// ended is how the owner's unit or container says that its run ended.
type ended struct {
	at     evidence.Interval // on the coordinator's clock where it can be placed
	text   string
	source string
}

// ownersEnd finds it. The present run of a restarted unit is another process: then
// the run before it is meant.
func (c *incident) ownersEnd() (ended, bool) {
	for _, u := range c.s.Host.Units {
		if !c.isOwnersUnit(u) {
			continue
		}
		at, how := u.Exited, "its unit's last run ended"
		if u.MainPID > 0 && u.Previous.Known() {
			at, how = u.Previous, "its unit was restarted: the run before ended"
		}
		if u.MainPID > 0 && !u.Previous.Known() || !at.Known() {
			continue
		}
		if u.Code == 2 || u.Result == "signal" || u.Result == "oom-kill" || u.Result == "core-dump" {
			how += " (" + cmpOr(u.Result, "signal") + ")"
		}
		return ended{c.wall(at), how, "unit " + u.Name}, true
	}
	for _, k := range c.s.Host.Containers {
		if !c.isOwnersContainer(k) {
			continue
		}
		if k.Finished.Known() && k.Status != "running" {
			return ended{c.wall(k.Finished), "its container ended" + reasonOf(k.Reason, k.Exit.Or(0)), "container runtime"}, true
		}
		if k.Previous != nil && k.Previous.Finished.Known() {
			return ended{c.wall(k.Previous.Finished), "its container was restarted: the run before ended" + reasonOf(k.Previous.Reason, k.Previous.Exit), "container runtime"}, true
		}
	}
	return ended{}, false
}

func reasonOf(reason string, exit int) string {
	if reason == "" {
		return " with code " + itoa(exit)
	}
	return " (" + quote(reason) + ", code " + itoa(exit) + ")"
}

// isOwnersUnit: the responder named it, or it ran the owner's process.
func (c *incident) isOwnersUnit(u evidence.Unit) bool {
	named := c.s.Subject.Unit != "" && (u.Name == c.s.Subject.Unit || strings.TrimSuffix(u.Name, ".service") == c.s.Subject.Unit)
	return named || c.owner != nil && u.MainPID == c.owner.proc.Pid || c.s.Subject.Unit == "" && len(c.s.Host.Units) == 1
}

// isOwnersContainer: the responder named it or its pod, or the lock's value names
// its pod as the host, or it runs the owner's process.
func (c *incident) isOwnersContainer(k evidence.Container) bool {
	said, host := c.s.Subject.Container, evidence.NamedIn(c.first.Holder).Host
	pod := k.Pod[strings.LastIndexByte(k.Pod, '/')+1:]
	switch {
	case said != "" && (k.ID == said || len(said) >= 12 && strings.HasPrefix(k.ID, said) || k.Name == said || k.Pod == said || pod == said):
		return true
	case said == "" && host != "" && (pod == host || len(host) >= 12 && strings.HasPrefix(k.ID, host)):
		return c.onlyInPod(k)
	}
	return c.owner != nil && k.Pid > 0 && k.Pid == c.owner.proc.Pid
}

// onlyInPod says whether a container is the only one of its pod that was shown: a
// sidecar's death is not the owner's.
func (c *incident) onlyInPod(k evidence.Container) bool {
	n := 0
	for _, o := range c.s.Host.Containers {
		if o.Pod == k.Pod && o.Name != k.Name {
			n++
		}
	}
	return n == 0
}

// goneBySupervisor judges an owner that no process table shows.
func (c *incident) goneBySupervisor(x *exam) bool {
	e, ok := c.ownersEnd()
	if !ok || !e.at.Known() || e.at.Clock != evidence.Coordinator || c.missedOne() && e.at.After(c.lateBy()) {
		return false
	}
	if c.renewed.Known() && e.at.Before(c.renewed) && len(c.renewals) == 0 {
		return false // it ended before the last renewal: another run's, or another's
	}
	x.only(gone)
	x.source(e.source)
	x.cite(e.source, "%s at %s", e.text, clockTime(e.at))
	x.says = e.text + " at " + moment(e.at)
	c.death, c.cause = e.at, "gone"
	return true
}

// bySupervisor adds the unit's or the container's record to a death that the
// process table shows.
func (c *incident) bySupervisor(x *exam) {
	e, ok := c.ownersEnd()
	if !ok {
		return
	}
	if at := e.at; at.Known() && at.Clock == evidence.Coordinator {
		if at.Before(c.death) || at.After(c.death) {
			return // another run's
		}
		c.death = narrowed(c.death, at)
	}
	x.source(e.source)
	x.cite(e.source, "%s", e.text)
}

// narrowed is what two intervals allow together.
func narrowed(a, b evidence.Interval) evidence.Interval {
	if a.From.IsZero() || b.From.After(a.From) {
		a.From = b.From
	}
	if a.To.IsZero() || !b.To.IsZero() && b.To.Before(a.To) {
		a.To = b.To
	}
	return a
}

// pausedByCollector: a stop-the-world pause that began before the renewal was due
// and lasted until it was overdue is why it did not come, though it is over.
func (c *incident) pausedByCollector(x *exam) bool {
	if !c.missedOne() || !c.when.Closed() {
		return false
	}
	for _, p := range c.s.Host.Pauses {
		at := c.wall(p.At)
		if at.Clock != evidence.Coordinator || !at.Closed() {
			continue
		}
		end := at.To.Add(p.Took)
		if at.From.After(c.when.To) || end.Before(c.when.From.Add(max(c.grace()-c.every, 0)-time.Second)) {
			continue
		}
		x.only(stalled)
		x.source("gc log")
		x.cap = true
		x.cite("gc log", "%s", line(p.Text))
		x.says = "stopped by its runtime for " + round(p.Took).String() + " over the renewal that was due"
		c.cause = "gc-pause"
		return true
	}
	return false
}
