package classify

import "github.com/lockscene/lockscene/evidence"

// state is the second axis, the checklist's own: who may act on the lock now.
func (c *incident) state(v evidence.Verdict) evidence.LockState {
	last, ok := c.last()
	a := v.Answers
	inactive := a.Owner.Value == gone || a.Owner.Value == stalled
	switch {
	case !ok, last.Here && c.silent():
		return evidence.StateUnknown
	case c.contested(a):
		return evidence.Contested
	case !last.Here && a.Lease.Value != released && c.onlyReckoned(last):
		return evidence.StateUnknown // it should have ended, and nobody saw
	case !last.Here:
		return evidence.Free
	case c.former || c.lost.yes:
		return evidence.Held // by whoever took it next
	case last.Ends.Known() && last.Ends.Before(last.Now):
		return evidence.Overdue
	case inactive:
		return evidence.StaleHolder
	}
	return evidence.Held
}

// contested: another holds the lock while the first is not known to be gone and
// was not seen to let go.
func (c *incident) contested(a evidence.Answers) bool {
	if s, ok := c.splitBrain(); ok && s.proven {
		return true
	}
	if _, b, ok := c.twice(); ok && b.sure && a.Owner.Value != gone {
		return true
	}
	if _, ok := c.replaced(); ok && a.Owner.Value != gone {
		return true
	}
	known := c.owner != nil || len(c.deeds(evidence.DeedHeartbeat, evidence.DeedAcquire, evidence.DeedRenew)) > 0
	return c.succeeded() && a.Owner.Value != gone && a.Lease.Value != released && known && !c.sawLoss()
}

// times are the moments people ask for, on the coordinator's clock.
func (c *incident) times(v evidence.Verdict) evidence.Times {
	var t evidence.Times
	set := func(into **evidence.Interval, i evidence.Interval) {
		if i.Closed() && i.To.Before(i.From) {
			i.From, i.To = i.To, i.From // across a step back, a later look shows an earlier time
		}
		if i.Known() {
			*into = &i
		}
	}
	set(&t.LastRenewal, c.renewed)
	set(&t.Due, c.due)
	lost, by := c.disappeared(v)
	set(&t.Disappeared, lost)
	t.DisappearedBy = by
	set(&t.LeaseEnds, c.leaseEnds())
	if c.lost.yes {
		set(&t.SafeRelease, c.left())
		if c.taken != nil && c.succeeded() {
			set(&t.SafeTransfer, c.takenAt())
		}
	}
	if c.byRecords() {
		set(&t.Acquired, c.acquired())
		t.AfterRenewal = apart(t.LastRenewal, t.Disappeared)
		t.ToSafeRelease, t.ToSafeTransfer = apart(t.Disappeared, t.SafeRelease), apart(t.Disappeared, t.SafeTransfer)
	}
	return t
}

// renewsAlone says whether only the owner can have renewed: nobody else was
// seen to, or said to.
func (c *incident) renewsAlone() bool { return c.leaseIs.Value != renewing && !c.renewedAside() }

// leaseEnds is the first holder's last known end.
func (c *incident) leaseEnds() evidence.Interval {
	last, _ := c.lastEnds()
	return last.Ends
}

// takenAt is when the next holder took the lock: since the look before.
func (c *incident) takenAt() evidence.Interval {
	if c.recalled != "" {
		return c.taken.Now
	}
	at := evidence.Interval{To: c.taken.Now.To, Clock: evidence.Coordinator}
	for _, s := range c.sights {
		if s.Look < c.taken.Look {
			at.From = s.Now.From
		}
	}
	return at
}

// nextHolder is what the key says of whoever holds it after the owner.
func (c *incident) nextHolder() string {
	switch {
	case c.former:
		return c.first.Holder
	case c.taken != nil:
		return c.taken.Holder
	}
	return ""
}
