package report

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Line is one line of clauses that a terminal of o.Width columns never wraps: the
// first clause, shortened where it must be, and those of the others that fit whole.
// The last column stays empty, since some terminals wrap as soon as it is filled.
func Line(clauses []string, o Options) string {
	p := newPage(o)
	room := o.Width - 1
	if o.Width == 0 {
		room = p.width - 1
	}
	line := ""
	for i, clause := range clauses {
		clause = p.clean(clause)
		switch {
		case columns(line+clause) <= room:
			line += clause
		case i == 0:
			return shorten(clause, p.clean("…"), room)
		}
	}
	return line
}

// shorten cuts s to room columns, the mark of the cut among them.
func shorten(s, mark string, room int) string {
	if columns(mark) > room {
		mark = ""
	}
	s = cut(s, max(0, room-columns(mark)))
	for s != "" && columns(s+mark) > room {
		r := []rune(s)
		s = string(r[:len(r)-1])
	}
	return strings.TrimRight(s, " ") + mark
}

// columns is how wide s may be drawn. Terminals do not agree on runes that change
// the one before them: the wider reading counts.
func columns(s string) int {
	apart := 0
	for _, r := range s {
		apart += lipgloss.Width(string(r))
	}
	return max(apart, lipgloss.Width(s))
}
