package classify

import (
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// The past without a look. Where nobody looked at the lock, or only after the
// fact, its course is put together from the coordinator's append-only file or,
// failing that, from what applications recorded. Each write of the key becomes a
// look at it, placed as exactly as the record allows, so that every rule about
// looks holds for it. Of a long record the tenure that is asked about is taken.

// A step is one change of the key that a record tells of.
type step struct {
	deed  evidence.Deed
	look  evidence.Look
	clock evidence.Clock // that dated it
}

func (s step) there() bool { return s.deed != evidence.DeedRelease && s.deed != evidence.DeedGone }

// recall puts the recorded course in the place of looks that nobody took, or
// before and after those that somebody did.
func (c *incident) recall() {
	c.stamped, c.anchors = c.s.Looks, nil
	c.s.Looks = asked(c.s.Looks, c.s.At)
	seen := c.s.Sights()
	c.unseen = len(seen) > 0
	for _, s := range seen {
		c.unseen = c.unseen && !s.Here
	}
	var steps []step
	var from string
	h, ok := c.s.History.Get()
	switch {
	case ok && len(h.Writes) > 0:
		steps, from = c.historySteps(h), "aof"
	case len(seen) == 0 || c.unseen: // who holds the lock now need not be whom the events tell of
		steps, from = c.eventSteps(), "events"
	}
	switch {
	case len(steps) == 0:
	case len(seen) > 0:
		early, late := c.beside(steps, seen, from == "aof")
		if len(early)+len(late) > 0 {
			c.s.Looks = slices.Concat(looksOf(early), c.s.Looks, looksOf(late))
			c.joined = from
			c.begins(early)
		}
	default:
		steps = focus(steps, c.s.Contract.Lease, c.s.At)
		c.s.Looks, c.recalled = looksOf(steps), from
		c.begins(steps)
		c.close(steps)
	}
}

// asked leaves out looks that were taken after the moment that is asked about:
// they say nothing of it.
func asked(looks []evidence.Look, at time.Time) []evidence.Look {
	if at.IsZero() {
		return looks
	}
	var out []evidence.Look
	for _, l := range looks {
		if !past(l.Now(), at) {
			out = append(out, l)
		}
	}
	return out
}

// past says whether something certainly came after the moment that is asked about.
func past(at evidence.Interval, asked time.Time) bool {
	return !asked.IsZero() && !at.From.IsZero() && at.From.After(asked)
}

// pastLook is the key as one record left it: with an end, without one, or gone.
func pastLook(at evidence.Interval, source, value string, ends time.Time, there bool) evidence.Look {
	l := evidence.Look{Placed: at.On(evidence.Coordinator)}
	if !there {
		l.Type = evidence.None[string](source, "the key was taken away")
		l.PTTL, l.End = evidence.None[int64](source, "no such key"), evidence.None[int64](source, "no such key")
		return l
	}
	l.Type = evidence.Saw(source, "string")
	if value != "" {
		l.Value = evidence.Saw(source, value)
	}
	l.End = evidence.Saw(source, int64(-1))
	if !ends.IsZero() {
		l.End = evidence.Saw(source, ends.UnixMilli())
	}
	return l
}

func looksOf(steps []step) []evidence.Look {
	var out []evidence.Look
	for _, s := range steps {
		out = append(out, s.look)
	}
	return out
}

// focus keeps the tenure that is asked about, and what followed it: the last one;
// or the one before, where that ended otherwise than by a release, since then it
// is the incident and its successor the takeover. Of a moment that somebody named,
// a takeover two leases ago is not meant any more.
func focus(steps []step, lease time.Duration, at time.Time) []step {
	begins, open := []int{}, false
	for i, s := range steps {
		switch {
		case !s.there():
			open = false
		case !open, s.deed == evidence.DeedAcquire, s.deed == evidence.DeedReplace:
			begins, open = append(begins, i), true
		}
	}
	if len(begins) == 0 {
		return steps
	}
	last := begins[len(begins)-1]
	if len(begins) == 1 || !steps[len(steps)-1].there() || steps[last-1].deed == evidence.DeedRelease {
		return steps[last:]
	}
	if taken := steps[last].look.Placed; !at.IsZero() && taken.Known() && lease > 0 && at.Sub(taken.Mid()) > 2*lease {
		return steps[last:]
	}
	return steps[begins[len(begins)-2]:]
}

// begins notes when the first holder of these steps took the lock.
func (c *incident) begins(steps []step) {
	if len(steps) > 0 && (steps[0].deed == evidence.DeedAcquire || steps[0].deed == evidence.DeedReplace) {
		c.begun = steps[0].look.Placed
	}
}

// beside are the steps that a record tells of the time before the first look and
// after the last. Before looks that show a holder only that holder's own tenure
// counts.
func (c *incident) beside(steps []step, seen []evidence.Sight, exact bool) (early, late []step) {
	first, last := seen[0], seen[len(seen)-1]
	for _, s := range steps {
		switch at := s.look.Placed; {
		case at.Before(first.Now):
			early = append(early, s)
		case at.After(last.Now) && exact:
			late = append(late, s)
		}
	}
	early = focus(early, c.s.Contract.Lease, time.Time{})
	n := len(early)
	if n == 0 || !first.Here {
		return early, late
	}
	value := early[n-1].look.Holder()
	if !early[n-1].there() || value == "" || !first.SameHolder(evidence.Sight{Holder: value}) {
		return nil, late
	}
	for i := n - 1; i >= 0; i-- {
		if early[i].look.Holder() != value {
			return early[i+1:], late // another's tenure before this one's is another incident
		}
	}
	return early, late
}

// close adds the moment that is asked about, or the end of the evidence, where it
// comes after the last write: what the record's silence says of it.
func (c *incident) close(steps []step) {
	last := steps[len(steps)-1]
	end := c.s.At
	for _, r := range c.record {
		if c.s.At.IsZero() && (r.sure || c.recalled == "events") && r.on.From.After(end) {
			end = r.on.From
		}
	}
	if !last.there() || end.IsZero() || !end.After(last.look.Placed.To) {
		return
	}
	if c.recalled == "events" {
		c.closeEvents(last, steps, end)
		return
	}
	c.closeHistory(last, end)
}

// unchanged is the key at a moment to which nothing was done since a look.
func unchanged(l evidence.Look, at time.Time) (evidence.Look, bool) {
	now := evidence.At(at, 0, evidence.Coordinator)
	ends, there := l.End.Get()
	left, counted := l.PTTL.Get()
	switch {
	case there && ends >= 0 && at.UnixMilli() >= ends:
		return pastLook(now, l.End.Source, "", time.Time{}, false), true
	case there:
		l.Placed = now
		return l, true
	case !counted:
		return l, false
	}
	left -= at.Sub(l.Placed.Mid()).Milliseconds()
	if left <= 0 {
		return pastLook(now, l.PTTL.Source, "", time.Time{}, false), true
	}
	l.Placed, l.PTTL = now, evidence.Saw(l.PTTL.Source, left)
	return l, true
}

// owed is when the next renewal was due of a lease of which the record tells
// nothing more by the moment that is asked about: had it come, nobody might have
// written it down. Whoever was last heard before it is not thereby shown to have
// lived then. Where no renewal is meant it is the lease's end; unknown where the
// record reaches as far as the question, or nothing was overdue by then.
func (c *incident) owed() evidence.Interval {
	last, ok := c.lastEnds()
	n := len(c.s.Looks)
	if c.recalled == "" || !ok || last.Look == n-1 || !c.renewed.Known() || c.former {
		return evidence.Interval{}
	}
	switch asked := c.s.Looks[n-1].Placed; {
	case c.every == 0 && last.Ends.To.Before(asked.To):
		return last.Ends
	case c.every > 0 && c.renewed.To.Add(c.grace()).Before(asked.To):
		return c.renewed.Shift(c.every, c.every)
	}
	return evidence.Interval{}
}

// isChange says whether a sight is the very change of the key and not a look that
// came somewhen after it: the append-only file has them all, and whoever recorded a
// release made it. That another's acquire was granted tells only that the key had
// gone before.
func (c *incident) isChange(s evidence.Sight) bool {
	switch c.s.Looks[s.Look].Type.Source {
	case "aof":
		return true
	case "events":
		return !s.Here
	}
	return false
}

// onlyReckoned says whether that the key was gone follows from the lease's length
// and from what applications wrote down, and from nothing of the coordinator's.
func (c *incident) onlyReckoned(s evidence.Sight) bool {
	return !s.Here && c.s.Looks[s.Look].Type.Source == "events"
}
