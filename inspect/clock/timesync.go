package clock

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Timesync is systemd-timesyncd's account of the clock, from
// `timedatectl timesync-status`.
type Timesync struct {
	Server       string
	Leap         string // as printed: normal, 59s, 61s, "not synchronized"
	Stratum      int
	Reference    string        // 8 hex digits
	RootDistance time.Duration // half the root delay and the dispersion
	Offset       time.Duration // NTP time minus system time at the last packet
	Delay        time.Duration
	Jitter       time.Duration
	Packets      int // zero: no server ever answered, and the rest says nothing
	FreqPPM      float64
}

// Synchronised says whether any server ever answered usefully.
func (t Timesync) Synchronised() bool { return t.Packets > 0 && t.Leap != "not synchronized" }

// ParseTimesync reads `timedatectl timesync-status`. Numbers may carry the
// decimal comma of the caller's locale; the labels are English in all of them.
func ParseTimesync(b []byte) (Timesync, error) {
	var t Timesync
	if err := bounded("timesync-status", b); err != nil {
		return t, err
	}
	counted := false
	for line := range strings.Lines(string(b)) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		key = strings.TrimSpace(key)
		if err := t.set(key, strings.TrimSpace(value)); err != nil {
			return Timesync{}, fmt.Errorf("parse timesync-status: %s: %w", clip(key), err)
		}
		counted = counted || key == "Packet count"
	}
	if !counted {
		return Timesync{}, errors.New("parse timesync-status: no packet count")
	}
	return t, nil
}

func (t *Timesync) set(key, value string) (err error) {
	switch key {
	case "Server":
		t.Server = value
	case "Leap":
		t.Leap = value
	case "Stratum":
		t.Stratum, err = strconv.Atoi(value)
	case "Reference":
		t.Reference = value
	case "Root distance":
		value, _, _ = strings.Cut(value, "(")
		t.RootDistance, err = timespan(value)
	case "Offset":
		t.Offset, err = timespan(value)
	case "Delay":
		t.Delay, err = timespan(value)
	case "Jitter":
		t.Jitter, err = timespan(value)
	case "Packet count":
		t.Packets, err = strconv.Atoi(value)
	case "Frequency":
		t.FreqPPM, err = number(strings.TrimSuffix(value, "ppm"))
	}
	return err
}

// spanUnits are systemd's units, the longer names first where one is the
// beginning of another.
var spanUnits = [...]struct {
	name string
	unit time.Duration
}{
	{"month", 30*24*time.Hour + 10*time.Hour + 30*time.Minute}, {"min", time.Minute}, {"ms", time.Millisecond},
	{"us", time.Microsecond}, {"s", time.Second}, {"h", time.Hour}, {"d", 24 * time.Hour}, {"w", 7 * 24 * time.Hour},
	{"y", 8766 * time.Hour},
}

// timespan reads systemd's spans: "1min 4s", "-33.637ms", "0".
func timespan(s string) (time.Duration, error) {
	s = strings.TrimSpace(s)
	negative := strings.HasPrefix(s, "-")
	words := strings.Fields(strings.TrimLeft(s, "+-"))
	if len(words) == 0 || len(words) > 8 {
		return 0, fmt.Errorf("%q is no time span", clip(s))
	}
	var total float64
	for _, w := range words {
		f, err := spanWord(w)
		if err != nil {
			return 0, err
		}
		total += f
	}
	if negative {
		total = -total
	}
	return units(total, time.Nanosecond), nil
}

// spanWord is one number with its unit, in nanoseconds.
func spanWord(w string) (float64, error) {
	if w == "0" {
		return 0, nil
	}
	for _, u := range spanUnits {
		digits, ok := strings.CutSuffix(w, u.name)
		if !ok {
			continue
		}
		f, err := number(digits)
		return f * float64(u.unit), err
	}
	return 0, fmt.Errorf("%q has no unit", clip(w))
}
