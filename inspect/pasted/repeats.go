package pasted

import (
	"bytes"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// dropRepeats leaves out what was pasted twice: people paste overlapping pieces of
// one scrollback. A TIME that is an earlier one to the microsecond, with no date
// or stamp between them that moved on, is the same reading; so are the commands
// around it that repeat as well. A clock that stands still repeats TIME too, but
// then the responder's own dates move on.
func (im *importer) dropRepeats() {
	first := map[string]int{}
	dated := make([]time.Duration, len(im.entries))
	var last time.Duration
	for i, e := range im.entries {
		if t, _, ok := im.wallMoment(e); ok {
			last = t
		}
		dated[i] = last
	}
	for j := range im.entries {
		t, ok := timeReply(im.entries[j])
		if im.entries[j].cli == nil || !ok || im.entries[j].repeated {
			continue
		}
		key := im.entries[j].nodeOf() + " " + t.String()
		i, seen := first[key]
		if !seen {
			first[key] = j
			continue
		}
		if dated[j] > dated[i] {
			continue
		}
		im.repeat(i, j)
	}
	kept := im.entries[:0]
	for _, e := range im.entries {
		if !e.repeated {
			kept = append(kept, e)
			continue
		}
		im.repeats++
	}
	im.entries = kept
}

// repeat marks the run of equal entries around two equal ones.
func (im *importer) repeat(i, j int) {
	for a, b := i, j; a >= 0 && b > i && !im.entries[b].repeated && im.equal(a, b); a, b = a-1, b-1 {
		im.entries[b].repeated = true
	}
	for a, b := i+1, j+1; a < j && b < len(im.entries) && im.equal(a, b); a, b = a+1, b+1 {
		im.entries[b].repeated = true
	}
}

func (im *importer) equal(a, b int) bool {
	x, y := im.entries[a], im.entries[b]
	return x.Host == y.Host && x.Typed == y.Typed && x.Stamp.Equal(y.Stamp) && bytes.Equal(x.Output, y.Output)
}

// noteRepeats says in the bundle that something was left out, and how much.
func (im *importer) noteRepeats() {
	im.noteBeyond()
	if im.repeats == 0 || len(im.probes) == 0 {
		return
	}
	p := evidence.Probe{Name: "text/repeated", Source: "the text", Status: evidence.Skipped, Vantage: im.probes[0].Vantage,
		Start: im.probes[0].Start, End: im.probes[0].End, Why: plural(im.repeats, "command") + " pasted twice, kept once"}
	im.probes = append(im.probes, p)
}

// noteBeyond keeps what there was no room to read, and says so to everybody.
func (im *importer) noteBeyond() {
	if im.passed == 0 || len(im.entries) == 0 {
		return
	}
	why := plural(im.passed, "command") + " and remarks too many to be read; their beginning is kept"
	im.unknown = append(im.unknown, why)
	last := len(im.entries) - 1
	im.recordSpan(last, last, evidence.Probe{Name: "text/beyond", Source: "the text", Commands: []string{}, Status: evidence.Truncated, Truncated: true, Why: why}, "beyond", im.beyond)
}
