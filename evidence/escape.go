package evidence

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable makes text from outside safe to print on a terminal: whatever is
// not a visible character or a plain space becomes a visible escape, \x1b for a
// control or a byte that is no UTF-8, \u202e for marks that turn, hide or break
// text. Tabs and newlines are escaped too, so the result is one line.
//
// A backslash stays as it is, because JSON values are full of them: the output
// is for reading, and cannot be turned back.
func Printable(s string) string {
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case !hidden(r):
			b.WriteString(s[:n])
		default:
			b.WriteString(escapeRune(r))
		}
		s = s[n:]
	}
	return b.String()
}

// hidden says whether r must be escaped. RuneError counts, since it is how a
// broken byte looks.
func hidden(r rune) bool {
	return r == utf8.RuneError || r != ' ' && !unicode.IsPrint(r)
}

func escapeRune(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r == '\r':
		return `\r`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// Clip shortens s to at most n runes; a cut shows as an ellipsis, which counts.
func Clip(s string, n int) string {
	if n <= 0 {
		return ""
	}
	if len(s) <= n {
		return s
	}
	seen, keep := 0, 0
	for i := range s {
		if seen == n-1 {
			keep = i
		}
		if seen++; seen > n {
			return s[:keep] + "…"
		}
	}
	return s
}

// Markdown makes text from outside safe inside a paragraph, list item or table
// cell of a ticket: printable, and with everything escaped that could become
// markup, a table cell's end, a tag, a link, or a mention that sends mail.
func Markdown(s string) string {
	s = Printable(s)
	var b strings.Builder
	start := len(s) - len(strings.TrimLeft(s, " 0123456789"))
	for i, r := range s {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '@' && !strings.HasPrefix(s[i:], "@ "):
			// An entity would be decoded before mentions are looked for, so
			// the name is parted from its sign by a space of no width.
			b.WriteString("@\u200b")
		case r == ':' && strings.HasPrefix(s[i:], "://"):
			b.WriteString("&#58;")
		case r == '.' && endsInWWW(s[:i]), i == start && strings.ContainsRune("-+=.)", r), strings.ContainsRune("\\`*_[]|~#!$", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func endsInWWW(s string) bool {
	return len(s) >= 3 && strings.EqualFold(s[len(s)-3:], "www")
}
