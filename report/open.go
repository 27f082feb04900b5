package report

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// The labels that an inconclusive verdict leaves, side by side.

// whenOpen says which answers would make it this label.
func whenOpen(l evidence.OpenLabel) string {
	var parts []string
	for _, p := range l.If {
		parts = append(parts, p.Question+" "+strings.Join(p.Values, " or "))
	}
	if len(parts) == 0 {
		return "nothing read so far tells it from the others"
	}
	return "if " + strings.Join(parts, ", and ")
}

// open prints them, each with what would make it so.
func (p *page) open(b evidence.Bundle) {
	v := b.Verdict
	if len(v.Open) < 2 {
		return
	}
	if len(b.Scene.Open) == 0 {
		p.row("open", labels(v.Open, " | "))
		return
	}
	column := 0
	for _, l := range b.Scene.Open {
		column = max(column, len(show(string(l.Label), 40))+2)
	}
	label := "open"
	for _, l := range b.Scene.Open {
		p.put(label, show(string(l.Label), 40), column, show(whenOpen(l), longText))
		label = ""
	}
}

func (m *document) open(b evidence.Bundle) {
	if len(b.Verdict.Open) < 2 || len(b.Scene.Open) == 0 {
		return
	}
	m.section("Left open")
	m.line("| label | what would make it so |")
	m.line("|---|---|")
	for _, l := range b.Scene.Open {
		m.line("| %s | %s |", md(string(l.Label)), md(whenOpen(l)))
	}
}
