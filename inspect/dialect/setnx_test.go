package dialect

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

// nxExpiring is a plain string that expires, as most shapes in the tests of the
// libraries with string locks are.
func nxExpiring(key, value string) Shape {
	return Shape{Key: key, Type: "string", Value: value, Left: 20 * time.Second, Now: nxNoon()}
}

func nxNoon() time.Time { return time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC) }

func nxBulk(s string) redis.Value { return redis.Value{Kind: '$', Str: s} }

func nxNumber(n int64) redis.Value { return redis.Value{Kind: ':', Int: n} }

func nxList(words ...string) redis.Value {
	v := redis.Value{Kind: '*'}
	for _, w := range words {
		v.Array = append(v.Array, nxBulk(w))
	}
	return v
}

// nxHostile are what a key, a value or a member may be on a server of a stranger.
func nxHostile() []string {
	return []string{
		"", "\x00", "\x1b[31m\r\n", "\xff\xfe", "\u202e", "_", ":", "{", "}", "_1_", strings.Repeat("9", 400),
		strings.Repeat("A", 70000), strings.Repeat(":", 5000), strings.Repeat("_", 5000),
		"h_99999999999999999999_" + strings.Repeat("a", 32), "asynq:{", "asynq:{}:lease", "asynq:{q}:unique:", "asynq:{q}:unique::",
		"{hangfire}:", "redlock:", "caddy/locks/", ".writer", ".readers", "_WRITERWAITING", "queue::dequeued:lock",
	}
}

// nxSurvive gives a dialect every hostile text in every place, answers too, and
// looks for a control character where people read.
func nxSurvive(t *testing.T, d Dialect, good ...Shape) {
	t.Helper()
	texts := nxHostile()
	scores := []float64{0, -1, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for i, text := range texts {
		_ = d.Keys(text)
		shapes := []Shape{}
		for _, kind := range []string{"", "string", "hash", "zset", "set", "list", "stream"} {
			shapes = append(shapes, Shape{Type: kind, Key: text, Value: texts[(i+1)%len(texts)]}, Shape{Type: kind, Key: text})
		}
		for _, g := range good {
			g.Value = text
			g.Scored = []Scored{{Member: text, Score: scores[i%len(scores)]}}
			shapes = append(shapes, g)
		}
		for _, s := range shapes {
			nxPrintable(t, d.Recognise(s))
		}
		for _, g := range good {
			for _, v := range []redis.Value{
				{}, {Kind: '-', Str: text}, {Null: true}, nxBulk(text), nxNumber(math.MinInt64), nxNumber(math.MaxInt64), nxList(text), nxList(text, text),
				nxList(text, text, text), {Kind: '*', Array: []redis.Value{{}, {Kind: '*'}, {Null: true}}},
			} {
				r := d.Recognise(g)
				a := Answers{}
				for _, c := range r.Ask {
					a[join(c)] = v
				}
				if r.Learn != nil {
					r.Learn(&r, a)
					r.Learn(&r, nil)
				}
				nxPrintable(t, r)
			}
		}
	}
}

func nxPrintable(t *testing.T, r Reading) {
	t.Helper()
	for _, c := range r.Ask {
		if err := redis.Allowed(c); err != nil {
			t.Errorf("it asks what is not allowed: %v", err)
		}
	}
	if len(r.Ask) > 8 {
		t.Errorf("it asks %d times", len(r.Ask))
	}
	said := append(append([]string{r.Dialect.Form, r.Dialect.Release}, r.Because...), r.Dialect.Notes...)
	for _, h := range r.Dialect.Holders {
		said = append(said, h.Text, h.Host, h.Worker)
	}
	for _, w := range r.Dialect.Queue {
		said = append(said, w.Text)
	}
	for _, l := range r.Dialect.Alive {
		said = append(said, l.Key, l.Who, l.Text)
	}
	for _, s := range said {
		if evidence.Printable(s) != s || len(s) > 1000 {
			t.Errorf("it says %.200q", s)
		}
	}
}

// nxFit recognises a shape, and fails on another fit than the one that is due.
func nxFit(t *testing.T, d Dialect, s Shape, want evidence.Fit) Reading {
	t.Helper()
	r := d.Recognise(s)
	if r.Fit != want {
		t.Fatalf("%s on %s %.80q %.80q: fit %d, want %d", d.Name, s.Type, s.Key, s.Value, r.Fit, want)
	}
	if want > evidence.Misfit && (len(r.Because) == 0 || r.Dialect.Form == "" || r.Dialect.Release == "") {
		t.Errorf("%s does not say why, what, or how to release: %+v", d.Name, r)
	}
	nxPrintable(t, r)
	return r
}

func TestSetNX(t *testing.T) {
	d := setNX()
	r := nxFit(t, d, nxExpiring("lock:report", "quince-3:41207:9b1e77c4"), evidence.Possible)
	h := r.Dialect.Holders[0]
	if h.Host != "quince-3" || h.Pid != 41207 || h.Text != "quince-3:41207:9b1e77c4" {
		t.Errorf("holder %+v", h)
	}
	if r.Dialect.Lease != 0 || r.Dialect.RenewEvery != 0 || r.Dialect.Renews != "" || len(r.Dialect.Notes) != 0 {
		t.Errorf("it claims to know the lease: %+v", r.Dialect)
	}
	if r := nxFit(t, d, nxExpiring("lock:report", "1"), evidence.Possible); len(r.Dialect.Notes) != 1 {
		t.Errorf("a value that is everybody's goes unremarked: %q", r.Dialect.Notes)
	}

	endless := nxExpiring("lock:report", "worker seven")
	endless.Endless = true
	hash := nxExpiring("lock:report", "worker seven")
	hash.Type = "hash"
	for name, s := range map[string]Shape{
		"endless": endless, "another type": hash,
		"empty":            nxExpiring("k", ""),
		"a document":       nxExpiring("k", strings.Repeat("x y ", 257)),
		"redsync's":        nxExpiring("k", "q83vEjRWeJCrze8SNFZ4kA=="),
		"rueidislock's":    nxExpiring("rueidislock:0:k", strings.Repeat("\x80", 24)),
		"of no type known": {Key: "k", Value: "worker seven"},
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	nxSurvive(t, d, nxExpiring("lock:report", "worker seven"))
}
