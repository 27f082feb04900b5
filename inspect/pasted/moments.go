package pasted

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/reckon"
)

// The clocks of a text. Each host has its wall clock, one more for dates whose
// zone nobody told, and the kernel's count since boot; each Redis node has TIME.
func wallOf(host string) string  { return "wall " + host }
func localOf(host string) string { return "local " + host }
func bootOf(host string) string  { return "boot " + host }
func timeOf(node string) string  { return "TIME " + node }
func leftOf(node string) string  { return "left " + node } // TIME, as the end of a lease and what is left of it tell it
func upOf(node string) string    { return "up " + node }   // the server's uptime, which goes with TIME

// openEnd is how far beyond the last thing that bounds it a moment is put when
// nothing bounds it on that side: nobody pastes a session with longer pauses and
// no date behind them.
const openEnd = 5 * time.Minute

// moments is what the text tells of time. Every entry has two steps: its prompt,
// and the moment its output was produced.
type moments struct {
	terminal []int
	marks    []reckon.Mark
	ties     []reckon.Tie
	hosts    []string       // of every step
	settings map[string]int // how often each host's clock was seen to be set
}

// since is the name of a host's clock after the last time that it was set.
func (m *moments) since(host, clock string) string {
	if n := m.settings[host]; n > 0 {
		return clock + " set " + strconv.Itoa(n)
	}
	return clock
}

func prompt(entry int) int { return 2 * entry }
func output(entry int) int { return 2*entry + 1 }

// terminals is how many were pasted one after the other.
func (m *moments) terminals() int {
	seen := map[int]bool{}
	for _, t := range m.terminal {
		seen[t] = true
	}
	return max(len(seen), 1)
}

// mark notes a reading of a clock at a step, precision wide.
func (m *moments) mark(step int, clock string, from time.Duration, precision time.Duration) {
	m.marks = append(m.marks, reckon.Mark{Step: step, Clock: clock, Reading: reckon.Range{Lo: from, Hi: from + precision}})
}

func (m *moments) has(clock string) bool {
	for _, k := range m.marks {
		if k.Clock == clock {
			return true
		}
	}
	return false
}

// problem is the system of some of the clocks, on the axis of one of them.
func (m *moments) problem(base string, keep func(clock string) bool) reckon.Problem {
	p := reckon.Problem{Terminal: m.terminal, Ties: m.ties, Base: base}
	for _, k := range m.marks {
		if keep(k.Clock) {
			p.Marks = append(p.Marks, k)
		}
	}
	return p
}

// isTime says whether a clock goes with a coordinator's own.
func isTime(clock string) bool {
	return strings.HasPrefix(clock, "TIME ") || strings.HasPrefix(clock, "left ") || strings.HasPrefix(clock, "up ")
}

// An axis is the common base of all stamps.
type axis struct {
	solution reckon.Solution
	base     string
	zero     time.Duration // what the base clock showed at Boot zero
	end      time.Duration // the last bounded moment on it
	trusted  bool          // the base is the coordinator's own clock
	wall     map[string]reckon.Solution
	marked   bool // at least one clock was read at all
	ordered  bool // the text is one terminal's: what stands later came later
}

// axis chooses the base and places every step. The coordinator's own clock is the
// best base there is, since everything is asked about it, unless the host's dates
// prove that it moved: then the axis is a host's wall clock.
func (m *moments) axis(node string) axis {
	a := axis{base: timeOf(node), wall: map[string]reckon.Solution{}, marked: len(m.marks) > 0}
	a.ordered = len(m.terminal) > 0 && m.terminal[0] == m.terminal[len(m.terminal)-1]
	local := func(clock string) bool { return !isTime(clock) }
	for _, h := range slices.Compact(slices.Sorted(slices.Values(m.hosts))) {
		if base := m.localBase(h); base != "" {
			a.wall[h] = reckon.Solve(m.problem(base, local))
		}
	}
	a.trusted = m.has(a.base) && !m.contradicted(a, node)
	if a.trusted {
		p := m.problem(a.base, func(string) bool { return true })
		p.Ties = append(p.Ties, reckon.Tie{Ahead: leftOf(node), Of: a.base, By: reckon.Exactly(0)})
		a.solution = reckon.Solve(p)
	} else {
		a.base = m.bestLocal()
		a.solution = reckon.Solve(m.problem(a.base, local))
	}
	a.zero, a.end = a.earliest()-30*24*time.Hour, a.latest()
	return a
}

// localBase is the clock whose dates stand for a host's own.
func (m *moments) localBase(host string) string {
	for _, c := range []string{wallOf(host), localOf(host)} {
		if m.has(c) {
			return c
		}
	}
	return ""
}

// bestLocal is the local clock with the most marks.
func (m *moments) bestLocal() string {
	n, best := map[string]int{}, ""
	for _, k := range m.marks {
		if isTime(k.Clock) {
			continue
		}
		weight := 1
		if strings.HasPrefix(k.Clock, "wall ") {
			weight = 1000 // a date with its zone says more than any other
		}
		if n[k.Clock] += weight; n[k.Clock] > n[best] {
			best = k.Clock
		}
	}
	return best
}

