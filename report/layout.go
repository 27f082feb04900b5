package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"github.com/lockscene/lockscene/evidence"
)

// A page is text in columns: a label, sometimes a value, and a clause that
// wraps under itself. Everything printed passes through put, so that is where
// text is made safe, whatever its origin.
type page struct {
	out     strings.Builder
	width   int
	unicode bool
	title   lipgloss.Style // the accent
	label   lipgloss.Style
	value   lipgloss.Style
}

// Columns: two of margin, the longest label, two between.
const (
	labelWidth = len("disappeared")
	margin     = 2
	textColumn = margin + labelWidth + 2
	valueWidth = 11 // the longest answer and two spaces
)

func newPage(o Options) *page {
	profile := termenv.Ascii
	if o.Color {
		profile = termenv.ANSI
	}
	// The writer is never written to; a renderer on the real output would look
	// at the environment, and with an adaptive colour ask the terminal.
	r := lipgloss.NewRenderer(io.Discard, termenv.WithProfile(profile))
	r.SetColorProfile(profile)
	width := o.Width
	if width == 0 {
		width = 80
	}
	return &page{
		width: min(max(width, 40), 160), unicode: o.Unicode,
		title: r.NewStyle().Bold(true).Foreground(lipgloss.ANSIColor(6)),
		label: r.NewStyle().Faint(true),
		value: r.NewStyle().Bold(true),
	}
}

// clean is the one way to the page: one line, nothing hidden, and in ASCII
// where that is asked for.
func (p *page) clean(s string) string {
	s = evidence.Printable(s)
	if p.unicode {
		return s
	}
	return ascii(s)
}

// lines is how many there are so far.
func (p *page) lines() int { return strings.Count(p.out.String(), "\n") }

func (p *page) blank() { p.out.WriteByte('\n') }

// row is a label and a clause.
func (p *page) row(label, text string) { p.put(label, "", 0, text) }

// answer is a label, a value and a clause, in three columns.
func (p *page) answer(label, value, text string) { p.put(label, value, valueWidth, text) }

// put writes a label, a value in a column of the given width, and a clause with
// a hanging indent. A column of zero means there is no value.
func (p *page) put(label, value string, column int, text string) {
	label, value, text = p.clean(label), p.clean(value), p.clean(text)
	if column > 0 {
		// A value too wide for its column moves the clause, never runs into it.
		column = min(max(column, lipgloss.Width(value)+2), p.width/2)
		value = cut(value, column-2)
	}
	head := strings.Repeat(" ", margin) + styled(p.label, label, labelWidth) + "  " + styled(p.value, value, column)
	for _, line := range wrap(text, p.width-textColumn-column) {
		p.write(head, line)
		head = strings.Repeat(" ", textColumn+column)
	}
}

// styled pads s to n columns; the padding has no style, so that it can be
// trimmed.
func styled(style lipgloss.Style, s string, n int) string {
	padding := strings.Repeat(" ", max(0, n-lipgloss.Width(s)))
	if s == "" {
		return padding
	}
	return style.Render(s) + padding
}

// verbatim is a line to paste: never wrapped, since half a command is a trap.
func (p *page) verbatim(text string) {
	p.write(strings.Repeat(" ", textColumn+2), p.clean(text))
}

func (p *page) write(head, line string) {
	if line == "" {
		head = strings.TrimRight(head, " ")
	}
	p.out.WriteString(head)
	p.out.WriteString(line)
	p.out.WriteByte('\n')
}

// heading puts two clauses at the two edges of a line, or on two lines.
func (p *page) heading(left, right string) {
	left, right = p.clean(left), p.clean(right)
	gap := p.width - margin - lipgloss.Width(left) - lipgloss.Width(right)
	if gap >= 2 && right != "" {
		p.write("  "+p.title.Render(left)+strings.Repeat(" ", gap), p.label.Render(right))
		return
	}
	for _, line := range wrap(left, p.width-margin) {
		p.write("  ", p.title.Render(line))
	}
	if right != "" {
		for _, line := range wrap(right, p.width-margin) {
			p.write("  ", p.label.Render(line))
		}
	}
}

// cut shortens s to at most n columns.
func cut(s string, n int) string {
	used := 0
	for i, r := range s {
		if used += lipgloss.Width(string(r)); used > n {
			return s[:i]
		}
	}
	return s
}

// wrap breaks at spaces, and inside a word only when it fits no line. It always
// gives at least one line.
func wrap(s string, width int) []string {
	width = max(width, 8)
	var lines []string
	line, used := "", 0
	for word := range strings.FieldsSeq(s) {
		w := lipgloss.Width(word)
		if used > 0 && used+1+w > width {
			lines, line, used = append(lines, line), "", 0
		}
		for w > width {
			head := cut(word, width)
			lines = append(lines, head)
			word = word[len(head):]
			w = lipgloss.Width(word)
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+w
	}
	return append(lines, line)
}

// ascii spells out the runes lockscene itself prints, and escapes the others.
func ascii(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case spelled(r) != "":
			b.WriteString(spelled(r))
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func spelled(r rune) string {
	switch r {
	case '·', '−', '–', '—':
		return "-"
	case '±':
		return "+/-"
	case '…':
		return "..."
	case '→':
		return "->"
	case '≥':
		return ">="
	case '≤':
		return "<="
	case '×':
		return "x"
	case 'µ':
		return "u"
	}
	return ""
}
