package report

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// summaryLength is what pagers and chat previews commonly keep.
const summaryLength = 1000

// Summary is the incident in at most a thousand characters of plain text.
func Summary(b evidence.Bundle) string {
	v := b.Verdict
	lines := []string{headline(v), joined(" · ", place(b), looked(b)), "holder: " + holder(b)}
	if label, text := disappeared(b); text != "" {
		lines = append(lines, label+": "+text)
	}
	var answers []string
	for _, q := range questions(v) {
		answers = append(answers, q.name+" "+show(q.answer.Value, 20))
	}
	lines = append(lines, strings.Join(answers, ", "))
	if len(v.Open) > 1 {
		lines = append(lines, "open: "+labels(v.Open, " | "))
	}
	for _, s := range v.Next[:min(len(v.Next), 1)] {
		lines = append(lines, "next: "+joined(": ", show(s.Why, 160), show(s.Command, 200)))
	}
	var ids []string
	for _, f := range v.Findings {
		ids = append(ids, show(f.ID, 32))
	}
	if len(ids) > 0 {
		lines = append(lines, "findings: "+evidence.Clip(strings.Join(ids, ", "), 200))
	}
	if len(v.NotRuledOut) > 0 {
		lines = append(lines, "not ruled out: "+labels(v.NotRuledOut, ", "))
	}
	lines = append(lines, "evidence: "+archiveName(b))
	return evidence.Clip(strings.Join(lines, "\n"), summaryLength-1) + "\n"
}

// name is the bundle's folder. Bundles get their name when they are frozen, and
// reports are written before. It stands in commands to paste, so that one a
// shell might take apart is not used.
func name(b evidence.Bundle) string {
	if b.Name != "" && evidence.MemberName(b.Name) == b.Name && !strings.Contains(b.Name, "/") {
		return b.Name
	}
	return evidence.BundleName(b.Capture.Subject.Key, b.Capture.Ended())
}

func archiveName(b evidence.Bundle) string { return name(b) + ".tar.gz" }
