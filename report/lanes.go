package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What the terminal's picture and the page's have in common: where a moment stands,
// and which marks get a number.

// A scale lays moments of a scene on n columns.
type scale struct {
	from time.Time
	long time.Duration
	n    int
}

func scaleOf(s evidence.Scene, n int) scale {
	return scale{from: s.From, long: max(s.To.Sub(s.From), time.Millisecond), n: n}
}

// at is the column of a moment, as a fraction; off the axis it is below 0 or above n.
func (s scale) at(t time.Time) float64 {
	return float64(t.Sub(s.from)) / float64(s.long) * float64(s.n)
}

// ends are an interval's two columns within the axis. An end that nothing bounds is the
// axis's own.
func (s scale) ends(i evidence.Interval) (from, to float64) {
	from, to = 0, float64(s.n)
	if !i.From.IsZero() {
		from = max(0, s.at(i.From))
	}
	if !i.To.IsZero() {
		to = min(float64(s.n), s.at(i.To))
	}
	return from, max(from, to)
}

// middle is the column of an interval's middle.
func (s scale) middle(i evidence.Interval) float64 {
	return max(0, min(float64(s.n), s.at(i.Mid())))
}

// A numbered mark is one that the legend tells of.
type numbered struct {
	evidence.Mark
	n int // from 1; zero: a tick without a number, one of many alike
}

// beyond says whether a mark stands at the edge for what comes after it.
func (m numbered) beyond(s evidence.Scene) bool {
	return m.On.From.Equal(s.To) && m.At.From.After(m.On.To)
}

// ticks are events of which a picture has many; they are drawn, and not told one by one.
func tick(what string) bool {
	switch evidence.Deed(what) {
	case "renewed", "elsewhere", evidence.DeedRenew, evidence.DeedHeartbeat, evidence.DeedRenewSent:
		return true
	}
	return false
}

// marked numbers the marks of a scene in the order of time, and gives them back by lane.
// Past most numbers the rest are ticks.
func marked(s evidence.Scene, most int) (byLane [][]numbered, legend []numbered) {
	type place struct{ lane, at int }
	var places []place
	byLane = make([][]numbered, len(s.Lanes))
	for i, l := range s.Lanes {
		writer := ""
		for j, m := range l.Marks {
			byLane[i] = append(byLane[i], numbered{Mark: m})
			who, _, _ := strings.Cut(m.Text, ": write")
			if tick(m.What) || m.What == string(evidence.DeedWrite) && who == writer {
				continue
			}
			if m.What == string(evidence.DeedWrite) {
				writer = who // the first write of each, and one after another's, is what a reader looks for
			}
			places = append(places, place{i, j})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int {
		return cmp.Or(s.Lanes[a.lane].Marks[a.at].On.Mid().Compare(s.Lanes[b.lane].Marks[b.at].On.Mid()), a.lane-b.lane)
	})
	for i, p := range places {
		if i >= most {
			break
		}
		byLane[p.lane][p.at].n = i + 1
		legend = append(legend, byLane[p.lane][p.at])
	}
	return byLane, legend
}

// decisive says whether a mark is one that an incident turns on: those come first where
// there is no room for all.
func decisive(what string) bool {
	switch what {
	case "disappeared", "missed", "clock", "restarted", "role", "history", "evicted", "failover", "left", "taken", "ends", "renewed by another", "last heartbeat", string(evidence.DeedReject):
		return true
	}
	return false
}

// chosen are at most n marks of a legend, in its order.
func chosen(legend []numbered, n int) []numbered {
	var out []numbered
	for _, first := range []bool{true, false} {
		for _, m := range legend {
			if decisive(m.What) == first && len(out) < n {
				out = append(out, m)
			}
		}
	}
	slices.SortFunc(out, func(a, b numbered) int { return a.n - b.n })
	return out
}

// laneName is what a row is called.
func laneName(l evidence.SceneLane) string {
	if l.Name != "" {
		return show(l.Name, longName)
	}
	return string(l.Lane)
}

// shortName is the same where there is little room: numbers go first.
func shortName(l evidence.SceneLane) string {
	name := laneName(l)
	if l.Minor && l.Lane == evidence.LaneCoordinator && len(name) > labelWidth {
		return name[len(name)-labelWidth:] // of addresses the ends differ
	}
	if i := strings.LastIndexByte(name, ' '); len(name) > labelWidth && i > 0 {
		return name[:i]
	}
	return name
}

// extent is from the least to the most that a curve shows.
func extent(curve []evidence.Point) (low, high float64) {
	for i, p := range curve {
		if i == 0 || p.Low < low {
			low = p.Low
		}
		if i == 0 || p.High > high {
			high = p.High
		}
	}
	return low, high
}

// when is a mark's moment in words. Where the coordinator's clock moved, its dates do
// not fit the axis: the axis's own is told.
func when(m numbered, s evidence.Scene, day time.Time) string {
	at := m.At
	if s.Axis == evidence.AxisSteady && !m.beyond(s) {
		at = m.On
	}
	return show(moment(&at, day), longName)
}

// axisSays names the clock of a picture.
func axisSays(s evidence.Scene) string {
	switch s.Axis {
	case evidence.AxisSteady:
		return "Redis's clock moved: its first time, carried on steadily"
	case evidence.AxisObserver:
		return "Redis did not answer: the observer's clock"
	}
	return "all on the coordinator's clock"
}
