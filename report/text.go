package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// The card should fit on a screen of 25 lines. Steps stop where findings still
// have room, findings where the last rows have; one of each is always shown.
const (
	stepsEnd    = 20
	findingsEnd = 22
)

// Text writes the verdict card.
func Text(w io.Writer, b evidence.Bundle, o Options) error {
	p := newPage(o)
	v := b.Verdict
	p.blank()
	p.heading(headline(v), joined(" · ", place(b), looked(b)))
	p.blank()
	p.row("holder", holder(b))
	if text := library(b, o.length()); text != "" {
		p.row("library", text)
	}
	if label, text := disappeared(b); text != "" {
		p.row(label, text)
	}
	if text := recovery(v.Times); text != "" {
		p.row("recovery", text)
	}
	p.open(b)
	p.blank()
	for _, q := range questions(v) {
		clause := show(says(q.answer), o.length())
		if len(v.Open) > 1 {
			clause = joined("; ", clause, needs(q.answer))
		}
		p.answer(q.name, show(q.answer.Value, longName), clause)
	}
	p.blank()
	// What would tell the open labels apart is the point of such a card: its steps
	// keep the room that they had.
	p.steps(v.Next, o.Full, stepsEnd+max(0, len(b.Scene.Open)-1))
	p.findings(v.Findings, o)
	p.nodes(b)
	p.others(b)
	p.contradictions(b.Snapshot)
	if o.Full {
		p.grounds(v)
		p.parties(v.Parties)
		p.thresholds(v.Thresholds)
	}
	if o.Frozen != "" {
		p.row("frozen", o.Frozen)
	}
	return write(w, p.out.String())
}

// length is how much of a sentence the card shows: two lines or so.
func (o Options) length() int {
	if o.Full {
		return longText
	}
	return 150
}

// joined joins what is not empty.
func joined(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

// needs names the readings that would settle an open answer: between labels
// left side by side, they are what would tell.
func needs(a evidence.Answer) string {
	if !undecided(a) || len(a.Missing) == 0 {
		return ""
	}
	return "needs " + sources(a.Missing)
}

func labels(all []evidence.Label, sep string) string {
	var names []string
	for _, l := range all {
		names = append(names, show(string(l), 40))
	}
	return strings.Join(names, sep)
}

// steps prints what to do next; a command that does not fit beside its reason
// gets a line of its own.
func (p *page) steps(next []evidence.Step, full bool, end int) {
	label := "next"
	for i, s := range next {
		if i > 0 && !full && p.lines() > end {
			p.row("", fmt.Sprintf("%d more in the report", len(next)-i))
			return
		}
		why, command := show(s.Why, longText), show(s.Command, longLine)
		both := joined(": ", why, command)
		switch {
		case command == "" || len(both) <= p.width-textColumn:
			p.row(label, both)
		case why == "":
			p.row(label, "run")
			p.verbatim(command)
		default:
			p.row(label, why+":")
			p.verbatim(command)
		}
		label = ""
	}
}

// findings prints the weightiest, as many as there is room for.
func (p *page) findings(all []evidence.Finding, o Options) {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b evidence.Finding) int { return weight(b.Severity) - weight(a.Severity) })
	room := len(sorted)
	if !o.Full {
		room = min(room, max(1, findingsEnd-p.lines()))
	}
	column := 0
	for _, f := range sorted[:room] {
		column = max(column, len(show(f.ID, 32))+2)
	}
	label := "findings"
	for i, f := range sorted[:room] {
		clause := show(f.Text, o.length())
		if rest := len(sorted) - room; rest > 0 && i == room-1 {
			clause += fmt.Sprintf(" (%d more in the report)", rest)
		}
		p.put(label, show(f.ID, 32), column, clause)
		if label = ""; o.Full {
			p.put("", "", column, joined("; ", show(f.Advice, longText), "more: lockscene explain "+show(f.ID, 32)))
		}
	}
}

func weight(s evidence.Severity) int {
	switch s {
	case evidence.Critical:
		return 3
	case evidence.Warning:
		return 2
	case evidence.Notice:
		return 1
	}
	return 0
}

// others prints what stands beside the verdict: what else holds, what could
// not be excluded, and whether the watch was cut short.
func (p *page) others(b evidence.Bundle) {
	v := b.Verdict
	if len(v.Also) > 0 {
		p.row("also", labels(v.Also, ", "))
	}
	if len(v.NotRuledOut) > 0 {
		p.row("rivals", labels(v.NotRuledOut, ", ")+" not ruled out")
	}
	if b.Capture.Cut != "" {
		p.row("cut short", show(b.Capture.Cut, longText))
	}
}

// grounds prints the readings behind every answer, and those that were missed.
func (p *page) grounds(v evidence.Verdict) {
	for _, q := range questions(v) {
		if len(q.answer.Because)+len(q.answer.Missing) == 0 {
			continue
		}
		p.blank()
		label := q.name
		for _, c := range q.answer.Because {
			p.row(label, joined(": ", show(c.Reading, longName), show(c.Text, longText)))
			label = ""
		}
		for _, c := range q.answer.Missing {
			p.row(label, "missing "+joined(": ", show(c.Reading, longName), show(c.Text, longText)))
			label = ""
		}
	}
	p.blank()
}
