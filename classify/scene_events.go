package classify

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// events are the lines of the timeline, where they stand on the axis.
func (d *drawing) events() []evidence.Mark {
	var out []evidence.Mark
	for _, e := range d.told(d.v) {
		if d.foreign(e) {
			e.What = "elsewhere"
		}
		out = append(out, evidence.Mark{On: d.event(e), Event: e})
	}
	record := slices.Clone(d.record)
	for i := range record {
		record[i].on = d.ofRecord(record[i])
	}
	for _, e := range d.recordedLines(record) {
		out = append(out, evidence.Mark{On: e.At, Event: e})
	}
	slices.SortStableFunc(out, func(a, b evidence.Mark) int { return a.On.Mid().Compare(b.On.Mid()) })
	return out
}

// foreign says whether a kernel's line is of other processes than the owner's: it is
// told, and must not be taken for the cause.
func (d *drawing) foreign(e evidence.Event) bool {
	if e.Lane != evidence.LaneHost || d.owner == nil || !strings.Contains(e.Text, "rocess ") {
		return false
	}
	if d.kill != nil && e.Text == quote(d.kill.Text) {
		return false // the verdict cites it, by whatever number the owner goes there
	}
	return !slices.Contains(strings.FieldsFunc(e.Text, func(r rune) bool { return r < '0' || r > '9' }), itoa(d.owner.proc.Pid))
}

// event is where an event stands on the axis. On one that is not the coordinator's clock
// what lies between two looks goes by those looks: its dates may fit two places.
func (d *drawing) event(e evidence.Event) evidence.Interval {
	if d.scene.Axis != evidence.AxisSteady {
		return d.on(e.At)
	}
	last, ok := d.lastEnds()
	switch {
	case ok && e.What == "ends" && e.At == last.Ends:
		return d.toCome(last)
	case e.Lane == evidence.LaneClock:
		return d.wentWrong()
	case e.What == "disappeared":
		for i, b := range d.ownerLanes()[0].Bars {
			if i > 0 && b.State == evidence.BarAbsent {
				return d.ownerLanes()[0].Bars[i-1].End
			}
		}
	case e.What == "renewed":
		for _, r := range d.renewals {
			if r.At == e.At && r.Before+1 < len(d.s.Looks) {
				return evidence.Interval{From: d.onSpan(d.s.Looks[r.Before].Span).From, To: d.onSpan(d.s.Looks[r.Before+1].Span).To, Clock: evidence.Coordinator}
			}
		}
	}
	return d.on(e.At)
}

// wentWrong is when the coordinator's clock did: between the looks of its first step, or
// of one that stands still all the while.
func (d *drawing) wentWrong() evidence.Interval {
	if d.frozen && len(d.stamped) > 0 {
		return evidence.Interval{From: d.onSpan(d.stamped[0].Span).From, To: d.onSpan(d.stamped[len(d.stamped)-1].Span).To, Clock: evidence.Coordinator}
	}
	a, b := d.segments[0], d.segments[1]
	return evidence.Interval{From: a.to.Add(a.shift()), To: b.from.Add(b.shift()), Clock: evidence.Coordinator}
}

// ofRecord is where something that was recorded stands on the axis: what the owner's
// own host dated goes by that host's clock, which the looks were stamped by.
func (d *drawing) ofRecord(r recorded) evidence.Interval {
	if d.scene.Axis != evidence.AxisSteady || !d.onOwnersHost()[r.At.Clock] {
		return d.on(r.on)
	}
	shift := d.began.Sub(d.wall)
	on := r.At.Shift(shift, shift)
	on.Clock = evidence.Coordinator
	return on
}
