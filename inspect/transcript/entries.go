package transcript

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/inspect/redis"
)

// begin makes the entries of one command line; their output comes later.
func (s *scanner) begin(line string) error {
	f := s.head
	e := Entry{Line: s.at, Host: s.shell().host, User: s.shell().user, In: s.shell().in, Terminal: s.terminal,
		Stamp: f.stamp, Precision: f.precision, Zoned: f.zoned, Typed: strings.TrimSpace(line)}
	s.open, s.commands, s.body, s.cut = nil, nil, nil, false
	if f.kind == redisIs {
		e.Redis = f.session
		e.Argv = tokensOf(line)
		s.open = []Entry{e}
		return nil
	}
	commands, loop := unroll(parseList(line))
	if len(commands) == 0 {
		s.open = []Entry{e} // Enter, or a comment
		return nil
	}
	for _, c := range commands {
		s.open = append(s.open, s.entryOf(e, c))
	}
	if loop {
		s.commands = commands
	}
	return nil
}

// tokensOf splits a command typed at redis-cli's own prompt.
func tokensOf(line string) []string {
	var out []string
	for _, t := range tokenize(line) {
		out = append(out, t.text)
	}
	return out
}

// entryOf fills one command in, and follows it into other shells.
func (s *scanner) entryOf(e Entry, c command) Entry {
	e.Host, e.User, e.In = s.shell().host, s.shell().user, s.shell().in
	e.Typed, e.Argv, e.Filters = c.typed, c.argv, c.filters
	var inner []string
	switch base(c.argv[0]) {
	case "ssh", "slogin":
		host, cmd := remote(c.argv)
		if len(cmd) > 0 {
			inner = cmd
			e.Host, e.User = host, ""
		}
	case "docker", "podman", "kubectl", "crictl", "oc", "nerdctl":
		if container, cmd := within(c.argv); container != "" && len(cmd) > 0 && !interactive(cmd) {
			inner, e.In = cmd, container
		}
	case "sh", "bash", "ash", "dash":
		if i := slices.Index(c.argv, "-c"); i > 0 && i+1 < len(c.argv) {
			inner = []string{c.argv[i+1]}
		}
	}
	if len(inner) > 0 {
		if in := parseList(strings.Join(inner, " ")); len(in) > 0 {
			e.Argv, e.Filters = in[0].argv, slices.Concat(in[0].filters, c.filters)
		}
	}
	s.follow(c.argv, inner)
	return e
}

// unroll takes the body out of a loop.
func unroll(commands []command) ([]command, bool) {
	if len(commands) == 0 {
		return nil, false
	}
	first := commands[0].argv[0]
	if first != "for" && first != "while" && first != "until" {
		return commands, false
	}
	var body []command
	inside := false
	for _, c := range commands[1:] {
		typed := c.typed
		if rest, ok := strings.CutPrefix(typed, "do "); ok {
			inside, typed = true, rest
		}
		if typed == "done" || strings.HasPrefix(typed, "done ") {
			break
		}
		if again := parseList(typed); inside && len(again) > 0 {
			body = append(body, again[0])
		}
	}
	return body, len(body) > 0
}

// flush hands the entries under way over, each with its part of the output.
func (s *scanner) flush() error {
	open, body := s.open, s.body
	cut, commands := s.cut, s.commands
	s.open, s.body, s.cut, s.commands = nil, nil, false, nil
	if len(open) == 0 {
		if len(bytes.TrimSpace(body)) == 0 {
			return nil
		}
		return s.each(Entry{Line: 1, Host: s.shell().host, Terminal: s.terminal, Loose: true, Output: body, Truncated: cut})
	}
	if len(commands) > 0 {
		open, body = rounds(open, body)
	}
	parts, shared := share(open, body)
	for i := range open {
		open[i].Output, open[i].Truncated, open[i].Shared = parts[i], cut, shared[i]
		if err := s.each(open[i]); err != nil {
			return err
		}
	}
	return nil
}

