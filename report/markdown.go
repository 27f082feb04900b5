package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// Markdown writes report.md: everything a ticket needs, in an order a reader
// can stop at.
func Markdown(w io.Writer, b evidence.Bundle) error {
	m := &document{}
	v := b.Verdict
	m.line("# %s", md(headline(v)))
	m.line("")
	m.line("%s", md(joined(" · ", place(b), looked(b))))
	m.line("")
	m.line("- Holder: %s", md(holder(b)))
	if text := library(b, longText); text != "" {
		m.line("- Library: %s", md(text))
	}
	if d, ok := b.Snapshot.Dialect.Get(); ok {
		for _, note := range d.Notes {
			m.line("- Its keys: %s", md(show(note, longText)))
		}
		for _, a := range d.Alive {
			beat := ""
			if !a.Beat.IsZero() {
				beat = "latest beat " + evidence.FormatTime(a.Beat)
			}
			m.line("- Sign of life: %s", md(joined(": ", show(a.Who, longName), joined("; ", beat, show(a.Text, longText)))))
		}
		m.line("- Releasing by hand: %s", md(show(d.Release, longLine)))
	}
	if label, text := disappeared(b); text != "" {
		m.line("- Owner %s: %s", label, md(text))
	}
	if len(v.Open) > 1 {
		m.line("- Left open by the evidence: %s", md(labels(v.Open, ", ")))
	}
	m.item("Also true", labels(v.Also, ", "))
	m.item("Not ruled out", labels(v.NotRuledOut, ", "))
	m.item("Ticket", b.Capture.Ticket)
	m.item("Note", b.Capture.Note)
	m.item("Watch cut short", b.Capture.Cut)
	m.open(b)
	m.picture(b)
	m.answers(v)
	m.times(b)
	m.contradictions(b.Snapshot)
	m.findings(v.Findings)
	m.nodes(b)
	m.parties(v.Parties)
	m.next(v.Next)
	m.thresholds(v.Thresholds)
	m.read(b)
	m.proof(b)
	return write(w, m.out.String())
}

// A document is Markdown under construction. Text from outside comes in
// through md, or as an indented block of one printable line.
type document struct{ out strings.Builder }

// md makes text from outside safe in a paragraph, item or cell.
func md(s string) string { return evidence.Markdown(evidence.Clip(s, longText)) }

func (m *document) line(format string, args ...any) {
	fmt.Fprintf(&m.out, format+"\n", args...)
}

func (m *document) item(name, text string) {
	if text != "" {
		m.line("- %s: %s", name, md(text))
	}
}

func (m *document) section(title string) { m.line("\n## %s\n", title) }

// code is a block of lines to paste. Indented, because a fence could be closed
// by what stands in it.
func (m *document) code(lines ...string) {
	m.line("")
	for _, l := range lines {
		m.line("    %s", show(l, longText))
	}
	m.line("")
}

// picture is the lanes as text: in a block, because columns matter, and in ASCII, since
// not every ticket's font is as wide as it looks.
func (m *document) picture(b evidence.Bundle) {
	p := newPage(Options{Width: 100})
	p.picture(b, pictureLines)
	if p.out.Len() == 0 {
		return
	}
	m.section("What happened")
	for line := range strings.Lines(p.out.String()) {
		m.line("    %s", strings.TrimRight(line, " \n"))
	}
}

func (m *document) answers(v evidence.Verdict) {
	m.section("The five questions")
	m.line("| question | answer | grade | in words |")
	m.line("|---|---|---|---|")
	for _, q := range questions(v) {
		m.line("| %s | %s | %s | %s |", q.name, md(q.answer.Value), md(string(q.answer.Grade)), md(says(q.answer)))
	}
	for _, q := range questions(v) {
		if len(q.answer.Because)+len(q.answer.Missing) == 0 {
			continue
		}
		m.line("\n%s:\n", q.name)
		m.citations("", q.answer.Because)
		m.citations("missing ", q.answer.Missing)
	}
}

func (m *document) citations(before string, all []evidence.Citation) {
	for _, c := range all {
		m.line("- %s%s", before, md(joined(": ", c.Reading, c.Text)))
	}
}

func (m *document) times(b evidence.Bundle) {
	m.section("Times")
	m.line("All on the coordinator's clock unless another is named; ± is the error, and what overlaps has no order.\n")
	for _, r := range timeRows(b.Verdict.Times) {
		if r.at != nil {
			m.line("- %s: %s", r.name, md(moment(r.at, b.Capture.Ended())))
		}
	}
	for _, r := range rangeRows(b.Verdict.Times) {
		if r.took != nil {
			m.line("- %s: %s", r.name, md(between(r.took)))
		}
	}
}

func (m *document) findings(all []evidence.Finding) {
	m.section("Findings")
	if len(all) == 0 {
		m.line("None.")
	}
	for _, f := range all {
		m.line("- **%s** (%s): %s", md(f.ID), md(string(f.Severity)), md(f.Text))
		for _, c := range f.Because {
			m.line("  - %s", md(joined(": ", c.Reading, c.Text)))
		}
		if f.Advice != "" {
			m.line("  - Advice: %s", md(f.Advice))
		}
		m.line("  - More: `lockscene explain %s`", evidence.MemberName(f.ID))
	}
}

func (m *document) next(steps []evidence.Step) {
	m.section("Next")
	if len(steps) == 0 {
		m.line("Nothing.")
	}
	for _, s := range steps {
		m.line("%s", md(s.Why))
		if s.Command != "" {
			m.code(s.Command)
		}
		m.line("")
	}
}

func (m *document) read(b evidence.Bundle) {
	m.section("What was read")
	for _, v := range b.Capture.Vantages {
		m.line("- %s on %s: %s", md(v.Name), md(v.Host), period(v))
	}
	m.merged(b)
	m.line("")
	m.line("| read | status | reads | took | bytes | why |")
	m.line("|---|---|---:|---:|---:|---|")
	for _, g := range grouped(b) {
		m.line("| %s | %s | %d | %s | %s | %s |", md(g.name), md(string(g.status)), g.reads, span(g.took), size(g.bytes), md(g.why))
	}
}

func (m *document) proof(b evidence.Bundle) {
	m.section("Check this evidence")
	m.line("Without lockscene, and with it:")
	n := name(b)
	m.code("tar xzf "+n+".tar.gz && cd "+n+" && sha256sum -c manifest-sha256.txt", "lockscene evidence verify "+n+".tar.gz")
	m.line("The first proves the bytes. The second also parses and judges them again. %s says what was read, and how.", "ACCESS.md")
}
