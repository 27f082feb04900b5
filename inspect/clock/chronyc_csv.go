package clock

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// ParseTrackingCSV reads the output of `chronyc -c tracking`, chrony 2.4 and
// later: fourteen fields with raw signs and no units.
func ParseTrackingCSV(b []byte) (evidence.Tracking, error) {
	var t evidence.Tracking
	if err := bounded("chronyc -c tracking", b); err != nil {
		return t, err
	}
	f, err := csv.NewReader(strings.NewReader(string(b))).Read()
	if err != nil {
		return t, fmt.Errorf("parse chronyc -c tracking: %w", err)
	}
	if len(f) != 14 {
		return t, fmt.Errorf("parse chronyc -c tracking: %d fields instead of 14", len(f))
	}
	var bad error
	keep := func(err error) {
		if bad == nil {
			bad = err
		}
	}
	num := func(i int) float64 {
		v, err := number(f[i])
		keep(err)
		return zero(v)
	}
	t.RefID, err = refID(f[0])
	keep(err)
	t.Name = f[1]
	t.Stratum, err = strconv.Atoi(f[2])
	keep(err)
	t.RefTime, err = epoch(f[3])
	keep(err)
	t.Correction, t.LastOffset, t.RMSOffset = seconds(num(4)), seconds(num(5)), seconds(num(6))
	t.FreqPPM, t.ResidPPM, t.SkewPPM = num(7), num(8), num(9)
	t.RootDelay, t.RootDisp, t.Interval = seconds(num(10)), seconds(num(11)), seconds(num(12))
	t.Leap, err = leapWord(f[13])
	keep(err)
	if bad != nil {
		return evidence.Tracking{}, fmt.Errorf("parse chronyc -c tracking: %w", bad)
	}
	return t, limits(t)
}

// epoch reads seconds since 1970 with a fraction, which a float would blur.
func epoch(s string) (time.Time, error) {
	whole, frac, _ := strings.Cut(s, ".")
	sec, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return time.Time{}, err
	}
	ns, err := strconv.ParseUint((frac + "000000000")[:9], 10, 32)
	if err != nil {
		return time.Time{}, err
	}
	return instant(time.Unix(sec, int64(ns)))
}

// instant refuses a time outside the years that can be printed.
func instant(t time.Time) (time.Time, error) {
	t = t.UTC()
	if y := t.Year(); y < 1 || y > 9999 {
		return time.Time{}, errors.New("reference time is out of range")
	}
	return t, nil
}
