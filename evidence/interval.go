package evidence

import (
	"time"

	"github.com/go-json-experiment/json"
)

// Clock names the clock an instant was read from: "coordinator",
// "host:<boot id>" or "app:<source>". Instants of different clocks cannot be
// compared until one is placed on the other.
type Clock string

// Coordinator is the clock that runs the lease: Redis's own.
const Coordinator Clock = "coordinator"

// An Interval is the closed stretch of time in which something happened, on a
// named clock. A zero From or To means that end is unbounded.
//
// Closed, because our sources round: a renewal Redis places at .204 s and an
// exit the kernel places at .204 s may have come in either order, and an open
// interval would order them by accident. Whatever overlaps is unordered.
type Interval struct {
	From, To time.Time
	Clock    Clock
}

// At is the interval around t that reaches bound to each side.
func At(t time.Time, bound time.Duration, c Clock) Interval {
	return Interval{From: t.Add(-bound), To: t.Add(bound), Clock: c}
}

// Known says whether at least one end is bounded.
func (i Interval) Known() bool { return !i.From.IsZero() || !i.To.IsZero() }

// Closed says whether both ends are bounded.
func (i Interval) Closed() bool { return !i.From.IsZero() && !i.To.IsZero() }

// Before says that all of i came before all of j. Neither Before nor After
// means unordered; so do different clocks.
func (i Interval) Before(j Interval) bool {
	return i.Clock == j.Clock && !i.To.IsZero() && !j.From.IsZero() && i.To.Before(j.From)
}

// After says that all of i came after all of j.
func (i Interval) After(j Interval) bool { return j.Before(i) }

// Within says that i is closed and no part of it lies outside j.
func (i Interval) Within(j Interval) bool {
	return i.Clock == j.Clock && i.Closed() && (j.From.IsZero() || !i.From.Before(j.From)) && (j.To.IsZero() || !i.To.After(j.To))
}

// Mid is the middle of a closed interval, else its bounded end.
func (i Interval) Mid() time.Time {
	switch {
	case i.From.IsZero():
		return i.To
	case i.To.IsZero():
		return i.From
	}
	return i.From.Add(i.To.Sub(i.From) / 2)
}

// Bound is half the width of a closed interval: the ± that people read. It is
// zero when an end is unbounded.
func (i Interval) Bound() time.Duration {
	if !i.Closed() {
		return 0
	}
	return i.To.Sub(i.From) / 2
}

// Shift moves the interval by a duration known to lie in [lo, hi].
func (i Interval) Shift(lo, hi time.Duration) Interval {
	if !i.From.IsZero() {
		i.From = i.From.Add(lo)
	}
	if !i.To.IsZero() {
		i.To = i.To.Add(hi)
	}
	return i
}

// On returns the interval relabelled to another clock; the caller has measured
// the offset and shifted it.
func (i Interval) On(c Clock) Interval { i.Clock = c; return i }

// timeFormat is RFC 3339 in UTC with six digits, in every text and JSON.
const timeFormat = "2006-01-02T15:04:05.000000Z"

// FormatTime prints t the way lockscene prints every time.
func FormatTime(t time.Time) string { return t.UTC().Format(timeFormat) }

type intervalJSON struct {
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
	Clock Clock  `json:"clock,omitempty"`
}

// settled is the interval as it reads back from JSON.
func (i Interval) settled() Interval {
	out := Interval{Clock: i.Clock}
	if writable(i.From) {
		out.From = i.From.UTC().Truncate(time.Microsecond)
	}
	if to := i.To.Add(time.Microsecond - 1); writable(i.To) && writable(to) {
		out.To = to.UTC().Truncate(time.Microsecond)
	}
	return out
}

// MarshalJSON leaves unbounded ends out, and rounds the others outward to the
// six digits it prints: an interval may grow on its way to disk, never shrink.
// An end outside the years RFC 3339 can write counts as unbounded; a lease of
// ten thousand years must not keep its bundle from being frozen.
func (i Interval) MarshalJSON() ([]byte, error) {
	j := intervalJSON{Clock: i.Clock}
	if writable(i.From) {
		j.From = FormatTime(i.From)
	}
	if to := i.To.Add(time.Microsecond - 1); writable(i.To) && writable(to) {
		j.To = FormatTime(to)
	}
	return json.Marshal(j, asWritten)
}

func writable(t time.Time) bool {
	y := t.UTC().Year()
	return !t.IsZero() && 1 <= y && y <= 9999
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (i *Interval) UnmarshalJSON(b []byte) error {
	var j intervalJSON
	if err := json.Unmarshal(b, &j, strictly); err != nil {
		return err
	}
	*i = Interval{Clock: j.Clock}
	for _, end := range []struct {
		text string
		into *time.Time
	}{{j.From, &i.From}, {j.To, &i.To}} {
		if end.text == "" {
			continue
		}
		t, err := time.Parse(time.RFC3339Nano, end.text)
		if err != nil {
			return err
		}
		*end.into = t.UTC()
	}
	return nil
}
