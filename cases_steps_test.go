package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A step of a case: a prompt, what was typed, and what came.
type step struct {
	stamp  string   // in front of the prompt, with its blank
	prompt string   // with its blank
	user   string   // of a shell's prompt
	host   string   //
	node   string   // of redis-cli's own prompt: host:port[db]; empty at a shell
	typed  string   //
	output []string // lines
	open   bool     // the last of them has no newline
	loose  bool     // a remark or other line without a prompt: typed holds it
}

var (
	stepStamp = regexp.MustCompile(`^\[[0-9T:.Z-]+\] `)
	stepShell = regexp.MustCompile(`^(?:([a-z]+)@([a-z0-9-]+):~[$#] |\[([a-z]+)@([a-z0-9-]+) ~\][$#] |([a-z0-9-]+)\$ |\$ )`)
	stepRedis = regexp.MustCompile(`^([a-z0-9.-]+:[0-9]+(?:\[[0-9]+\])?)> `)
)

// steps reads a case: its prompts are of few kinds, and known.
func steps(text string) []step {
	var out []step
	text = strings.TrimSuffix(text, "\n")
	var prompts []string
	for line := range strings.SplitSeq(text, "\n") {
		if before, after, ok := cutGlued(line, prompts); ok && len(out) > 0 {
			last := &out[len(out)-1]
			last.output, last.open = append(last.output, before), true
			line = after
		}
		if s, ok := prompted(line); ok {
			out, prompts = append(out, s), append(prompts, s.prompt)
			continue
		}
		if len(out) == 0 || out[len(out)-1].loose || strings.HasPrefix(line, "## ") {
			out = append(out, step{typed: line, loose: true})
			continue
		}
		last := &out[len(out)-1]
		last.output = append(last.output, line)
	}
	return out
}

func prompted(line string) (step, bool) {
	s := step{stamp: stepStamp.FindString(line)}
	line = line[len(s.stamp):]
	if m := stepRedis.FindStringSubmatch(line); m != nil {
		s.prompt, s.node, s.typed = m[0], m[1], line[len(m[0]):]
		return s, true
	}
	m := stepShell.FindStringSubmatch(line)
	if m == nil {
		return s, false
	}
	s.prompt, s.user, s.host, s.typed = m[0], m[1]+m[3], m[2]+m[4]+m[5], line[len(m[0]):]
	return s, true
}

// cutGlued finds a prompt seen before within a line.
func cutGlued(line string, prompts []string) (before, after string, ok bool) {
	for _, p := range prompts {
		if i := strings.Index(line, p); i > 0 && len(p) > 3 && !stepStamp.MatchString(line) {
			return line[:i], line[i:], true
		}
	}
	return "", "", false
}

func render(steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "%s%s%s\n", s.stamp, s.prompt, s.typed)
		for i, line := range s.output {
			b.WriteString(line)
			if !s.open || i < len(s.output)-1 {
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

func (s step) root() bool { return s.user == "root" || strings.HasSuffix(s.prompt, "# ") }

// shell says whether a command was typed at a shell's prompt, and not one that
// changes the shell.
func (s step) shell() bool {
	return !s.loose && s.node == "" && s.typed != "exit" && !strings.HasPrefix(s.typed, "ssh ")
}

// plain says whether a command is one alone: no pipe, no list.
func (s step) plain() bool { return s.shell() && !strings.ContainsAny(s.typed, "|;&<>$(") }

func (s step) program() string { name, _, _ := strings.Cut(s.typed, " "); return name }

// again is a further step at the same prompt.
func (s step) again(typed string, output ...string) step {
	s.typed, s.output, s.open = typed, output, false
	return s
}

// opensRedis says whether a command is a redis-cli that then prompts itself.
func (s step) opensRedis() bool {
	words := strings.Fields(s.typed)
	if !s.plain() || s.program() != "redis-cli" {
		return false
	}
	for i := 1; i < len(words); i++ {
		if words[i][0] != '-' {
			return false
		}
		if len(words[i]) == 2 || words[i] == "--user" {
			i++ // its value
		}
	}
	return true
}

// asks says whether a command is one question to Redis typed at a shell.
func (s step) asks() bool { return s.shell() && s.program() == "redis-cli" && !s.opensRedis() }
