package transcript

import (
	"slices"
	"strings"
)

// A frame is one shell within another.
type frame struct {
	host, user string
	in         Inside // its Host is what prompts call the host of the container
	nameless   bool   // its prompts need not name a host
	named      bool   // a prompt with a name was seen in it
	sign       byte   // its prompt, where that is a sign alone
	unnamed    bool   // a prompt without a name was seen in it
}

func (f frame) is(host string) bool {
	return f.host == host && f.in.Host == "" || f.in.Host == host && host != ""
}

func (s *scanner) shell() *frame { return &s.shells[len(s.shells)-1] }

// enter notes whose prompt this is: it may be that of a shell further out, whose
// inner ones have ended.
func (s *scanner) enter(f found) {
	moved := s.moved
	s.moved = false
	switch f.kind {
	case redisIs:
		if !f.session.Connected && s.session != nil {
			f.session.Addr, f.session.DB = s.session.Addr, s.session.DB
		}
		s.session = f.session
	case named:
		s.within = nil
		s.toHost(f)
	default:
		s.within = nil
	}
	switch f.kind {
	case traced:
	case bare:
		s.shell().sign, s.shell().unnamed = f.text[0], true
	case plain:
		s.shell().unnamed = true
		s.remember(f.text)
	default:
		s.remember(f.text)
	}
	if f.stamp.Known() && s.clocks.backwards(s.shell().host, f.stamp, moved) {
		s.terminal++
	}
}

func (s *scanner) remember(prompt string) {
	if strings.TrimSpace(prompt) == "" {
		return
	}
	i := slices.Index(s.prompts, prompt)
	if i < 0 {
		if i = len(s.prompts); i == maxPrompts {
			i--
		} else {
			s.prompts = append(s.prompts, "")
		}
	}
	copy(s.prompts[1:i+1], s.prompts[:i]) // newest first
	s.prompts[0] = strings.Clone(prompt)
}

// toHost moves to the shell of a host that a prompt names.
func (s *scanner) toHost(f found) {
	const most = 1024
	host := strings.Clone(f.host)
	if !s.met(host) && len(s.hosts) < most {
		s.hosts = append(s.hosts, host)
	}
	if who := f.user + "@" + host; !slices.Contains(s.users, who) && len(s.users) < most {
		s.users = append(s.users, who)
	}
	for i := len(s.shells) - 1; i >= 0; i-- {
		if sh := &s.shells[i]; sh.is(host) && !s.ended(i, f) {
			s.shells = s.shells[:i+1]
			sh.named, sh.user = true, f.user
			return
		}
	}
	// A new name: the shell that ssh or su has just opened, or the first of all.
	sh := s.shell()
	if sh.named {
		s.push(frame{})
		sh = s.shell()
	}
	sh.user, sh.named = f.user, true
	if sh.in.Name != "" {
		sh.in.Host = host
		return
	}
	sh.host = host
}

// ended says whether a prompt with the name of a container's host is that of the
// shell further out, from which somebody had gone in: the container's own prompts
// name nobody, or it is a prompt that was known before. A container may share its
// host's name.
func (s *scanner) ended(i int, f found) bool {
	sh := s.shells[i]
	return i > 0 && sh.in.Name != "" && sh.in.Host == "" && !sh.named && (sh.unnamed || slices.Contains(s.prompts, f.text))
}

func (s *scanner) push(f frame) {
	const deepest = 16
	if len(s.shells) < deepest {
		s.shells = append(s.shells, f)
	}
	s.moved = true
}

func (s *scanner) pop() {
	if len(s.shells) > 1 {
		s.shells = s.shells[:len(s.shells)-1]
	}
	s.moved = true
}

// leave notes when output says that an inner shell has ended, or never began.
func (s *scanner) leave(text string) {
	if len(s.open) == 0 || len(s.shells) < 2 {
		return
	}
	ended := text == "logout" || strings.HasPrefix(text, "client_loop: send disconnect") || strings.HasPrefix(text, "packet_write_wait: Connection to") ||
		(strings.HasPrefix(text, "Connection to ") || strings.HasPrefix(text, "Shared connection to ")) && (strings.HasSuffix(text, " closed.") || strings.HasSuffix(text, " closed by remote host."))
	failed := strings.HasPrefix(text, "ssh: ") || strings.HasPrefix(text, "Host key verification failed") || strings.HasPrefix(text, "kex_exchange_identification") ||
		strings.Contains(text, "Permission denied (") || strings.HasPrefix(text, "Connection closed by ") || strings.HasPrefix(text, "su: ") ||
		strings.HasPrefix(text, "Error response from daemon") || strings.HasPrefix(text, "OCI runtime exec failed") || strings.HasPrefix(text, "error: ") || strings.HasPrefix(text, "Error from server")
	switch {
	case ended && !s.left, failed && !s.left && !s.shell().named && s.opened:
		s.pop()
		s.left = true // the lines that say so are often two
	}
}

// follow changes the shell as a command does: ssh, su, exec, exit.
func (s *scanner) follow(c command) {
	if len(c.argv) == 0 {
		return
	}
	sh := *s.shell()
	where := frame{host: either(c.host, sh.host), user: sh.user, in: c.in.or(sh.in), nameless: true}
	switch name := base(c.argv[0]); {
	case name == "exit" || name == "logout":
		s.pop()
		s.left = true
	case name == "set" && slices.Contains(c.argv, "-x"):
		s.traced = true
	case name == "ssh" || name == "slogin" || name == "mosh":
		if host, user, cmd := remote(c.argv); host != "" && len(cmd) == 0 {
			s.enterShell(frame{host: host, user: user, nameless: true})
		}
	case isShell(name) && interactive(c.argv), name == "su" && !slices.Contains(c.argv, "-c"), name == "sudo" || name == "doas", name == "tmux" || name == "screen" || name == "script" || name == "newgrp":
		s.enterShell(where)
	case c.in.Name != "" && isShell(name):
		s.enterShell(where)
	case opensShell(c.argv):
		where.host, where.user = "", ""
		s.enterShell(where)
	}
}

// enterShell enters one more shell.
func (s *scanner) enterShell(f frame) {
	s.push(f)
	s.opened = true
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
