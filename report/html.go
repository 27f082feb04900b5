package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// The page is one file: no script, no request, nothing that a ticket system would strip
// but the style. html/template escapes what comes from outside.
//
//go:embed page/page.html page/style.css
var pageFiles embed.FS

// SVG writes the picture alone, with its style: an image for a ticket or a page. Where
// nothing can be laid on an axis it says so instead of drawing an empty one.
func SVG(w io.Writer, b evidence.Bundle) error {
	style, err := pageFiles.ReadFile("page/style.css")
	if err != nil {
		return fmt.Errorf("read the page's style: %w", err)
	}
	drawn, _ := picture(b)
	if drawn == "" {
		return fmt.Errorf("nothing in this bundle can be laid on an axis of time")
	}
	head, body, _ := strings.Cut(drawn, "\n")
	head = strings.Replace(head, "<svg ", `<svg xmlns="http://www.w3.org/2000/svg" `, 1)
	ground := `<rect width="100%" height="100%" class="paper"/>`
	return write(w, head+"\n<style>"+string(style)+"</style>\n"+ground+body+"\n")
}

// HTML writes a bundle as one page for whoever opens the ticket later.
func HTML(w io.Writer, b evidence.Bundle) error {
	style, err := pageFiles.ReadFile("page/style.css")
	if err != nil {
		return fmt.Errorf("read the page's style: %w", err)
	}
	t, err := template.New("page.html").ParseFS(pageFiles, "page/page.html")
	if err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	v := viewOf(b)
	v.Style = template.CSS(style)
	if err := t.Execute(w, v); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// pictureKey says how to read what is drawn.
const pictureKey = ". Whiskers and shades show how far a moment may be off; hatched is between two looks that differ, dotted is not there; a short stroke is one of many alike: a renewal, a heartbeat, a write, or what happened to others; dashed is what would follow."

// A view is what the page prints, in its order, already clipped.
type view struct {
	Style                     template.CSS
	Headline                  string
	Place, Looked, Tool, Name string
	Facts                     []fact
	Open                      []openLabel
	Picture                   template.HTML // made here; everything in it was escaped
	Axis                      string
	Marks                     []markRowView
	Beyond                    string
	Questions                 []questionView
	Times                     []fact
	Findings                  []findingView
	Next                      []evidence.Step
	Parties                   []string
	Thresholds                []string
	Reads                     []readView
	Nodes                     []string
	Contradictions            []string
	Archive                   string
}

type fact struct{ Name, Text string }

type openLabel struct{ Label, If string }

type markRowView struct {
	N                int
	When, Lane, Text string
}

type questionView struct {
	Name, Value, Grade, Says string
	Because, Missing         []string
}

type findingView struct {
	ID, Severity, Text, Advice string
	Because                    []string
}

type readView struct {
	Name, Status, Took, Size, Why string
	Reads                         int
}

func viewOf(b evidence.Bundle) view {
	v := b.Verdict
	out := view{
		Headline: headline(v),
		Place:    place(b), Looked: looked(b), Tool: show(b.Capture.Tool, longName), Name: name(b), Archive: name(b) + ".tar.gz",
		Facts: facts(b), Times: timeFacts(b), Next: nextSteps(v), Parties: partyLines(v.Parties),
	}
	svg, legend := picture(b)
	out.Picture, out.Axis = template.HTML(svg), axisSays(b.Scene)+pictureKey
	for _, m := range legend {
		out.Marks = append(out.Marks, markRowView{m.n, when(m, b.Scene, b.Capture.Ended()), show(string(m.Lane), longName), show(m.Text, longText)})
	}
	if n := b.Scene.Earlier + b.Scene.Later; n > 0 {
		out.Beyond = fmt.Sprintf("%d events lie before and %d after what the picture shows; timeline.ndjson has them all.", b.Scene.Earlier, b.Scene.Later)
	}
	for _, l := range b.Scene.Open {
		out.Open = append(out.Open, openLabel{show(string(l.Label), longName), whenOpen(l)})
	}
	for _, q := range questions(v) {
		out.Questions = append(out.Questions, questionView{
			Name: q.name, Value: show(q.answer.Value, longName), Grade: show(string(q.answer.Grade), longName), Says: show(says(q.answer), longText),
			Because: citationLines(q.answer.Because), Missing: citationLines(q.answer.Missing),
		})
	}
	for _, f := range v.Findings {
		out.Findings = append(out.Findings, findingView{show(f.ID, longName), show(string(f.Severity), longName), show(f.Text, longText), show(f.Advice, longText), citationLines(f.Because)})
	}
	for _, t := range v.Thresholds {
		out.Thresholds = append(out.Thresholds, threshold(t))
	}
	out.Nodes = nodeLines(b)
	for _, g := range grouped(b) {
		out.Reads = append(out.Reads, readView{show(g.name, longSource), show(string(g.status), longName), span(g.took), size(g.bytes), show(g.why, longText), g.reads})
	}
	for _, c := range b.Snapshot.Contradictions {
		out.Contradictions = append(out.Contradictions, show(c.Text, longText))
	}
	return out
}

func citationLines(all []evidence.Citation) []string {
	var out []string
	for _, c := range all {
		out = append(out, show(joined(": ", c.Reading, c.Text), longText))
	}
	return out
}

func facts(b evidence.Bundle) []fact {
	v := b.Verdict
	out := []fact{{"holder", holder(b)}}
	add := func(name, text string) {
		if text != "" {
			out = append(out, fact{name, text})
		}
	}
	add("library", library(b, longText))
	if label, text := disappeared(b); text != "" {
		add(label, text)
	}
	add("recovery", recovery(v.Times))
	add("also true", labels(v.Also, ", "))
	add("not ruled out", labels(v.NotRuledOut, ", "))
	add("ticket", show(b.Capture.Ticket, longText))
	add("note", show(b.Capture.Note, longText))
	add("watch cut short", show(b.Capture.Cut, longText))
	return out
}

func timeFacts(b evidence.Bundle) []fact {
	var out []fact
	for _, r := range timeRows(b.Verdict.Times) {
		if r.at != nil {
			out = append(out, fact{r.name, moment(r.at, b.Capture.Ended())})
		}
	}
	for _, r := range rangeRows(b.Verdict.Times) {
		if r.took != nil {
			out = append(out, fact{r.name, between(r.took)})
		}
	}
	return out
}

func nextSteps(v evidence.Verdict) []evidence.Step {
	var out []evidence.Step
	for _, s := range v.Next {
		out = append(out, evidence.Step{Why: show(s.Why, longText), Command: show(s.Command, longLine)})
	}
	return out
}
