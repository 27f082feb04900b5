package report

import (
	"fmt"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Placings says of every vantage of a merged capture how its clock was tied to
// the first one's; nothing of a capture that was not merged.
func Placings(b evidence.Bundle) []string {
	var out []string
	for i, v := range b.Capture.Vantages {
		if v.From != "" {
			out = append(out, fmt.Sprintf("%s on %s, from %s: %s", show(v.Name, longName), show(v.Host, longName), show(v.From, longName), placed(v, i == 0)))
		}
	}
	return out
}

// placed is how one vantage came by its place in time.
func placed(v evidence.Vantage, first bool) string {
	within := " ±" + span(v.Width)
	if v.Width < 100*time.Nanosecond {
		within = ""
	}
	switch v.Placed {
	case evidence.SameBoot:
		return "on the same machine's clock"
	case evidence.ByCoordinator:
		return "placed by Redis's own clock" + within
	case evidence.ByWall:
		return "placed by the hosts' wall clocks, which both are kept" + within
	case evidence.ByPromise:
		return "placed by the hosts' wall clocks, as far apart as was said" + within
	case evidence.Unplaced:
		return "not ordered against the others: they met no Redis in common, and do not say how well their clocks are kept"
	}
	if first {
		return "its clock is the axis"
	}
	return "placed" + within
}

// contradictions prints what vantages say against each other.
func (p *page) contradictions(s evidence.Snapshot) {
	label := "disputed"
	for _, c := range s.Contradictions {
		p.row(label, show(c.Text, longText))
		label = ""
	}
}

func (m *document) contradictions(s evidence.Snapshot) {
	if len(s.Contradictions) == 0 {
		return
	}
	m.section("Contradictions between vantages")
	m.line("Shown as they are; nothing that rests on one of them is called proven.\n")
	for _, c := range s.Contradictions {
		m.line("- %s", md(c.Text))
		for _, side := range []evidence.Citation{c.A, c.B} {
			if side.Reading != "" {
				m.line("  - %s", md(joined(": ", side.Reading, side.Text)))
			}
		}
	}
}

// merged says how the vantages of a merged capture came together.
func (m *document) merged(b evidence.Bundle) {
	for _, line := range Placings(b) {
		m.line("- Merged: %s", md(line))
	}
}

// widened is by how much merging made the spans of each vantage's reads longer
// than the reads were.
func widened(b evidence.Bundle) map[string]time.Duration {
	out := make(map[string]time.Duration)
	for _, v := range b.Capture.Vantages {
		out[v.Name] = 2 * v.Width
	}
	return out
}
