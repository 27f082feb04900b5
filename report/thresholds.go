package report

import (
	"github.com/lockscene/lockscene/evidence"
)

// What a verdict's numbers were compared with, and who said so.

// threshold is one of them as a clause.
func threshold(t evidence.Threshold) string {
	return show(t.Name, longName) + " " + show(t.Value, longName) + " (" + show(string(t.From), longName) + ")"
}

// thresholds prints them in one row.
func (p *page) thresholds(all []evidence.Threshold) {
	var words []string
	for _, t := range all {
		words = append(words, threshold(t))
	}
	if text := joined("; ", words...); text != "" {
		p.row("thresholds", text)
	}
}

func (m *document) thresholds(all []evidence.Threshold) {
	if len(all) == 0 {
		return
	}
	m.section("Thresholds")
	m.line("What was compared with. What a contract does not say, something else stands in for.\n")
	m.line("| name | value | from |")
	m.line("|---|---|---|")
	for _, t := range all {
		m.line("| %s | %s | %s |", md(t.Name), md(t.Value), md(string(t.From)))
	}
}
