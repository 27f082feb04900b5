package shell

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

var errHalf = errors.New("parse date: a clock of 12 hours without AM or PM")

// byFormat reads a text by the format that made it.
func byFormat(format, text string) (Stamp, error) {
	r := reader{text: text}
	r.all(format, 0)
	if r.err == nil && strings.TrimSpace(r.text) != "" {
		r.err = errors.New("parse date: text behind the format's end")
	}
	if r.err != nil {
		return Stamp{}, r.err
	}
	f := r.fields
	if r.halved && !r.noon {
		return Stamp{}, errHalf
	}
	if !f.epochal && (f.unit == 0 || f.month == 0 && f.day > 0 || f.month > 0 && (f.day == 0 || f.year == 0)) {
		return Stamp{}, errors.New("parse date: the format has no whole date")
	}
	if !r.halved {
		f.half = 0
	}
	// Z typed into a format is the writer's claim, not the clock's.
	if !f.zoned && !f.epochal && r.literalZ {
		f.zoned, f.abbrev = true, "Z"
	}
	return f.stamp()
}

// A reader follows a format through the text.
type reader struct {
	fields
	text     string
	literalZ bool
	halved   bool // the hour is one of twelve
	noon     bool // AM or PM was read
	err      error
}

// composed are the conversions that stand for several others. %c and its kin
// depend on the language, so they are not among them.
var composed = map[byte]string{
	'F': "%Y-%m-%d", 'T': "%H:%M:%S", 'R': "%H:%M", 'D': "%m/%d/%y", 'r': "%I:%M:%S %p", 'h': "%b", '+': "%a %b %e %H:%M:%S %Z %Y",
}

func (r *reader) all(format string, depth int) {
	for i := 0; i < len(format) && r.err == nil; i++ {
		if format[i] != '%' || i+1 == len(format) {
			r.literal(format[i], depth)
			continue
		}
		i++
		spec := i
		for i < len(format)-1 && strings.IndexByte("-_0^#:123456789EO", format[i]) >= 0 {
			i++
		}
		if sub, ok := composed[format[i]]; ok && depth == 0 {
			r.all(sub, 1)
			continue
		}
		r.conversion(format[i], format[spec:i])
	}
}

func (r *reader) literal(c byte, depth int) {
	if c == ' ' {
		r.text = strings.TrimLeft(r.text, " ")
		return
	}
	if r.text == "" || r.text[0] != c {
		r.fail("the text does not follow the format")
		return
	}
	r.literalZ = r.literalZ || c == 'Z' && depth == 0
	r.text = r.text[1:]
}

func (r *reader) fail(why string) { r.err = errors.New("parse date: " + why) }

func (r *reader) conversion(c byte, flags string) {
	switch c {
	case 'Y':
		r.year = r.digits(4, 4)
	case 'y':
		r.year = 2000 + r.digits(1, 2)
	case 'm':
		r.month = r.digits(1, 2)
	case 'd', 'e':
		r.day = r.digits(1, 2)
	case 'H', 'k', 'I', 'l':
		r.hour, r.unit = r.digits(1, 2), r.finer(time.Hour)
		r.halved = c == 'I' || c == 'l'
	case 'M':
		r.minute, r.unit = r.digits(1, 2), r.finer(time.Minute)
	case 'S':
		r.sec, r.unit = r.digits(1, 2), r.finer(time.Second)
	case 's':
		r.seconds1970()
	case 'N':
		r.nanoseconds(flags)
	case 'z':
		r.numericZone()
	default:
		r.names(c)
	}
}

func (r *reader) names(c byte) {
	switch c {
	case 'p', 'P':
		if r.noon = r.halfDay(r.cut(letters)); !r.noon {
			r.fail("neither am nor pm")
		}
	case 'b', 'B':
		if r.month = month(r.cut(letters)); r.month == 0 {
			r.fail("no such month")
		}
	case 'a', 'A':
		r.cut(letters)
	case 'Z':
		if !r.zone(r.cut(func(c byte) bool { return c != ' ' })) {
			r.fail("no such zone")
		}
	case 'j', 'u', 'w', 'V', 'U', 'W', 'G', 'g', 'C', 'q':
		r.digits(1, 4)
	case '%':
		r.literal('%', 1)
	case 'n', 't':
		r.text = strings.TrimLeft(r.text, " \t")
	default:
		r.fail("a conversion of another language")
	}
}

func letters(c byte) bool { return letter(c) || c == '.' || c >= 0x80 }

// finer keeps the smallest unit that was read.
func (r *reader) finer(d time.Duration) time.Duration {
	if r.unit == 0 || d < r.unit {
		return d
	}
	return r.unit
}

// cut takes the longest beginning that keep allows.
func (r *reader) cut(keep func(byte) bool) string {
	r.text = strings.TrimLeft(r.text, " ")
	i := 0
	for i < len(r.text) && keep(r.text[i]) {
		i++
	}
	var word string
	word, r.text = r.text[:i], r.text[i:]
	return word
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// digits reads a number of least to most digits; padding may be blanks.
func (r *reader) digits(least, most int) int {
	r.text = strings.TrimLeft(r.text, " ")
	i := 0
	for i < len(r.text) && i < most && digit(r.text[i]) {
		i++
	}
	n, err := strconv.Atoi(r.text[:i])
	if i < least || err != nil {
		r.fail("a number is missing")
		return 0
	}
	r.text = r.text[i:]
	return n
}

// seconds1970 takes ten digits when more follow, since they are then a fraction
// written straight behind: no clock shows eleven before the year 2286.
func (r *reader) seconds1970() {
	i := 0
	for i < len(r.text) && i < 10 && digit(r.text[i]) {
		i++
	}
	n, err := strconv.ParseInt(r.text[:i], 10, 64)
	if err != nil {
		r.fail("no seconds since 1970")
		return
	}
	r.text = r.text[i:]
	r.seconds, r.epochal, r.unit = n, true, r.finer(time.Second)
}

// nanoseconds reads the fraction. A date that does not know %N leaves it, or a
// part of it, as it was typed.
func (r *reader) nanoseconds(flags string) {
	for _, typed := range []string{"%" + flags + "N", flags + "N", "N"} {
		if rest, ok := strings.CutPrefix(r.text, typed); ok {
			r.text = rest
			return
		}
	}
	width := strings.TrimLeft(flags, "-_0")
	if n, err := strconv.Atoi(width); err == nil && n < 9 && len(r.text) > n && digit(r.text[n]) {
		rest := r.text[n:]
		if r.fraction(r.text[:n]) == "" {
			r.text = rest
			return
		}
	}
	r.text = r.fraction(r.text)
}

func (r *reader) numericZone() {
	d, rest, ok := cutOffset(r.text)
	if !ok {
		r.fail("no offset")
		return
	}
	r.zoned, r.offset, r.text = true, d, rest
}
