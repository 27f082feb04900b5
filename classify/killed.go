package classify

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Who killed the owner: the kernel, or a program that kills for memory before the
// kernel has to, by their own records.

// killRecord is the kernel's record of the owner's death, if there is one. A
// forged line counts for nothing, and neither does one from before the owner
// began: pids come round. The kernel counts pids of the first namespace only.
func (c *incident) killRecord(window evidence.Interval) *evidence.KernelEvent {
	if len(c.s.Vantages) > 0 && c.s.Vantages[0].OwnPids() {
		return nil
	}
	events := c.s.Host.Kernel.Value.Events
	for i := len(events) - 1; i >= 0; i-- {
		e := events[i]
		if e.Forged || !c.isOwner(e) || !deadly(e.Class) {
			continue
		}
		at := c.kernelTime(e)
		if at.Before(window) || at.After(window) {
			continue // it was seen alive after that, or dead before
		}
		if c.renewed.Known() && len(c.renewals) == 0 && c.leaseHi > 0 && at.Before(c.renewed.Shift(-c.leaseHi, 0)) {
			continue // long before the last renewal: somebody who had the number earlier
		}
		return &events[i]
	}
	return nil
}

func deadly(class string) bool {
	switch class {
	case "oom-kill", "segfault", "general-protection", "trap", "hwpoison-kill", earlyoomKill, oomdKill:
		return true
	}
	return false
}

func (c *incident) isOwner(e evidence.KernelEvent) bool {
	pid := c.ownersPid()
	switch {
	case pid == 0:
		return false
	case e.Kill != nil:
		return e.Kill.Victim == pid
	case e.Class == oomdKill:
		return e.Group != "" && c.inGroup(func(path string) bool { return path == e.Group || strings.HasPrefix(path, e.Group+"/") })
	}
	// A fault is logged with the number of the thread.
	return e.Pid == pid || c.owner != nil && slices.ContainsFunc(c.owner.proc.Looks, func(l evidence.ProcLook) bool {
		return slices.ContainsFunc(l.Tasks.Or(nil), func(t evidence.Task) bool { return t.Tid == e.Pid })
	})
}

// kernelTime places a kernel record on the coordinator's clock. The printk
// clock is the steady one less all sleep since boot, and not slewed by NTP: the
// record's own width is the drift, and sleep may lie before or after it.
func (c *incident) kernelTime(e evidence.KernelEvent) evidence.Interval {
	var slept time.Duration
	if len(c.s.Vantages) > 0 {
		slept = c.s.Vantages[0].Slept
	}
	from, to := c.sinceBoot(e.Printk), c.sinceBoot(e.Printk+slept)
	if e.Printk == 0 || !from.Known() {
		if c.recalled != "" {
			at, _ := c.around(e.Wall)
			return at
		}
		return c.wall(e.Wall)
	}
	drift := max(e.Wall.Bound()-slept/2, 0)
	if c.reckoned() != nil {
		// The boot clock was tied to the axis near now, and drifts since then.
		drift = c.now.Mid().Sub(from.Mid()).Abs()/2000 + time.Millisecond
	}
	return evidence.Interval{From: from.From.Add(-drift), To: to.To.Add(drift), Clock: evidence.Coordinator}
}

// byKernel adds what the kernel says of the death: its log, and the counter of
// the memory group it names. They are two sources: the log is rate-limited and
// can be forged in text form, the counter cannot say whom it counted.
func (c *incident) byKernel(x *exam, e *evidence.KernelEvent) {
	if c.s.Host.Kernel.State == evidence.Unread {
		x.miss("kernel log", string(c.s.Host.Kernel.Status), c.s.Host.Kernel.Why)
	}
	if st := c.zombieStatus(); st&0x7f == 9 {
		c.cause = "killed"
	}
	if e == nil {
		return
	}
	if c.byDaemon(x, e) {
		return
	}
	x.source(killSource(*e))
	x.cite(c.s.Host.Kernel.Source, "%s", line(e.Text))
	c.cause = e.Class
	x.says = "pid " + itoa(c.ownersPid()) + " killed by the kernel: " + e.Class
	if e.Kill == nil {
		return
	}
	where := "out of memory on the whole host"
	if e.Kill.Scope == "memcg" {
		where = "in " + quote(cmpOr(e.Kill.TaskMemcg, "its memory group"))
	}
	x.says = fmt.Sprintf("pid %d (%s) killed by the OOM killer %s", c.ownersPid(), quote(e.Kill.Comm), where)
	if n, path, ok := c.killCounter(); ok && n > 0 {
		x.source("cgroup counter")
		x.cite(path, "oom_kill %d", n)
	}
}

// Programs that kill for memory before the kernel has to. The kernel counts none
// of theirs as an OOM kill.
const (
	earlyoomKill = "earlyoom-kill" // one process, by its number
	oomdKill     = "oomd-kill"     // a control group with all that is in it
)

// killSource is whose record a kill is.
func killSource(e evidence.KernelEvent) string {
	if e.Class == earlyoomKill || e.Class == oomdKill {
		return "system log"
	}
	return "kernel log"
}

// byDaemon says which of them ended the owner, by its own word.
func (c *incident) byDaemon(x *exam, e *evidence.KernelEvent) bool {
	who := ""
	switch e.Class {
	case earlyoomKill:
		who = "earlyoom"
	case oomdKill:
		who = "systemd-oomd, with all of " + quote(e.Group)
	default:
		return false
	}
	x.source(killSource(*e))
	x.cite(killSource(*e), "%s", line(e.Text))
	c.cause = e.Class
	x.says = fmt.Sprintf("pid %d killed for memory by %s", c.ownersPid(), who)
	return true
}

func (c *incident) zombieStatus() int {
	if c.owner == nil || len(c.owner.proc.Looks) == 0 {
		return 0
	}
	looks := c.owner.proc.Looks
	return looks[len(looks)-1].Stat.Value.Exit
}

// killCounter is the oom_kill count of the owner's memory group.
func (c *incident) killCounter() (int64, string, bool) {
	var looks []evidence.ProcLook
	if c.owner != nil {
		looks = c.owner.proc.Looks
	}
	for i := len(looks) - 1; i >= 0; i-- {
		if n, ok := looks[i].Cgroup.OOMKills.Get(); ok && n > 0 {
			return n, looks[i].Cgroup.OOMKills.Source, true
		}
	}
	for _, g := range c.s.Host.Groups {
		if n, ok := g.Cgroup.OOMKills.Get(); ok && n > 0 {
			return n, g.Cgroup.OOMKills.Source, true
		}
	}
	return 0, "", false
}