// rounds repeats the commands of a loop's body as often as their output shows,
// where each of them prints a known number of lines.
func rounds(open []Entry, body []byte) ([]Entry, []byte) {
	per := 0
	for _, e := range open {
		n, known := shape(e)
		if !known {
			return open, body
		}
		per += n
	}
	n := bytes.Count(body, []byte("\n"))
	const most = 10_000
	if per == 0 || n <= per || n/per > most {
		return open, body
	}
	var out []Entry
	for range n / per {
		out = append(out, open...)
	}
	return out, body
}

// share gives each command of a list its lines. Those that print a known number
// take theirs from both ends; one of unknown length has what is left. When there
// are several, whose a line is can only be guessed: the first has them all.
func share(open []Entry, body []byte) (parts [][]byte, shared []bool) {
	parts, shared = make([][]byte, len(open)), make([]bool, len(open))
	if len(open) == 1 {
		parts[0] = body
		return parts, shared
	}
	first, last := 0, len(open)
	for ; first < last; first++ {
		n, known := shape(open[first])
		if !known {
			break
		}
		parts[first], body = cutLines(body, n)
	}
	for ; last > first+1; last-- {
		n, known := shape(open[last-1])
		if !known {
			break
		}
		parts[last-1], body = cutLast(body, n)
	}
	if first < last {
		parts[first] = body
		for i := first; i < last; i++ {
			shared[i] = last-first > 1
		}
	} else if len(bytes.TrimSpace(body)) > 0 && len(open) > 0 {
		parts[len(open)-1] = slices.Concat(parts[len(open)-1], body)
	}
	return parts, shared
}

// cutLines takes n lines from the front; an error message counts as one.
func cutLines(b []byte, n int) (front, rest []byte) {
	i := 0
	for ; n > 0 && i < len(b); n-- {
		j := bytes.IndexByte(b[i:], '\n')
		if j < 0 {
			return b, nil
		}
		i += j + 1
	}
	return b[:i], b[i:]
}

func cutLast(b []byte, n int) (last, rest []byte) {
	i := len(bytes.TrimRight(b, "\n"))
	for ; n > 0 && i > 0; n-- {
		i = bytes.LastIndexByte(b[:i], '\n')
	}
	if n > 0 || i < 0 {
		return b, nil
	}
	return b[i+1:], b[:i+1]
}

// shape is how many lines a command prints, where that is known.
func shape(e Entry) (lines int, known bool) {
	if len(e.Argv) == 0 || len(e.Filters) > 0 {
		return 0, false
	}
	switch name := base(e.Argv[0]); {
	case redis.IsCLI(name):
		c, err := redis.ParseCLI(e.Argv)
		if err != nil || len(c.Command) == 0 {
			return 0, false
		}
		n, open := redis.Shape(c.Command)
		return n, !open
	case name == "date" || name == "hostname" || name == "uptime" || name == "whoami" || name == "id" || name == "nproc":
		return 1, true
	case name == "sleep" || name == "true" || name == ":" || name == "cd" || name == "export" || name == "set" || name == "clear":
		return 0, true
	case name == "echo":
		return 1, true
	case name == "cat" && len(e.Argv) == 2:
		return 1, oneLine(e.Argv[1])
	case name == "uname":
		return 1, true
	}
	return 0, false
}

// oneLine says whether a file of /proc or a control group is one line.
func oneLine(path string) bool {
	for _, end := range []string{"/uptime", "/loadavg", "/stat", "/schedstat", "/boot_id", "/hostname", "/comm", "/oom_score", "/cpu.max", "/cgroup.freeze",
		"/memory.current", "/memory.max", "/memory.high", "/memory.peak", "/syscall"} {
		if strings.HasSuffix(path, end) && path != "/proc/stat" && !strings.HasSuffix(path, "cpu.stat") && !strings.HasSuffix(path, "memory.stat") {
			return true
		}
	}
	return false
}
