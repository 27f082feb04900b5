package clock

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// NTPVars is ntpd's account of the clock, from `ntpq -c rv`.
type NTPVars struct {
	Status    uint16 // leap (2 bits), source (6), event count (4), last event (4); zero when not printed
	Leap      int    // 0 normal, 1 insert, 2 delete, 3 unsynchronised; -1 when not printed
	Stratum   int    // 16: not synchronised
	RefID     string
	Offset    time.Duration // NTP time minus system time
	RootDelay time.Duration
	RootDisp  time.Duration
	Jitter    time.Duration
	FreqPPM   float64
}

// Event is the last thing ntpd noted: 12 is a step of the clock.
func (v NTPVars) Event() int { return int(v.Status & 0xf) }

// Synchronised says whether ntpd follows a source.
func (v NTPVars) Synchronised() bool {
	return v.Leap >= 0 && v.Leap < 3 && v.Stratum > 0 && v.Stratum < 16
}

// Bound is ntpd's own limit of the clock's error.
func (v NTPVars) Bound() time.Duration {
	return bound(v.Offset, v.RootDisp, v.RootDelay)
}

// bound is the absolute offset, the dispersion and half the delay.
func bound(offset, disp, delay time.Duration) time.Duration {
	return offset.Abs() + disp + delay/2
}

// ParseNtpqRV reads `ntpq -c rv`: name=value pairs between commas, some values
// in quotes, times in milliseconds.
func ParseNtpqRV(b []byte) (NTPVars, error) {
	v := NTPVars{Leap: -1}
	if err := bounded("ntpq rv", b); err != nil {
		return v, err
	}
	seen := map[string]bool{}
	for _, pair := range pairs(string(b)) {
		// The status word shares its pair with what stands before it.
		if i := strings.Index(pair, "status="); i > 0 {
			pair = pair[i:]
		}
		key, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok {
			continue
		}
		if err := v.set(key, strings.Trim(value, `"`)); err != nil {
			return NTPVars{}, fmt.Errorf("parse ntpq rv: %s: %w", clip(key), err)
		}
		seen[key] = true
	}
	for _, key := range []string{"leap", "stratum", "offset"} {
		if !seen[key] {
			return NTPVars{}, fmt.Errorf("parse ntpq rv: no %s", key)
		}
	}
	return v, nil
}

func (v *NTPVars) set(key, value string) (err error) {
	ms := func() time.Duration {
		var f float64
		f, err = number(value)
		return units(f, time.Millisecond)
	}
	switch key {
	case "status":
		word, _, _ := strings.Cut(value, " ")
		var n uint64
		n, err = strconv.ParseUint(strings.TrimPrefix(word, "0x"), 16, 16)
		v.Status = uint16(n)
	case "leap":
		var n uint64
		n, err = strconv.ParseUint(value, 2, 2)
		v.Leap = int(n)
	case "stratum":
		v.Stratum, err = strconv.Atoi(value)
	case "refid":
		v.RefID = value
	case "rootdelay":
		v.RootDelay = ms()
	case "rootdisp", "rootdispersion":
		v.RootDisp = ms()
	case "offset":
		v.Offset = ms()
	case "sys_jitter", "jitter":
		v.Jitter = ms()
	case "frequency":
		v.FreqPPM, err = number(value)
	}
	return err
}

// pairs cuts at commas and line ends that stand outside quotes.
func pairs(s string) []string {
	quoted := false
	return strings.FieldsFunc(s, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return !quoted && (r == ',' || r == '\n' || r == '\r')
	})
}
