// Package clock reads what a host says of its own clock, and measures the
// coordinator's clock against it.
//
// The claim may be made by chrony, ntpd, timesyncd, Windows time or the kernel
// itself, each in its own units, signs and dialect; a parser here turns one of
// them into one plain value. Whether the coordinator's clock moved is another
// question, and no claim of anybody answers it: the rules hold its TIME against
// the steady clock that [Now] reads.
//
// Parsing is pure. The few live reads ([Now], [Mono],
// [QueryChrony], [ReadAdjtimex]) set nothing and ask nobody but this host.
package clock

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// maxText is more than any of these tools prints about one clock.
const maxText = 1 << 20

func bounded(name string, b []byte) error {
	if len(b) > maxText {
		return fmt.Errorf("parse %s: %d bytes are more than the %d it may have", name, len(b), maxText)
	}
	return nil
}

// number reads a decimal; a comma is the point of some locales. What is not a
// number would spoil every comparison and cannot be stored as JSON.
func number(s string) (float64, error) {
	f, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(s), ",", ".", 1), 64)
	if err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return 0, fmt.Errorf("%q is no number", s)
	}
	return f, err
}

// century is the most any offset, delay or dispersion may be. No clock is off
// by more, and the sum of a few still fits a Duration.
const century = 100 * 365 * 24 * time.Hour

// seconds is f seconds, held within a century.
func seconds(f float64) time.Duration { return units(f, time.Second) }

// units is f units, held within a century.
func units(f float64, unit time.Duration) time.Duration {
	ns := math.Round(f * float64(unit))
	switch {
	case math.IsNaN(ns):
		return 0
	case ns >= float64(century):
		return century
	case ns <= -float64(century):
		return -century
	}
	return time.Duration(ns)
}

// zero drops the sign some tools print before a zero.
func zero(f float64) float64 {
	if f == 0 {
		return 0
	}
	return f
}

// finite guards what comes from a binary packet.
func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return zero(f)
}

// clip keeps an error message short when its text is not.
func clip(s string) string { return s[:min(len(s), 80)] }
