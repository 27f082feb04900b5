package stamp

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A Frame is what a reader has to know and dates do not tell. Its zero value is
// allowed: nothing is known.
type Frame struct {
	Clock evidence.Clock    // which clock the intervals are named after
	Zone  *time.Location    // of local times; nil: not known
	Now   evidence.Interval // when the text was read, on Clock; zero: not known
}

// Ago is the moment that lay between least and most before the reading.
func (f Frame) Ago(least, most time.Duration) evidence.Interval {
	i := evidence.Interval{Clock: f.Clock}
	if !f.Now.From.IsZero() {
		i.From = f.Now.From.Add(-most)
	}
	if !f.Now.To.IsZero() {
		i.To = f.Now.To.Add(-least)
	}
	return i
}

// Instant is an exact moment, such as a parsed RFC 3339 time, that is coarse by
// precision. The zero time is an unknown one.
func (f Frame) Instant(t time.Time, precision time.Duration) evidence.Interval {
	return f.place(Stamp{Time: t.UTC(), Width: precision, Zoned: true})
}

// place makes an interval of a date.
func (f Frame) place(s Stamp) evidence.Interval {
	ref := f.Now.To
	if ref.IsZero() {
		ref = f.Now.From
	}
	i := s.Interval(Context{Zone: f.Zone, Ref: ref})
	i.Clock = f.Clock
	return i
}

// Time reads a text that is one date and nothing else. It is not ok when it is
// none; the interval is unknown when a year is missing and nothing gives it.
func (f Frame) Time(s string) (evidence.Interval, bool) {
	i, rest, ok := f.Leading(s)
	return i, ok && rest == ""
}

// Leading reads the date a line begins with, alone or in brackets, and returns
// what follows it without the blanks between.
func (f Frame) Leading(line string) (i evidence.Interval, rest string, ok bool) {
	text, bracket := strings.CutPrefix(line, "[")
	s, n, ok := lead(text)
	if !ok {
		return evidence.Interval{}, line, false
	}
	if rest = text[n:]; bracket {
		if rest, ok = strings.CutPrefix(rest, "]"); !ok {
			return evidence.Interval{}, line, false
		}
	}
	return f.place(s), strings.TrimLeft(rest, " \t"), true
}

// lead reads a date as scan does. A bare number that begins a line may count
// anything: seconds since 1970 want the sign that systemd gives them.
func lead(text string) (Stamp, int, bool) {
	if number, ok := strings.CutPrefix(text, "@"); ok {
		s, n, ok := epoch(number)
		return s, n + 1, ok
	}
	if text != "" && digit(text[0]) {
		if s, n, ok := year(text); ok {
			return s, n, true
		}
		return dayFirst(text)
	}
	return scan(text)
}
