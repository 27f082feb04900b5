package report

import (
	"slices"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		in    string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one two three", 10, []string{"one two", "three"}},
		{"exactly ten", 11, []string{"exactly ten"}},
		{"abcdefghijklmnop", 10, []string{"abcdefghij", "klmnop"}},
		{"a abcdefghijklmnop b", 10, []string{"a", "abcdefghij", "klmnop b"}},
		{"漢字漢字漢字", 8, []string{"漢字漢字", "漢字"}},
	}
	for _, tt := range tests {
		if got := wrap(tt.in, tt.width); !slices.Equal(got, tt.want) {
			t.Errorf("wrap(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.want)
		}
	}
}

func TestMoment(t *testing.T) {
	ms := time.Millisecond
	noon := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	interval := func(from, to time.Duration) *evidence.Interval {
		return &evidence.Interval{From: noon.Add(from), To: noon.Add(to), Clock: evidence.Coordinator}
	}
	tests := []struct {
		name string
		in   *evidence.Interval
		want string
	}{
		{"exact", interval(0, 0), "12:00:00.000Z"},
		{"four milliseconds", interval(-4*ms, 4*ms), "12:00:00.000Z ±0.004"},
		{"rounding keeps both ends", interval(0, ms), "12:00:00.001Z ±0.001"},
		{"below a millisecond", interval(-200*time.Microsecond, 200*time.Microsecond), "12:00:00.000Z ±0.001"},
		{"wide", interval(-12*time.Second, 12*time.Second), "12:00:00.000Z ±12 s"},
		{"hours wide", interval(-12*time.Hour, 12*time.Hour), "not dated"},
		{"another day", interval(24*time.Hour, 24*time.Hour), "2026-11-30 12:00:00.000Z"},
		{"no beginning", &evidence.Interval{To: noon, Clock: evidence.Coordinator}, "before 12:00:00.000Z"},
		{"no end", &evidence.Interval{From: noon, Clock: evidence.Coordinator}, "after 12:00:00.000Z"},
		{"another clock", &evidence.Interval{From: noon, To: noon, Clock: "host:b-1"}, "12:00:00.000Z on clock host:b-1"},
		{"nothing", nil, "unknown"},
	}
	for _, tt := range tests {
		if got := moment(tt.in, noon); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestAscii(t *testing.T) {
	if got, want := ascii("a · b ±1 → ü 😀"), `a - b +/-1 -> \u00fc \U0001f600`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
