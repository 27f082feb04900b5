package transcript

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Prompts of two lines: the first says who and where, the second is a sign and
// what was typed. Only the second line tells that the first was no output, so a
// line that may be a first one is held back until the next is there.

// A heldLine is one that may be the first line of a prompt.
type heldLine struct {
	line rawLine
	text string
	head found
}

// The first lines that name a host.
var namingHeads = []*regexp.Regexp{
	regexp.MustCompile(`^\[?([A-Za-z_][A-Za-z0-9_.-]{0,31})@([A-Za-z0-9][A-Za-z0-9_.-]{0,63})(?:[: ]| MINGW(?:32|64) | MSYS | UCRT64 )[~/][^$#%>\t]{0,200}\]?$`), // many a PS1, Git for Windows
	regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.-]{0,31}) in (?:🌐 ?)?([A-Za-z0-9][A-Za-z0-9_.-]{0,63}) in \S.{0,200}$`),                                           // starship
	regexp.MustCompile(`^()🌐 ?([A-Za-z0-9][A-Za-z0-9_.-]{0,63}) in \S.{0,200}$`),                                                                                 //
	regexp.MustCompile(`^# ([A-Za-z_][A-Za-z0-9_.-]{0,31}) @ ([A-Za-z0-9][A-Za-z0-9_.-]{0,63}) in \S.{0,200}$`),                                                  // ys
	regexp.MustCompile(`^[~/][^\t@]{0,250} ([A-Za-z_][A-Za-z0-9_.-]{0,31})@([A-Za-z0-9][A-Za-z0-9_.-]{0,63})(?: [^@]{0,100})?$`),                                 // pure, powerlevel10k
	regexp.MustCompile(`^[┌╭][─━][^@]{0,250}[^A-Za-z0-9_.@-]([A-Za-z_][A-Za-z0-9_.-]{0,31})@([A-Za-z0-9][A-Za-z0-9_.-]{0,63})(?:[^A-Za-z0-9_.@-][^@]{0,100})?$`), // the same, framed
}

// namelessHead is a first line without a host: a frame, a home folder, or what
// only a prompt draws, a branch's sign.
var namelessHead = regexp.MustCompile("^(?:[┌╭][─━]|~(?:/|$| )|.{1,200} on \ue0a0)")

// maxHeads bounds the first lines remembered.
const maxHeads = 16

// headLike says whether a line may be the first of a prompt.
func (s *scanner) headLike(text string) (found, bool) {
	if text == "" || len(text) > maxPrompt {
		return found{}, false
	}
	var f found
	body := text
	if stamp, rest, ok := cutStamp(text); ok {
		f.stamp, body = stamp, rest
	}
	for _, r := range namingHeads {
		if m := r.FindStringSubmatch(body); m != nil {
			if f.user, f.host, f.framed = m[1], m[2], true; !f.stamp.Known() {
				f.stamp = stampOf(body)
			}
			return f, true
		}
	}
	f.framed = namelessHead.MatchString(body) || slices.Contains(s.heads, text)
	return f, f.framed
}

// mayHead is cheap for the many lines that begin no prompt.
func (s *scanner) mayHead(b []byte) bool {
	if len(b) == 0 || len(b) > maxPrompt {
		return false
	}
	switch b[0] {
	case '~', boxDrawing, 0xf0: // 🌐
		return true
	}
	return len(s.heads) > 0 || bytes.IndexByte(b, '@') > 0 || bytes.Contains(b, []byte(" in ")) || bytes.Contains(b, []byte("\ue0a0"))
}

// hold keeps a line back that may be the first of a prompt.
func (s *scanner) hold(l rawLine) bool {
	if s.pending != nil || !s.mayHead(l.text) {
		return false
	}
	head, ok := s.headLike(strings.TrimRight(string(l.text), " "))
	if !ok {
		return false
	}
	l.text = slices.Clone(l.text)
	s.held = &heldLine{line: l, text: strings.TrimRight(string(l.text), " "), head: head}
	return true
}

// release takes the line held back, now that the next one is there: it was a
// prompt's first line, or it was output.
func (s *scanner) release(next string) error {
	held := s.held
	s.held = nil
	f, ok := findPrompt(next)
	if ok && s.under(held.head, f) {
		s.names = held.head
		if !slices.Contains(s.heads, held.text) && len(s.heads) < maxHeads {
			s.heads = append(s.heads, held.text)
		}
		s.said.dropBlank()
		return nil
	}
	return s.printed(held.line)
}

// under says whether a prompt is the second line of one.
func (s *scanner) under(head, f found) bool {
	if f.kind != bare && f.kind != plain || !likeCommand(f.rest) {
		return false
	}
	word, _, _ := strings.Cut(strings.TrimSpace(f.rest), " ")
	switch {
	case f.kind == plain:
		return f.text[0] >= 0x80 // a frame's or an arrow
	case head.host == "":
		return false
	}
	return f.text[0] == '$' && !prose(f.rest) || knownProgram(word) || word == "" && len(s.heads) > 0
}

// dropBlank takes away the empty line that such prompts begin with.
func (o *output) dropBlank() {
	if n := len(o.head); o.tail == nil && n > 1 && o.head[n-1] == '\n' && o.head[n-2] == '\n' {
		o.head = o.head[:n-1]
	}
}

// statusLine is what tmux or byobu draw at the bottom of the screen.
var statusLine = regexp.MustCompile(`^(?:\[[^\]\s]{1,40}\] ?[0-9]+:\S.*"[^"]*" [0-2][0-9]:[0-5][0-9] [0-3][0-9]-[A-Z][a-z]{2}-[0-9]{2}| ?u +[0-9]{2}\.[0-9]{2} +[0-9]+:\S.*[0-9]{4}-[0-9]{2}-[0-9]{2} [0-2][0-9]:[0-5][0-9]:[0-5][0-9])\s*$`)

func isStatusLine(s []byte) bool {
	return len(s) > 20 && len(s) < 400 && (s[0] == '[' || s[0] == ' ' || s[0] == 'u') && statusLine.Match(s)
}
