package classify

import "github.com/lockscene/lockscene/evidence"

// booted is when the owner's host began its present life, where that was after the
// holder's last renewal: whoever sent it ended before. It counts only where that
// host is known to be the owner's, because somebody looked for the process there or
// the lock's value names it, and not for a previous holder, whose renewals nobody
// knows.
func (c *incident) booted() (evidence.Interval, bool) {
	if len(c.s.Vantages) == 0 || c.former || !c.renewed.Known() || !c.ownersHost() {
		return evidence.Interval{}, false
	}
	if c.reckoned() == nil && c.s.Vantages[0].BootID == "" {
		return evidence.Interval{}, false // its steady clock need not count from boot
	}
	at := c.sinceBoot(0)
	return at, at.Known() && at.After(c.renewed)
}

func (c *incident) ownersHost() bool {
	if c.owner != nil && len(c.owner.proc.Looks) > 0 {
		return true
	}
	n := evidence.NamedIn(c.first.Holder)
	return n.Pid > 0 && c.localHost() != "" && !c.elsewhere(n)
}

// goneByBoot judges an owner whose end no process table shows: nobody looked, or
// what has its number now did not tell when it began.
func (c *incident) goneByBoot(x *exam) bool {
	at, ok := c.booted()
	if !ok {
		return false
	}
	c.death = evidence.Interval{To: at.To, Clock: evidence.Coordinator}
	if c.renewsAlone() {
		c.death.From = c.renewed.From // it was alive to renew
	}
	if c.owner != nil {
		if dead, _ := c.firstDead(); dead >= 0 {
			return false // judged already
		}
		for _, l := range c.owner.proc.Looks {
			if seen := c.span(l.Span); there(l) && seen.Before(at) && seen.From.After(c.death.From) {
				c.death.From = seen.From
			}
		}
	}
	if c.missedOne() && c.death.After(c.lateBy()) {
		return false
	}
	x.only(gone)
	c.cause, c.recorded = "gone", true
	x.says = "its host"
	c.byBoot(x)
	c.undated = c.missedOne() && !c.beforeMiss()
	x.cap = x.cap || c.undated
	return true
}

// byBoot adds the boot to a death: nothing outlives it. What killed the process
// before that, if anything is known to have, stays the cause.
func (c *incident) byBoot(x *exam) {
	at, ok := c.booted()
	if !ok {
		return
	}
	x.source("boot")
	x.cite("/proc/uptime", "the host booted at %s, after the last renewal: nothing that ran before lives", moment(at))
	if c.cause != "gone" {
		return
	}
	c.cause = "host-rebooted"
	if x.says == "its host" {
		x.says = "its host rebooted at " + moment(at)
	} else {
		x.says += "; its host rebooted at " + moment(at)
	}
}
