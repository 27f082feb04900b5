// Package language reads what language runtimes say of their own stops: logs of
// garbage collectors, running totals, dumps of all threads, and the last words
// of a program that died.
//
// A runtime's word for a pause is not the time it took to stop: Java's
// collectors print the collection, its safepoint lines the whole stop; each
// becomes a [evidence.Pause] of its own kind, as printed. A line is dated by its
// own date where it has one, else by the one that a log collector put in front;
// seconds since the process began date nothing by themselves.
//
// Parsers are functions from text to evidence, with a [stamp.Frame] for what
// dates leave out. Lines they do not know are passed over; no line costs more
// than its length, and lists are bounded.
package language

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// Limits of one text.
const (
	maxText    = 64 << 20
	maxItems   = 20_000 // pauses, samples or notices of one text
	maxThreads = 20_000
	maxLine    = 4096 // bytes of a line that are looked at
	maxWord    = 512  // bytes kept of one
)

func bounded(name string, b []byte) error {
	if len(b) > maxText {
		return fmt.Errorf("parse %s: %d bytes are more than the %d it may have", name, len(b), maxText)
	}
	return nil
}

func clip(s string) string { return strings.Clone(s[:min(len(s), maxWord)]) }

// limit is the longest any pause or total may be. Nobody waits longer for a
// collector, and sums still fit a Duration.
const limit = 366 * 24 * time.Hour

// amount reads a plain decimal of a unit; the comma of some locales is a point.
func amount(s string, unit time.Duration) (time.Duration, bool) {
	f, err := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	ns := f * float64(unit)
	if err != nil || !(ns >= 0 && ns <= float64(limit)) {
		return 0, false
	}
	return time.Duration(math.Round(ns)), true
}

// count reads a number that fits; zero from anything else.
func count(s string) int64 {
	f, err := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	if err != nil || !(f >= 0 && f < 1<<53) {
		return 0
	}
	return int64(f)
}

// eachLine calls f with the beginning of every line.
func eachLine(b []byte, f func(line string)) {
	for line := range strings.Lines(string(b)) {
		f(strings.TrimRight(line[:min(len(line), maxLine)], "\r\n"))
	}
}

// A dated is a line with what dates it.
type dated struct {
	at   evidence.Interval // of the date in front; unknown when there is none
	text string            // without it
	line string            // all of it
}

func date(line string, f stamp.Frame) dated {
	at, text := f.Line(line)
	return dated{at: at, text: text, line: line}
}
