package classify

import (
	"github.com/lockscene/lockscene/evidence"
)

// pathLane is the owner's socket towards the coordinator: whether what it sent was
// acknowledged, look by look. The worst of several sockets stands for all.
func (d *drawing) pathLane() []evidence.SceneLane {
	lane := evidence.SceneLane{Lane: evidence.LanePath}
	if d.owner == nil {
		return []evidence.SceneLane{lane}
	}
	var states []seenAt
	for _, l := range d.owner.proc.Looks {
		s := d.socketState(l)
		s.at = d.onSpan(l.Span)
		states = append(states, s)
	}
	lane.Bars = barsOf(states)
	return []evidence.SceneLane{lane}
}

func (d *drawing) socketState(l evidence.ProcLook) seenAt {
	if l.Sockets.State != evidence.Seen {
		return seenAt{}
	}
	own := d.sockets(l)
	out := seenAt{state: evidence.BarAbsent, text: "no socket towards the coordinator"}
	for _, k := range own {
		switch {
		case waits(k) && k.State == "SYN_SENT":
			return seenAt{state: evidence.BarSilent, text: "connecting, no answer"}
		case waits(k):
			return seenAt{state: evidence.BarSilent, text: "sent, not acknowledged"}
		case k.State == "ESTABLISHED":
			out = seenAt{state: evidence.BarAnswered, text: "connected"}
		}
	}
	return out
}

// throttleLane is how much of the time the owner's CPU quota held it back.
func (d *drawing) throttleLane() []evidence.SceneLane {
	if d.owner == nil {
		return nil
	}
	lane := evidence.SceneLane{Lane: evidence.LaneOwner, Minor: true, Name: "CPU quota", Unit: "%", Gauge: "of the time throttled"}
	var before *evidence.ProcLook
	worst := 0.0
	for i := range d.owner.proc.Looks {
		l := &d.owner.proc.Looks[i]
		now, ok := l.Cgroup.Throttled.Get()
		if !ok {
			continue
		}
		if before != nil {
			share := 100 * float64(now-before.Cgroup.Throttled.Value) / float64(max(wide(*before, *l), 1))
			worst = max(worst, share)
			lane.Curve = append(lane.Curve, evidence.Point{At: d.onSpan(l.Span), Low: share, High: share})
		}
		before = l
	}
	if worst < 1 {
		return nil // it was not: nothing worth a row
	}
	return []evidence.SceneLane{lane}
}

// drawnNodes bounds the rows of other Redis nodes: a Redlock has five.
const drawnNodes = 6

// nodeLanes are the other Redis nodes that were asked about the key, each with what it
// said.
func (d *drawing) nodeLanes() []evidence.SceneLane {
	var out []evidence.SceneLane
	for _, n := range d.s.Nodes {
		if len(n.Looks) == 0 || len(out) == drawnNodes {
			continue
		}
		var states []seenAt
		for _, l := range n.Looks {
			states = append(states, d.nodeSaid(l))
		}
		out = append(out, evidence.SceneLane{Lane: evidence.LaneCoordinator, Minor: true, Name: quote(n.Address), Bars: barsOf(states)})
	}
	return out
}

// nodeSaid is what one look at another node showed of the key.
func (d *drawing) nodeSaid(l evidence.Look) seenAt {
	at := d.onSpan(l.Span)
	sights := evidence.Snapshot{Looks: []evidence.Look{l}}.Sights()
	if len(sights) == 0 {
		return seenAt{at, evidence.BarSilent, "it did not answer"}
	}
	switch sight := sights[0]; {
	case !sight.Here:
		return seenAt{at, evidence.BarAbsent, "no key"}
	case d.first.Holder != "" && !sight.SameHolder(d.first):
		return seenAt{at, evidence.BarOther, "held by " + quote(sight.Holder)}
	}
	return seenAt{at, evidence.BarHeld, "held"}
}
