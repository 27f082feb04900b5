// Package shell understands what everyday commands print about a host: date,
// uptime, ps, cat and its kin, ss, ls, hostname and the like, as somebody pasted
// them.
//
// Each function takes the command as it was typed and its output, and returns
// values; none reads anything itself. The command matters: it says which
// processes were asked for, so that a missing row means something, which
// columns a table without a heading has, and whose text an unnamed part is. A
// filter behind it (| grep) shows a part only, and every result says so: what a
// part does not show is not absent.
//
// The text is not trusted. Whatever does not fit is handed back as not
// understood, and never guessed; work is linear in the text.
package shell

import (
	"fmt"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"
)

// maxOutput is the most that one command may have printed. A socket table of a
// very busy proxy, the longest honest output, has some 20 MB.
const maxOutput = 32 << 20

// maxRows is the most rows of one table that are kept: more than the sockets or
// threads of the busiest honest host. A table that has more is a part of one.
const maxRows = 1 << 17

func bounded(what string, b []byte) error {
	if len(b) > maxOutput {
		return fmt.Errorf("parse %s: %d bytes are more than the %d it may have", what, len(b), maxOutput)
	}
	return nil
}

// lines yields the lines of an output without their ends. A terminal may have
// left carriage returns.
func lines(b []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(string(b)) {
			if !yield(strings.TrimRight(line, "\r\n")) {
				return
			}
		}
	}
}

// firstLine is the first line that is not blank.
func firstLine(b []byte) string {
	for line := range lines(b) {
		if text := strings.TrimSpace(line); text != "" {
			return text
		}
	}
	return ""
}

// clip keeps an error message short when its text is not.
func clip(s string) string { return s[:min(len(s), 80)] }

// A call is one command as typed, taken apart.
type call struct {
	name   string   // without its folder
	args   []string // what follows it, redirections taken out
	env    []string // NAME=value in front of it
	input  string   // the file behind <
	mute   bool     // its errors went elsewhere
	merged bool     // its errors went into the pipe: a filter behind it may have swallowed them
}

// callOf strips what stands around a command without changing what it prints.
func callOf(argv []string) call {
	c := call{}
	rest := c.redirections(argv)
	for len(rest) > 0 {
		word := path.Base(rest[0])
		switch {
		case IsAssignment(rest[0]):
			c.env = append(c.env, rest[0])
			rest = rest[1:]
		case wrapper(word) != "":
			rest = unwrap(wrapper(word), rest[1:])
		default:
			c.name, c.args = word, rest[1:]
			return c
		}
	}
	return c
}

// wrapper is the getopt line of a command that only runs another one.
func wrapper(name string) string {
	switch name {
	case "sudo", "doas":
		return ":u:g:C:p:h:"
	case "env":
		return ":u:C:S"
	case "command", "nohup", "exec", "busybox", "toybox", "time", "setsid", "then", "do":
		return ":"
	case "nice", "ionice":
		return ":n:c:p:"
	case "stdbuf":
		return ":i:o:e:"
	case "timeout":
		return ":s:k:!"
	}
	return ""
}

// unwrap drops a wrapper's own options, and with a "!" its first operand.
func unwrap(spec string, args []string) []string {
	operand := strings.HasSuffix(spec, "!")
	for len(args) > 0 {
		a := args[0]
		switch {
		case a == "--":
			return args[1:]
		case len(a) == 2 && a[0] == '-' && strings.Contains(spec, a[1:]+":") && len(args) > 1:
			args = args[2:]
		case strings.HasPrefix(a, "-"):
			args = args[1:]
		case operand:
			operand, args = false, args[1:]
		default:
			return args
		}
	}
	return nil
}

// IsAssignment says whether a word in front of a command sets a variable for it.
func IsAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	if !ok || name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// Operands are the words behind a program's name that are no options. Options
// that take a value, and stand apart from it, are named.
func Operands(argv []string, valued ...string) []string {
	var out []string
	for i := 1; i < len(argv); i++ {
		switch {
		case slices.Contains(valued, argv[i]):
			i++
		case !strings.HasPrefix(argv[i], "-"):
			out = append(out, argv[i])
		}
	}
	return out
}

// redirections takes them out of the words and notes what they mean.
func (c *call) redirections(argv []string) []string {
	var out []string
	for i := 0; i < len(argv); i++ {
		w := argv[i]
		from := strings.TrimLeft(w, "012&")
		if from == "" || from[0] != '<' && from[0] != '>' {
			out = append(out, w)
			continue
		}
		target := strings.TrimLeft(from, "<>|")
		if target == "" && i+1 < len(argv) {
			i++
			target = argv[i]
		}
		switch {
		case from[0] == '<' && !strings.HasPrefix(from, "<<") && !strings.HasPrefix(target, "("):
			c.input = target
		case w[0] == '2' && target == "&1":
			c.merged = true
		case w[0] == '2' || w[0] == '&':
			c.mute = true
		}
	}
	return out
}

// An option is one option of a command and its value.
type option struct{ name, value string }

// options splits arguments as getopt does. short lists letters: one colon
// behind a letter means that it takes a value, two that a value may be attached.
// long names the long options that take one. A number behind a hyphen is the
// old spelling of -n.
func options(args []string, short string, long ...string) (opts []option, operands []string) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			return opts, append(operands, args[i+1:]...)
		case strings.HasPrefix(a, "--"):
			name, value, attached := strings.Cut(a[2:], "=")
			if !attached && slices.Contains(long, name) && i+1 < len(args) {
				i++
				value = args[i]
			}
			opts = append(opts, option{name, value})
		case len(a) > 1 && a[0] == '-':
			next := ""
			if i+1 < len(args) {
				next = args[i+1]
			}
			found, used := cluster(a[1:], short, next)
			opts = append(opts, found...)
			if used {
				i++
			}
		default:
			operands = append(operands, a)
		}
	}
	return opts, operands
}

// cluster reads the letters of one word; used says that the next word is the
// value of its last letter.
func cluster(letters, short, next string) (opts []option, used bool) {
	if _, err := strconv.Atoi(letters); err == nil {
		return []option{{"n", letters}}, false
	}
	for i := range len(letters) {
		name, rest := letters[i:i+1], letters[i+1:]
		at := strings.Index(short, name+":")
		switch {
		case at < 0 || name == ":":
			opts = append(opts, option{name: name})
		case strings.HasPrefix(short[at+1:], "::") || rest != "":
			return append(opts, option{name, strings.TrimPrefix(rest, "=")}), false
		default:
			return append(opts, option{name, next}), true
		}
	}
	return opts, false
}

func has(opts []option, names ...string) bool {
	return slices.ContainsFunc(opts, func(o option) bool { return slices.Contains(names, o.name) })
}
