package kernel

import (
	"strings"
	"testing"
	"time"
)

// Sixteen times as much of anything takes about sixteen times as long, however
// it was made to hurt. A rule that looks at a whole line for every word in it,
// or joins piece to piece without end, would take 256 times as long.
func TestNoInputIsQuadratic(t *testing.T) {
	for name, unit := range map[string]string{
		"one line of link words":       "Link up ",
		"one line of kill words":       "Killed process 1 (",
		"one line of brackets":         "[1.1] [",
		"lines of link words":          strings.Repeat("a Link up ", 400) + "\n",
		"fragments":                    "6,1,1,c;x\n",
		"split summaries":              "oom-kill:constraint=a\n,global_oom\n,global_oom\n",
		"dictionary lines":             " A=b\n",
		"headings":                     "[ pid ] uid  tgid total_vm\n[1] 2 3 4 5 6 7\n",
		"the same victim, again":       "Killed process 1 (a) total-vm:1kB\n",
		"kill lines cut in their name": "Killed process 1 (a\n",
		"escapes":                      `\x41\x`,
		"colour codes":                 "\x1b[1;",
		"pieces of a crash":            "Panic#1 Part1\nx\n",
		"a list of bytes":              "1,",
		"anchors of the clock":         "[1.000000] audit: type=1 audit(9.123:1)\n",
	} {
		t.Run(name, func(t *testing.T) {
			const base = 32 << 10
			small, large := cost(unit, base), cost(unit, 16*base)
			// Linear is 16 times, quadratic 256; the machine is shared and the
			// small run short, so the line is drawn in between, and what is
			// over in a blink is never called slow.
			if large > 64*small && large > 50*time.Millisecond {
				t.Errorf("%d bytes take %v, %d take %v", base, small, 16*base, large)
			}
		})
	}
}

// cost is the better of two runs over n bytes of the unit through everything.
func cost(unit string, n int) time.Duration {
	b := []byte(strings.Repeat(unit, n/len(unit)))
	best := time.Hour
	for range 2 {
		start := time.Now()
		for _, prefix := range []string{"", "6,1,1,-;a\n", `{"MESSAGE":[`} {
			in := append([]byte(prefix), b...)
			for _, parse := range []func([]byte) []Record{ParseKmsg, ParseDmesg, ParseDmesgJSON, ParseJournalJSON, ParsePstore} {
				Summarise(parse(in), "")
			}
			Kills(in)
		}
		best = min(best, time.Since(start))
	}
	return best
}
