// Package stamp reads the dates that logs and tools print, in the many ways
// they print them.
//
// A date is an interval, never an instant: it reaches from the moment printed to
// the end of its last digit. What the text leaves out comes from a [Frame]: the
// zone of local times, and the moment of reading, which gives a date without a
// year its year and an age its date. What neither tells stays unknown, or as
// wide as the zones of the world. Abbreviations other than UTC and GMT name no
// offset a reader could trust, so they count as a local time.
package stamp

import (
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

// Zones reach from UTC-12 to UTC+14; a local time without its zone may be any.
const (
	eastmost = 14 * time.Hour
	westmost = 12 * time.Hour
)

// disorder is how much later than the reading a date without a year may lie:
// its zone may be another, and clocks disagree.
const disorder = 36 * time.Hour

// A date is what the text itself tells.
type date struct {
	time      time.Time // as if in UTC, unless zoned
	precision time.Duration
	zoned     bool
	yearless  bool
}

// place makes an interval of a date.
func (f Frame) place(d date) evidence.Interval {
	if d.yearless && !f.year(&d) {
		return evidence.Interval{Clock: f.Clock}
	}
	t := d.time
	if !d.zoned && f.Zone != nil {
		t = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), f.Zone)
	}
	i := evidence.Interval{From: t.UTC(), To: t.Add(d.precision).UTC(), Clock: f.Clock}
	if !d.zoned && f.Zone == nil {
		i = i.Shift(-eastmost, westmost)
	}
	return i
}

// year gives a date the latest year in which it exists and is not after the
// reading.
func (f Frame) year(d *date) bool {
	if !f.Now.Known() {
		return false
	}
	now := f.Now.To
	if now.IsZero() {
		now = f.Now.From
	}
	for y := now.Year() + 1; y > now.Year()-9; y-- {
		t := d.time
		t = time.Date(y, t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
		if t.Day() == d.time.Day() && t.Sub(now) <= disorder {
			d.time, d.yearless = t, false
			return true
		}
	}
	return false
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
	if t.IsZero() {
		return evidence.Interval{Clock: f.Clock}
	}
	return f.place(date{time: t.UTC(), precision: precision, zoned: true})
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
	s := scanner{line}
	bracket := s.take('[')
	var d date
	for _, read := range [...]func(*scanner) (date, bool){iso, clf, klog, month, weekday, epoch} {
		try := s
		if d, ok = read(&try); ok {
			s = try
			break
		}
	}
	if !ok || bracket && !s.take(']') {
		return evidence.Interval{}, line, false
	}
	s.blanks()
	return f.place(d), s.s, true
}
