package language

import (
	"regexp"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// monitorLine reads watchers inside a process that sleep and compare clocks:
//
//	Detected pause in JVM or host machine (eg GC): pause of approximately 8123ms
//
// What they see is a stop of the process or of the whole machine; the collector
// is their guess.
var monitorLine = regexp.MustCompile(`pause of approximately (\d{1,12}) ?ms`)

func monitor(d dated, _ stamp.Frame) (evidence.Pause, bool) {
	m := monitorLine.FindStringSubmatch(d.line)
	if m == nil {
		return evidence.Pause{}, false
	}
	took, ok := amount(m[1], time.Millisecond)
	return evidence.Pause{At: ending(d.at, took), Took: took, Kind: "safepoint", Cause: "seen by a pause monitor", Runtime: "jvm"}, ok
}

// vertxLine reads "Thread Thread[vert.x-eventloop-thread-0,5,main] has been
// blocked for 8123 ms, time limit is 2000 ms": one thread, not all of them.
var vertxLine = regexp.MustCompile(`Thread (?:Thread\[)?([^\[\],]{1,80}).{0,40} has been blocked for (\d{1,12}) ms`)

func vertx(d dated, _ stamp.Frame) (evidence.Pause, bool) {
	m := vertxLine.FindStringSubmatch(d.line)
	if m == nil {
		return evidence.Pause{}, false
	}
	took, ok := amount(m[2], time.Millisecond)
	return evidence.Pause{At: ending(d.at, took), Took: took, Kind: "blocked-thread", Cause: clip(m[1]), Runtime: "jvm"}, ok
}
