package language

import (
	"regexp"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// goLine reads Go's gctrace:
//
//	gc 12 @34.5s 2%: 0.10+2.3+0.05 ms clock, 0.8+0.1/2.2/0+0.4 ms cpu, 4->5->1 MB, 5 MB goal, 8 P
//
// Of its three times the first and the last stop the world.
var goLine = regexp.MustCompile(`gc \d{1,9} @[0-9.]{1,16}s \d{1,3}%: ([0-9.]{1,16})\+[0-9.]{1,16}\+([0-9.]{1,16}) ms clock`)

func goTrace(d dated, _ stamp.Frame) (evidence.Pause, bool) {
	m := goLine.FindStringSubmatch(d.line)
	if m == nil {
		return evidence.Pause{}, false
	}
	first, ok1 := amount(m[1], time.Millisecond)
	last, ok2 := amount(m[2], time.Millisecond)
	cause := "collection"
	if strings.HasSuffix(d.line, "(forced)") {
		cause = "forced collection"
	}
	return evidence.Pause{At: d.at, Took: first + last, Kind: "gc", Cause: cause, Runtime: "go"}, ok1 && ok2
}

// nodeLine reads V8's --trace-gc:
//
//	[4711:0x5581a0]    45678 ms: Mark-sweep 812.3 (1024.1) -> 640.0 (1024.1) MB, 812.3 / 0.0 ms  (average mu = 0.9) allocation failure
//	[4711:0x5581a0]    45678 ms: Scavenge 20.1 (30.2) -> 18.0 (31.0) MB, 1.5 / 0.0 ms  (…) task
//
// The first time is the pause on the main thread.
var nodeLine = regexp.MustCompile(`\[(\d{1,9}):0x[0-9a-fA-F]{1,16}(?::\d{1,6})?\] +[0-9.]{1,16} ms: ([A-Z][A-Za-z-]{1,30}(?: [A-Z][A-Za-z-]{1,30})?)(?: \([a-z -]{1,30}\))* [0-9.]{1,16} \([0-9.]{1,16}\) -> [0-9.]{1,16} \([0-9.]{1,16}\) MB,(?: pooled: [0-9.]{1,16} MB,)? ([0-9.]{1,16}) / [0-9.]{1,16} ms`)

func node(d dated, _ stamp.Frame) (evidence.Pause, bool) {
	m := nodeLine.FindStringSubmatch(d.line)
	if m == nil {
		return evidence.Pause{}, false
	}
	took, ok := amount(m[3], time.Millisecond)
	return evidence.Pause{At: ending(d.at, took), Took: took, Kind: "gc", Cause: clip(m[2]), Runtime: "node", Pid: int(count(m[1]))}, ok
}

// dotnetLine reads a collection as .NET's event listeners print it, in fields:
// GC#=12 Gen=2 Type=… PauseMSec=812.3.
var dotnetLine = regexp.MustCompile(`\bPauseMSec="?([0-9.,]{1,16})`)

func dotnet(d dated, _ stamp.Frame) (evidence.Pause, bool) {
	m := dotnetLine.FindStringSubmatch(d.line)
	if m == nil {
		return evidence.Pause{}, false
	}
	took, ok := amount(m[1], time.Millisecond)
	return evidence.Pause{At: d.at, Took: took, Kind: "gc", Runtime: "dotnet"}, ok
}
