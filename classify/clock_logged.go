package classify

import "github.com/lockscene/lockscene/evidence"

// clockLogged: the coordinator's own machine says that its clock was stepped within
// this lease's life, by more than clocks may be apart. A log names no lease, so
// that the step is likely at most unless TIME shows it too. Between two looks it is
// asked for only after TIME itself did not tell.
func (c *incident) clockLogged(x *exam, watched bool) bool {
	n, ok := c.steppedInLease(watched)
	if !ok {
		return false
	}
	c.cause = "clock-step"
	x.only(off)
	x.source("clock daemon")
	x.cap = true
	x.cite("clock daemon", "%s (%s)", line(n.Text), clockTime(n.At))
	x.says = "Redis's machine logged a step of its clock by " + signed(n.By) + " at " + clockTime(n.At)
	return true
}

// steppedInLease finds the step. Its date is the coordinator's own, before the step
// or after it; a lease's life is from its last renewal to its end, or to the look
// that showed it over.
func (c *incident) steppedInLease(watched bool) (evidence.ClockNotice, bool) {
	if !c.renewed.Known() {
		return evidence.ClockNotice{}, false
	}
	life := evidence.Interval{From: c.renewed.From, To: c.now.To, Clock: evidence.Coordinator}
	if c.lost.yes && !c.lost.at.To.IsZero() {
		life.To = c.lost.at.To
	}
	for _, h := range c.s.Others {
		if h.Vantage != "coordinator" {
			continue
		}
		for _, n := range h.Steps {
			at := n.At.On(evidence.Coordinator)
			if n.Kind != "stepped" || n.By.Abs() <= c.skew() || !at.Closed() {
				continue
			}
			wide := at.Shift(min(0, -n.By), max(0, -n.By))
			if !wide.Before(life) && !wide.After(life) && c.watchedOver(at) == watched {
				return n, true
			}
		}
	}
	return evidence.ClockNotice{}, false
}

// watchedOver says whether looks lie on both sides of a moment: then TIME itself
// can tell, and is believed more than somebody's log.
func (c *incident) watchedOver(at evidence.Interval) bool {
	before, after := false, false
	for _, s := range c.sights {
		before = before || s.Now.Known() && s.Now.Before(at)
		after = after || s.Now.Known() && s.Now.After(at)
	}
	return before && after
}
