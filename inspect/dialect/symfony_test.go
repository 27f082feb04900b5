package dialect

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func symfonyToken(letter string) string { return strings.Repeat(letter, 42) + "A=" }

func symfonyShape(members ...Scored) Shape {
	return Shape{Key: "invoice", Type: "zset", Scored: members, Left: 200 * time.Second, Now: noon()}
}

func symfonyIn(d time.Duration) float64 { return float64(noon().Add(d).UnixMilli()) }

func TestSymfonyWrites(t *testing.T) {
	end := 200 * time.Second
	r := wantFit(t, symfony(), symfonyShape(Scored{symfonyToken("k"), symfonyIn(end)}, Scored{"__write__", symfonyIn(end)}), evidence.Certain)
	if len(r.Dialect.Holders) != 1 {
		t.Fatalf("holders %+v", r.Dialect.Holders)
	}
	h := r.Dialect.Holders[0]
	if h.Text != symfonyToken("k") || !h.Writes || !h.Ends.Equal(noon().Add(end)) {
		t.Errorf("holder %+v", h)
	}
	if r.Dialect.Form != "lock" || r.Dialect.Lease != 300*time.Second || r.Dialect.RenewEvery != 0 || r.Dialect.Renews != evidence.ByCall {
		t.Errorf("lease %+v", r.Dialect)
	}
}

func TestSymfonyReaders(t *testing.T) {
	s := symfonyShape(Scored{symfonyToken("a"), symfonyIn(-time.Second)}, Scored{symfonyToken("b"), symfonyIn(time.Minute)}, Scored{symfonyToken("c"), symfonyIn(2 * time.Minute)})
	r := wantFit(t, symfony(), s, evidence.FitsWell)
	if len(r.Dialect.Holders) != 2 || r.Dialect.Form != "read lock" || r.Dialect.Holders[0].Writes {
		t.Errorf("it says %+v", r.Dialect)
	}
	if notes := strings.Join(r.Dialect.Notes, "\n"); !strings.Contains(notes, "1 members have ended") {
		t.Errorf("notes %s", notes)
	}
	s.Now = time.Time{} // without a time all may hold
	if r := wantFit(t, symfony(), s, evidence.FitsWell); len(r.Dialect.Holders) != 3 {
		t.Errorf("holders %+v", r.Dialect.Holders)
	}
}

func TestSymfonyString(t *testing.T) {
	r := wantFit(t, symfony(), expiring("invoice", symfonyToken("k")), evidence.Possible)
	if r.Dialect.Holders[0].Text != symfonyToken("k") || r.Dialect.Lease != 300*time.Second {
		t.Errorf("it says %+v", r.Dialect)
	}
}

func TestSymfonyNearMisses(t *testing.T) {
	end := symfonyIn(time.Minute)
	endless, set := expiring("k", symfonyToken("k")), symfonyShape(Scored{symfonyToken("k"), end})
	endless.Endless, set.Type = true, "set"
	many := symfonyShape()
	for range 5000 {
		many.Scored = append(many.Scored, Scored{symfonyToken("k"), math.NaN()})
	}
	for name, s := range map[string]Shape{
		"empty":             symfonyShape(),
		"only the mark":     symfonyShape(Scored{"__write__", end}),
		"another mark":      symfonyShape(Scored{symfonyToken("k"), end}, Scored{"__Write__", end}),
		"in seconds":        symfonyShape(Scored{symfonyToken("k"), end / 1000}),
		"without end":       symfonyShape(Scored{symfonyToken("k"), math.Inf(1)}),
		"shorter":           symfonyShape(Scored{symfonyToken("k")[1:], end}),
		"of 30 bytes":       symfonyShape(Scored{strings.Repeat("k", 40), end}),
		"another type":      set,
		"an endless string": endless,
		"no numbers":        many,
	} {
		if r := symfony().Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, symfony(), symfonyShape(Scored{symfonyToken("k"), end}), expiring("k", symfonyToken("k")))
}
