package classify

import (
	"github.com/lockscene/lockscene/evidence"
)

// hostLane is the pressure that the owner's tasks were under: of processor, memory and
// storage the worst, in its control group where that was read, else on its host.
func (d *drawing) hostLane() []evidence.SceneLane {
	lane := evidence.SceneLane{Lane: evidence.LaneHost, Unit: "%", Gauge: "time in which tasks waited for CPU, memory or storage"}
	add := func(span evidence.Span, all ...evidence.Reading[evidence.Pressure]) bool {
		worst, seen := 0.0, false
		for _, r := range all {
			if p, ok := r.Get(); ok && p.Some != nil {
				worst, seen = max(worst, p.Some.Avg10), true
			}
		}
		if at := d.onSpan(span); seen && at.Known() {
			lane.Curve = append(lane.Curve, evidence.Point{At: at, Low: worst, High: worst})
		}
		return seen
	}
	own := false
	if d.owner != nil {
		for _, l := range d.owner.proc.Looks {
			own = add(l.Span, l.Cgroup.CPU, l.Cgroup.IO, l.Cgroup.Mem) || own
		}
	}
	if !own {
		for _, p := range d.s.Host.Pressure {
			add(p.Span, p.CPU, p.IO, p.Mem)
		}
	}
	return []evidence.SceneLane{lane}
}

// clockLane is how far the coordinator's clock was ahead of the wall clock that the
// looks were stamped by, within the round trip.
func (d *drawing) clockLane() []evidence.SceneLane {
	lane := evidence.SceneLane{Lane: evidence.LaneClock, Unit: "ms", Gauge: "coordinator's clock ahead of the host's"}
	if d.reckoned() != nil {
		return []evidence.SceneLane{lane} // the host's clock is known by the coordinator's only
	}
	for _, l := range d.stamped {
		first, last, ok := replies(l)
		if !ok || l.Span.Start.Wall.IsZero() {
			continue
		}
		low, high := first.Sub(l.Span.End.Wall), last.Sub(l.Span.Start.Wall)
		if high < low {
			low, high = high, low
		}
		lane.Curve = append(lane.Curve, evidence.Point{At: d.onSpan(l.Span), Low: float64(low.Microseconds()) / 1000, High: float64(high.Microseconds()) / 1000})
	}
	return []evidence.SceneLane{lane}
}
