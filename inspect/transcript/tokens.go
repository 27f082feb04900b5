package transcript

import (
	"slices"
	"strings"
)

// Bounds of one command line.
const (
	maxCommandLine = 1 << 16
	maxWords       = 4096
	maxCommands    = 512
)

// A token is a word or an operator of a command line.
type token struct {
	text     string
	operator bool
	heredoc  bool // text is where a here-document ends
	at       int  // where it begins
}

// A lexer splits as a POSIX shell does: quotes, backslashes, operators, and no
// expansion. Redirections and comments are left out.
type lexer struct {
	s        string
	i        int
	out      []token
	word     []byte
	in       bool // within a word, which may be empty
	at       int
	redirect bool // the next word is a file's name
	heredoc  bool // the next word is where a here-document ends
}

func tokenize(s string) []token {
	l := lexer{s: s[:min(len(s), maxCommandLine)]}
	for l.i < len(l.s) && len(l.out) < maxWords {
		if !l.step() {
			break
		}
		l.i++
	}
	l.push()
	return l.out
}

func (l *lexer) peek() byte {
	if l.i+1 < len(l.s) {
		return l.s[l.i+1]
	}
	return 0
}

// step takes one more character; it is false where a comment begins.
func (l *lexer) step() bool {
	switch c := l.s[l.i]; {
	case c == '\\' && l.i+1 < len(l.s):
		l.begin()
		l.i++
		if l.s[l.i] != '\n' {
			l.word = append(l.word, l.s[l.i])
		}
	case c == '\'' || c == '"':
		l.begin()
		l.i = quoted(l.s, l.i, &l.word)
	case c == '`' || c == '$' && (l.peek() == '(' || l.peek() == '{') || c == '(' && !l.in && l.peek() == '(':
		l.begin()
		l.substitution()
	case c == ' ' || c == '\t':
		l.push()
	case c == '#' && !l.in:
		return false
	case c == '>' || c == '<':
		l.angle()
	case c == ';' || c == '\n' || c == '&' || c == '|':
		l.operator(c)
	case (c == '(' || c == ')') && !l.in, c == ')':
		l.push() // a list in brackets prints as one without
	default:
		l.begin()
		l.word = append(l.word, c)
	}
	return true
}

func (l *lexer) begin() {
	if !l.in {
		l.in, l.at = true, l.i
	}
}

func (l *lexer) push() {
	if !l.in {
		return
	}
	switch {
	case l.heredoc:
		l.out = append(l.out, token{text: string(l.word), heredoc: true, at: l.at})
	case !l.redirect:
		l.out = append(l.out, token{text: string(l.word), at: l.at})
	}
	l.word, l.in, l.redirect, l.heredoc = nil, false, false, false
}

// angle takes the sign of a redirection, with a descriptor's number before it.
func (l *lexer) angle() {
	if l.in && allDigits(l.word) {
		l.word, l.in = nil, false
	}
	l.push()
	from := l.i
	for n := l.peek(); n == '>' || n == '<' || n == '&' || n == '|'; n = l.peek() {
		l.i++
	}
	l.redirect = true
	if l.s[from:l.i+1] == "<<" {
		l.heredoc = true
		if l.peek() == '-' {
			l.i++
		}
	}
}

func (l *lexer) operator(c byte) {
	l.push()
	l.redirect, l.heredoc = false, false
	next := l.peek()
	switch {
	case c == '&' && next == '>':
		l.i++
		l.redirect = true
		return
	case c == '&' && next == '&', c == '|' && (next == '|' || next == '&'):
		l.out = append(l.out, token{text: l.s[l.i : l.i+2], operator: true, at: l.i})
		l.i++
		return
	}
	l.out = append(l.out, token{text: string(c), operator: true, at: l.i})
}

// substitution copies $(…), ${…}, ((…)) or `…` as it stands.
func (l *lexer) substitution() {
	depth := 0
	for ; l.i < len(l.s); l.i++ {
		c := l.s[l.i]
		l.word = append(l.word, c)
		switch {
		case c == '`' && depth == 0:
			if end := strings.IndexByte(l.s[l.i+1:], '`'); end >= 0 {
				l.word = append(l.word, l.s[l.i+1:l.i+2+end]...)
				l.i += end + 1
			}
			return
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			if depth--; depth <= 0 {
				return
			}
		}
	}
}

// quoted takes a quoted part and returns where it ends.
func quoted(s string, i int, word *[]byte) int {
	q := s[i]
	for i++; i < len(s) && s[i] != q; i++ {
		if q == '"' && s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\"\\$`", s[i+1]) >= 0 {
			i++
		}
		*word = append(*word, s[i])
	}
	return i
}

func allDigits(b []byte) bool {
	return len(b) > 0 && !slices.ContainsFunc(b, func(c byte) bool { return c < '0' || c > '9' })
}
