package classify

import (
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Scene is the picture of an incident, for whoever draws it. It concludes nothing: each
// bar, mark and point is a reading, a line of the [Timeline], or a time of the verdict.
func Scene(s evidence.Snapshot, v evidence.Verdict) evidence.Scene {
	c := open(s)
	d := drawing{incident: c, v: v}
	d.tie()
	events := d.events()
	lanes := slices.Concat(
		d.coordinatorLane(), d.nodeLanes(), d.leaseLane(), d.ownerLanes(), d.throttleLane(), d.pathLane(), d.renewerLanes(),
		[]evidence.SceneLane{{Lane: evidence.LaneContender, Bars: d.heldByOthers()}, {Lane: evidence.LaneResource}},
		d.hostLane(), d.clockLane(),
	)
	d.spans()
	d.frame(lanes, events)
	d.mark(lanes, events)
	d.scene.Lanes = slices.DeleteFunc(lanes, func(l evidence.SceneLane) bool {
		return len(l.Bars) == 0 && len(l.Marks) == 0 && len(l.Curve) == 0
	})
	d.scene.Open = c.separate(v)
	if d.scene.From.IsZero() {
		return evidence.Scene{Open: d.scene.Open}
	}
	return d.scene
}

// A drawing is a scene while it is made.
type drawing struct {
	*incident
	v        evidence.Verdict
	scene    evidence.Scene
	began    time.Time     // the coordinator's clock at the first look
	boot     time.Duration // the observer's steady clock then
	wall     time.Time     // and its wall clock
	segments []segment     // in the order of looks; one: the clocks went alike
}

// How much of time a picture shows, in leases: enough to see the last renewals and what
// followed the end. What lies further off is counted, not drawn.
const (
	leasesBefore = 3
	leasesAfter  = 6
)

// frame finds the axis: what was looked at, and the verdict's moments, as far as they
// are near to what the incident turns on.
func (d *drawing) frame(lanes []evidence.SceneLane, events []evidence.Mark) {
	var from, to time.Time
	extend := func(i evidence.Interval) {
		if !i.Closed() || vagueFor(i, d.leaseHi) {
			return
		}
		if from.IsZero() || i.From.Before(from) {
			from = i.From
		}
		if i.To.After(to) {
			to = i.To
		}
	}
	for _, l := range lanes {
		for _, b := range l.Bars {
			extend(b.Start)
			extend(b.End)
		}
	}
	for _, e := range events {
		if e.Lane != evidence.LaneHost { // a kernel remembers more than this incident
			extend(e.On)
		}
	}
	if from.IsZero() {
		return
	}
	if at := d.turn(); at.Known() && d.leaseHi > 0 {
		lease := max(d.leaseHi, time.Second)
		from = laterOf(from, at.Mid().Add(-leasesBefore*lease))
		to = earlierOf(to, at.Mid().Add(leasesAfter*lease))
	}
	to = d.notFarAhead(from, to)
	if least := time.Second; to.Sub(from) < least {
		to = from.Add(least) // of one look alone
	}
	room := to.Sub(from) / 50
	from, to = from.Add(-room), to.Add(room)
	d.scene.From, d.scene.To = from.UTC(), to.UTC()
}

// notFarAhead keeps what was seen large: a lease that goes on for long after the last
// look takes no more of the picture than the looks do.
func (d *drawing) notFarAhead(from, to time.Time) time.Time {
	last, ok := d.last()
	if !ok || !d.onLook(last).Closed() {
		return to
	}
	seen := d.onLook(last).To
	if to.Sub(seen) <= seen.Sub(from) || !seen.After(from) {
		return to
	}
	return seen.Add(seen.Sub(from))
}

// turn is the moment that the picture is about.
func (d *drawing) turn() evidence.Interval {
	for _, at := range []*evidence.Interval{d.v.Times.Disappeared, d.v.Times.Due, d.v.Times.LeaseEnds, d.v.Times.LastRenewal} {
		if at != nil && at.Closed() && !vagueFor(*at, d.leaseHi) {
			return d.on(*at)
		}
	}
	return d.on(d.now)
}

// vagueFor says whether a moment is too uncertain to stretch a picture for it.
func vagueFor(i evidence.Interval, lease time.Duration) bool {
	return i.To.Sub(i.From) > max(2*lease, time.Minute)
}

// mark puts events into their lanes: the first row of that name.
func (d *drawing) mark(lanes []evidence.SceneLane, events []evidence.Mark) {
	for _, e := range events {
		on := e.On
		mid := on.Mid()
		switch edge := evidence.At(d.scene.From, 0, evidence.Coordinator); {
		case mid.Before(d.scene.From) && e.What == "last heartbeat":
			on = edge
		case mid.Before(d.scene.From):
			d.scene.Earlier++
			continue
		case mid.After(d.scene.To) && e.What == "ends" && on.Closed():
			on = evidence.At(d.scene.To, 0, evidence.Coordinator) // at the edge: it is still to come
		case mid.After(d.scene.To):
			d.scene.Later++
			continue
		}
		for i := range lanes {
			if lanes[i].Lane == e.Lane {
				lanes[i].Marks = append(lanes[i].Marks, evidence.Mark{On: on, Event: e.Event})
				break
			}
		}
	}
	for i := range lanes {
		slices.SortStableFunc(lanes[i].Marks, func(a, b evidence.Mark) int { return a.On.Mid().Compare(b.On.Mid()) })
	}
}

// spans are what the runbooks measure: how long it took until the lock was safely free,
// and safely another's.
func (d *drawing) spans() {
	t := d.v.Times
	if t.Disappeared == nil {
		return
	}
	for _, s := range []struct {
		to   *evidence.Interval
		took *evidence.Range
		text string
	}{{t.SafeRelease, t.ToSafeRelease, "to the safe release"}, {t.SafeTransfer, t.ToSafeTransfer, "to the safe transfer"}} {
		if s.to != nil && s.took != nil {
			d.scene.Spans = append(d.scene.Spans, evidence.Bar{Start: d.on(*t.Disappeared), End: d.on(*s.to), State: evidence.BarSpan, Text: s.text})
		}
	}
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlierOf(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// A seenAt is one look's word for a state, and when it was taken.
type seenAt struct {
	at    evidence.Interval
	state evidence.BarState
	text  string
}

// barsOf joins looks that say the same. A state that changed did so somewhere between
// two looks.
func barsOf(looks []seenAt) []evidence.Bar {
	var out []evidence.Bar
	for i, l := range looks {
		if !l.at.Known() || l.state == "" {
			continue
		}
		if n := len(out) - 1; n >= 0 && i > 0 && looks[i-1].state == l.state && out[n].State == l.state && out[n].Text == l.text {
			out[n].End = l.at
			continue
		}
		if n := len(out) - 1; n >= 0 && i > 0 && looks[i-1].state != "" {
			between := evidence.Interval{From: out[n].End.To, To: l.at.From, Clock: evidence.Coordinator}
			if between.To.After(between.From) {
				out[n].End = between
			}
		}
		out = append(out, evidence.Bar{Start: l.at, End: l.at, State: l.state, Text: l.text})
	}
	return out
}
