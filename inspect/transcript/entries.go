package transcript

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/inspect/redis"
)

// begin makes the entries of one command line; their output comes later. fed are
// the lines of its here-document.
func (s *scanner) begin(line string, fed []string) error {
	f := s.head
	e := Entry{Line: s.at, Terminal: s.terminal, Stamp: f.stamp.Time, Precision: f.stamp.Precision, Zoned: f.stamp.Zoned, Typed: strings.TrimSpace(line)}
	s.open, s.list, s.left, s.opened = nil, nil, false, false
	if strings.HasSuffix(e.Typed, "^C") {
		line = "" // typed, and thought better of
	}
	if f.kind == redisIs {
		return s.beginRedis(e, line)
	}
	if e.Typed != "" {
		s.typed = e.Typed
	}
	s.list = readBy(expandAll(parseList(line)), fed)
	if len(s.list) == 0 {
		sh := s.shell()
		e.Host, e.User, e.In = sh.host, sh.user, sh.in
		s.open = []Entry{e} // Enter, or a comment
		return nil
	}
	for _, c := range s.list {
		s.open = append(s.open, s.entryOf(e, c))
	}
	return nil
}

func (s *scanner) beginRedis(e Entry, line string) error {
	at := s.within
	if at == nil {
		at = s.shell()
	}
	session := *s.session
	session.Connected = s.head.session.Connected
	e.Host, e.User, e.In, e.Redis, e.Argv = at.host, at.user, at.in, &session, redisWords(line)
	if len(e.Argv) > 1 {
		if n, err := strconv.Atoi(e.Argv[0]); err == nil && n > 0 {
			e.Argv, e.Loop = e.Argv[1:], n > 1 // a number before a command repeats it
		}
	}
	s.open = []Entry{e}
	return nil
}

// entryOf fills one command in, and follows it into other shells.
func (s *scanner) entryOf(e Entry, c command) Entry {
	sh := s.shell()
	e.Host, e.User, e.In = sh.host, sh.user, sh.in
	if c.host != "" {
		e.Host, e.User, e.In = c.host, c.user, Inside{}
	}
	e.In = c.in.or(e.In)
	e.Typed, e.Argv, e.Filters, e.Loop = c.typed, c.argv, c.filters, c.loop
	if redis.IsCLI(c.argv[0]) {
		if cli, err := redis.ParseCLI(c.argv); err == nil && cli.Interactive {
			s.session = &Session{Addr: cli.Addr(), DB: cli.DB}
			s.within = &frame{host: e.Host, user: e.User, in: e.In}
		}
		return e
	}
	s.follow(c)
	return e
}

// readBy puts the lines of a here-document in place of the command that reads
// commands from it: redis-cli, a shell.
func readBy(list []command, fed []string) []command {
	i := slices.IndexFunc(list, func(c command) bool { return c.heredoc != "" })
	if i < 0 || len(fed) == 0 {
		return list
	}
	c := list[i]
	var lines []command
	for _, line := range fed {
		var in []command
		switch {
		case redis.IsCLI(c.argv[0]):
			if words := redisWords(line); len(words) > 0 {
				in = []command{{typed: strings.TrimSpace(line), argv: slices.Concat(c.argv, words), filters: c.filters, host: c.host, user: c.user, in: c.in}}
			}
		case base(c.argv[0]) == "ssh":
			host, user, _ := remote(c.argv)
			in = command{argv: c.argv, filters: c.filters, host: host, user: user}.inner(line, 0)
		case isShell(base(c.argv[0])):
			in = c.inner(line, 0)
		default:
			return list
		}
		for j := range in {
			in[j].typed = strings.TrimSpace(line)
		}
		lines = append(lines, in...)
		if len(lines) > maxCommands {
			break
		}
	}
	if len(lines) == 0 {
		return list
	}
	return slices.Concat(list[:i], lines, list[i+1:])
}

// flush hands the entries under way over, each with its part of the output.
func (s *scanner) flush() error {
	out, open, list := s.said.take(), s.open, s.list
	s.open, s.list = nil, nil
	if len(open) == 0 {
		if len(bytes.TrimSpace(out.head)) > 0 {
			sh := s.shell()
			open = []Entry{{Line: out.line, Host: sh.host, User: sh.user, In: sh.in, Terminal: s.terminal, Loose: true, Output: out.head}}
		}
	} else {
		open = divide(open, list, out.head)
	}
	for _, e := range open {
		e.Truncated, e.Offset, e.Bytes = out.cut, out.at, out.bytes
		if err := s.each(e); err != nil {
			return err
		}
	}
	for _, r := range out.remarks {
		if err := s.each(r); err != nil {
			return err
		}
	}
	return nil
}
