package stamp

import (
	"testing"
	"time"
)

const ms = time.Millisecond

var evening = time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)

func TestFind(t *testing.T) {
	const day = "2026-11-29T"
	tests := []struct {
		line, from string
		width      time.Duration
		zoned      bool
		after      string
	}{
		{"2026-11-29T03:12:11.120Z renewed", day + "03:12:11.12Z", ms, true, "renewed"},
		{"2026-11-29T03:12:11.120345678Z stdout F renewed", day + "03:12:11.120345678Z", 1, true, "stdout F renewed"},
		{"2026-11-29T04:12:11+01:00 x", day + "03:12:11Z", time.Second, true, "x"},
		{"2026-11-28 20:12:11,120 -0700 x", day + "03:12:11.12Z", ms, true, "x"},
		{"2026-11-29 03:12:11,120 INFO x", day + "03:12:11.12Z", ms, false, "INFO x"},
		{"2026/11/29 03:12:11 x", day + "03:12:11Z", time.Second, false, "x"},
		{"2026-11-29T03:12 x", day + "03:12:00Z", time.Minute, false, "x"},
		{"Nov 29 03:12:11 quince-3 ledgerd[41207]: x", day + "03:12:11Z", time.Second, false, "quince-3 ledgerd[41207]: x"},
		{"41207:M 29 Nov 2026 03:12:11.120 * x", day + "03:12:11.12Z", ms, false, "* x"},
		{"[41207] 29 Nov 03:12:11.120 * x", day + "03:12:11.12Z", ms, false, "* x"},
		{"29-Nov-2026 03:12:11.120 WARN x", day + "03:12:11.12Z", ms, false, "WARN x"},
		{`10.0.0.9 - - [29/Nov/2026:04:12:11 +0100] "PUT /x"`, day + "03:12:11Z", time.Second, true, `PUT /x"`},
		{"I1129 03:12:11.934473    1450 kubelet.go:1778] x", day + "03:12:11.934473Z", time.Microsecond, false, "1450 kubelet.go:1778] x"},
		{"Sun Nov 29 03:12:11 2026 x", day + "03:12:11Z", time.Second, false, "x"},
		{"Sun Nov 29 03:12:11 UTC 2026 x", day + "03:12:11Z", time.Second, true, "x"},
		{"Sun, 29 Nov 2026 03:12:11 GMT x", day + "03:12:11Z", time.Second, true, "x"},
		{"W, [2026-11-29T03:12:11.843149 #4]  WARN -- : x", day + "03:12:11.843149Z", time.Microsecond, false, "#4]  WARN -- : x"},
		{"worker-1  | 2026-11-29T03:12:11Z x", day + "03:12:11Z", time.Second, true, "x"},
		{"1795921931 x", day + "03:12:11Z", time.Second, true, "x"},
		{"1795921931.120345 x", day + "03:12:11.120345Z", time.Microsecond, true, "x"},
		{"1795921931120 x", day + "03:12:11.12Z", ms, true, "x"},
		{"1795921931120345678 x", day + "03:12:11.120345678Z", 1, true, "x"},
	}
	for _, tt := range tests {
		s, _, after, ok := Find(tt.line)
		if !ok {
			t.Errorf("%q: no date found", tt.line)
			continue
		}
		got := s.Interval(Context{Zone: time.UTC, Ref: evening})
		from, _ := time.Parse(time.RFC3339Nano, tt.from)
		if !got.From.Equal(from) || got.To.Sub(got.From) != tt.width || s.Zoned != tt.zoned || after != tt.after {
			t.Errorf("%q: got %v for %v, zoned %v, then %q", tt.line, got.From, got.To.Sub(got.From), s.Zoned, after)
		}
	}
}

func TestFindNothing(t *testing.T) {
	for _, line := range []string{
		"", "renewed lock:orders", "03:12:11.120 [main] x", "2026-13-29T03:12:11Z", "2026-02-30T03:12:11Z", "2026-11-29T25:12:11Z x",
		"id 123456789 x", "order 99999999999999999999999 x", "2026-11-29", "Nov 31 03:12:11 x", "x2026-11-29T03:12:11Z", "Wednesday is a long day to wait",
	} {
		if s, _, _, ok := Find(line); ok {
			t.Errorf("%q: found %v", line, s)
		}
	}
}

