package stamp

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func utc(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

var read = evidence.Interval{From: utc("2026-11-09T18:30:00Z"), To: utc("2026-11-09T18:30:02Z"), Clock: "host:b"}

func TestLeading(t *testing.T) {
	tests := []struct {
		line, from string
		width      time.Duration
		rest       string
	}{
		{"2026-11-09T18:22:06.120Z panic: x", "2026-11-09T18:22:06.12Z", time.Millisecond, "panic: x"},
		{"2026-11-09T18:22:06.120456789Z x", "2026-11-09T18:22:06.120456789Z", 1, "x"},
		{"2026-11-09T20:22:06,120+0200: 12.3: [GC", "2026-11-09T18:22:06.12Z", time.Millisecond, ": 12.3: [GC"},
		{"2026-11-09 18:22:06 UTC x", "2026-11-09T18:22:06Z", time.Second, "x"},
		{"[2026-11-09T18:22:06.120+0000][12.345s] x", "2026-11-09T18:22:06.12Z", time.Millisecond, "[12.345s] x"},
		{"[09/Nov/2026:18:22:06.123 +0000] x", "2026-11-09T18:22:06.123Z", time.Millisecond, "x"},
		{"Mon 2026-11-09 18:22:06 UTC; 7min ago", "2026-11-09T18:22:06Z", time.Second, "; 7min ago"},
		{"Mon, 09 Nov 2026 19:22:06 +0100", "2026-11-09T18:22:06Z", time.Second, ""},
		{"Mon Nov  9 18:22:06 UTC 2026", "2026-11-09T18:22:06Z", time.Second, ""},
		{"@1794248526", "2026-11-09T18:22:06Z", time.Second, ""},
		// Local times are as wide as the zones of the world.
		{"2026-11-09 18:22:06,120 ERROR x", "2026-11-09T04:22:06.12Z", 26*time.Hour + time.Millisecond, "ERROR x"},
		{"2026/11/09 18:22:06 x", "2026-11-09T04:22:06Z", 26*time.Hour + time.Second, "x"},
		{"Mon 2026-11-09 18:22:06 CET", "2026-11-09T04:22:06Z", 26*time.Hour + time.Second, ""},
		{"Mon Nov  9 18:22:06 CET 2026", "2026-11-09T04:22:06Z", 26*time.Hour + time.Second, ""},
		{"2026-11-09 18:22:06 WAIT x", "2026-11-09T04:22:06Z", 26*time.Hour + time.Second, "WAIT x"},
		{"Mon Nov  9 18:22:06 2026", "2026-11-09T04:22:06Z", 26*time.Hour + time.Second, ""},
		// The year comes from the reading.
		{"Nov  9 18:22:06 host app: x", "2026-11-09T04:22:06Z", 26*time.Hour + time.Second, "host app: x"},
		{"Dec 31 23:59:59 host app: x", "2025-12-31T09:59:59Z", 26*time.Hour + time.Second, "host app: x"},
		{"Feb 29 12:00:00 x", "2024-02-28T22:00:00Z", 26*time.Hour + time.Second, "x"},
		{"E1109 18:22:06.120456    1203 kubelet.go:1", "2026-11-09T04:22:06.120456Z", 26*time.Hour + time.Microsecond, "1203 kubelet.go:1"},
	}
	for _, tt := range tests {
		i, rest, ok := Frame{Clock: "host:b", Now: read}.Leading(tt.line)
		if !ok || !i.From.Equal(utc(tt.from)) || i.To.Sub(i.From) != tt.width || rest != tt.rest || i.Clock != "host:b" {
			t.Errorf("%q: got %v to %v, %q, %v", tt.line, i.From, i.To, rest, ok)
		}
	}
}

func TestNoDate(t *testing.T) {
	for _, line := range []string{"", "x", "2026", "2026-13-09T18:22:06Z", "2026-02-30 10:00:00", "2026-11-09T25:00:00Z", "Nov", "Nov 9", "@", "@99999999999", "[2026-11-09T18:22:06Z x", "0000-01-01T00:00:00Z"} {
		if i, _, ok := (Frame{Now: read}).Leading(line); ok {
			t.Errorf("%q gives %v", line, i)
		}
	}
}

func TestZoneOfLocalTimes(t *testing.T) {
	f := Frame{Zone: time.FixedZone("", 3600)}
	for _, s := range []string{"2026-11-09 19:22:06", "Mon 2026-11-09 19:22:06 CET", "2026-11-09T18:22:06Z"} {
		i, ok := f.Time(s)
		if !ok || !i.From.Equal(utc("2026-11-09T18:22:06Z")) || i.To.Sub(i.From) != time.Second {
			t.Errorf("%q: got %v, %v", s, i, ok)
		}
	}
	if i, _, ok := f.Leading("Nov  9 19:22:06 x"); !ok || i.Known() {
		t.Errorf("a date without a year, nobody tells which: got %v, %v", i, ok)
	}
}

func TestAges(t *testing.T) {
	f := Frame{Now: read}
	tests := []struct {
		text     string
		words    bool
		from, to string
	}{
		{"47s", false, "2026-11-09T18:29:12Z", "2026-11-09T18:29:15Z"},
		{"2m13s", false, "2026-11-09T18:27:46Z", "2026-11-09T18:27:49Z"},
		{"10m", false, "2026-11-09T18:19:00Z", "2026-11-09T18:20:02Z"},
		{"3d4h", false, "2026-11-06T13:30:00Z", "2026-11-06T14:30:02Z"},
		{"3 minutes ago", true, "2026-11-09T18:26:00Z", "2026-11-09T18:27:02Z"},
		{"About a minute", true, "2026-11-09T18:28:00Z", "2026-11-09T18:29:02Z"},
		{"2 hours", true, "2026-11-09T15:30:00Z", "2026-11-09T17:00:02Z"},
		{"Less than a second ago", true, "2026-11-09T18:29:59Z", "2026-11-09T18:30:02Z"},
	}
	for _, tt := range tests {
		i, ok := f.Age(tt.text)
		if tt.words {
			i, ok = f.Words(tt.text)
		}
		if !ok || !i.From.Equal(utc(tt.from)) || !i.To.Equal(utc(tt.to)) {
			t.Errorf("%q: got %v to %v, %v", tt.text, i.From, i.To, ok)
		}
	}
	for _, text := range []string{"", "<unknown>", "5", "5x", "5s4m", "99999999999s", "-3s"} {
		if i, ok := f.Age(text); ok {
			t.Errorf("%q gives %v", text, i)
		}
	}
	if i, ok := (Frame{}).Age("5s"); !ok || i.Known() {
		t.Errorf("an age, nobody knows when it was read: got %v, %v", i, ok)
	}
}

func FuzzLeading(f *testing.F) {
	f.Add("[09/Nov/2026:18:22:06.123 +0000] x")
	f.Add("Mon Nov  9 18:22:06 UTC 2026")
	f.Add("E1109 18:22:06.120456    1203 kubelet.go:1")
	f.Fuzz(func(t *testing.T, s string) {
		i, rest, ok := Frame{Now: read}.Leading(s)
		if ok && (len(rest) >= len(s) || i.Closed() && i.To.Before(i.From)) {
			t.Fatalf("%q gives %v and %q", s, i, rest)
		}
		for _, read := range []func(string) (evidence.Interval, bool){(Frame{Now: read}).Age, Frame{Now: read}.Words} {
			if i, ok := read(s); ok && i.To.Before(i.From) {
				t.Fatalf("%q gives %v", s, i)
			}
		}
	})
}
