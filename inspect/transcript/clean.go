package transcript

import (
	"bytes"
	"regexp"
)

// maxQuoting bounds how deep a ticket may have quoted a text.
const maxQuoting = 4

// quoting is what every line of the beginning has in front of it: an answer's
// "> ", a code block's indentation. whole says that no more follows.
func quoting(head []byte, whole bool) []byte {
	if !whole {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	var all []byte
	for range maxQuoting {
		p := commonMark(head, all)
		if len(p) == 0 {
			break
		}
		all = append(all, p...)
	}
	return all
}

// commonMark is one more level of quoting behind those known.
func commonMark(head, known []byte) []byte {
	lines, indent := 0, -1
	quoted := true
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) > len(known) {
			line = unquote(line, known)
		} else {
			line = nil
		}
		if len(bytes.TrimSpace(line)) == 0 || string(line) == ">" {
			continue
		}
		lines++
		quoted = quoted && bytes.HasPrefix(line, []byte("> "))
		n := len(line) - len(bytes.TrimLeft(line, " \t"))
		if indent < 0 || n < indent {
			indent = n
		}
	}
	switch {
	case lines < 2:
		return nil
	case quoted:
		return []byte("> ")
	}
	return bytes.Repeat([]byte(" "), max(0, indent))
}

// unquote takes the quoting off one line; a line that has less of it loses what
// it has.
func unquote(line, quoting []byte) []byte {
	for _, mark := range quoting {
		switch {
		case len(line) == 0:
			return line
		case line[0] == mark, mark == ' ' && line[0] == '\t':
			line = line[1:]
		default:
			return line
		}
	}
	return line
}

// padded says whether most lines of the beginning end in blanks: terminals that
// copy a screen's full width fill them up so. Few commands print any.
func padded(head []byte) bool {
	lines, blank := 0, 0
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if lines++; line[len(line)-1] == ' ' {
			blank++
		}
	}
	return lines > 3 && blank > lines/2
}

// trimPadding takes those blanks away, but for one behind a prompt.
func trimPadding(line []byte) []byte {
	short := bytes.TrimRight(line, " ")
	if len(short) > 0 && len(short) < len(line) && bytes.IndexByte([]byte("$#%>"), short[len(short)-1]) >= 0 {
		return line[:len(short)+1]
	}
	return short
}

var (
	ansi = regexp.MustCompile("\x1b(?:\\[[0-9:;?<>=]*[ -/]*[@-~]|[\\]kP][^\x07\x1b]*(?:\x07|\x1b\\\\)|[()][A-Za-z0-9]|[=>78cM])")

	// caret is the same as less and cat -v show it.
	caret = regexp.MustCompile(`\^\[(?:\[[0-9:;?]*[A-Za-z]|\][0-9]+;.*?(?:\^G|\^\[\\))`)

	// zshMark is what zsh prints before a prompt, to end a line that somebody left
	// open: its sign and a screen's width of blanks.
	zshMark = regexp.MustCompile(`[%#] {8,}\r ?\r`)
)

// clean takes colour codes, carriage returns and what the typist undid away.
func clean(s []byte) []byte {
	if bytes.IndexByte(s, 0x1b) >= 0 {
		s = ansi.ReplaceAll(s, nil)
	}
	if bytes.Contains(s, []byte("^[")) {
		s = caret.ReplaceAll(s, nil)
	}
	s = bytes.TrimRight(s, "\r")
	if bytes.IndexByte(s, '\r') >= 0 {
		s = bytes.ReplaceAll(zshMark.ReplaceAll(s, nil), []byte("\r"), nil)
	}
	if bytes.IndexByte(s, '\b') >= 0 {
		s = backspaced(s)
	}
	return s
}

func backspaced(s []byte) []byte {
	out := make([]byte, 0, len(s))
	for _, c := range s {
		switch {
		case c != '\b':
			out = append(out, c)
		case len(out) > 0:
			out = out[:len(out)-1]
		}
	}
	return out
}

// A fence is what a ticket puts around pasted text.
var fence = regexp.MustCompile("^\\s{0,3}(?:(?:```|~~~)[A-Za-z0-9_+-]*|\\{(?:code|noformat)(?::[^}]*)?\\}|\\[/?code\\])\\s*$")

// isFence is cheap for the many lines that are none.
func isFence(s []byte) bool {
	t := bytes.TrimLeft(s, " ")
	if len(t) < 3 || len(t) > 100 {
		return false
	}
	switch t[0] {
	case '`', '~':
		return t[1] == t[0] && fence.Match(s)
	case '{', '[':
		return (t[1] == 'c' || t[1] == 'n' || t[1] == '/') && fence.Match(s)
	}
	return false
}

// A password's question stands before the output that it held up.
var askedPassword = regexp.MustCompile(`^(?:\[sudo(?:: authenticate)?\] password for [^:]{1,64}: ?|\[sudo\] [^:]{1,64}: ?|Password: ?|[^ ]{1,128}@[^ ]{1,128}'s password: ?)$`)
