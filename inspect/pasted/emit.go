package pasted

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// emit records every entry, in the order of the text.
func (im *importer) emit() {
	im.looks = map[int]*procLooks{}
	im.findCandidates()
	im.emitRedis()
	for i := range im.entries {
		e := &im.entries[i]
		if _, _, dated := im.wallMoment(*e); e.tuple || dated && e.Stamp.IsZero() {
			im.epoch++
		}
		if e.done || len(e.Argv) == 0 && !e.Loose && !e.Remark {
			continue
		}
		if e.Loose || e.Remark {
			im.record(i, evidence.Probe{Name: "text/remark", Status: evidence.OK}, "remarks", []byte(e.words()))
			continue
		}
		if !im.emitHost(i) {
			im.emitUnknown(i)
		}
	}
	im.emitPeers()
}

// words are what an entry that is no command says.
func (e *entry) words() string {
	if e.Remark {
		return e.Typed + "\n"
	}
	return string(e.Output)
}

// emitUnknown keeps what nobody understands, and lists it.
func (im *importer) emitUnknown(i int) {
	e := &im.entries[i]
	im.listUnknown(*e)
	im.record(i, evidence.Probe{Name: "text/unknown", Status: evidence.Unsupported, Why: "no parser for this command; kept as it came"}, "unknown", e.Output)
}

// listUnknown names a command to whoever imports it, once, however often a loop
// ran it.
func (im *importer) listUnknown(e entry) {
	line := fmt.Sprintf("line %s: ", lineOf(e))
	named := line + evidence.Clip(evidence.Printable(e.Typed), 100)
	for _, u := range slices.Backward(im.unknown) {
		if u == named {
			return
		}
		if !strings.HasPrefix(u, line) {
			break
		}
	}
	im.unknown = append(im.unknown, named)
}

// record files what one entry brought. file is its place below the vantage's
// folder; entries of one kind share it.
func (im *importer) record(i int, p evidence.Probe, file string, b []byte) {
	e := &im.entries[i]
	e.done = true
	im.recordSpan(i, i, p, file, b)
}

func (im *importer) recordSpan(first, last int, p evidence.Probe, file string, b []byte) {
	e := im.entries[first]
	if p.Vantage == "" {
		p.Vantage = im.vantageOf(e.Host)
	}
	if p.Source == "" {
		p.Source = strings.TrimSpace(evidence.Clip(e.Typed, 200))
	}
	if p.Commands == nil {
		p.Commands = []string{evidence.Clip(e.Typed, 400)}
	}
	p.Start, p.End = im.axis.span(output(first), output(last), e.Host)
	if e.cut || e.Truncated {
		p.Truncated = true
	}
	if im.axis.ordered {
		p.Step = last + 1
	}
	if len(b) > 0 {
		p.File = p.Vantage + "/" + evidence.MemberName(strings.TrimPrefix(file, "/"))
		p.Offset, p.Bytes = int64(len(im.raw[p.File])), int64(len(b))
		im.raw[p.File] = append(im.raw[p.File], b...)
	}
	im.probes = append(im.probes, p)
}
