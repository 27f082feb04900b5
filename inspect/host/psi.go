package host

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// ParsePressure reads one PSI file: /proc/pressure/{cpu,io,memory,irq}, or
// {cpu,io,memory}.pressure of a control group.
//
// A line that is not there stays nil. Lines and keys of an unknown name are
// passed over: the kernel has added some before.
func ParsePressure(b []byte) (evidence.Pressure, error) {
	var p evidence.Pressure
	if err := bounded("pressure", b); err != nil {
		return p, err
	}
	for line := range strings.Lines(string(b)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind != "some" && kind != "full" {
			continue
		}
		l, err := pressureLine(rest)
		if err != nil {
			return evidence.Pressure{}, fmt.Errorf("parse pressure: %s: %w", kind, err)
		}
		if kind == "some" {
			p.Some = &l
		} else {
			p.Full = &l
		}
	}
	if p.Some == nil && p.Full == nil {
		return p, fmt.Errorf("parse pressure: neither a some nor a full line")
	}
	return p, nil
}

// pressureLine wants all four numbers: a cut line must not read as calm.
func pressureLine(text string) (evidence.PressureLine, error) {
	var l evidence.PressureLine
	found := 0
	for _, word := range strings.Fields(text) {
		key, value, _ := strings.Cut(word, "=")
		var err error
		switch key {
		case "avg10":
			l.Avg10, err = percent(value)
		case "avg60":
			l.Avg60, err = percent(value)
		case "avg300":
			l.Avg300, err = percent(value)
		case "total":
			l.Total, err = duration(value, time.Microsecond)
		default:
			continue
		}
		if err != nil {
			return l, fmt.Errorf("%s: %w", key, err)
		}
		found++
	}
	if found != 4 {
		return l, fmt.Errorf("%d of 4 numbers", found)
	}
	return l, nil
}

func percent(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return 0, fmt.Errorf("%q is no number", s)
	}
	return f, err
}
