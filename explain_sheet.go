package main

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/classify/proof"
	"github.com/lockscene/lockscene/report"
)

// explain shows every meaning of a word.
func explain(w io.Writer, name string) error {
	var sheets []string
	for _, g := range groups() {
		for _, e := range report.Entries(g.kind) {
			if strings.EqualFold(e.Word(), name) {
				sheets = append(sheets, sheet(g, e))
			}
		}
	}
	if len(sheets) == 0 {
		return unknownTopic(name, explained())
	}
	_, err := io.WriteString(w, strings.Join(sheets, "\n\n"))
	return err
}

// explainRelease is the release by hand of one library's lock.
func explainRelease(w io.Writer, name string) error {
	var known []string
	for _, e := range report.Entries(report.Libraries) {
		known = append(known, e.Word())
		if !strings.EqualFold(e.Word(), name) {
			continue
		}
		conditions, _ := report.Entry{Kind: report.General, Name: "release"}.Text()
		text, _ := e.Text()
		_, err := fmt.Fprintf(w, "%s\n\n%s, a lock library\n\n%s", conditions, e.Word(), text)
		return err
	}
	return unknownTopic(name, known)
}

// sheet is one meaning. What the rules and the assertions say themselves is put in
// from there, so that it stands in one place.
func sheet(g group, e report.Entry) string {
	text, _ := e.Text()
	sections := report.Sections(text)
	head := e.Word() + ", " + g.one
	switch e.Kind {
	case report.General:
		if e.Name != "release" {
			return text
		}
		return text + "\n\n" + releases()
	case report.Questions:
		sections = append(sections, answersTo(e.Name))
	case report.Answers:
		if q := path.Dir(e.Name); q != "." {
			head += " to " + q
		}
	case report.Findings:
		if advice, ok := classify.Advice(e.Name); ok {
			sections = slices.Insert(sections, 1, report.Section{Title: "What to do", Body: report.Paragraph(advice, 2)})
		}
	case report.Assertions:
		asserts, mistake, _ := proof.Explain(e.Name)
		sections = slices.Concat(
			[]report.Section{{Body: report.Paragraph("Asserts: "+asserts+".", 0)}}, sections[:1],
			[]report.Section{{Title: "Common mistake", Body: report.Paragraph(mistake, 2)}}, sections[1:])
	case report.Libraries:
		sections = slices.Insert(sections, 0, report.Section{
			Body: "For a release by hand. What must be true before anybody releases is in\nlockscene explain release",
		})
	}
	return head + "\n\n" + report.Sheet(sections)
}

// answersTo lists a question's answers, each with what it says.
func answersTo(question string) report.Section {
	var lines []string
	for _, q := range classify.Questions() {
		if q.Name != question {
			continue
		}
		for _, a := range q.Answers {
			lines = append(lines, fmt.Sprintf("  %-10s%s", a, gist(question, a)))
		}
	}
	return report.Section{Title: "Answers", Body: strings.Join(lines, "\n")}
}

// gist is an answer's first line.
func gist(question, answer string) string {
	for _, name := range []string{question + "/" + answer, answer} {
		if text, ok := (report.Entry{Kind: report.Answers, Name: name}).Text(); ok {
			line, _, _ := strings.Cut(text, "\n")
			return line
		}
	}
	return ""
}

// releases is what every library offers, one below the other.
func releases() string {
	out := "Library by library"
	for _, e := range report.Entries(report.Libraries) {
		text, _ := e.Text()
		var body []string
		for _, s := range report.Sections(text) {
			if s.Title == "" {
				continue
			}
			body = append(body, "  "+s.Title, "  "+strings.ReplaceAll(s.Body, "\n", "\n  "))
		}
		out += "\n\n" + e.Word() + "\n" + strings.Join(body, "\n")
	}
	return out + "\n\nWhat must be true before any of this stands above; one library by itself:\nlockscene explain release LIBRARY\n"
}
