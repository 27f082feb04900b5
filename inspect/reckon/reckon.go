// Package reckon finds out when things happened from a text that tells the time
// only here and there.
//
// What is known is an order (the lines of one terminal follow each other) and
// marks: at some steps some clock showed a reading. No two clocks are trusted to
// agree; what one is ahead of another is itself found from the marks, because a
// reading of one clock that stands before a reading of another bounds it. The
// result is an interval for every step, never a guess: a step that nothing
// bounds on one side stays unbounded there.
package reckon

import (
	"math"
	"slices"
	"time"
)

// Unbounded stands for an end that nothing bounds.
const (
	Never   = time.Duration(math.MinInt64) // no lower bound
	Forever = time.Duration(math.MaxInt64) // no upper bound
)

// A Range is a closed range of durations; Never and Forever are its open ends.
type Range struct{ Lo, Hi time.Duration }

// Open is the range that says nothing.
func Open() Range { return Range{Never, Forever} }

// Exactly is the range of one value.
func Exactly(d time.Duration) Range { return Range{d, d} }

// Closed says whether both ends are bounded.
func (r Range) Closed() bool { return r.Lo != Never && r.Hi != Forever }

// Empty says that no value is left: what was put together contradicts itself.
func (r Range) Empty() bool { return r.Hi < r.Lo }

// Meet is what both ranges allow.
func (r Range) Meet(o Range) Range { return Range{max(r.Lo, o.Lo), min(r.Hi, o.Hi)} }

// Plus shifts every value by one of the other range.
func (r Range) Plus(o Range) Range { return Range{add(r.Lo, o.Lo), add(r.Hi, o.Hi)} }

// Minus takes one of the other range's values from every value.
func (r Range) Minus(o Range) Range { return Range{sub(r.Lo, o.Hi), sub(r.Hi, o.Lo)} }

// add and sub keep open ends open, and nothing overflows: readings lie within
// a few centuries of the epoch.
func add(a, b time.Duration) time.Duration {
	if open(a) {
		return a
	}
	if open(b) {
		return b
	}
	return clamp(a, b)
}

func sub(a, b time.Duration) time.Duration {
	switch {
	case open(a):
		return a
	case b == Never:
		return Forever
	case b == Forever:
		return Never
	}
	return clamp(a, -b)
}

func open(d time.Duration) bool { return d == Never || d == Forever }

func clamp(a, b time.Duration) time.Duration {
	switch s := a + b; {
	case a > 0 && b > 0 && s < 0:
		return Forever
	case a < 0 && b < 0 && s >= 0:
		return Never
	default:
		return s
	}
}

// A Mark says that at one step one clock showed a reading, as far as its
// precision goes.
type Mark struct {
	Step    int
	Clock   string
	Reading Range // since that clock's own zero
}

// A Tie says what one clock is ahead of another, learned otherwise: btime, say.
type Tie struct {
	Ahead, Of string
	By        Range
}

// A Problem is what is known.
type Problem struct {
	Terminal []int  // of every step; steps of one terminal are in order, terminals among each other are not
	Marks    []Mark //
	Ties     []Tie  //
	Base     string // the clock that steps are placed on
}

// A Solution is what follows.
type Solution struct {
	Steps   []Range          // when each step was, on the base clock
	Ahead   map[string]Range // how far each clock is ahead of the base
	Clashes []string         // clocks whose marks contradict the order or the others
}

// rounds bounds the work: every round carries a bound over one more clock, and
// an incident has a handful.
const rounds = 24

// Solve places every step. Marks of a clock that contradicts the others are left
// out, and the clock is named among the clashes; the base is never left out.
func Solve(p Problem) Solution {
	var clashes []string
	for {
		s, clash := solve(p, clashes)
		if clash == "" {
			s.Clashes = clashes
			return s
		}
		clashes = append(clashes, clash)
	}
}

func solve(p Problem, without []string) (Solution, string) {
	s := Solution{Steps: make([]Range, len(p.Terminal)), Ahead: map[string]Range{p.Base: Exactly(0)}}
	for i := range s.Steps {
		s.Steps[i] = Open()
	}
	var clocks []string
	marks := slices.DeleteFunc(slices.Clone(p.Marks), func(m Mark) bool {
		return slices.Contains(without, m.Clock) || m.Step < 0 || m.Step >= len(p.Terminal)
	})
	for _, m := range marks {
		if _, ok := s.Ahead[m.Clock]; !ok {
			s.Ahead[m.Clock] = Open()
			clocks = append(clocks, m.Clock)
		}
	}
	for range rounds {
		before := slices.Clone(s.Steps)
		for _, m := range marks {
			s.Steps[m.Step] = s.Steps[m.Step].Meet(m.Reading.Minus(s.Ahead[m.Clock]))
		}
		order(p.Terminal, s.Steps)
		if clash := s.measure(marks, p, clocks); clash != "" {
			return s, clash
		}
		if slices.Equal(before, s.Steps) {
			break
		}
	}
	for _, m := range marks {
		if s.Steps[m.Step].Empty() && m.Clock != p.Base {
			return s, m.Clock
		}
	}
	return s, ""
}

// order carries lower bounds forward and upper bounds back within each terminal.
func order(terminal []int, steps []Range) {
	last := map[int]int{}
	for i, t := range terminal {
		if j, ok := last[t]; ok {
			steps[i].Lo = max(steps[i].Lo, steps[j].Lo)
		}
		last[t] = i
	}
	clear(last)
	for i := len(terminal) - 1; i >= 0; i-- {
		if j, ok := last[terminal[i]]; ok {
			steps[i].Hi = min(steps[i].Hi, steps[j].Hi)
		}
		last[terminal[i]] = i
	}
}

// measure narrows how far each clock is ahead of the base, and names one whose
// marks leave nothing.
func (s *Solution) measure(marks []Mark, p Problem, clocks []string) string {
	for _, m := range marks {
		if m.Clock == p.Base {
			continue
		}
		s.Ahead[m.Clock] = s.Ahead[m.Clock].Meet(m.Reading.Minus(s.Steps[m.Step]))
	}
	for _, t := range p.Ties {
		a, okA := s.Ahead[t.Ahead]
		b, okB := s.Ahead[t.Of]
		switch {
		case okA && okB:
			if t.Ahead != p.Base {
				s.Ahead[t.Ahead] = a.Meet(b.Plus(t.By))
			}
			if t.Of != p.Base {
				s.Ahead[t.Of] = b.Meet(a.Minus(t.By))
			}
		case okB:
			s.Ahead[t.Ahead] = b.Plus(t.By)
		case okA: // no mark shows it: the tie alone tells
			s.Ahead[t.Of] = a.Minus(t.By)
		}
	}
	for _, c := range clocks {
		if s.Ahead[c].Empty() {
			return c
		}
	}
	return ""
}
