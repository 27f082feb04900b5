package classify

import "github.com/lockscene/lockscene/evidence"

// machineSlept: the owner's machine was suspended before the renewal was due and
// resumed after it was overdue. Nothing runs meanwhile, and the coordinator's
// clock goes on. Where that moment is only known roughly the sleep must take up at
// least half of where it can lie.
func (c *incident) machineSlept(x *exam) bool {
	from, to, rough, ok := c.slept()
	if !ok || !c.missedOne() || !c.when.Closed() || from.After(c.when) || to.Before(c.lateBy()) {
		return false
	}
	sure := from.Before(c.when) && to.After(c.lateBy())
	if !sure && to.From.Sub(from.To) < c.when.Bound() {
		return false
	}
	c.holdUp(x, "kernel log", c.s.Host.Kernel.Source, "the machine slept from "+clockTime(from)+" to "+clockTime(to)+", over the renewal that was due", "suspended")
	x.cap = x.cap || !sure || rough
	if c.s.Vantages[0].Slept > c.grace()-c.every {
		x.source("clocks") // the steady clock is ahead of the one that stops in sleep
	}
	return true
}

// slept is the newest sleep in the kernel's log, on the coordinator's clock. The
// kernel's own seconds stop in it: where it is the only one since boot, all that
// the two steady clocks differ by lies between its lines. With several, only a
// journal's dates tell, and rough says whether the clock they are of was measured.
func (c *incident) slept() (from, to evidence.Interval, rough, ok bool) {
	var in, out *evidence.KernelEvent
	events := c.s.Host.Kernel.Value.Events
	n := 0
	for i, e := range events {
		switch {
		case e.Forged:
		case e.Class == "suspend" && (in == nil || out != nil):
			in, out, n = &events[i], nil, n+1
		case e.Class == "resume" && in != nil:
			out = &events[i]
		}
	}
	if in == nil || out == nil || len(c.s.Vantages) == 0 {
		return from, to, false, false
	}
	asleep := c.s.Vantages[0].Slept
	if n == 1 && asleep > 0 && c.s.Host.Kernel.Value.Lost == 0 && c.reckoned() == nil {
		return c.sinceBoot(in.Printk), c.sinceBoot(out.Printk + asleep), false, true
	}
	from, roughA := c.around(in.Wall)
	to, roughB := c.around(out.Wall)
	return from, to, roughA || roughB, from.Closed() && to.Closed() && from.Before(to)
}
