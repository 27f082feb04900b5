package stamp

import (
	"strings"
	"time"
)

// A reader walks over a date, and remembers whether something did not fit.
type reader struct {
	s   string
	at  int
	bad bool
}

// number reads between least and most digits.
func (r *reader) number(least, most int) int {
	n, from := 0, r.at
	for r.at < len(r.s) && r.at-from < most && digit(r.s[r.at]) {
		n = n*10 + int(r.s[r.at]-'0')
		r.at++
	}
	r.bad = r.bad || r.at-from < least
	return n
}

// one reads a byte out of set.
func (r *reader) one(set string) byte {
	if r.at >= len(r.s) || strings.IndexByte(set, r.s[r.at]) < 0 {
		r.bad = true
		return 0
	}
	r.at++
	return r.s[r.at-1]
}

func (r *reader) peek(set string) bool {
	return r.at < len(r.s) && strings.IndexByte(set, r.s[r.at]) >= 0
}

func (r *reader) blanks() {
	for r.peek(" ") && r.at < len(r.s) {
		r.at++
	}
}

const months = "JanFebMarAprMayJunJulAugSepOctNovDec"

// month reads a month's English name, short or whole.
func (r *reader) month() time.Month {
	if r.at+3 > len(r.s) {
		r.bad = true
		return 1
	}
	i := strings.Index(months, r.s[r.at:r.at+3])
	if i < 0 || i%3 != 0 {
		r.bad = true
		return 1
	}
	m := time.Month(i/3 + 1)
	r.at += 3
	if rest := m.String()[3:]; rest != "" && strings.HasPrefix(r.s[r.at:], rest) {
		r.at += len(rest)
	}
	return m
}

// clock reads 03:12:11, with a fraction behind a point or comma where there is
// one, or 03:12.
func (r *reader) clock() (d, width time.Duration) {
	h := r.number(2, 2)
	r.one(":")
	m := r.number(2, 2)
	d, width = time.Duration(h)*time.Hour+time.Duration(m)*time.Minute, time.Minute
	if r.peek(":") {
		r.at++
		sec := r.number(2, 2)
		r.bad = r.bad || sec > 60
		d, width = d+time.Duration(sec)*time.Second, time.Second
		if r.at+1 < len(r.s) && r.peek(".,") && digit(r.s[r.at+1]) {
			r.at++
			var frac time.Duration
			frac, width = r.fraction()
			d += frac
		}
	}
	r.bad = r.bad || h > 23 || m > 59
	return d, width
}

// fraction reads the digits of a fraction of a second; those beyond the
// nanosecond are passed over.
func (r *reader) fraction() (d, width time.Duration) {
	width = time.Second
	for ; r.at < len(r.s) && digit(r.s[r.at]); r.at++ {
		if width > 1 {
			width /= 10
			d += time.Duration(r.s[r.at]-'0') * width
		}
	}
	return d, width
}

// zone reads Z, UTC, GMT, ±hh:mm, ±hhmm or ±hh, a blank before it or not. Other
// names of zones mean different things in different countries: they are passed
// over, and tell nothing.
func (r *reader) zone() (offset time.Duration, told bool) {
	was, wasBad := r.at, r.bad
	r.blanks()
	rest := r.s[r.at:]
	switch {
	case strings.HasPrefix(rest, "UTC"), strings.HasPrefix(rest, "GMT"):
		r.at += 3
	case strings.HasPrefix(rest, "Z") && r.at == was:
		r.at++
	case len(rest) >= 3 && (rest[0] == '+' || rest[0] == '-') && digit(rest[1]) && digit(rest[2]):
		r.at++
		h, m := r.number(2, 2), 0
		if r.peek(":") {
			r.at++
		}
		if r.at < len(r.s) && digit(r.s[r.at]) {
			m = r.number(2, 2)
		}
		offset = time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
		if rest[0] == '-' {
			offset = -offset
		}
		if h > 14 || m > 59 || r.bad != wasBad || r.at < len(r.s) && digit(r.s[r.at]) {
			r.at, r.bad = was, wasBad
			return 0, false
		}
	default:
		name := capitals(rest)
		if r.at += len(name); !localZones[name] || r.at < len(r.s) && letter(r.s[r.at]) {
			r.at = was
		}
		return 0, false
	}
	if r.at < len(r.s) && letter(r.s[r.at]) {
		r.at = was
		return 0, false
	}
	return offset, true
}

// capitals is the word of capitals that s begins with.
func capitals(s string) string {
	n := 0
	for n < len(s) && n < 6 && s[n] >= 'A' && s[n] <= 'Z' {
		n++
	}
	return s[:n]
}

// localZones are abbreviations that date and systemd print. Log levels are words
// of capitals, too, so no others are taken for one.
var localZones = map[string]bool{
	"WET": true, "WEST": true, "CET": true, "CEST": true, "EET": true, "EEST": true, "MSK": true, "BST": true, "IST": true,
	"EST": true, "EDT": true, "CST": true, "CDT": true, "MST": true, "MDT": true, "PST": true, "PDT": true, "AKST": true, "AKDT": true,
	"HST": true, "AST": true, "ADT": true, "NST": true, "NDT": true, "BRT": true, "ART": true, "SAST": true, "CAT": true, "EAT": true,
	"WAT": true, "PKT": true, "WIB": true, "SGT": true, "HKT": true, "JST": true, "KST": true, "AWST": true, "ACST": true, "ACDT": true,
	"AEST": true, "AEDT": true, "NZST": true, "NZDT": true,
}

// yearBehind reads the year that ctime and date print last, and the zone before
// it; 0 when none stands there.
func (r *reader) yearBehind() int {
	try := *r
	try.blanks()
	if name := capitals(try.s[try.at:]); name != "" {
		try.at += len(name)
		try.one(" ")
	}
	y := try.number(4, 4)
	if try.bad || !plausible(y) || try.at < len(try.s) && (letter(try.s[try.at]) || digit(try.s[try.at]) || try.s[try.at] == ':') {
		return 0
	}
	*r = try
	return y
}

// farthest bounds the years that a log may tell of: nanoseconds since 1970 hold
// little more.
var farthest = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

func plausible(year int) bool { return year >= 1970 && year < farthest.Year() }

// stamp puts a date together; year 0 means that none was told, and is a leap
// year, so that every day exists in it.
func (r *reader) stamp(y int, m time.Month, d int, t, width, offset time.Duration, zoned bool) (Stamp, int, bool) {
	if r.bad || m < 1 || m > 12 || d < 1 || d > 31 || y != 0 && !plausible(y) {
		return Stamp{}, 0, false
	}
	at := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	if at.Day() != d {
		return Stamp{}, 0, false
	}
	return Stamp{Time: at.Add(t - offset), Width: width, Zoned: zoned, Short: y == 0}, r.at, true
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
