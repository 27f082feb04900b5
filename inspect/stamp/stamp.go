// Package stamp reads the dates that logs and tools print, in the many ways they
// print them.
//
// [Find] looks for one near the beginning of a line, [Parse] takes a string that
// is one, [Layout] one in a form that somebody wrote down. Each yields a [Stamp],
// which claims no more than the text did: how coarse the date is, whether it told
// its zone, whether it told its year. [Stamp.Interval] turns it into the stretch
// of time it may stand for, never an instant: it reaches to the end of the last
// digit, and over 26 hours for a local time whose zone nobody knows. A [Frame] is
// the same for what is read on one host: it places dates and ages on its clock.
// [Settle] finds the zone where another program stamped the same line.
//
// Abbreviations other than UTC and GMT name no offset a reader could trust, so
// they count as a local time. Nothing here is fatal, and no line costs more than
// its length.
package stamp

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A Stamp is a date as it was written: the moment lies in [Time, Time+Width].
type Stamp struct {
	Time  time.Time     // read as UTC while Zoned is false; in year 0 while Short
	Width time.Duration // how coarse the text is: a minute, a second, a microsecond
	Zoned bool          // the text told its zone
	Short bool          // the text told no year
}

// Zones reach from UTC-12 to UTC+14; a local time without its zone may be any.
const (
	Eastmost = 14 * time.Hour
	Westmost = 12 * time.Hour
)

// A Context is what is known of a log beside its text.
type Context struct {
	Zone *time.Location // where local times without a zone were written; nil: not known
	Ref  time.Time      // no line was written much later; zero: dates without a year stay unknown
}

// disorder is how much later than Ref a date without a year may lie: its zone may
// be another, and clocks disagree.
const disorder = 36 * time.Hour

// Interval is the stretch of time the stamp stands for, on a clock still to be
// named; the zero interval when the year cannot be told.
func (s Stamp) Interval(c Context) evidence.Interval {
	if s.Short {
		var ok bool
		if s, ok = s.dated(c.Ref); !ok {
			return evidence.Interval{}
		}
	}
	if s.Time.IsZero() {
		return evidence.Interval{}
	}
	i := evidence.Interval{From: s.Time.UTC(), To: s.Time.Add(s.Width).UTC()}
	switch {
	case s.Zoned:
		return i
	case c.Zone == nil:
		return i.Shift(-Eastmost, Westmost)
	}
	from, to := local(s.Time, c.Zone)
	return evidence.Interval{From: from, To: to.Add(s.Width)}
}

// dated gives a date the latest year in which it exists and is not after ref.
func (s Stamp) dated(ref time.Time) (Stamp, bool) {
	if ref.IsZero() {
		return s, false
	}
	latest := ref.UTC().Add(disorder)
	// Eight years back, because the 29th of February may be that far away.
	for y := latest.Year(); y >= latest.Year()-8; y-- {
		t := time.Date(y, s.Time.Month(), s.Time.Day(), s.Time.Hour(), s.Time.Minute(), s.Time.Second(), s.Time.Nanosecond(), time.UTC)
		if t.Day() == s.Time.Day() && !t.After(latest) {
			return Stamp{Time: t, Width: s.Width, Zoned: s.Zoned}, true
		}
	}
	return s, false
}

// local reads t's digits in a zone. In the hour that a zone lives through twice
// the two moments differ.
func local(t time.Time, zone *time.Location) (from, to time.Time) {
	in := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone)
	from, to = in, in
	const reads = "2006-01-02 15:04:05"
	for _, shift := range []time.Duration{-time.Hour, -30 * time.Minute, 30 * time.Minute, time.Hour} {
		if other := in.Add(shift); other.Format(reads) == in.Format(reads) {
			if other.Before(from) {
				from = other
			} else {
				to = other
			}
		}
	}
	return from.UTC(), to.UTC()
}

// Settle finds the zone of a local time that a second program stamped when the
// line passed by: a container runtime, a log shipper. Zones differ by quarters
// of an hour, so a line that was passed on within minutes tells its zone. Where
// it does not, s comes back as it was.
func Settle(s, carrier Stamp) Stamp {
	// A line is shipped soon after it is written, and never before, but the two
	// may run by clocks that disagree a little.
	const lag, lead, quarter = 5 * time.Minute, 2 * time.Second, 15 * time.Minute
	if s.Zoned || s.Short || carrier.Short || !carrier.Zoned || s.Time.IsZero() {
		return s
	}
	ahead := s.Time.Sub(carrier.Time)
	offset := (ahead + lag).Truncate(quarter)
	if offset > ahead+lag {
		offset -= quarter // Truncate goes toward zero, which is up for the zones west of Greenwich
	}
	if offset < ahead-lead || offset > Eastmost || offset < -Westmost {
		return s
	}
	s.Time, s.Zoned = s.Time.Add(-offset), true
	return s
}
