package clock

import (
	"errors"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// ParseTrackingPart reads some lines of `chronyc tracking`: what a filter let
// through. What they do not tell stays zero, so that such a record bounds no
// error and is synchronised only by its leap status. A line that cannot be read
// does not hide the others.
func ParseTrackingPart(b []byte) (evidence.Tracking, error) {
	var t evidence.Tracking
	if err := bounded("chronyc tracking", b); err != nil {
		return t, err
	}
	told := 0
	for line := range strings.Lines(string(b)) {
		key, value, ok := strings.Cut(line, ":")
		if !ok || !trackingKey(strings.TrimSpace(key)) {
			continue
		}
		if next := t; trackingLine(&next, strings.TrimSpace(key), strings.TrimSpace(value)) == nil && limits(next) == nil {
			t = next
			told++
		}
	}
	if told == 0 {
		return evidence.Tracking{}, errors.New("parse chronyc tracking: no line of it")
	}
	return t, nil
}

func trackingKey(key string) bool {
	switch key {
	case "Reference ID", "Stratum", "Ref time (UTC)", "System time", "Last offset", "RMS offset", "Frequency", "Residual freq", "Skew",
		"Root delay", "Root dispersion", "Update interval", "Leap status":
		return true
	}
	return false
}
