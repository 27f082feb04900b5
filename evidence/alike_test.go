package evidence

import (
	"reflect"
	"testing"
	"time"
)

// Values that writtenAlike takes for one another are written as the same JSON.
func TestWrittenAlike(t *testing.T) {
	at := time.Date(2026, 11, 29, 3, 12, 11, 123456789, time.UTC)
	type doc struct {
		When  Interval
		At    time.Time
		List  []string `json:",omitempty"`
		Map   map[string]int
		N     *int
		Score float64
	}
	one, two := 1, 2
	base := doc{When: Interval{From: at, To: at}, At: at, Map: map[string]int{"a": 1}, N: &one}
	with := func(change func(*doc)) doc { d := base; change(&d); return d }
	for name, tt := range map[string]struct {
		a, b doc
		want bool
	}{
		"itself":                {base, base, true},
		"no list and an empty":  {base, with(func(d *doc) { d.List = []string{} }), true},
		"within a microsecond":  {base, with(func(d *doc) { d.When.From = at.Add(100) }), true},
		"an interval read back": {base, with(func(d *doc) { d.When = d.When.settled() }), true},
		"over a microsecond":    {base, with(func(d *doc) { d.When.From = at.Add(time.Microsecond) }), false},
		"a nanosecond of time":  {base, with(func(d *doc) { d.At = at.Add(1) }), false},
		"another clock":         {base, with(func(d *doc) { d.When.Clock = Coordinator }), false},
		"a longer list":         {base, with(func(d *doc) { d.List = []string{"x"} }), false},
		"another value":         {base, with(func(d *doc) { d.Map = map[string]int{"a": 2} }), false},
		"another key":           {base, with(func(d *doc) { d.Map = map[string]int{"b": 1} }), false},
		"no map":                {base, with(func(d *doc) { d.Map = nil }), false},
		"behind a pointer":      {base, with(func(d *doc) { d.N = &two }), false},
		"no pointer":            {base, with(func(d *doc) { d.N = nil }), false},
		"a fraction":            {base, with(func(d *doc) { d.Score = 0.5 }), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := writtenAlike(reflect.ValueOf(tt.a), reflect.ValueOf(tt.b)); got != tt.want {
				t.Fatalf("alike: %v", got)
			}
			x, _ := Line(tt.a)
			y, _ := Line(tt.b)
			if same := string(x) == string(y); same != tt.want {
				t.Errorf("written alike: %v\n%s%s", same, x, y)
			}
		})
	}
}
