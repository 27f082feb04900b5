package transcript

import (
	"slices"
	"strings"
)

// A command is one pipeline of a list.
type command struct {
	typed   string
	argv    []string
	filters [][]string
}

// maxWords bounds one command line.
const maxWords = 4096

// A token is a word or an operator of a command line.
type token struct {
	text     string
	operator bool
	at       int // where it begins
}

// parseList splits a command line into its pipelines: a; b && c | d.
func parseList(typed string) []command {
	var out []command
	tokens := tokenize(typed)
	var pipeline [][]token
	var words []token
	begin := 0
	endWords := func() { pipeline, words = append(pipeline, words), nil }
	endList := func(at int) {
		endWords()
		if c, ok := newCommand(pipeline, typed[begin:min(at, len(typed))]); ok {
			out = append(out, c)
		}
		pipeline, begin = nil, at
	}
	for _, t := range tokens {
		switch {
		case !t.operator:
			words = append(words, t)
		case t.text == "|" || t.text == "|&":
			endWords()
		case t.text == ";" || t.text == "&&" || t.text == "||" || t.text == "&" || t.text == "\n":
			endList(t.at)
			begin = t.at + len(t.text)
		}
	}
	endList(len(typed))
	return out
}

func newCommand(pipeline [][]token, typed string) (command, bool) {
	c := command{typed: strings.TrimSpace(typed)}
	for i, words := range pipeline {
		var argv []string
		for _, w := range words {
			argv = append(argv, w.text)
		}
		argv = unwrap(argv)
		switch {
		case i == 0:
			c.argv = argv
		case len(argv) > 0:
			c.filters = append(c.filters, argv)
		}
	}
	// echo CMD | redis-cli asks what was echoed.
	if len(c.filters) > 0 && len(c.argv) > 1 && (base(c.argv[0]) == "echo" || base(c.argv[0]) == "printf") && strings.HasSuffix(base(c.filters[0][0]), "-cli") {
		asked := strings.Fields(strings.NewReplacer(`\r`, "", `\n`, "").Replace(strings.Join(c.argv[1:], " ")))
		c.argv, c.filters = slices.Concat(c.filters[0], asked), c.filters[1:]
	}
	return c, len(c.argv) > 0
}

// tokenize splits as a POSIX shell does: quotes, backslashes, operators, and no
// expansion. Redirections and comments are left out.
func tokenize(s string) []token {
	var out []token
	var word []byte
	in, at, redirect := false, 0, false
	push := func() {
		if in && !redirect {
			out = append(out, token{text: string(word), at: at})
		}
		if in {
			redirect = false
		}
		word, in = nil, false
	}
	begin := func(i int) {
		if !in {
			in, at = true, i
		}
	}
	for i := 0; i < len(s) && len(out) < maxWords; i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s):
			begin(i)
			i++
			if s[i] != '\n' {
				word = append(word, s[i])
			}
		case c == '\'' || c == '"':
			begin(i)
			i = quoted(s, i, &word)
		case c == ' ' || c == '\t':
			push()
		case c == '#' && !in:
			return out
		case c == '>' || c == '<':
			if in && allDigits(word) {
				word, in = nil, false
			}
			push()
			for i+1 < len(s) && (s[i+1] == '>' || s[i+1] == '<' || s[i+1] == '&' || s[i+1] == '|') {
				i++
			}
			redirect = true
		case c == ';' || c == '\n' || c == '&' || c == '|':
			push()
			redirect = false
			n := 1
			if i+1 < len(s) && (c == '&' && (s[i+1] == '&' || s[i+1] == '>') || c == '|' && (s[i+1] == '|' || s[i+1] == '&')) {
				n = 2
			}
			if c == '&' && n == 2 && s[i+1] == '>' {
				redirect = true
			} else {
				out = append(out, token{text: s[i : i+n], operator: true, at: i})
			}
			i += n - 1
		default:
			begin(i)
			word = append(word, c)
		}
	}
	push()
	return out
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

// open says whether a command line goes on in the next one: it ends with a
// backslash, or within quotes.
func unfinished(s string) bool {
	var q byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && q != '\'':
			if i == len(s)-1 {
				return true
			}
			i++
		case q == 0 && (c == '\'' || c == '"'):
			q = c
		case c == q:
			q = 0
		case c == '#' && q == 0 && (i == 0 || s[i-1] == ' '):
			return false
		}
	}
	return q != 0
}

// unwrap takes away what stands before the command that prints: assignments,
// sudo, timeout and their like.
func unwrap(argv []string) []string {
	for range 16 {
		if len(argv) == 0 {
			return argv
		}
		n := 0
		switch word := base(argv[0]); {
		case assignment(argv[0]):
			n = 1
		case word == "time" || word == "command" || word == "exec" || word == "builtin" || word == "nohup" || word == "unbuffer" || word == "then" || word == "do" || word == "{" || word == "(" || word == "!":
			n = 1
		case word == "sudo" || word == "doas" || word == "env" || word == "nice" || word == "ionice" || word == "stdbuf" || word == "chroot" || word == "setsid":
			n = 1 + options(argv[1:], "-u -g -n -c -p -U -C -h -r -t -D -T -R")
			if word == "chroot" {
				n++
			}
		case word == "timeout" || word == "watch":
			n = 1 + options(argv[1:], "-n -k -s --interval --signal")
			if word == "timeout" {
				n++
			}
		case word == "nsenter":
			n = 1 + options(argv[1:], "-t --target -S -G")
		default:
			return argv
		}
		if n >= len(argv) {
			return argv
		}
		argv = argv[n:]
	}
	return argv
}

func assignment(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	if !ok || name == "" {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// options counts the flags in front, with the values of those that take one.
func options(argv []string, valued string) int {
	n := 0
	for n < len(argv) && len(argv[n]) > 1 && argv[n][0] == '-' {
		if argv[n] == "--" {
			return n + 1
		}
		if slices.Contains(strings.Fields(valued), argv[n]) {
			n++
		}
		n++
	}
	return min(n, len(argv))
}
