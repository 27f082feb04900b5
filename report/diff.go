package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// DiffSchema names the JSON of a comparison.
const DiffSchema = "lockscene/diff/1"

// Diff writes what changed from one bundle to another, a line each, kept together
// by what they are of.
func Diff(w io.Writer, a, b evidence.Bundle, changes []evidence.Change, o Options) error {
	p := newPage(o)
	p.blank()
	p.heading(fmt.Sprintf("%d changes", len(changes)), joined(" · ", place(b), looked(a)+" → "+looked(b)))
	width, label := 0, ""
	for _, c := range changes {
		_, what := parted(c.Where)
		width = max(width, min(len(show(what, longName)), 24))
	}
	for _, c := range changes {
		kind, what := parted(c.Where)
		if kind != label {
			label = kind
			p.blank()
		} else {
			kind = ""
		}
		text := absent(c.Before) + " → " + absent(c.After)
		if c.Note != "" {
			text += "  (" + show(c.Note, longText) + ")"
		}
		p.put(show(kind, longName), show(what, longName), width+2, text)
	}
	p.blank()
	return write(w, p.out.String())
}

// parted splits where a change is into its kind, which heads a group, and which
// of that kind it is.
func parted(where string) (kind, what string) {
	if i := strings.IndexAny(where, "/ "); i >= 0 {
		return where[:i], where[i+1:]
	}
	return where, ""
}

func absent(s string) string {
	if s == "" {
		return "–"
	}
	return show(s, longText)
}

// DiffJSON writes the same for programs, as one line.
func DiffJSON(w io.Writer, a, b evidence.Bundle, changes []evidence.Change) error {
	if changes == nil {
		changes = []evidence.Change{}
	}
	line, err := evidence.Line(struct {
		Schema  string            `json:"schema"`
		A       string            `json:"a"`
		B       string            `json:"b"`
		Changes []evidence.Change `json:"changes"`
	}{DiffSchema, name(a), name(b), changes})
	if err != nil {
		return fmt.Errorf("write changes: %w", err)
	}
	return write(w, string(line))
}
