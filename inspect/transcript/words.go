package transcript

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/inspect/shell"
)

// A command is one pipeline of a list.
type command struct {
	typed      string
	argv       []string
	filters    [][]string
	joint      string // what stands before it: ; && or ||
	loop       bool   // it is the body of a loop
	each       *each  // that loop's variable, where its words are known
	heredoc    string // where its here-document ends; empty: it has none
	host, user string // where it runs, when not here
	in         Inside //
}

// parseList splits a command line into its pipelines: a; b && c | d.
func parseList(typed string) []command {
	typed = typed[:min(len(typed), maxCommandLine)]
	p := listParser{typed: typed}
	for _, t := range tokenize(typed) {
		switch {
		case t.heredoc:
			p.heredoc = t.text
		case !t.operator:
			p.words = append(p.words, t.text)
		case t.text == "|" || t.text == "|&":
			p.pipeline, p.words = append(p.pipeline, p.words), nil
		default:
			p.end(t.at)
			p.begin, p.joint = t.at+len(t.text), t.text
		}
	}
	p.end(len(typed))
	return p.out
}

type listParser struct {
	typed    string
	out      []command
	pipeline [][]string
	words    []string
	heredoc  string
	joint    string
	begin    int
	loops    int // how many are open
	first    int // where the outermost loop's body begins in out
	each     *each
}

func (p *listParser) end(at int) {
	pipeline := append(p.pipeline, p.words)
	c := command{typed: strings.TrimSpace(p.typed[min(p.begin, at):at]), joint: p.joint, heredoc: p.heredoc}
	p.pipeline, p.words, p.heredoc = nil, nil, ""
	for _, words := range pipeline[1:] {
		if words = unwrap(words); len(words) > 0 {
			c.filters = append(c.filters, words)
		}
	}
	words := pipeline[0]
	if len(words) == 0 || len(p.out) >= maxCommands {
		return
	}
	switch words[0] {
	case "for", "select", "while", "until":
		if p.loops++; p.loops == 1 {
			p.first, p.each = len(p.out), eachOf(words)
		} else {
			p.each = nil // a loop within a loop
		}
		if words[0] == "for" || words[0] == "select" {
			return
		}
	case "done":
		p.loops = max(0, p.loops-1)
		for i := p.first; p.loops == 0 && i < len(p.out); i++ {
			p.out[i].filters, p.out[i].each = slices.Concat(p.out[i].filters, c.filters), p.each
		}
		return
	case "fi", "esac", "case", "}":
		return
	}
	c.argv, c.loop = unwrap(words), p.loops > 0 || base(words[0]) == "watch"
	if len(c.argv) == 0 {
		return
	}
	p.out = append(p.out, c.piped()...)
}

// unwrap takes away what stands before the command that prints: assignments,
// sudo, timeout and their like. What wraps nothing stays.
func unwrap(argv []string) []string {
	for range 16 {
		if len(argv) == 0 {
			return argv
		}
		n := 0
		switch word := base(argv[0]); word {
		case "time", "command", "exec", "builtin", "nohup", "unbuffer", "then", "do", "else", "elif", "if", "while", "until", "{", "!", "busybox", "toybox":
			n = 1 + options(argv[1:], "-f -o -a")
		case "sudo", "doas", "env", "nice", "ionice", "stdbuf", "setsid", "chrt", "taskset":
			n = 1 + options(argv[1:], "-u -g -n -c -p -U -C -h -r -t -D -T -R -i -o -e")
			if word == "sudo" || word == "env" || word == "stdbuf" {
				n = 1 + options(argv[1:], "-u -g -p -U -C -h -r -t -D -T -R")
			}
		case "chroot", "timeout":
			n = 2 + options(argv[1:], "-k -s --signal --kill-after")
		case "watch":
			n = 1 + options(argv[1:], "-n --interval")
			if n == len(argv)-1 && strings.ContainsAny(argv[n], " |;") { // watch has the shell read its one word
				if in := parseList(argv[n]); len(in) > 0 {
					return in[0].argv
				}
			}
		case "nsenter":
			n = 1 + options(argv[1:], "-t --target -S -G")
		default:
			if !shell.IsAssignment(argv[0]) {
				return argv
			}
			n = 1
		}
		if n >= len(argv) {
			return argv
		}
		argv = argv[n:]
	}
	return argv
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
