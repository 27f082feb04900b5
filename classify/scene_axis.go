package classify

import (
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A coordinator whose clock moved shows one moment twice, or never: laid on that clock
// a picture would fold over. It is laid on the observer's steady clock then, which is
// set by the coordinator's at the first look.

// A segment is a run of looks between which the two clocks went alike. What brings its
// moments onto the axis lies between lo and hi: a look that took long does not tell when
// in it the server was asked.
type segment struct {
	from, to time.Time // on the coordinator's clock
	lo, hi   time.Duration
}

func (s segment) shift() time.Duration { return s.lo + (s.hi-s.lo)/2 }

// tie finds the segments, and with them which clock the picture is laid on. Of text no
// steady clock is known, and there is nothing to tie.
func (d *drawing) tie() {
	d.scene.Axis = evidence.AxisCoordinator
	if d.reckoned() != nil {
		return
	}
	for _, l := range d.stamped {
		if first, last, ok := replies(l); ok {
			d.join(l.Span, first, last)
		}
	}
	switch {
	case len(d.segments) > 1 && d.v.Answers.Clock.Value == off:
		d.scene.Axis = evidence.AxisSteady
	case len(d.segments) == 0 && len(d.stamped) > 0 && !d.stamped[0].Span.Start.Wall.IsZero():
		start := d.stamped[0].Span.Start
		d.began, d.boot, d.wall, d.scene.Axis = start.Wall, start.Boot, start.Wall, evidence.AxisObserver
	}
}

// join adds a look to the last segment, or begins another where the clocks cannot have
// gone alike since.
func (d *drawing) join(span evidence.Span, first, last time.Time) {
	if d.began.IsZero() {
		half := (span.End.Boot - span.Start.Boot) / 2
		d.began, d.boot, d.wall = first.Add(last.Sub(first)/2), span.Start.Boot+half, span.Start.Wall.Add(half)
	}
	lo, hi := d.began.Add(span.Start.Boot-d.boot).Sub(first), d.began.Add(span.End.Boot-d.boot).Sub(last)
	if n := len(d.segments) - 1; n >= 0 && lo <= d.segments[n].hi+d.skew() && hi >= d.segments[n].lo-d.skew() {
		s := &d.segments[n]
		s.from, s.to = earlierOf(s.from, first), laterOf(s.to, last)
		if lo, hi := max(lo, s.lo), min(hi, s.hi); lo <= hi {
			s.lo, s.hi = lo, hi
		}
		return
	}
	d.segments = append(d.segments, segment{from: first, to: last, lo: lo, hi: hi})
}

// on puts a moment of the coordinator's clock onto the axis, each of its ends by the
// segment that it lies in: of a step they lie in two.
func (d *drawing) on(i evidence.Interval) evidence.Interval {
	if d.scene.Axis != evidence.AxisSteady || !i.Known() {
		return i
	}
	i.From, i.To = d.onAxisOf(i.From), d.onAxisOf(i.To)
	if i.Closed() && i.To.Before(i.From) {
		i.From, i.To = i.To, i.From
	}
	return i
}

func (d *drawing) onAxisOf(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	for _, s := range slices.Backward(d.segments) {
		if !t.Before(s.from) && !t.After(s.to) {
			return t.Add(s.shift())
		}
	}
	for k := 1; k < len(d.segments); k++ {
		if a, b := d.segments[k-1], d.segments[k]; t.After(a.to) && t.Before(b.from) {
			return b.from.Add(b.shift()) // leapt over: it came with the step
		}
	}
	if first := d.segments[0]; t.Before(first.from) && !t.After(d.segments[len(d.segments)-1].to) {
		return t.Add(first.shift())
	}
	return t.Add(d.segments[len(d.segments)-1].shift()) // what is still to come: the lease's end, mostly
}

// toCome is where the end that a look showed lies ahead of it.
func (d *drawing) toCome(s evidence.Sight) evidence.Interval {
	if d.scene.Axis == evidence.AxisCoordinator {
		return s.Ends
	}
	at := d.onLook(s).Mid()
	return evidence.Interval{From: at.Add(s.Ends.From.Sub(s.Now.To)), To: at.Add(s.Ends.To.Sub(s.Now.From)), Clock: evidence.Coordinator}
}

// onSpan puts the stretch of a look onto the axis.
func (d *drawing) onSpan(s evidence.Span) evidence.Interval {
	if d.scene.Axis == evidence.AxisCoordinator {
		return d.span(s)
	}
	return evidence.Interval{From: d.began.Add(s.Start.Boot - d.boot), To: d.began.Add(s.End.Boot - d.boot), Clock: evidence.Coordinator}
}

// onLook puts a sight of the key onto the axis.
func (d *drawing) onLook(s evidence.Sight) evidence.Interval {
	if d.scene.Axis == evidence.AxisCoordinator || s.Look >= len(d.s.Looks) {
		return s.Now
	}
	return d.onSpan(d.s.Looks[s.Look].Span)
}
