package dialect

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

// What the tests of all libraries share.

// expiring is a string that expires, as most locks are.
func expiring(key, value string) Shape {
	return Shape{Key: key, Type: "string", Value: value, Left: 20 * time.Second, Now: noon()}
}

func noon() time.Time { return time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC) }

func number(n int64) redis.Value { return redis.Value{Kind: ':', Int: n} }

func list(words ...string) redis.Value {
	v := redis.Value{Kind: '*'}
	for _, w := range words {
		v.Array = append(v.Array, redis.Bulk(w))
	}
	return v
}

func noted(d evidence.Dialect, part string) bool {
	return slices.ContainsFunc(d.Notes, func(n string) bool { return strings.Contains(n, part) })
}

// wantFit recognises a shape, and fails on another fit than the one that is due.
func wantFit(t *testing.T, d Dialect, s Shape, want evidence.Fit) Reading {
	t.Helper()
	r := d.Recognise(s)
	if r.Fit != want {
		t.Fatalf("%s on %s %.80q %.80q: fit %d, want %d", d.Name, s.Type, s.Key, s.Value, r.Fit, want)
	}
	if want > evidence.Misfit && (len(r.Because) == 0 || r.Dialect.Form == "" || r.Dialect.Release == "") {
		t.Errorf("%s does not say why, what, or how to release: %+v", d.Name, r)
	}
	printable(t, r)
	return r
}

// hostile are texts that a stranger may have put anywhere.
func hostile() []string {
	return []string{
		"", "\x00", "\x1b[31m\r\n", "\xff\xfe", "\u202e", ":", "{", "}", "{}", "@", strings.Repeat("9", 400), strings.Repeat("A", 70000),
		strings.Repeat(":", 5000), strings.Repeat("{", 5000), "redisson_lock_token:{", "redisson_lock_queue:}", "redisson_unlock_latch::",
		":rwlock_timeout:1", "ADDED:", "ADDED:@", "ADDED:9999-99-99T99:99:99Z@h", "lock-signal:", "::stalled-check", "9999999999999", "\x7f",
		"\x01h\x01k\x01t", "\x01h\x01k\x01t\xff\xff\xff\xff\xff\xff\xff\xff", "_", "_1_", strings.Repeat("_", 5000),
		"h_99999999999999999999_" + strings.Repeat("a", 32), "asynq:{", "asynq:{}:lease", "asynq:{q}:unique:", "asynq:{q}:unique::", "{hangfire}:",
		"redlock:", "caddy/locks/", ".writer", ".readers", "_WRITERWAITING", "queue::dequeued:lock",
	}
}

// survive gives a dialect every hostile text in every place, replies too, and looks
// for what people must not see.
func survive(t *testing.T, d Dialect, good ...Shape) {
	t.Helper()
	texts := hostile()
	for i, text := range texts {
		next := texts[(i+1)%len(texts)]
		_ = d.Keys(text)
		for _, kind := range []string{"", "string", "hash", "zset", "set", "list", "stream"} {
			answer(t, d, Shape{Type: kind, Key: text, Value: next}, next)
			answer(t, d, Shape{Type: kind, Key: next, Value: text, Fields: []evidence.Field{{Name: text, Value: next}, {Name: "mode", Value: "read"}}}, text)
		}
		for _, g := range good {
			answer(t, d, g, text)
			g.Scored = []Scored{{text, math.NaN()}, {next, math.Inf(1)}, {text, math.Inf(-1)}, {text, math.MaxFloat64}}
			g.Members = []string{text, next}
			answer(t, d, g, text)
			g.Value = text
			answer(t, d, g, text)
			g.Value, g.Key = "", text
			answer(t, d, g, text)
		}
	}
}

// answer recognises a shape and lets it learn from replies that make no sense.
func answer(t *testing.T, d Dialect, s Shape, text string) {
	t.Helper()
	for _, v := range []redis.Value{
		{}, {Kind: '-', Str: text}, {Null: true}, redis.Bulk(text), number(math.MinInt64), number(math.MaxInt64), number(-1),
		list(text), list(text, text), list(text, "1e400", text), {Kind: '*', Array: []redis.Value{{}, {Kind: '*'}, {Null: true}}},
	} {
		r := d.Recognise(s)
		a := Answers{}
		for _, c := range r.Ask {
			a[join(c)] = v
		}
		if r.Learn != nil {
			r.Learn(&r, a)
			r.Learn(&r, nil)
		}
		printable(t, r)
	}
}

// printable looks at what people read, and at what is asked.
func printable(t *testing.T, r Reading) {
	t.Helper()
	for _, c := range r.Ask {
		if err := redis.Allowed(c); err != nil {
			t.Errorf("it asks what is not allowed: %v", err)
		}
	}
	if len(r.Ask) > 8 {
		t.Errorf("it asks %d times", len(r.Ask))
	}
	said := slices.Concat([]string{r.Dialect.Form, r.Dialect.Release}, r.Because, r.Dialect.Notes)
	for _, h := range r.Dialect.Holders {
		said = append(said, h.Text, h.Host, h.Thread, h.Worker)
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
