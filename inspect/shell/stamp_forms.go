package shell

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// cutISO reads year, month and day and as much of the time and the zone as
// follows directly: 2026-10-05, 2026-10-05T09:31:24.120Z, 2026/10/05 09:31,
// 20261005T093124Z, 2026-10-05 09:31:24,120 +0000.
func cutISO(s string) (fields, string, bool) {
	f := fields{unit: 24 * time.Hour}
	rest, basic, ok := f.isoDate(s)
	if !ok {
		return f, s, false
	}
	if rest == "" {
		return f, rest, true
	}
	sep := rest[0]
	if sep != 'T' && sep != 't' && (basic || sep != ' ' && sep != '_') {
		return f, rest, !basic
	}
	tail, ok := f.isoTime(rest[1:], basic)
	if !ok || sep == ' ' && f.unit > time.Minute {
		f.hour, f.unit = 0, 24*time.Hour
		return f, rest, !basic
	}
	return f.isoZone(tail)
}

func (f *fields) isoDate(s string) (rest string, basic, ok bool) {
	f.year, rest, ok = cutDigits(s, 4)
	if !ok || rest == "" {
		return s, false, false
	}
	sep := rest[:1]
	if basic = sep != "-" && sep != "/"; basic {
		sep = ""
	}
	f.month, rest, ok = cutDigits(rest[len(sep):], 2)
	if !ok || !strings.HasPrefix(rest, sep) {
		return s, basic, false
	}
	f.day, rest, ok = cutDigits(rest[len(sep):], 2)
	if !ok || f.month == 0 || rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		return s, basic, false
	}
	return rest, basic, true
}

func (f *fields) isoTime(s string, basic bool) (string, bool) {
	var ok bool
	rest := s
	for _, part := range []struct {
		into *int
		unit time.Duration
	}{{&f.hour, time.Hour}, {&f.minute, time.Minute}, {&f.sec, time.Second}} {
		if part.unit != time.Hour && !basic {
			if !strings.HasPrefix(rest, ":") {
				break
			}
			rest = rest[1:]
		}
		n, tail, got := cutDigits(rest, 2)
		if !got {
			return rest, basic && ok
		}
		*part.into, f.unit, rest, ok = n, part.unit, tail, true
	}
	if f.unit == time.Second && len(rest) > 1 && (rest[0] == '.' || rest[0] == ',') {
		rest = f.fraction(rest[1:])
	}
	return rest, ok
}

func (f fields) isoZone(s string) (fields, string, bool) {
	if s != "" && s[0]|0x20 == 'z' && (len(s) == 1 || !letter(s[1])) {
		f.zoned = true
		return f, s[1:], true
	}
	// Behind a blank a sign may begin anything; only four digits make it a zone.
	bare := strings.TrimPrefix(s, " ")
	d, rest, ok := cutOffset(bare)
	if ok && (len(bare) == len(s) || len(bare)-len(rest) >= 5) {
		f.zoned, f.offset = true, d
		return f, rest, true
	}
	return f, s, true
}

// epoch reads seconds since 1970, with a fraction or with the digits of one
// written straight behind (date +%s%3N).
func epoch(s string) (fields, bool) {
	f := fields{epochal: true, unit: time.Second}
	whole, part, dotted := strings.Cut(s, ".")
	if len(whole) < 9 || len(whole) > 19 || dotted && len(whole) > 11 {
		return f, false
	}
	if !dotted {
		if len(whole) > 11 {
			whole, part = whole[:10], whole[10:]
		}
	}
	n, err := strconv.ParseUint(whole, 10, 63)
	if err != nil || f.fraction(part) != "" {
		return f, false
	}
	f.seconds = int64(n)
	return f, true
}

// wordy reads what date prints by itself: in any order a month's name, a day, a
// year, a time, and behind the time perhaps AM or PM and a zone. Other words
// are the weekday.
func wordy(text string) (fields, error) {
	var f fields
	text = strings.NewReplacer(",", " ", "年", "年 ", "月", "月 ", "日", "日 ").Replace(text)
	words := strings.Fields(text)
	if len(words) > 10 {
		return f, errors.New("too many words for a date")
	}
	for _, w := range words {
		if err := f.word(w); err != nil {
			return f, err
		}
	}
	if f.year == 0 || f.month == 0 || f.day == 0 || f.unit == 0 {
		return f, errors.New("no year, month, day and time in it")
	}
	return f, nil
}

func (f *fields) word(w string) error {
	timed := f.unit > 0
	switch {
	case !timed && strings.Contains(w, ":"):
		return f.clock(w)
	case timed && f.halfDay(w):
	case timed && (w[0] == '+' || w[0] == '-' || isZoneWord(w)):
		if !f.zone(w) {
			return errors.New("no such zone")
		}
	case w[0] >= '0' && w[0] <= '9':
		return f.number(w)
	default:
		// The French and Italian Tuesday looks like March: the month comes last.
		if m := month(w); m > 0 {
			f.month = m
		}
	}
	return nil
}

func isZoneWord(w string) bool {
	return month(w) == 0 && !strings.ContainsFunc(w, func(r rune) bool { return r < 'A' || r > 'Z' })
}

func (f *fields) clock(w string) error {
	rest, ok := f.isoTime(w, false)
	if !ok { // a clock of 12 hours may have one digit
		rest, ok = f.isoTime("0"+w, false)
	}
	if !ok || f.unit > time.Minute {
		return errors.New("no time of day")
	}
	if rest != "" && !f.halfDay(rest) {
		return errors.New("text behind the time")
	}
	return nil
}

func (f *fields) halfDay(w string) bool {
	switch strings.ToLower(strings.ReplaceAll(w, ".", "")) {
	case "am":
		f.half = 1
	case "pm":
		f.half = 2
	default:
		return false
	}
	return true
}

// number is a year, a day, or one of those with its East Asian unit.
func (f *fields) number(w string) error {
	digits := strings.TrimRight(w, ".年月日")
	n, err := strconv.Atoi(digits)
	if err != nil || len(digits) > 4 {
		return errors.New("a number that is no part of a date")
	}
	switch {
	case strings.HasSuffix(w, "月"):
		f.month = n
	case len(digits) == 4:
		f.year = n
	case f.day == 0:
		f.day = n
	default:
		return errors.New("more than one day")
	}
	return nil
}

// months are their names as the C library abbreviates them: English, German,
// French, Spanish, Italian, Portuguese, Dutch. A longer word counts by its
// beginning only in English, whose full names all begin so.
var months = [...][]string{
	{"jan", "janv", "ene", "gen", "jän"},
	{"feb", "févr", "fev", "fevr"},
	{"mar", "mär", "mars", "mrt", "märz"},
	{"apr", "avril", "abr", "avr"},
	{"may", "mai", "mayo", "mag", "mei"},
	{"jun", "juin", "giu"},
	{"jul", "juil", "lug"},
	{"aug", "août", "ago", "aout"},
	{"sep", "sept", "set"},
	{"oct", "okt", "ott", "out"},
	{"nov"},
	{"dec", "dez", "déc", "dic"},
}

func month(word string) int {
	w := strings.ToLower(strings.TrimSuffix(word, "."))
	for i, names := range months {
		full := strings.ToLower(time.Month(i + 1).String())
		for _, name := range names {
			if w == name || w == full {
				return i + 1
			}
		}
	}
	return 0
}
