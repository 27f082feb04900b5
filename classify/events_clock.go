package classify

import (
	"cmp"
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Where the clocks of applications stand. An application dates its records by a
// clock of its own; what ties that clock to the coordinator's is the machine it
// runs on, or one thing that both of them wrote down. Without a tie its records
// are ordered among themselves and, by presumption, not far from the truth:
// nothing is proven across it.

// near is how far an application's clock is presumed to be from the coordinator's
// when nothing was measured: what unmonitored NTP leaves at worst.
const near = time.Second

// A tie says how one clock stands to the coordinator's: that shows between lo and
// hi more.
type tie struct {
	lo, hi time.Duration
	how    tied
}

type tied int

const (
	unmeasured tied = iota // nothing ties them
	byHost                 // it is the wall clock of the owner's machine
	byPair                 // both recorded the same acquire
	asAxis                 // there is no other clock: it stands for the coordinator's
)

// A recorded event has its place among the others.
type recorded struct {
	evidence.AppEvent
	on    evidence.Interval // when, on the coordinator's clock
	sure  bool              // that place was measured, not presumed
	party string            // whose doing it was
}

// tieClocks finds how each clock of the events is tied, and puts them in order.
func (c *incident) tieClocks() {
	c.ties = map[evidence.Clock]tie{}
	pairs, here := c.pairs(), c.onOwnersHost()
	for _, e := range c.s.Events {
		if _, done := c.ties[e.At.Clock]; done {
			continue
		}
		t := tie{lo: -near, hi: near}
		if p, ok := pairs[e.At.Clock]; ok {
			t = p
		} else if here[e.At.Clock] {
			t.how = byHost
		}
		c.ties[e.At.Clock] = t
	}
	if len(c.s.Looks) == 0 && c.s.History.State != evidence.Seen {
		if clock, ok := c.busiest(); ok {
			c.ties[clock], c.axis = tie{how: asAxis}, clock
		}
	}
	c.order()
}

// order puts the dated events in the order of their intervals' middles.
func (c *incident) order() {
	c.record = nil
	for _, e := range c.s.Events {
		if !e.At.Closed() {
			continue
		}
		on, sure := c.onAxis(e.At)
		c.record = append(c.record, recorded{AppEvent: e, on: on, sure: sure})
	}
	slices.SortStableFunc(c.record, func(a, b recorded) int {
		return cmp.Or(a.on.Mid().Compare(b.on.Mid()), a.At.Mid().Compare(b.At.Mid()))
	})
	c.name()
}

// onAxis places a moment of any clock on the coordinator's, and says whether that
// was measured.
func (c *incident) onAxis(i evidence.Interval) (evidence.Interval, bool) {
	if i.Clock == evidence.Coordinator {
		return i, true
	}
	t, known := c.ties[i.Clock]
	switch {
	case !known:
		t = tie{lo: -near, hi: near}
	case t.how == byHost:
		if at := c.wall(i.On(c.s.Vantages[0].HostClock())); at.Clock == evidence.Coordinator {
			return at, true
		}
	}
	return i.Shift(t.lo, t.hi).On(evidence.Coordinator), t.how == byPair || t.how == asAxis
}

// onOwnersHost finds the clocks that are the wall clock of the owner's machine:
// those named so, and those of which all that the events name is processes of that
// machine. A log that several machines wrote to has no one clock.
func (c *incident) onOwnersHost() map[evidence.Clock]bool {
	out := map[evidence.Clock]bool{}
	if len(c.s.Vantages) == 0 || c.s.Vantages[0].Host == "" {
		return out
	}
	elsewhere := map[evidence.Clock]bool{}
	for _, e := range c.s.Events {
		if e.Event == evidence.DeedWrite || e.Event == evidence.DeedReject {
			continue // the resource names whom it served, wherever it runs itself
		}
		host := cmp.Or(evidence.NamedIn(e.Actor).Host, evidence.NamedIn(e.Owner).Host)
		out[e.At.Clock] = out[e.At.Clock] || host == c.s.Vantages[0].Host
		elsewhere[e.At.Clock] = elsewhere[e.At.Clock] || host != "" && host != c.s.Vantages[0].Host
	}
	for clock := range elsewhere {
		out[clock] = out[clock] && !elsewhere[clock]
	}
	out[c.s.Vantages[0].HostClock()] = true
	return out
}

// pairs bounds the clocks of which an acquire is in the coordinator's file as
// well. A value that each holder makes anew stands once in both, and the request
// lies between the two records however the application stamped it.
func (c *incident) pairs() map[evidence.Clock]tie {
	out := map[evidence.Clock]tie{}
	h, ok := c.s.History.Get()
	if !ok {
		return out
	}
	written := map[string]evidence.Interval{}
	for _, w := range h.Writes {
		if w.Value == "" || w.Deed != evidence.DeedAcquire && w.Deed != evidence.DeedReplace {
			continue
		}
		at := c.writtenAt(w)
		if _, twice := written[w.Value]; twice {
			at = evidence.Interval{} // which of them an event means is not told
		}
		written[w.Value] = at
	}
	met := map[recordKey]int{}
	for _, e := range c.s.Events {
		if e.Event == evidence.DeedAcquire && e.Succeeded() {
			met[recordKey{e.At.Clock, e.Owner}]++
		}
	}
	bad := map[evidence.Clock]bool{}
	for _, e := range c.s.Events {
		at := written[e.Owner]
		if e.Event != evidence.DeedAcquire || !e.Succeeded() || met[recordKey{e.At.Clock, e.Owner}] != 1 || !at.Closed() || !e.At.Closed() || e.At.Clock == evidence.Coordinator {
			continue
		}
		slack := cmp.Or(e.Took, near)
		t := tie{lo: at.From.Sub(e.At.To), hi: at.To.Sub(e.At.From), how: byPair}
		if t.lo < -century || t.hi > century {
			continue
		}
		t.lo, t.hi = t.lo-slack, t.hi+slack
		if have, ok := out[e.At.Clock]; ok {
			t.lo, t.hi = max(t.lo, have.lo), min(t.hi, have.hi)
		}
		out[e.At.Clock] = t
		bad[e.At.Clock] = bad[e.At.Clock] || t.lo > t.hi
	}
	for clock := range bad {
		if bad[clock] {
			delete(out, clock) // it was stepped in between, or names something else
		}
	}
	return out
}

// clockByPairs holds the coordinator's clock against an application's that recorded
// the same renewals: while both agree on each of them, neither was moved by as much
// as could have decided one. Where they fall out, either may have moved.
func (c *incident) clockByPairs(x *exam) bool {
	h, ok := c.s.History.Get()
	if !ok || !c.renewed.Known() || c.leaseLo == 0 {
		return false
	}
	limit := max(c.leaseLo/4, c.skew())
	n, reaches := 0, false
	lo, hi := -century, century
	writes := h.Writes
	for _, r := range c.deeds(evidence.DeedAcquire, evidence.DeedRenew) {
		if !r.Succeeded() || c.ties[r.At.Clock].how != byPair {
			continue
		}
		for len(writes) > 0 && (writes[0].Ends.IsZero() || c.writtenAt(writes[0]).Before(r.on)) {
			writes = writes[1:]
		}
		if len(writes) == 0 || c.writtenAt(writes[0]).After(r.on) {
			continue
		}
		at := c.writtenAt(writes[0])
		slack := cmp.Or(r.Took, near)
		lo, hi = max(lo, at.From.Sub(r.At.To)-slack), min(hi, at.To.Sub(r.At.From)+slack)
		n, reaches = n+1, reaches || !at.Before(c.renewed)
	}
	if n < 2 || !reaches || lo > hi || hi-lo > limit {
		return false
	}
	x.only(steady)
	x.source("events")
	x.cap = true
	x.cite("events", "%s were recorded by the holder as well, on a clock that stays within %s of the coordinator's course", plural(n, "write"), round(hi-lo))
	x.says = "no step that could have moved this lease, as far as the holder's own clock tells"
	return true
}

type recordKey struct {
	clock evidence.Clock
	name  string
}

// century keeps sums of durations from outside within range.
const century = 100 * 365 * 24 * time.Hour

// busiest is the clock that dates most of what was done to the lease.
func (c *incident) busiest() (evidence.Clock, bool) {
	count := map[evidence.Clock]int{}
	var best evidence.Clock
	for _, e := range c.s.Events {
		switch e.Event {
		case evidence.DeedAcquire, evidence.DeedRenew, evidence.DeedRelease, evidence.DeedHeartbeat:
			if e.At.Closed() {
				count[e.At.Clock]++
			}
		}
		if count[e.At.Clock] > count[best] {
			best = e.At.Clock
		}
	}
	return best, count[best] > 0
}

// before says whether one event is certain to have come before another: by the
// clock that dates both, else by two places that were measured.
func before(a, b recorded) bool {
	if a.At.Clock == b.At.Clock {
		return a.At.Before(b.At)
	}
	return a.sure && b.sure && a.on.Before(b.on)
}

// asked says whether something lies in the time that is asked about.
func (c *incident) asked(at evidence.Interval) bool { return !past(at, c.s.At) }
