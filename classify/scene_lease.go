package classify

import (
	"math"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// leaseLane is how much of the lease was left at every look: a sawtooth where it is
// renewed, a slope where it is not.
func (d *drawing) leaseLane() []evidence.SceneLane {
	lane := evidence.SceneLane{Lane: evidence.LaneLease, Unit: "s", Gauge: "what is left of the lease"}
	var states []seenAt
	var last evidence.Sight
	for _, s := range d.sights {
		if !s.Now.Closed() {
			continue
		}
		states = append(states, d.holding(s))
		if !s.Here || !s.Ends.Known() {
			last = evidence.Sight{}
			continue
		}
		p := evidence.Point{At: d.onLook(s), Low: left(s.Ends.From, s.Now.To), High: left(s.Ends.To, s.Now.From)}
		if d.renewedPoints(&lane, last, s) {
			lane.Curve = append(lane.Curve, p)
			last = s
			continue
		}
		n := len(lane.Curve)
		p.Gap = !last.Here || !last.SameHolder(s) || n > 0 && !passed(lane.Curve[n-1], p, s.Now.Mid().Sub(last.Now.Mid()))
		lane.Curve = append(lane.Curve, p)
		last = s
	}
	lane.Bars = barsOf(states)
	d.toTheEnd(&lane)
	return []evidence.SceneLane{lane}
}

// toTheEnd draws the lease on to its end, where that is still to come at the last look.
func (d *drawing) toTheEnd(lane *evidence.SceneLane) {
	last, ok := d.last()
	if !ok || !last.Here || !last.Ends.Closed() || !last.Ends.After(last.Now) || len(lane.Curve) == 0 {
		return
	}
	if most := max(2*d.leaseHi, time.Minute); last.Ends.To.Sub(last.Now.To) > most {
		return // hours ahead: the picture is of what happened
	}
	lane.Curve = append(lane.Curve, evidence.Point{At: d.toCome(last), Ahead: true})
}

// renewedPoints draws a renewal between two looks as the edge that it was: down to what
// was left, and up to a whole lease.
func (d *drawing) renewedPoints(lane *evidence.SceneLane, a, b evidence.Sight) bool {
	at, moved := d.s.RenewedBetween(a, b)
	on := d.on(at).Mid()
	if !moved || !at.Closed() || !a.SameHolder(b) || on.After(d.onLook(b).Mid()) || on.Before(d.onLook(a).Mid()) {
		return false
	}
	for _, ends := range []evidence.Interval{a.Ends, b.Ends} {
		v := left(ends.Mid(), at.Mid())
		lane.Curve = append(lane.Curve, evidence.Point{At: d.on(at), Low: v, High: v})
	}
	return true
}

// passed says whether what was left at one point is what time made of it at the next:
// if not, the lease was set anew, or the clock was.
func passed(a, b evidence.Point, byItself time.Duration) bool {
	const slack = 0.3          // seconds: two round trips and a clock that is steered
	took := byItself.Seconds() // on the coordinator's clock, which runs the lease
	return math.Abs((a.Low+a.High)/2-took-(b.Low+b.High)/2) <= slack
}

func left(end, now time.Time) float64 { return math.Max(0, end.Sub(now).Seconds()) }

// holding says who held the key at a look.
func (d *drawing) holding(s evidence.Sight) seenAt {
	switch {
	case !s.Here:
		return seenAt{d.onLook(s), evidence.BarAbsent, "no key"}
	case d.first.Holder != "" && !s.SameHolder(d.first):
		return seenAt{d.onLook(s), evidence.BarOther, "held by " + quote(s.Holder)}
	case s.Endless:
		return seenAt{d.onLook(s), evidence.BarHeld, "held, without an expiry"}
	}
	return seenAt{d.onLook(s), evidence.BarHeld, "held by " + quote(cmpOr(d.first.Holder, "its holder"))}
}

// heldByOthers is when another holder had the lock.
func (d *drawing) heldByOthers() []evidence.Bar {
	var states []seenAt
	for _, s := range d.sights {
		if !s.Now.Closed() {
			continue
		}
		if at := d.holding(s); at.state == evidence.BarOther {
			states = append(states, at)
		} else {
			states = append(states, seenAt{at: d.onLook(s)})
		}
	}
	return barsOf(states)
}

// coordinatorLane is when the coordinator answered.
func (d *drawing) coordinatorLane() []evidence.SceneLane {
	var states []seenAt
	for _, l := range d.stamped {
		at := d.onSpan(l.Span)
		_, _, ok := replies(l)
		switch {
		case ok && d.reckoned() != nil:
			states = append(states, seenAt{l.Now(), evidence.BarAnswered, "it answered"})
		case ok:
			states = append(states, seenAt{at, evidence.BarAnswered, "it answered"})
		case at.Known():
			states = append(states, seenAt{at, evidence.BarSilent, "it did not answer"})
		}
	}
	return []evidence.SceneLane{{Lane: evidence.LaneCoordinator, Bars: barsOf(states)}}
}
