package kernel

import (
	"strings"
	"time"
)

// maxSeconds bounds a printk time, so that no sum of durations overflows: 68
// years of uptime.
const maxSeconds = 1 << 31

// seconds reads "  522.175155" as the kernel prints it: padded, always with a
// fraction of one to nine digits.
func seconds(s string) (time.Duration, bool) {
	for len(s) > 0 && s[0] == ' ' {
		s = s[1:]
	}
	whole, w := number(s)
	if w == 0 || whole > maxSeconds || w+1 >= len(s) || s[w] != '.' {
		return 0, false
	}
	frac, ok := fraction(s[w+1:])
	return time.Duration(whole)*time.Second + frac, ok
}

// fraction reads digits behind the point, to the end of s.
func fraction(s string) (time.Duration, bool) {
	n, w := number(s)
	if w == 0 || w > 9 || w != len(s) {
		return 0, false
	}
	for ; w < 9; w++ {
		n *= 10
	}
	return time.Duration(n), true
}

// signed reads "  +0.000214".
func signed(s string) (time.Duration, bool) {
	s = strings.TrimLeft(s, " ")
	if s == "" || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	d, ok := seconds(s[1:])
	if s[0] == '-' {
		d = -d
	}
	return d, ok
}

const monthNames = "JanFebMarAprMayJunJulAugSepOctNovDec"

// month reads a three-letter month.
func month(s string) (time.Month, bool) {
	if len(s) < 3 {
		return 0, false
	}
	for i := 0; i < len(monthNames); i += 3 {
		if monthNames[i:i+3] == s[:3] {
			return time.Month(i/3 + 1), true
		}
	}
	return 0, false
}

// day reads a day of the month in two columns, padded with a blank or a zero.
func day(s string) (int, bool) {
	if len(s) < 2 {
		return 0, false
	}
	n, w := number(strings.TrimLeft(s[:2], " "))
	return int(n), w > 0 && n >= 1 && n <= 31 && s[1] != ' '
}

// clock reads "02:14:07", or "02:14" when width is 5.
func clock(s string, width int) (time.Duration, bool) {
	if len(s) < width {
		return 0, false
	}
	var d time.Duration
	for i, unit := range [...]time.Duration{time.Hour, time.Minute, time.Second} {
		at := 3 * i
		if at+2 > width {
			break
		}
		n, w := number(s[at : at+2])
		if w != 2 || i > 0 && (n > 60 || s[at-1] != ':') || n > 60 {
			return 0, false
		}
		d += time.Duration(n) * unit
	}
	return d, d <= 24*time.Hour+time.Second
}

// ctime reads "Tue Mar  3 02:14:07 2026", the local time dmesg -T prints.
func ctime(s string) (Wall, bool) {
	if len(s) != 24 || s[3] != ' ' || s[7] != ' ' || s[10] != ' ' || s[19] != ' ' {
		return Wall{}, false
	}
	m, ok1 := month(s[4:])
	d, ok2 := day(s[8:])
	t, ok3 := clock(s[11:], 8)
	y, w := number(s[20:])
	if !ok1 || !ok2 || !ok3 || w != 4 {
		return Wall{}, false
	}
	return Wall{Time: date(int(y), m, d, t), Precision: time.Second}, true
}

// humanMinute reads "Nov29 23:12", which dmesg -H prints once a minute. Some
// versions put a blank before the day.
func humanMinute(s string) (Wall, bool) {
	m, ok := month(s)
	if !ok || len(s) < 11 {
		return Wall{}, false
	}
	d, ok1 := day(s[3:])
	rest := s[5:]
	if s[3] == ' ' && len(s) == 12 {
		d, ok1 = day(s[4:])
		rest = s[6:]
	}
	t, ok2 := clock(rest[1:], 5)
	if !ok1 || !ok2 || rest[0] != ' ' || len(rest) != 6 {
		return Wall{}, false
	}
	return Wall{Time: date(0, m, d, t), Precision: time.Minute}, true
}

func date(y int, m time.Month, d int, t time.Duration) time.Time {
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Add(t)
}

// isoStamp reads "2026-03-03T02:14:07[.,fraction](Z|±hh:mm|±hhmm)" and returns
// what follows; comma tells dmesg's own form from a syslog daemon's.
func isoStamp(s string) (w Wall, rest string, comma, ok bool) {
	if len(s) < 20 || s[4] != '-' || s[7] != '-' || s[10] != 'T' {
		return w, s, false, false
	}
	y, w1 := number(s[:4])
	m, w2 := number(s[5:7])
	d, w3 := number(s[8:10])
	t, ok := clock(s[11:], 8)
	if !ok || w1 != 4 || w2 != 2 || w3 != 2 || m < 1 || m > 12 || d < 1 || d > 31 {
		return w, s, false, false
	}
	w.Precision = time.Second
	rest = s[19:]
	if rest[0] == '.' || rest[0] == ',' {
		comma = rest[0] == ','
		_, n := number(rest[1:])
		frac, ok := fraction(rest[1 : 1+n])
		if !ok {
			return w, s, false, false
		}
		t += frac
		rest = rest[1+n:]
		if w.Precision = time.Microsecond; n < 6 {
			w.Precision = time.Millisecond
		}
	}
	offset, rest, ok := zone(rest)
	w.Time, w.Zone = date(int(y), time.Month(m), int(d), t-offset), true
	return w, rest, comma, ok
}

// zone reads Z, ±hh:mm or ±hhmm.
func zone(s string) (offset time.Duration, rest string, ok bool) {
	if s == "" {
		return 0, s, false
	}
	if s[0] == 'Z' {
		return 0, s[1:], true
	}
	if s[0] != '+' && s[0] != '-' || len(s) < 5 {
		return 0, s, false
	}
	h, w1 := number(s[1:3])
	at := 3
	if s[at] == ':' {
		at++
	}
	if len(s) < at+2 {
		return 0, s, false
	}
	m, w2 := number(s[at : at+2])
	if w1 != 2 || w2 != 2 || h > 14 || m > 59 {
		return 0, s, false
	}
	offset = time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
	if s[0] == '-' {
		offset = -offset
	}
	return offset, s[at+2:], true
}
