package clock

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A W32Time is Windows' account of the clock, from
// `w32tm /query /status /verbose`.
type W32Time struct {
	Leap      int // 0 normal, 1 insert, 2 delete, 3 unsynchronised
	Stratum   int // zero: unspecified
	RootDelay time.Duration
	RootDisp  time.Duration
	Source    string         // "Local CMOS Clock" when it follows nobody
	Phase     *time.Duration // system time against its source; nil without /verbose
}

// Synchronised says whether Windows follows a source.
func (w W32Time) Synchronised() bool {
	return w.Leap != 3 && w.Stratum > 0 && w.Stratum < 16 && w.Source != "Local CMOS Clock"
}

// ParseW32tm reads the English output. Labels, and the date of the last
// success, follow the language of the system; what is not understood is an
// error here and never a zero.
func ParseW32tm(b []byte) (W32Time, error) {
	var w W32Time
	if err := bounded("w32tm", b); err != nil {
		return w, err
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(b)) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		key = strings.TrimSpace(key)
		if err := w.set(key, strings.TrimSpace(value)); err != nil {
			return W32Time{}, fmt.Errorf("parse w32tm: %s: %w", clip(key), err)
		}
		seen[key] = true
	}
	if !seen["Leap Indicator"] || !seen["Stratum"] || !seen["Root Dispersion"] {
		return W32Time{}, errors.New("parse w32tm: no English status in it")
	}
	return w, nil
}

func (w *W32Time) set(key, value string) (err error) {
	amount := func() time.Duration {
		var f float64
		f, err = number(strings.TrimSuffix(value, "s"))
		return seconds(f)
	}
	count := func() (n int) {
		word, _, _ := strings.Cut(value, "(")
		n, err = strconv.Atoi(strings.TrimSpace(word))
		return n
	}
	switch key {
	case "Leap Indicator":
		w.Leap = count()
	case "Stratum":
		w.Stratum = count()
	case "Root Delay":
		w.RootDelay = amount()
	case "Root Dispersion":
		w.RootDisp = amount()
	case "Source":
		w.Source = value
	case "Phase Offset":
		phase := amount()
		w.Phase = &phase
	}
	return err
}
