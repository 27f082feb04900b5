package dialect

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func redbeatShape() Shape {
	return expiring("redbeat::lock", pyToken(noon().Add(-time.Hour), "0242ac110002"))
}

func TestRedbeat(t *testing.T) {
	d := redbeat()
	if keys := d.Keys("anything"); keys[0] != "redbeat::lock" {
		t.Errorf("keys %q", keys)
	}
	r := wantFit(t, d, redbeatShape(), evidence.Certain)
	if h := r.Dialect.Holders[0]; !h.Since.Equal(noon().Add(-time.Hour)) {
		t.Errorf("holder %+v", h)
	}
	if r.Dialect.Lease != 25*time.Minute || r.Dialect.RenewEvery != 5*time.Minute || r.Dialect.Renews != evidence.ByItself || r.Dialect.Endless {
		t.Errorf("lease %+v", r.Dialect)
	}
	s := redbeatShape()
	s.Key = "shop:redbeat:eu:lock"
	wantFit(t, d, s, evidence.FitsWell)
}

func TestRedbeatLearns(t *testing.T) {
	for due, want := range map[time.Duration]struct {
		dead bool
		text string
	}{
		20 * time.Second: {false, "the next task is due in 20s"},
		-time.Minute:     {false, "due for 1m0s"},
		-time.Hour:       {true, "due for 1h0m0s"},
	} {
		r := redbeat().Recognise(redbeatShape())
		r.Shape = redbeatShape()
		score := strconv.FormatInt(noon().Add(due).Unix(), 10)
		r.Learn(&r, Answers{"ZRANGE redbeat::schedule 0 99 WITHSCORES": list("redbeat:report", score)})
		if a := r.Dialect.Alive; len(a) != 1 || a[0].Dead != want.dead || !strings.Contains(a[0].Text, want.text) || a[0].Key != "redbeat::schedule" {
			t.Errorf("%v: %+v", due, a)
		}
	}
	r := redbeat().Recognise(redbeatShape())
	r.Learn(&r, Answers{"ZRANGE redbeat::schedule 0 99 WITHSCORES": list()})
	if len(r.Dialect.Alive) != 0 {
		t.Errorf("an empty schedule is a sign: %+v", r.Dialect.Alive)
	}
}

func TestRedbeatNearMisses(t *testing.T) {
	change := func(f func(*Shape)) Shape {
		s := redbeatShape()
		f(&s)
		return s
	}
	for name, s := range map[string]Shape{
		"one letter off": change(func(s *Shape) { s.Key = "redbeet::lock" }),
		"another end":    change(func(s *Shape) { s.Key = "redbeat::lock2" }),
		"another type":   change(func(s *Shape) { s.Type = "hash" }),
		"not a token":    change(func(s *Shape) { s.Value = strings.Repeat("ab", 16) }),
	} {
		if r := redbeat().Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, redbeat(), redbeatShape())
}
