package classify

import (
	"fmt"
	"strconv"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// How moments and values read in the verdict's sentences.

// moment prints an interval as a time and its bound: 03:12:22.611Z ±0.002.
func moment(i evidence.Interval) string {
	if b := i.Bound(); b >= 500*time.Microsecond {
		return fmt.Sprintf("%s ±%.3f s", clockTime(i), b.Seconds())
	}
	return clockTime(i)
}

// clockTime prints the middle of an interval to the millisecond, time of day
// only: the verdict's heading has the date.
func clockTime(i evidence.Interval) string { return i.Mid().UTC().Format("15:04:05.000Z") }

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

// quote makes an outside value safe and short enough for a sentence.
func quote(s string) string { return evidence.Clip(evidence.Printable(s), 64) }

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}

// line makes a log line safe for a sentence; what decides stands in its first
// two hundred characters.
func line(s string) string { return evidence.Clip(evidence.Printable(s), 200) }
