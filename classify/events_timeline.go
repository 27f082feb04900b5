package classify

import (
	"fmt"
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

// mostRecorded bounds the events that the timeline tells: of more, the first and
// the last. A reader stops long before.
const mostRecorded = 1000

// recordedLines are the events as lines of the timeline. Of a run of heartbeats, of
// renewals or of writes by one party the first and the last are told: what lies
// between them is more of the same.
func (c *incident) recordedLines(record []recorded) []evidence.Event {
	var out []evidence.Event
	type run struct {
		at    int // of its latest line in out
		n     int
		first evidence.Deed
	}
	runs := map[string]*run{}
	begin := evidence.Interval{} // two leases before the holder was first known to have it
	if len(c.tenure) > 0 {
		begin = c.tenure[0].Now.Shift(-2*c.leaseHi, 0)
	}
	for _, r := range record {
		if r.on.Before(begin) || !begin.Known() && !c.near(r.on) {
			continue
		}
		e := evidence.Event{At: r.on, What: string(r.Event), Lane: c.laneOf(r), Text: recordedText(r), Source: r.Source}
		if !routine(r) {
			delete(runs, r.party)
			out = append(out, e)
			continue
		}
		have := runs[r.party]
		if have == nil || have.first != r.Event {
			runs[r.party] = &run{at: len(out), n: 1, first: r.Event}
			out = append(out, e)
			continue
		}
		if have.n++; have.n == 2 {
			have.at = len(out)
			out = append(out, e)
			continue
		}
		e.Text += fmt.Sprintf(", %d in a row", have.n)
		out[have.at] = e
	}
	if len(out) > mostRecorded {
		out = slices.Concat(out[:mostRecorded/2], out[len(out)-mostRecorded/2:])
	}
	return out
}

// routine are the events that come every few seconds while all is well.
func routine(r recorded) bool {
	return (r.Event == evidence.DeedHeartbeat || r.Event == evidence.DeedRenew || r.Event == evidence.DeedWrite) && r.Succeeded()
}

func (c *incident) laneOf(r recorded) evidence.Lane {
	switch {
	case r.Event == evidence.DeedWrite, r.Event == evidence.DeedReject:
		return evidence.LaneResource
	case !c.ofHolder(r):
		return evidence.LaneContender
	case r.Event == evidence.DeedRenew:
		return evidence.LaneRenewer
	}
	return evidence.LaneOwner
}

// recordedText says who did what, and whether it was granted.
func recordedText(r recorded) string {
	text := quote(cmpOr(r.party, "somebody")) + ": " + quote(string(r.Event))
	if r.Token != "" {
		text += ", token " + quote(r.Token)
	}
	if r.Request != "" {
		text += ", request " + quote(r.Request)
	}
	switch {
	case r.OK == nil:
	case *r.OK:
		text += ", granted"
	default:
		text += ", refused"
	}
	if r.Took > 0 {
		text += ", took " + round(r.Took).String()
	}
	if !r.sure {
		text += " (its clock is presumed kept)"
	}
	return text
}
