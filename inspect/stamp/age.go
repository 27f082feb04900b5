package stamp

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Age places an age as kubectl prints it: "47s", "2m13s", "3d4h", "<unknown>".
// The last unit printed is how coarse it is.
func (f Frame) Age(s string) (evidence.Interval, bool) {
	d, unit, ok := age(s)
	if !ok {
		return evidence.Interval{Clock: f.Clock}, false
	}
	return f.Ago(d, d+unit), true
}

var ageUnits = [...]struct {
	letter byte
	unit   time.Duration
}{{'y', 365 * 24 * time.Hour}, {'d', 24 * time.Hour}, {'h', time.Hour}, {'m', time.Minute}, {'s', time.Second}}

// age reads numbers with units, each unit smaller than the one before.
func age(s string) (d, unit time.Duration, ok bool) {
	at := 0
	for r := (reader{s: s}); r.at < len(s); r.at++ {
		n := r.number(1, 5)
		if r.bad || r.at == len(s) {
			return 0, 0, false
		}
		for at < len(ageUnits) && ageUnits[at].letter != s[r.at] {
			at++
		}
		if at == len(ageUnits) {
			return 0, 0, false
		}
		unit = ageUnits[at].unit
		d += time.Duration(min(n, int(oldest/unit))) * unit
		at++
	}
	return d, unit, unit > 0
}

// oldest bounds an age, so that the sum of its parts fits a Duration.
const oldest = 40 * 365 * 24 * time.Hour

// Words places an age in words, as container runtimes print it: "3 minutes",
// "About an hour", "Less than a second". From an hour up they round to the
// nearest, below they cut.
func (f Frame) Words(s string) (evidence.Interval, bool) {
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), "ago"))
	switch strings.ToLower(s) {
	case "less than a second":
		return f.Ago(0, time.Second), true
	case "about a minute":
		return f.Ago(time.Minute, 2*time.Minute), true
	case "about an hour":
		return f.Ago(30*time.Minute, 90*time.Minute), true
	}
	count, word, ok := strings.Cut(s, " ")
	r := reader{s: count}
	n := r.number(1, 4)
	if !ok || r.bad || r.at < len(count) {
		return evidence.Interval{Clock: f.Clock}, false
	}
	unit, ok := wordUnits[strings.TrimSuffix(word, "s")]
	if !ok {
		return evidence.Interval{Clock: f.Clock}, false
	}
	d := time.Duration(min(n, int(oldest/unit))) * unit
	least := d
	if unit >= time.Hour {
		least = max(0, d-unit/2)
	}
	return f.Ago(least, d+unit), true
}

var wordUnits = map[string]time.Duration{
	"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour,
	"week": 7 * 24 * time.Hour, "month": 30 * 24 * time.Hour, "year": 365 * 24 * time.Hour,
}
