package language

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// A teller is one runtime's way of telling a pause. It reads the text of a line
// that holds its mark.
type teller struct {
	mark string
	read func(d dated, f stamp.Frame) (evidence.Pause, bool)
}

// tellers stand in order; the first that reads a line has it.
var tellers = [...]teller{
	{"Total time for which application threads were stopped", legacySafepoint},
	{"Safepoint \"", safepoint},
	{"Leaving safepoint region", nothing}, // what follows it tells the time
	{"pause of approximately ", monitor},
	{"has been blocked for ", vertx},
	{"Pause ", unified},
	{" secs]", legacy},
	{" ms clock", goTrace},
	{"ms: Scavenge", node},
	{"ms: Mark-", node},
	{"ms: Minor Mark-", node},
	{"PauseMSec=", dotnet},
}

// Pauses finds the pauses that logs of runtimes tell, in the order of the text:
// Java's garbage collection logs of all generations and collectors, its
// safepoint lines, its pause monitors; Go's gctrace; Node's --trace-gc.
func Pauses(b []byte, f stamp.Frame) ([]evidence.Pause, error) {
	if err := bounded("pauses", b); err != nil {
		return nil, err
	}
	var out []evidence.Pause
	eachLine(b, func(line string) {
		if len(out) == maxItems {
			return
		}
		for _, t := range tellers {
			if !strings.Contains(line, t.mark) {
				continue
			}
			if p, ok := t.read(date(line, f), f); ok {
				p.Text = clip(line)
				out = append(out, p)
				return
			}
		}
	})
	return out, nil
}

func nothing(dated, stamp.Frame) (evidence.Pause, bool) { return evidence.Pause{}, false }

// ending places a pause whose line was written at its end.
func ending(at evidence.Interval, took time.Duration) evidence.Interval {
	return at.Shift(-took, -took)
}
