package shell

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Stamp is a moment as a text tells it: it lies in [Time, Time+Precision].
type Stamp struct {
	Time      time.Time     // in UTC; when not Zoned, the digits of the text read as though they were UTC
	Precision time.Duration // what the last digit of the text stands for; zero: there is no stamp
	Zoned     bool          // the text or the command says where the clock stood
	Abbrev    string        // a zone's name that nothing here can resolve (CEST, Europe/Berlin); Z when Zoned rests on a letter typed into date's format
	Dateless  bool          // only the time of day was told; Time has the year 0
}

// Known says whether there is a stamp.
func (s Stamp) Known() bool { return s.Precision > 0 }

// In places a stamp without a zone. One with a zone stays as it is.
func (s Stamp) In(loc *time.Location) Stamp {
	if s.Zoned || s.Dateless || !s.Known() {
		return s
	}
	t := s.Time
	s.Time = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), loc).UTC()
	s.Zoned = true
	return s
}

// ParseStamp reads a text that is one moment and nothing else: RFC 3339 and its
// looser kin, what date prints by itself in the usual languages, seconds since
// 1970.
func ParseStamp(text string) (Stamp, error) {
	text = strings.TrimSpace(text)
	if len(text) > 96 {
		return Stamp{}, errors.New("parse date: too long for a date")
	}
	if f, rest, ok := cutISO(text); ok {
		if f.zone(strings.TrimSpace(rest)) {
			return f.stamp()
		}
	}
	if f, ok := epoch(text); ok {
		return f.stamp()
	}
	f, err := wordy(text)
	if err != nil {
		return Stamp{}, fmt.Errorf("parse date %q: %w", clip(text), err)
	}
	return f.stamp()
}

// CutStamp reads the moment a text begins with, as stamped prompts and log
// lines do, and returns what follows it.
func CutStamp(text string) (Stamp, string, bool) {
	f, rest, ok := cutISO(text)
	if !ok || f.unit > time.Second {
		return Stamp{}, text, false
	}
	for _, utc := range []string{" UTC", " GMT", " Z"} {
		if tail, ok := strings.CutPrefix(rest, utc); ok && !f.zoned && (tail == "" || !letter(tail[0])) {
			f.zoned, rest = true, tail
		}
	}
	s, err := f.stamp()
	return s, rest, err == nil
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// A fields is a moment while it is being put together.
type fields struct {
	year, month, day  int
	hour, minute, sec int
	nsec              int
	seconds           int64 // since 1970, when epochal
	epochal           bool
	half              int // 1 before noon, 2 after; zero: a clock of 24 hours
	unit              time.Duration
	offset            time.Duration
	zoned             bool
	abbrev            string
}

// stamp checks that there is such a moment.
func (f fields) stamp() (Stamp, error) {
	s := Stamp{Precision: f.unit, Zoned: f.zoned, Abbrev: f.abbrev}
	if f.epochal {
		s.Time, s.Zoned = time.Unix(f.seconds, int64(f.nsec)).UTC(), true
		return s, nil
	}
	if f.half > 0 {
		if f.hour < 1 || f.hour > 12 {
			return Stamp{}, fmt.Errorf("parse date: hour %d of a half day", f.hour)
		}
		f.hour = f.hour%12 + 12*(f.half-1)
	}
	if f.month == 0 {
		s.Dateless, f.year, f.month, f.day = true, 0, 1, 1
	} else if f.year < 1970 {
		return Stamp{}, fmt.Errorf("parse date: year %d", f.year)
	}
	t := time.Date(f.year, time.Month(f.month), f.day, f.hour, f.minute, min(f.sec, 59), f.nsec, time.UTC)
	if int(t.Month()) != f.month || t.Day() != f.day || t.Hour() != f.hour || t.Minute() != f.minute || f.sec > 60 || f.unit <= 0 {
		return Stamp{}, errors.New("parse date: no such moment")
	}
	s.Time = t.Add(-f.offset)
	return s, nil
}

// zone reads a whole text as a zone; an empty one is none.
func (f *fields) zone(text string) bool {
	switch {
	case text == "" || f.zoned:
		return text == ""
	case isUTC(text):
		f.zoned = true
		return true
	case text[0] == '+' || text[0] == '-':
		d, rest, ok := cutOffset(text)
		if ok && rest == "" {
			f.zoned, f.offset = true, d
		}
		return ok && rest == ""
	}
	if len(text) > 5 || strings.ContainsFunc(text, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		return false
	}
	f.abbrev = text
	return true
}

// isUTC knows the names that mean UTC everywhere. All others are shared by
// several zones, or by one zone in summer and another in winter.
func isUTC(name string) bool {
	switch name {
	case "UTC", "GMT", "Z", "z", "UCT", "Etc/UTC", "UTC0", "GMT0", "Etc/GMT", "Universal", "Zulu":
		return true
	}
	return false
}

// cutOffset reads ±hh, ±hhmm, ±hh:mm and ±hh:mm:ss.
func cutOffset(s string) (time.Duration, string, bool) {
	if s == "" || s[0] != '+' && s[0] != '-' {
		return 0, s, false
	}
	sign := time.Duration(1)
	if s[0] == '-' {
		sign = -1
	}
	h, rest, ok := cutDigits(s[1:], 2)
	if !ok || h > 14 {
		return 0, s, false
	}
	d := time.Duration(h) * time.Hour
	for _, unit := range []time.Duration{time.Minute, time.Second} {
		n, tail, ok := cutDigits(strings.TrimPrefix(rest, ":"), 2)
		if !ok || n > 59 {
			break
		}
		d, rest = d+time.Duration(n)*unit, tail
	}
	return sign * d, rest, true
}

// cutDigits reads exactly n digits.
func cutDigits(s string, n int) (int, string, bool) {
	if len(s) < n {
		return 0, s, false
	}
	for i := range n {
		if s[i] < '0' || s[i] > '9' {
			return 0, s, false
		}
	}
	v, err := strconv.Atoi(s[:n])
	return v, s[n:], err == nil
}

// fraction reads the digits behind a decimal sign, and makes the last of them
// the unit.
func (f *fields) fraction(s string) string {
	n, unit := 0, time.Second
	i := 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if unit > 1 {
			unit /= 10
			n += int(s[i]-'0') * int(unit)
		}
	}
	if i > 0 {
		f.nsec, f.unit = n, unit
	}
	return s[i:]
}