// tolerance is how far TIME may be from what dates allow before it counts as
// moved: a quarter of a second, as for every clock.
const tolerance = 250 * time.Millisecond

// contradicted says whether local dates, or the order alone, prove that the
// coordinator's clock was moved or stood still.
func (m *moments) contradicted(a axis, node string) bool {
	var times []reckon.Mark
	for _, k := range m.marks {
		if k.Clock == timeOf(node) {
			times = append(times, k)
		}
	}
	for i := 1; i < len(times); i++ {
		p, q := times[i-1], times[i]
		if m.terminal[p.Step] != m.terminal[q.Step] {
			continue
		}
		d := q.Reading.Lo - p.Reading.Lo
		exact := p.Reading.Lo == p.Reading.Hi && q.Reading.Lo == q.Reading.Hi
		if d == 0 && exact || d < -tolerance {
			return true
		}
		s, ok := a.wall[m.hosts[q.Step]]
		if !ok {
			continue
		}
		gap := s.Steps[q.Step].Minus(s.Steps[p.Step])
		if gap.Hi != reckon.Forever && d > gap.Hi+tolerance || gap.Lo != reckon.Never && d < gap.Lo-tolerance {
			return true
		}
	}
	return false
}

// earliest is the first bounded moment on the base clock.
func (a axis) earliest() time.Duration {
	out := reckon.Forever
	for _, r := range a.solution.Steps {
		if r.Lo != reckon.Never {
			out = min(out, r.Lo)
		}
		if r.Hi != reckon.Forever {
			out = min(out, r.Hi)
		}
	}
	if out == reckon.Forever {
		return 30 * 24 * time.Hour
	}
	return out
}

// span is when something between two steps was read, in stamps.
func (a axis) span(first, last int, host string) (start, end evidence.Stamp) {
	lo, hi := a.solution.Steps[first].Lo, a.solution.Steps[last].Hi
	switch {
	case lo == reckon.Never && hi == reckon.Forever: // nothing at all: keep the order
		lo, hi = a.zero+time.Duration(first)*time.Microsecond, a.zero+time.Duration(last)*time.Microsecond
		if a.end != reckon.Never {
			hi = a.end + openEnd // it may have been at any time of what the others tell
		}
	case lo == reckon.Never:
		lo = hi - openEnd
	case hi == reckon.Forever:
		hi = max(lo, a.end) + openEnd
	}
	start.Boot, end.Boot = lo-a.zero, hi-a.zero
	if w, ok := a.wall[host]; ok {
		if lo := w.Steps[first].Lo; lo != reckon.Never {
			start.Wall = time.Unix(0, int64(lo)).UTC()
		}
		if hi := w.Steps[last].Hi; hi != reckon.Forever {
			end.Wall = time.Unix(0, int64(hi)).UTC()
		}
	}
	return start, end
}

// surely is the least time that lies between two steps, as far as it is known.
func (a axis) surely(from, to int) time.Duration {
	f, t := a.solution.Steps[from], a.solution.Steps[to]
	if f.Hi == reckon.Forever || t.Lo == reckon.Never {
		return 0
	}
	return max(0, t.Lo-f.Hi)
}

// closed says whether a step is bounded above.
func (a axis) closed(step int) bool { return a.solution.Steps[step].Hi != reckon.Forever }

// latest is the last bounded moment.
func (a axis) latest() time.Duration {
	out := reckon.Never
	for _, r := range a.solution.Steps {
		if r.Lo != reckon.Never {
			out = max(out, r.Lo)
		}
		if r.Hi != reckon.Forever {
			out = max(out, r.Hi)
		}
	}
	return out
}

// reckoning is what ties a host's clocks to the axis.
func (a axis) reckoning(host string, terminals int) *evidence.Reckoning {
	r := &evidence.Reckoning{Terminals: terminals}
	if a.trusted {
		r.Coordinator = time.Unix(0, int64(a.zero)).UTC()
	}
	if w, ok := a.wallAhead(host); ok {
		r.WallFrom = time.Unix(0, int64(a.zero+w.Lo)).UTC()
		r.WallTo = time.Unix(0, int64(a.zero+w.Hi)).UTC()
	}
	if b, ok := a.solution.Ahead[bootOf(host)]; ok && b.Closed() {
		// The count was zero when the base showed −ahead.
		r.Booted, r.BootFrom, r.BootTo = true, -b.Hi-a.zero, -b.Lo-a.zero
	}
	return r
}

// wallAhead is what a host's wall clock is ahead of the base. One that was set on
// the way was any of what it was: a date alone does not tell of when it is.
func (a axis) wallAhead(host string) (out reckon.Range, ok bool) {
	out, ok = a.solution.Ahead[wallOf(host)]
	for clock, r := range a.solution.Ahead {
		if strings.HasPrefix(clock, wallOf(host)+" set ") {
			out = reckon.Range{Lo: min(out.Lo, r.Lo), Hi: max(out.Hi, r.Hi)}
		}
	}
	return out, ok && out.Closed()
}
