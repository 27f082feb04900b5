package clock

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// ParseTrackingText reads the output of `chronyc tracking`, of any version
// since 1.2x.
//
// chronyc prints no signs but words: a clock that is slow of NTP time is
// behind, so the correction is positive; a frequency that is slow is negative.
func ParseTrackingText(b []byte) (evidence.Tracking, error) {
	var t evidence.Tracking
	if err := bounded("chronyc tracking", b); err != nil {
		return t, err
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(b)) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		key = strings.TrimSpace(key)
		if err := trackingLine(&t, key, strings.TrimSpace(value)); err != nil {
			return evidence.Tracking{}, fmt.Errorf("parse chronyc tracking: %s: %w", clip(key), err)
		}
		seen[key] = true
	}
	for _, key := range []string{"Reference ID", "Stratum", "System time", "Root delay", "Root dispersion", "Leap status"} {
		if !seen[key] {
			return evidence.Tracking{}, fmt.Errorf("parse chronyc tracking: no %s line", key)
		}
	}
	return t, limits(t)
}

func trackingLine(t *evidence.Tracking, key, value string) (err error) {
	amount := func() time.Duration {
		var f float64
		f, err = quantity(value)
		return seconds(f)
	}
	switch key {
	case "Reference ID":
		id, name, _ := strings.Cut(value, " ")
		t.RefID, err = refID(id)
		t.Name = strings.Trim(strings.TrimSpace(name), "()")
	case "Stratum":
		t.Stratum, err = strconv.Atoi(value)
	case "Ref time (UTC)":
		t.RefTime, err = time.Parse("Mon Jan 2 15:04:05 2006", strings.Join(strings.Fields(value), " "))
	case "System time":
		t.Correction = amount()
	case "Last offset":
		t.LastOffset = amount()
	case "RMS offset":
		t.RMSOffset = amount()
	case "Frequency":
		var f float64
		f, err = quantity(value)
		t.FreqPPM = zero(-f)
	case "Residual freq":
		t.ResidPPM, err = quantity(value)
		t.ResidPPM = zero(t.ResidPPM)
	case "Skew":
		t.SkewPPM, err = quantity(value)
	case "Root delay":
		t.RootDelay = amount()
	case "Root dispersion":
		t.RootDisp = amount()
	case "Update interval":
		t.Interval = amount()
	case "Leap status":
		t.Leap, err = leapWord(value)
	}
	return err
}

// quantity is the number in front of a unit, negative when the words behind it
// say fast: so it is what must be added to the clock.
func quantity(value string) (float64, error) {
	words := strings.Fields(value)
	if len(words) == 0 {
		return 0, errors.New("no value")
	}
	f, err := number(words[0])
	for _, w := range words[1:] {
		if w == "fast" {
			f = zero(-f)
		}
	}
	return f, err
}

// refID turns both spellings into hexadecimal: chrony before 3.0 printed the
// number as a dotted quad.
func refID(s string) (string, error) {
	if a, err := netip.ParseAddr(s); err == nil && a.Is4() {
		return fmt.Sprintf("%X", a.AsSlice()), nil
	}
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil {
		return "", fmt.Errorf("%q is neither 8 hex digits nor a quad", clip(s))
	}
	return fmt.Sprintf("%08X", n), nil
}

func leapWord(s string) (string, error) {
	switch s {
	case "Normal":
		return "normal", nil
	case "Insert second":
		return "insert", nil
	case "Delete second":
		return "delete", nil
	case "Not synchronised":
		return "unsynchronised", nil
	}
	return "", fmt.Errorf("unknown word %q", clip(s))
}

// limits refuses a record whose error bound would come out too small: neither
// part of it can be negative.
func limits(t evidence.Tracking) error {
	if t.RootDelay < 0 || t.RootDisp < 0 {
		return errors.New("check tracking: root delay or dispersion is negative")
	}
	return nil
}
