package reckon

import (
	"testing"
	"time"
)

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

func same(n int) []int { return make([]int, n) }

// A reading of one clock between two of another bounds it.
func TestNeighboursBound(t *testing.T) {
	s := Solve(Problem{Terminal: same(4), Base: "date", Marks: []Mark{
		{0, "date", Exactly(ms(11402))}, {1, "TIME", Exactly(ms(11507))},
		{2, "TIME", Exactly(ms(17698))}, {3, "date", Exactly(ms(17746))},
	}})
	if got := s.Ahead["TIME"]; got != (Range{ms(-48), ms(105)}) {
		t.Errorf("TIME is %v to %v ahead", got.Lo, got.Hi)
	}
	if got := s.Steps[1]; got != (Range{ms(11402), ms(11555)}) {
		t.Errorf("step 1: %v to %v", got.Lo, got.Hi)
	}
}

func TestUnboundedStaysSo(t *testing.T) {
	s := Solve(Problem{Terminal: same(3), Base: "date", Marks: []Mark{{1, "date", Exactly(ms(5))}}})
	if s.Steps[0].Lo != Never || s.Steps[0].Hi != ms(5) || s.Steps[2].Lo != ms(5) || s.Steps[2].Hi != Forever {
		t.Errorf("%+v", s.Steps)
	}
}

// A clock that contradicts the base is left out and named.
func TestClash(t *testing.T) {
	s := Solve(Problem{Terminal: same(4), Base: "date", Marks: []Mark{
		{0, "date", Exactly(ms(100))}, {1, "TIME", Exactly(ms(5000))}, {2, "TIME", Exactly(ms(1000))}, {3, "date", Exactly(ms(200))},
	}})
	if len(s.Clashes) != 1 || s.Clashes[0] != "TIME" || s.Steps[1] != (Range{ms(100), ms(200)}) {
		t.Errorf("%+v", s)
	}
}

// Terminals pasted one after the other are not in order.
func TestTerminals(t *testing.T) {
	s := Solve(Problem{Terminal: []int{0, 0, 1, 1}, Base: "date", Marks: []Mark{
		{0, "date", Exactly(ms(500))}, {2, "date", Exactly(ms(100))}, {3, "date", Exactly(ms(900))},
	}})
	if len(s.Clashes) != 0 || s.Steps[1].Hi != Forever || s.Steps[2] != Exactly(ms(100)) {
		t.Errorf("%+v", s)
	}
}

// A tie places a clock that shares no step with another.
func TestTie(t *testing.T) {
	s := Solve(Problem{Terminal: same(2), Base: "wall", Marks: []Mark{{0, "wall", Exactly(ms(9000))}, {1, "wall", Exactly(ms(9500))}},
		Ties: []Tie{{Ahead: "wall", Of: "boot", By: Range{ms(1000), ms(2000)}}}})
	s2 := Solve(Problem{Terminal: same(2), Base: "wall", Marks: []Mark{{0, "wall", Exactly(ms(9000))}, {1, "boot", Exactly(ms(7500))}},
		Ties: []Tie{{Ahead: "boot", Of: "wall", By: Range{ms(-2000), ms(-1000)}}}})
	if got := s2.Ahead["boot"]; got.Hi != ms(-1500) && got != (Range{ms(-2000), ms(-1500)}) {
		t.Errorf("%+v %+v", got, s)
	}
}

// A tie also tells of a clock that nobody read.
func TestTieOfAnUnreadClock(t *testing.T) {
	tie := Tie{Ahead: "wall", Of: "boot", By: Range{ms(1000), ms(2000)}}
	marks := []Mark{{0, "TIME", Exactly(ms(9000))}, {1, "wall", Exactly(ms(9500))}, {2, "TIME", Exactly(ms(9600))}}
	s := Solve(Problem{Terminal: same(3), Base: "TIME", Marks: marks, Ties: []Tie{tie}})
	if got := s.Ahead["boot"]; got != (Range{ms(-2100), ms(-500)}) {
		t.Errorf("boot is %+v ahead", got)
	}
}

// FuzzSolve: nothing panics, the base is never named, and every closed step lies
// within what its own marks of the base allow.
func FuzzSolve(f *testing.F) {
	f.Add([]byte("some bytes that stand for steps, marks and clocks"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 400 {
			b = b[:400]
		}
		p := Problem{Terminal: make([]int, len(b)), Base: "a"}
		for i, c := range b {
			p.Terminal[i] = int(c) % 2
			if c%3 == 0 {
				d := time.Duration(int8(c)) * time.Duration(i) << (c % 40)
				p.Marks = append(p.Marks, Mark{i, string('a' + rune(c%4)), Range{d, d + time.Duration(c)}})
			}
		}
		for _, c := range Solve(p).Clashes {
			if c == "a" {
				t.Fatal("the base was left out")
			}
		}
	})
}