func TestIntervalOfWhatIsNotTold(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, text string
		c          Context
		from       string
		width      time.Duration
	}{
		{"no zone", "2026-11-29 03:12:11", Context{}, "2026-11-28T13:12:11Z", 26*time.Hour + time.Second},
		{"the zone of the log", "2026-11-29 03:12:11", Context{Zone: berlin}, "2026-11-29T02:12:11Z", time.Second},
		{"an hour that came twice", "2026-10-25 02:30:00", Context{Zone: berlin}, "2026-10-25T00:30:00Z", time.Hour + time.Second},
		{"a zone of its own", "2026-11-29T03:12:11Z", Context{Zone: berlin}, "2026-11-29T03:12:11Z", time.Second},
		{"last year's December", "Dec 24 10:00:00", Context{Zone: time.UTC, Ref: evening}, "2025-12-24T10:00:00Z", time.Second},
		{"a leap day", "Feb 29 10:00:00", Context{Zone: time.UTC, Ref: evening}, "2024-02-29T10:00:00Z", time.Second},
	}
	for _, tt := range tests {
		s, ok := Parse(tt.text)
		got := s.Interval(tt.c)
		from, _ := time.Parse(time.RFC3339, tt.from)
		if !ok || !got.From.Equal(from) || got.To.Sub(got.From) != tt.width {
			t.Errorf("%s: got %v to %v", tt.name, got.From, got.To)
		}
	}
	if s, _ := Parse("Nov 29 03:12:11"); s.Interval(Context{Zone: time.UTC}).Known() {
		t.Error("a date without a year, in a log of no known age, was placed")
	}
}

func TestSettle(t *testing.T) {
	tests := []struct {
		name, inner, carrier, want string
	}{
		{"an hour east", "2026-11-29 04:12:11.120", "2026-11-29T03:12:11.480Z", "2026-11-29T03:12:11.12Z"},
		{"half past, five hours east, shipped late", "2026-11-29 08:42:11.120", "2026-11-29T03:14:11Z", "2026-11-29T03:12:11.12Z"},
		{"west", "2026-11-28 22:12:11", "2026-11-29T03:12:12Z", "2026-11-29T03:12:11Z"},
		{"the carrier's clock is behind", "2026-11-29 03:12:11", "2026-11-29T03:12:10Z", "2026-11-29T03:12:11Z"},
		{"shipped after the fact", "2026-11-29 03:12:11", "2026-11-29T03:20:11Z", ""},
		{"another day", "2026-11-27 03:12:11", "2026-11-29T03:12:11Z", ""},
	}
	for _, tt := range tests {
		inner, _ := Parse(tt.inner)
		carrier, _ := Parse(tt.carrier)
		got := Settle(inner, carrier)
		want, _ := time.Parse(time.RFC3339Nano, tt.want)
		if got.Zoned != (tt.want != "") || got.Zoned && !got.Time.Equal(want) {
			t.Errorf("%s: got %v, zoned %v", tt.name, got.Time, got.Zoned)
		}
	}
}

func TestLayout(t *testing.T) {
	s, ok := Layout([]string{"15:04", "02.01.2006 15:04:05"}, "29.11.2026 03:12:11.120")
	if !ok || s.Zoned || s.Width != ms || !s.Time.Equal(time.Date(2026, 11, 29, 3, 12, 11, 120e6, time.UTC)) {
		t.Errorf("got %+v, %v", s, ok)
	}
	if _, ok := Layout([]string{"02.01.2006"}, "yesterday"); ok {
		t.Error("yesterday is no date")
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"2026-11-29T03:12:11.120+05:30 x", "Sun Nov 29 03:12:11 UTC 2026", "W1129 03:12:11.1 x", "1795921931.1", "29 Nov 03:12:11.1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		s, _, _, ok := Find(line)
		i := s.Interval(Context{Ref: evening})
		if ok && (s.Width <= 0 || i.To.Before(i.From)) {
			t.Errorf("%q gave %+v, %+v", line, s, i)
		}
	})
}

// A number as long as an epoch is a date only where a date may stand.
func TestBareNumbers(t *testing.T) {
	for line, want := range map[string]bool{
		"1795168953 OK": true,
		`{"level":30,"time":1795168927300,"pid":1}`:                   true,
		"ts=1795168953 event=renew":                                   true,
		"The node was low. Threshold quantity: 2139512454, available": false,
		`"message": "available: 2139512454 bytes"`:                    false,
		"pid 1795168953": false,
		"type=SYSCALL msg=audit(1795168953.123:4711)": true,
	} {
		if _, _, _, ok := Find(line); ok != want {
			t.Errorf("%q: a date %v, want %v", line, ok, want)
		}
	}
}
