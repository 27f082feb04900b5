package shell

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// An Uptime is what uptime, w, top or /proc/uptime say. The host had been up for
// at least Lo and less than Hi.
type Uptime struct {
	Day    Stamp          // the time of day, without a date and in the host's own zone
	Lo, Hi time.Duration  // Hi zero: not told
	Since  Stamp          // when the host says it booted (uptime -s, who -b), reckoned with the clock it has now
	Load   *evidence.Load // nil: not told
}

// ParseUptime reads the output of uptime in its forms, of uptime -p and -s, of
// who -b, and the first lines of w and top.
func ParseUptime(argv []string, output []byte) (Uptime, error) {
	c := callOf(argv)
	opts, _ := options(c.args, "")
	text := firstLine(output)
	switch {
	case c.name == "who":
		return bootedAt(text, time.Minute)
	case c.name == "uptime" && has(opts, "s", "since"):
		return bootedAt(text, time.Second)
	}
	for line := range lines(output) {
		if u, ok := upLine(line); ok {
			return u, nil
		}
	}
	return Uptime{}, fmt.Errorf("parse uptime: %q does not say how long", clip(text))
}

// bootedAt reads a date near the end of the line. procps takes whole seconds
// from a clock that has more, so the moment may be one off either way.
func bootedAt(text string, unit time.Duration) (Uptime, error) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			continue
		}
		s, _, ok := cutAnyISO(text[i:])
		if !ok {
			break
		}
		s.Time, s.Precision = s.Time.Add(-unit), 2*unit
		return Uptime{Since: s}, nil
	}
	return Uptime{}, fmt.Errorf("parse uptime: no date in %q", clip(text))
}

func cutAnyISO(text string) (Stamp, string, bool) {
	f, rest, ok := cutISO(text)
	if !ok || f.unit > time.Minute {
		return Stamp{}, text, false
	}
	s, err := f.stamp()
	return s, rest, err == nil
}

// upLine reads a line with "up" in it.
func upLine(line string) (Uptime, bool) {
	var u Uptime
	line = " " + strings.TrimSpace(line)
	before, after, ok := strings.Cut(line, " up ")
	if !ok || len(line) > 256 {
		return u, false
	}
	if words := strings.Fields(before); len(words) > 0 {
		u.Day = timeOfDay(words[len(words)-1])
	}
	after, load, _ := strings.Cut(after, "load average")
	u.Load = loads(strings.TrimLeft(load, "s: "))
	var unit time.Duration
	for part := range strings.SplitSeq(after, ",") {
		d, finest, ok := upPart(strings.TrimSpace(part))
		if !ok {
			break // users, and whatever follows
		}
		u.Lo += d
		unit = finest
	}
	if unit == 0 || u.Lo < 0 {
		return u, false
	}
	u.Hi = u.Lo + unit
	return u, true
}

// timeOfDay reads 05:13:32, 9:31 and 9:31AM.
func timeOfDay(text string) Stamp {
	var f fields
	if f.clock(text) != nil {
		return Stamp{}
	}
	s, err := f.stamp()
	if err != nil {
		return Stamp{}
	}
	return s
}

// upPart reads one of the comma-separated parts: "5 days", "21:45", "12 min",
// "3 secs". All forms leave out what is smaller than a minute, except those
// that count seconds.
func upPart(part string) (d, unit time.Duration, ok bool) {
	if h, m, ok := strings.Cut(part, ":"); ok {
		hours, err1 := strconv.ParseUint(h, 10, 20)
		minutes, err2 := strconv.ParseUint(m, 10, 8)
		if err1 != nil || err2 != nil || minutes > 59 {
			return 0, 0, false
		}
		return time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute, time.Minute, true
	}
	words := strings.Fields(part)
	if len(words) != 2 {
		return 0, 0, false
	}
	n, err := strconv.ParseUint(words[0], 10, 20)
	if err != nil {
		return 0, 0, false
	}
	each := unitOf(words[1])
	unit = time.Minute
	if each == time.Second {
		unit = each
	}
	if each == 0 || n > uint64(1<<62/each) {
		return 0, 0, false
	}
	return time.Duration(n) * each, unit, true
}

func unitOf(word string) time.Duration {
	const day = 24 * time.Hour
	switch strings.TrimSuffix(word, "s") {
	case "sec", "second":
		return time.Second
	case "min", "minute":
		return time.Minute
	case "hr", "hour":
		return time.Hour
	case "day":
		return day
	case "week":
		return 7 * day
	case "year": // procps counts 365 days
		return 365 * day
	case "decade":
		return 3650 * day
	}
	return 0
}

// loads reads three numbers; a comma may separate them or stand for the
// decimal point.
func loads(text string) *evidence.Load {
	words := strings.Fields(text)
	if len(words) < 3 {
		return nil
	}
	var v [3]float64
	for i := range v {
		w := strings.Replace(strings.TrimSuffix(words[i], ","), ",", ".", 1)
		f, err := strconv.ParseFloat(w, 64)
		if err != nil || f < 0 || f > 1e6 {
			return nil
		}
		v[i] = f
	}
	return &evidence.Load{One: v[0], Five: v[1], Fifteen: v[2]}
}

// ProcUptime reads /proc/uptime, which counts sleep as well.
func ProcUptime(b []byte) (Uptime, error) {
	words := strings.Fields(firstLine(b))
	if len(words) != 2 {
		return Uptime{}, fmt.Errorf("parse /proc/uptime: %d words instead of 2", len(words))
	}
	whole, cents, _ := strings.Cut(words[0], ".")
	s, err := strconv.ParseUint(whole, 10, 32)
	if err != nil {
		return Uptime{}, fmt.Errorf("parse /proc/uptime: %w", err)
	}
	part, rest, ok := cutDigits(cents, 2)
	if !ok || rest != "" {
		return Uptime{}, errors.New("parse /proc/uptime: no hundredths")
	}
	up := time.Duration(s)*time.Second + time.Duration(part)*10*time.Millisecond
	return Uptime{Lo: up, Hi: up + 10*time.Millisecond}, nil
}

// BootTime finds btime in /proc/stat: the wall clock minus the time since boot
// as the kernel reckons it now. It moves when the clock is set, so it cannot
// show a step that is over.
func BootTime(b []byte) (Stamp, bool) {
	for line := range lines(b) {
		if text, ok := strings.CutPrefix(line, "btime "); ok {
			f, ok := epoch(strings.TrimSpace(text))
			s, err := f.stamp()
			return s, ok && err == nil
		}
	}
	return Stamp{}, false
}

// LoadAvg reads /proc/loadavg.
func LoadAvg(b []byte) (evidence.Load, error) {
	if l := loads(firstLine(b)); l != nil {
		return *l, nil
	}
	return evidence.Load{}, fmt.Errorf("parse /proc/loadavg: no three numbers in %q", clip(firstLine(b)))
}
