package stamp

import (
	"strings"
	"time"
)

// A scanner eats a text from the left. Its readers look at a bounded number of
// bytes each.
type scanner struct{ s string }

func (s *scanner) take(c byte) bool {
	if s.s == "" || s.s[0] != c {
		return false
	}
	s.s = s.s[1:]
	return true
}

func (s *scanner) blanks() { s.s = strings.TrimLeft(s.s, " \t") }

// peek is the next byte, or zero.
func (s *scanner) peek() byte {
	if s.s == "" {
		return 0
	}
	return s.s[0]
}

func digit(c byte) bool { return c-'0' <= 9 }

// digits reads from least to most digits, and no more may follow.
func (s *scanner) digits(least, most int) (n int, ok bool) {
	w := 0
	for w < len(s.s) && w <= most && digit(s.s[w]) {
		n = n*10 + int(s.s[w]-'0')
		w++
	}
	if w < least || w > most {
		return 0, false
	}
	s.s = s.s[w:]
	return n, true
}

// two reads exactly two digits, whatever follows.
func (s *scanner) two() (int, bool) {
	if len(s.s) < 2 || !digit(s.s[0]) || !digit(s.s[1]) {
		return 0, false
	}
	n := int(s.s[0]-'0')*10 + int(s.s[1]-'0')
	s.s = s.s[2:]
	return n, true
}

const monthNames = "JanFebMarAprMayJunJulAugSepOctNovDec"
const dayNames = "MonTueWedThuFriSatSun"

// name reads one of a list of three-letter names and returns its place in it,
// from one.
func (s *scanner) name(list string) (int, bool) {
	if len(s.s) < 3 {
		return 0, false
	}
	for i := 0; i < len(list); i += 3 {
		if list[i:i+3] == s.s[:3] {
			s.s = s.s[3:]
			return i/3 + 1, true
		}
	}
	return 0, false
}

// clock reads "18:22:06" and the fraction that may follow it.
func (s *scanner) clock() (d, precision time.Duration, ok bool) {
	h, ok1 := s.two()
	ok2 := s.take(':')
	m, ok3 := s.two()
	ok4 := s.take(':')
	sec, ok5 := s.two()
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || h > 23 || m > 59 || sec > 60 {
		return 0, 0, false
	}
	d = time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(sec)*time.Second
	frac, precision := s.fraction()
	return d + frac, precision, true
}

// fraction reads what stands behind a point or a comma, when digits do.
func (s *scanner) fraction() (d, precision time.Duration) {
	precision = time.Second
	if c := s.peek(); c != '.' && c != ',' || len(s.s) < 2 || !digit(s.s[1]) {
		return 0, precision
	}
	s.s = s.s[1:]
	for w := 0; s.s != "" && digit(s.s[0]); w++ {
		if w < 9 {
			precision /= 10
			d += precision * time.Duration(s.s[0]-'0')
		}
		s.s = s.s[1:]
		if w > 18 {
			break
		}
	}
	return d, precision
}

// zone reads Z, ±hh, ±hhmm, ±hh:mm, UTC or GMT, after a blank or none. Another
// abbreviation is eaten and tells nothing.
func (s *scanner) zone() (offset time.Duration, ok bool) {
	try := *s
	try.take(' ')
	switch c := try.peek(); {
	case c == 'Z' && (len(try.s) == 1 || !letter(try.s[1])):
		s.s = try.s[1:]
		return 0, true
	case c == '+' || c == '-':
		try.s = try.s[1:]
		h, ok := try.two()
		if !ok || h > 14 {
			return 0, false
		}
		colon := try
		colon.take(':')
		m, some := colon.two()
		if some {
			try = colon
		}
		if m > 59 || digit(try.peek()) {
			return 0, false
		}
		if offset = time.Duration(h)*time.Hour + time.Duration(m)*time.Minute; c == '-' {
			offset = -offset
		}
		s.s = try.s
		return offset, true
	}
	w := 0
	for w < len(try.s) && w < 6 && try.s[w] >= 'A' && try.s[w] <= 'Z' {
		w++
	}
	// Log levels are words of capitals, too: of the abbreviations only those
	// that name zones are taken for one.
	switch name := try.s[:w]; {
	case w < len(try.s) && letter(try.s[w]):
		return 0, false
	case name == "UTC" || name == "GMT":
		s.s = try.s[w:]
		return 0, true
	case w >= 3 && w <= 4 && name[w-1] == 'T':
		s.s = try.s[w:]
	}
	return 0, false
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// day is midnight of a day that exists.
func day(y, m, d int) (time.Time, bool) {
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return t, m >= 1 && m <= 12 && d >= 1 && t.Day() == d && (y == 0 || y >= 1970 && y < 2200)
}
