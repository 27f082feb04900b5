package classify

import (
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// When a lock went, or changed hands, and whether its lease had ended by then.

// tolerance is how near its end a key may go and still be taken to have run out,
// where no order shows: a quarter of a second, as for every clock.
const tolerance = defaultSkew

// vanishing is a lock that was there at one look and gone, or another's, at the
// next.
type vanishing struct {
	yes    bool
	at     evidence.Interval // between the two looks
	before evidence.Sight    // the last one with the holder there
	after  evidence.Sight
	early  bool // certainly before its end
	late   bool // certainly at or after its end
	habit  bool // early and late rest on people's typing TIME and what follows it in one go
}

// vanished finds the first holder's disappearance from the key, and who had it
// next.
func (c *incident) vanished() vanishing {
	lease, b, over := c.s.FirstLease()
	if !over {
		return vanishing{}
	}
	for i := range c.sights {
		if c.sights[i].Look >= b.Look && c.sights[i].Here {
			c.taken = &c.sights[i]
			break
		}
	}
	a := lastEnding(lease)
	v := vanishing{yes: true, before: a, after: b,
		at: evidence.Interval{From: a.Now.From, To: b.Now.To, Clock: evidence.Coordinator}}
	v.early = a.Endless || a.Ends.Known() && b.Now.Before(a.Ends)
	if v.early && c.isChange(b) {
		v.at = narrowed(v.at, b.Now)
	}
	c.lost = v
	if e, ok := c.slowRemoval(); ok && !v.early && a.Ends.Known() && e.Ended.Add(time.Second).Before(a.Ends.From) {
		v.early = true // of text the next look may have come any time later
	}
	v.late = a.Ends.Known() && b.Now.Known() && !v.early
	if c.reckoned() != nil && c.recalled == "" && !v.early {
		v.early, v.late, v.habit = c.endedInText(a, b)
	}
	c.lost = v
	if e, ok := c.slowRemoval(); ok && v.early {
		// SLOWLOG dates the removal to the second; the looks may lie further apart.
		ended := endedAt(e)
		if ended.From.After(v.at.From) {
			v.at.From = ended.From
		}
		if ended.To.Before(v.at.To) {
			v.at.To = ended.To
		}
	}
	return v
}

// lastEnding is the last sight of a lease. One that does not tell its end, as the
// first half of a look during which the key went, has that of the sight before,
// unless it came after that end: then it was extended to another.
func lastEnding(lease []evidence.Sight) evidence.Sight {
	a := lease[len(lease)-1]
	for _, s := range slices.Backward(lease) {
		switch {
		case a.Endless || a.Ends.Known():
			return a
		case s.Endless || s.Ends.Known():
			if !a.Now.After(s.Ends) {
				a.Endless, a.Ends = s.Endless, s.Ends
			}
			return a
		}
	}
	return a
}

// endedInText tells a lease that ran out from one that was taken away, of looks
// whose commands stand one after the other in a text. Where the intervals leave it
// open, the habit of typing TIME and what follows it within seconds decides, and
// no proof rests on it. A look that no TIME of its own opens may have come at any
// moment since the look before.
func (c *incident) endedInText(a, b evidence.Sight) (early, late, habit bool) {
	if !a.Ends.Known() || !b.Now.Known() {
		return false, false, false
	}
	if !b.Now.From.Before(a.Ends.To) {
		return false, true, false
	}
	if b.Now.Closed() && a.Ends.Closed() && !b.Now.Before(a.Ends) && b.Now.To.Sub(b.Now.From)+a.Ends.To.Sub(a.Ends.From) <= tolerance {
		return false, true, true // the two overlap within milliseconds: what goes about its end ran out
	}
	if !c.opened(a) || !c.opened(b) {
		return false, false, false
	}
	soon := func(i evidence.Interval, by time.Duration) evidence.Interval {
		if last := i.From.Add(by); i.To.IsZero() || i.To.After(last) {
			i.To = last
		}
		return i
	}
	ends, now := soon(a.Ends, paired/2), soon(b.Now, paired)
	switch {
	case now.Before(ends):
		return true, false, true
	case !now.From.Before(ends.To):
		return false, true, true
	}
	return false, false, false
}

// opened says whether TIME was asked for a look, right before it. One that closed
// the look before opens this one where what is left was asked again, TIME and PTTL
// in turn; before anything else it says only that this look came later.
func (c *incident) opened(s evidence.Sight) bool {
	l := c.s.Looks[s.Look]
	at, ok := l.Before.Get()
	if !ok || s.Look == 0 || l.PTTL.State != evidence.Unread || l.End.State != evidence.Unread {
		return ok
	}
	closed, shared := c.s.Looks[s.Look-1].After.Get()
	return !shared || !closed.Equal(at)
}
