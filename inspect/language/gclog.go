package language

import (
	"regexp"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// pauseLine reads Java's unified log behind its decorations, whatever they are:
//
//	GC(12) Pause Full (Allocation Failure) 512M->300M(1024M) 8123.456ms
//	GC(3) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 2.345ms
//	GC(7) Y: Pause Mark Start 0.012ms
//
// The line that announces a pause has no time yet.
var pauseLine = regexp.MustCompile(`GC\(\d{1,9}\) (?:[yYoO]: |Major: |Minor: )?(Pause [A-Za-z][A-Za-z -]{0,40}[A-Za-z])((?: \((?:[^()]|\(\)){1,60}\))*)(?: \d\S{0,40})?(?: \d{1,12}%)? +(\d{1,12}[.,]\d{1,6})ms\s*$`)

// unified reads a pause of the unified log. A collector's line is written at
// the pause's end.
func unified(d dated, f stamp.Frame) (evidence.Pause, bool) {
	m := pauseLine.FindStringSubmatch(d.line)
	if m == nil {
		return evidence.Pause{}, false
	}
	took, ok := amount(m[3], time.Millisecond)
	cause := m[1]
	if i := strings.LastIndex(m[2], " ("); i >= 0 {
		cause += m[2][i:]
	}
	return evidence.Pause{At: ending(decorated(d, f), took), Took: took, Kind: "gc", Cause: clip(cause), Runtime: "jvm", Pid: decoratedPid(d.line)}, ok
}

// safepoint reads
//
//	Safepoint "G1CollectForAllocation", Time since last: 12 ns, Reaching safepoint: 3 ns, At safepoint: 4 ns, Total: 7 ns
//
// Newer versions put more between; the total is the whole stop.
var safepointLine = regexp.MustCompile(`Safepoint "([^"]{1,80})",.{0,400}\bTotal: +(\d{1,18}) ns`)

func safepoint(d dated, f stamp.Frame) (evidence.Pause, bool) {
	m := safepointLine.FindStringSubmatch(d.line)
	if m == nil {
		return evidence.Pause{}, false
	}
	took, ok := amount(m[2], time.Nanosecond)
	return evidence.Pause{At: ending(decorated(d, f), took), Took: took, Kind: "safepoint", Cause: clip(m[1]), Runtime: "jvm", Pid: decoratedPid(d.line)}, ok
}

// decorated finds the date among a line's decorations, which may stand in any
// order: [12.345s][2026-11-09T18:22:06.120+0000][info][gc].
func decorated(d dated, f stamp.Frame) evidence.Interval {
	at := d.at
	for rest, n := d.line, 0; n < 12; n++ {
		open := strings.IndexByte(rest, '[')
		if open < 0 {
			break
		}
		if inner, _, ok := f.Leading(rest[open:]); ok {
			at = stamp.Nearer(at, inner)
		}
		rest = rest[open+1:]
	}
	return at
}

// pidDecoration is [4711] or [pid=4711]: of the decorations only the process
// and the thread are bare numbers, and the process stands first.
var pidDecoration = regexp.MustCompile(`\]\[(\d{1,9})\]`)

func decoratedPid(line string) int {
	m := pidDecoration.FindStringSubmatch(line)
	if m == nil {
		return 0
	}
	return int(count(m[1]))
}
