package classify

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// When a renewal was due, and whether it was missed: T*, the moment that every
// question is asked about.

// missed is T*: the last renewal plus the interval; the lease's end where no
// interval is known; the vanishing itself when it came before the end; now
// while nothing was missed.
func (c *incident) missed() evidence.Interval {
	c.due = c.firstDue()
	switch {
	case c.lost.yes && c.lost.early:
		return c.lost.at
	case c.due.Known():
		return c.due
	case c.lost.yes && c.lost.late && c.every > 0 && c.renewed.Known() && !c.renewed.Shift(c.every, c.every).After(c.lost.before.Ends):
		return c.renewed.Shift(c.every, c.every)
	case c.lost.yes && c.lost.before.Ends.Known():
		return c.lost.before.Ends
	case !c.lost.yes && c.owed().Known():
		return c.owed()
	}
	return c.now
}

// firstDue is when the first renewal was due that certainly did not come: a
// look saw the end unmoved after it was overdue. Whether somebody asserted the
// lock again later does not undo it. Unknown while none was missed.
func (c *incident) firstDue() evidence.Interval {
	if c.every == 0 {
		return evidence.Interval{}
	}
	said := c.s.Contract.Lease > 0 && c.leaseLo == c.s.Contract.Lease
	var last evidence.Sight
	var renewed evidence.Interval
	for _, s := range c.tenure {
		if !s.Ends.Known() || !s.Now.Known() {
			continue
		}
		if at, ok := c.s.RenewedBetween(last, s); ok {
			renewed = at
		} else if said && !last.Here {
			renewed = evidence.RenewedAt(s.Ends, c.s.Contract.Lease)
		} else if c.byDefault() && !last.Here {
			// Its lease may be shorter than the default: only that it was not renewed
			// after the first look counts.
			renewed = evidence.Interval{From: s.Ends.From.Add(-c.s.Dialect.Value.Lease), To: s.Now.To, Clock: evidence.Coordinator}
		}
		if renewed.Known() && renewed.Shift(c.grace(), c.grace()).Before(s.Now) {
			return renewed.Shift(c.every, c.every)
		}
		if age, ok := c.age(s); said && ok && age > c.grace() {
			return c.given(s, last, renewed).Shift(c.every, c.every)
		}
		last = s
	}
	return evidence.Interval{}
}

// age is how long before a look the lease had been given its length, as what was
// left of it tells: exactly, however wide the stretch is in which the look was taken.
// A lease that was renewed while the look was taken has two.
func (c *incident) age(s evidence.Sight) (time.Duration, bool) {
	l := c.s.Looks[s.Look]
	left, ok := l.PTTL.Get()
	if !ok || left < 0 || left > c.leaseLo.Milliseconds() {
		return 0, false
	}
	rest := time.Duration(left) * time.Millisecond
	if l.End.State == evidence.Seen {
		asked := s.Ends.Shift(-rest-2*time.Millisecond, -rest+2*time.Millisecond)
		ok = !asked.Before(s.Now) && !asked.After(s.Now)
	}
	return c.leaseLo - rest, ok
}

// given is when a lease was given the end that a look showed. What came before the
// look before cannot have come after it: both then saw one end.
func (c *incident) given(s, last evidence.Sight, renewed evidence.Interval) evidence.Interval {
	at := evidence.RenewedAt(s.Ends, c.s.Contract.Lease)
	if last.Here && at.Before(last.Now) && renewed.Known() {
		if renewed.From.After(at.From) {
			at.From = renewed.From
		}
		if renewed.To.Before(at.To) {
			at.To = renewed.To
		}
	}
	return at
}

// byDefault says whether the renewal interval is that which the lock's library uses
// unless somebody set another: nobody stated one, and none was seen.
func (c *incident) byDefault() bool {
	return c.every > 0 && c.s.Contract.RenewEvery == 0 && len(c.renewals) == 0
}

// grace is how long after the last renewal the next may still be on its way:
// half an interval more than the interval, or half way to the lease's end if
// that comes first.
func (c *incident) grace() time.Duration { return graceOf(c.every, c.leaseLo) }

func graceOf(every, lease time.Duration) time.Duration {
	g := every + every/2
	if half := every + (lease-every)/2; lease > every && half < g {
		g = half
	}
	return g
}

// overdue says whether a renewal was certainly missed while the key was seen.
func (c *incident) overdue() bool { return c.due.Known() }
