package language

import (
	"regexp"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// legacyLine reads the logs of Java 8 and before, with either kind of date:
//
//	2026-11-09T18:22:06.120+0000: 12.345: [Full GC (Ergonomics) [PSYoungGen: …] 512K->300K(1024K), 8.1234567 secs] [Times: …]
//	12.345: [GC (Allocation Failure) 512K->300K(1024K), 0.0123 secs]
//	2026-11-09T18:22:06.120+0000: 12.3: [GC pause (G1 Evacuation Pause) (young), 0.0123456 secs]
//	… [GC (CMS Final Remark) … , 0.1 secs]
var legacyLine = regexp.MustCompile(`\[((?:Full )?GC(?: pause| remark| cleanup)?(?:--)?)((?: ?\([^()]{1,60}\)){0,4})`)

// secs is the time of a whole collection: the last before the CPU times.
var secs = regexp.MustCompile(`[ ,](\d{1,9}[.,]\d{1,9}) secs\]`)

// legacy reads a collection of the legacy log, dated by its beginning. A log
// with tenuring ages tells the time on a line of its own, which is passed over:
// nothing on it says that threads stood still.
func legacy(d dated, _ stamp.Frame) (evidence.Pause, bool) {
	text, _, _ := strings.Cut(d.line, "[Times:")
	m := legacyLine.FindStringSubmatch(text)
	if m == nil || strings.Contains(text, "concurrent") {
		return evidence.Pause{}, false
	}
	all := secs.FindAllStringSubmatch(text, 64)
	if all == nil {
		return evidence.Pause{}, false
	}
	took, ok := amount(all[len(all)-1][1], time.Second)
	cause := strings.TrimSpace(m[1] + " " + strings.TrimSpace(m[2]))
	return evidence.Pause{At: d.at, Took: took, Kind: "gc", Cause: clip(cause), Runtime: "jvm"}, ok
}

var stoppedLine = regexp.MustCompile(`threads were stopped: +(\d{1,9}[.,]\d{1,9}) seconds`)

// legacySafepoint reads "Total time for which application threads were stopped:
// 8.1234 seconds, Stopping threads took: 0.0001 seconds", written at the end.
func legacySafepoint(d dated, f stamp.Frame) (evidence.Pause, bool) {
	m := stoppedLine.FindStringSubmatch(d.line)
	if m == nil {
		return evidence.Pause{}, false
	}
	took, ok := amount(m[1], time.Second)
	return evidence.Pause{At: ending(decorated(d, f), took), Took: took, Kind: "safepoint", Runtime: "jvm"}, ok
}
