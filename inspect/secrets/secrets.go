// Package secrets masks passwords, tokens and keys in text that somebody else
// wrote, before the text is stored and hashed.
//
// It works line by line, because that is what terminals, logs and command lines
// are made of; the few secrets that stand below the line that announces them (a
// private key, the answer to CONFIG GET requirepass, a pod's env list) are what a
// [Masker] remembers between lines. One pass over the bytes looks for the words
// that announce a secret; only lines that hold one are looked at closely, so
// ordinary text costs no more than that pass.
//
// What is masked becomes [Mark]; everything else stays byte for byte. A secret is
// recognised by what carries it: the option, header, variable or command it
// stands behind. A bare token= is no carrier: that is how locks and events write
// fencing tokens, and those are evidence. Where a carrier is in doubt the rules
// mask: a word too many costs a reader a glance, a password too few costs more.
package secrets

import "bytes"

// Mark is what stands where a secret stood.
const Mark = "***"

// Mask returns text with its secrets masked. Text that holds none is returned
// as it came, not copied; masking twice changes no more than masking once.
func Mask(text []byte) []byte {
	var m Masker
	return m.Mask(text)
}

// A Masker masks text that comes in pieces. Pieces must end at a line's end, or
// be the last one. The zero Masker is ready.
type Masker struct {
	below below // what the lines above announced
}

// Mask masks the next piece.
func (m *Masker) Mask(text []byte) []byte {
	t := words()
	var out []byte // nil as long as nothing changed
	kept := 0      // text[:kept] stands in out
	for at := 0; at < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := text[at:end]
		if hints := t.scan(line); hints != 0 || m.below.waiting() {
			body, ending := splitEnding(line)
			if masked, changed := m.line(string(body), hints); changed {
				out = append(append(out, text[kept:at]...), masked...)
				out = append(out, ending...)
				kept = end
			}
		}
		at = end
	}
	if out == nil {
		return text
	}
	return append(out, text[kept:]...)
}

// splitEnding parts a line from its CR and LF, which belong to no secret.
func splitEnding(line []byte) (body, ending []byte) {
	body = bytes.TrimRight(line, "\r\n")
	return body, line[len(body):]
}

// line masks one line: what the lines above announced first, then what it
// announces itself.
func (m *Masker) line(s string, hints hint) (string, bool) {
	was, above := s, m.below
	next, done := m.below.apply(s)
	for range settling {
		again := above // what is masked already may be masked further, as below
		if s, next = next, first(again.apply(next)); s == next {
			break
		}
	}
	s = next
	if !done {
		m.below.note(s, hints)
		s = settled(maskLine(s, hints), s)
	}
	return s, s != was
}

// settling bounds how often a line is masked again.
const settling = 4

func first(s string, _ bool) string { return s }

// settled masks a line that was changed until nothing more does: a mark in the place
// of one word may bring another to light. Lines settle at once but for hostile ones.
func settled(s, was string) string {
	for range settling {
		if s == was {
			break
		}
		was = s
		s = maskLine(s, words().scan([]byte(s)))
	}
	return s
}

// maskLine masks the secrets a line carries by itself.
func maskLine(s string, hints hint) string {
	if hints == 0 {
		return s
	}
	if hints&hintURL != 0 {
		s = maskURLs(s)
	}
	if hints&hintMark != 0 {
		s = maskMarked(s)
	}
	if hints&hintEnv != 0 {
		s = maskEnvironment(s)
	}
	if hints&hintName != 0 {
		s = maskPairs(s)
		s = maskHashes(s)
	}
	if hints&(hintName|hintProgram) != 0 {
		s = maskTokens(s)
	}
	return s
}

// MaskCommand masks the secrets in the arguments of a command, which may be
// Redis's own or a program's. The slice is not changed; the result has as many
// arguments.
func MaskCommand(argv []string) []string {
	out := make([]string, len(argv))
	for i, a := range argv {
		out[i] = maskLine(a, words().scan([]byte(a)))
	}
	args := make([]word, len(out))
	for i, a := range out {
		args[i] = word{text: a, from: 0, to: len(a)}
	}
	for _, c := range cutsIn(args) {
		out[c.word] = out[c.word][:c.from] + Mark + out[c.word][c.to:]
	}
	return out
}
