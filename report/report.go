// Package report draws an evidence.Bundle for people: the card on the
// terminal, the report for the ticket, the summary for the pager, and the
// account of what was read.
//
// It decides nothing. It knows no label, answer or finding by name, and prints
// what the verdict says in the order the verdict says it. What it does know is
// where text is going: every string from outside is escaped for the terminal or
// for Markdown, clipped, and only then laid out.
//
// Colours are a wish of the caller ([Options]); the terminal is never asked,
// since a mute one would keep the responder waiting. One accent colour, of the
// sixteen every terminal has; all else is weight.
package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/lockscene/lockscene/evidence"
)

// Options say how text is drawn for a terminal.
type Options struct {
	Color   bool   // weight and one accent; plain bytes otherwise
	Unicode bool   // without it every rune beyond ASCII is written in ASCII
	Width   int    // columns; zero means 80, and 40 to 160 are kept to
	Frozen  string // path, size and digest of the archive; empty when nothing was frozen
	Full    bool   // all findings and steps, and the readings behind each answer
}

// JSON writes the verdict as one line, so that several make a stream.
func JSON(w io.Writer, b evidence.Bundle) error {
	line, err := evidence.Line(b.Verdict)
	if err != nil {
		return fmt.Errorf("write verdict: %w", err)
	}
	return write(w, string(line))
}

// write wraps the error of an output once.
func write(w io.Writer, s string) error {
	if _, err := io.WriteString(w, s); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// How much of a string from outside is shown. A value may be 64 KiB long, and
// its head says whose it is.
const (
	longName   = 80   // keys, values, client names
	longText   = 300  // sentences of the verdict
	longLine   = 1000 // commands to paste: one that is cut is of no use
	longSource = 120  // commands as sent, paths
)

// show is text from outside, safe for a terminal, of at most n runes.
func show(s string, n int) string { return evidence.Clip(evidence.Printable(s), n) }

// A question is one of the five, with its answer.
type question struct {
	name   string
	answer evidence.Answer
}

func questions(v evidence.Verdict) []question {
	a := v.Answers
	return []question{
		{"lease", a.Lease}, {"owner", a.Owner}, {"path", a.Path}, {"clock", a.Clock}, {"coordinator", a.Coordinator},
	}
}

// undecided says whether the evidence leaves an answer open.
func undecided(a evidence.Answer) bool {
	return a.Value == evidence.Unknown && len(a.Possible) > 1
}

// says is the clause of an answer; an open one without it lists what is
// possible.
func says(a evidence.Answer) string {
	if a.Says == "" && undecided(a) {
		return strings.Join(a.Possible, " or ")
	}
	return a.Says
}

// headline is the verdict in one clause, its label always in it.
func headline(v evidence.Verdict) string {
	s := show(v.Headline, longText)
	switch label := show(string(v.Label), longName); {
	case s == "" && v.Cause == "":
		s = label
	case s == "":
		s = label + ": " + show(v.Cause, longName)
	case !strings.HasPrefix(s, label):
		s = label + ": " + s
	}
	if v.Grade != "" {
		s += " · " + show(string(v.Grade), longName)
	}
	return s
}

// place is where the lock is: key @ address db n.
func place(b evidence.Bundle) string {
	s := b.Capture.Subject
	out := show(s.Key, longName)
	if s.Asked != "" {
		out += " (" + show(s.Asked, longName) + ")"
	}
	if s.Redis != "" {
		out += fmt.Sprintf(" @ %s db %d", show(s.Redis, longName), s.DB)
	}
	return out
}

// looked is when the capture ended; empty when nobody looked, and for a text in
// which no date was read.
func looked(b evidence.Bundle) string {
	at := b.Capture.Ended()
	if len(b.Capture.Vantages) == 0 || at.Unix() == 0 {
		return ""
	}
	return at.Format("2006-01-02 15:04:05Z")
}

// named is the lock's value, or where that is no text what its library makes of it.
func named(b evidence.Bundle) string {
	value := b.Verdict.Holder.Value
	all := b.Snapshot.Dialect.Value.Holders
	if strings.ContainsRune(value, utf8.RuneError) && len(all) == 1 {
		return all[0].Text
	}
	return value
}

// holder is whom the coordinator names, and the process and connection behind.
func holder(b evidence.Bundle) string {
	h := b.Verdict.Holder
	out := show(named(b), longName)
	if out == "" {
		out = "no holder seen"
	}
	var behind []string
	if h.Comm != "" {
		behind = append(behind, show(h.Comm, longName))
	}
	if h.Pid != 0 {
		behind = append(behind, fmt.Sprintf("pid %d", h.Pid))
	}
	if h.Client != "" {
		behind = append(behind, show(h.Client, longName))
	}
	if len(behind) > 0 {
		out += " (" + strings.Join(behind, ", ") + ")"
	}
	if held := heldFor(b); held != "" {
		out += ", held " + held
	}
	if h.Renewer != "" {
		out += ", renewed by " + show(h.Renewer, longName)
	}
	if b.Verdict.State != "" {
		out += " · state " + show(string(b.Verdict.State), longName)
	}
	return out
}
