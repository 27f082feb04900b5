package stamp

import (
	"strings"
	"time"
)

// year reads what begins with a year: 2026-11-29T03:12:11.120Z, 2026-11-29
// 03:12:11,120, 2026/11/29 03:12:11.
func year(s string) (Stamp, int, bool) {
	if len(s) < 16 || !digit(s[0]) || s[4] != '-' && s[4] != '/' {
		return Stamp{}, 0, false
	}
	r := &reader{s: s}
	y := r.number(4, 4)
	r.bad = r.bad || y == 0
	sep := r.one("-/")
	m := r.number(2, 2)
	r.bad = r.bad || r.one("-/") != sep
	d := r.number(2, 2)
	r.one("T t_")
	t, width := r.clock()
	offset, zoned := r.zone()
	return r.stamp(y, time.Month(m), d, t, width, offset, zoned)
}

// dayFirst reads 29 Nov 2026 03:12:11.120, the older 29 Nov 03:12:11.120,
// 29-Nov-2026 03:12:11.120, and 29/Nov/2026:03:12:11 +0000.
func dayFirst(s string) (Stamp, int, bool) {
	if len(s) < 13 || !digit(s[0]) {
		return Stamp{}, 0, false
	}
	r := &reader{s: s}
	d := r.number(1, 2)
	r.one(" -/")
	m := r.month()
	r.one(" -/")
	y := 0
	if r.at+4 < len(s) && s[r.at+2] != ':' {
		y = r.number(4, 4)
		r.one(" :")
	}
	t, width := r.clock()
	offset, zoned := r.zone()
	return r.stamp(y, m, d, t, width, offset, zoned)
}

// monthFirst reads Nov 29 03:12:11, Nov  9 03:12:11.120345, and the same with a
// year behind the day or behind the time.
func monthFirst(s string) (Stamp, int, bool) {
	if len(s) < 12 || !letter(s[0]) {
		return Stamp{}, 0, false
	}
	r := &reader{s: s}
	m := r.month()
	r.one(" ")
	r.blanks()
	d := r.number(1, 2)
	if r.peek(",") {
		r.at++
	}
	r.one(" ")
	y := 0
	if r.at+4 < len(s) && s[r.at+2] != ':' {
		y = r.number(4, 4)
		if r.peek(",") {
			r.at++
		}
		r.one(" ")
	}
	t, width := r.clock()
	offset, zoned := r.zone()
	if y == 0 && !r.bad {
		y = r.yearBehind()
	}
	return r.stamp(y, m, d, t, width, offset, zoned)
}

const weekdays = "MonTueWedThuFriSatSun"

// weekday reads Sun Nov 29 03:12:11 2026, the same with UTC before the year,
// Sun, 29 Nov 2026 03:12:11 GMT, and Sun 2026-11-29 03:12:11 UTC.
func weekday(s string) (Stamp, int, bool) {
	if len(s) < 16 || strings.Index(weekdays, s[:3])%3 != 0 {
		return Stamp{}, 0, false
	}
	rest := strings.TrimLeft(s[3:], ", ")
	skipped := len(s) - len(rest)
	if skipped == 3 || rest == "" {
		return Stamp{}, 0, false
	}
	if digit(rest[0]) {
		if st, n, ok := year(rest); ok {
			return st, n + skipped, true
		}
		st, n, ok := dayFirst(rest)
		return st, n + skipped, ok
	}
	st, n, ok := monthFirst(rest)
	return st, n + skipped, ok
}

// klog reads I1129 03:12:11.934473, the letter being the line's level.
func klog(s string) (Stamp, int, bool) {
	if len(s) < 14 || strings.IndexByte("IWEF", s[0]) < 0 || s[5] != ' ' {
		return Stamp{}, 0, false
	}
	r := &reader{s: s, at: 1}
	m, d := r.number(2, 2), r.number(2, 2)
	r.one(" ")
	t, width := r.clock()
	return r.stamp(0, time.Month(m), d, t, width, 0, false)
}

// epoch reads seconds, milliseconds, microseconds or nanoseconds since 1970,
// told apart by their size, seconds with a fraction or not.
func epoch(s string) (Stamp, int, bool) {
	r := &reader{s: s}
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	if n < 10 || n > 19 || s[0] == '0' {
		return Stamp{}, 0, false
	}
	var whole int64
	for ; r.at < n; r.at++ {
		whole = whole*10 + int64(s[r.at]-'0')
	}
	unit := time.Nanosecond
	switch {
	case whole < 0: // more than nineteen digits can say
		return Stamp{}, 0, false
	case whole < 1e11:
		unit = time.Second
	case whole < 1e14:
		unit = time.Millisecond
	case whole < 1e17:
		unit = time.Microsecond
	}
	per := int64(time.Second / unit)
	st := Stamp{Time: time.Unix(whole/per, whole%per*int64(unit)).UTC(), Width: unit, Zoned: true}
	if r.at+1 < len(s) && s[r.at] == '.' && digit(s[r.at+1]) {
		r.at++
		frac, width := r.fraction()
		if unit == time.Second {
			st.Time, st.Width = st.Time.Add(frac), width
		}
	}
	return st, r.at, st.Time.Before(farthest)
}
