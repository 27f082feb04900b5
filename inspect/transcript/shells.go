package transcript

import (
	"strings"
)

// enter notes whose prompt this is: it may be that of a shell further out, whose
// inner ones have ended.
func (s *scanner) enter(f found) {
	if f.precision > 0 && f.stamp.Year() > 0 {
		if !s.last.IsZero() && f.stamp.Before(s.last) {
			s.terminal++ // a second terminal was pasted after the first
		}
		s.last = f.stamp
	}
	if f.kind == redisIs {
		switch {
		case f.session.Addr != "":
			s.redis = f.session
		case s.redis != nil:
			f.session.Addr, f.session.DB = s.redis.Addr, s.redis.DB
		}
		s.remember(f.text)
		return
	}
	if f.kind == named {
		s.toHost(f)
	}
	if f.kind != bare || !s.anyNamed() {
		s.remember(f.text)
	}
}

func (s *scanner) remember(prompt string) {
	if strings.TrimSpace(prompt) == "" {
		return
	}
	for i, p := range s.prompts {
		if p == prompt {
			copy(s.prompts[1:i+1], s.prompts[:i]) // newest first
			s.prompts[0] = prompt
			return
		}
	}
	if len(s.prompts) < maxPrompts {
		s.prompts = append(s.prompts, "")
	}
	copy(s.prompts[1:], s.prompts)
	s.prompts[0] = prompt
}

// toHost moves to the shell of a host that a prompt names.
func (s *scanner) toHost(f found) {
	for i := len(s.shells) - 1; i >= 0; i-- {
		if sh := &s.shells[i]; sh.host == f.host {
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
	sh.host, sh.user, sh.named = f.host, f.user, true
}

func (s *scanner) push(f frame) {
	const deepest = 16
	if len(s.shells) < deepest {
		s.shells = append(s.shells, f)
	}
}

func (s *scanner) pop() {
	if len(s.shells) > 1 {
		s.shells = s.shells[:len(s.shells)-1]
	}
}

// leave notes when output says that an inner shell has ended, or never began.
func (s *scanner) leave(text string) {
	switch {
	case text == "logout", strings.HasPrefix(text, "Connection to ") && strings.HasSuffix(text, " closed."),
		strings.HasPrefix(text, "ssh: connect to host "), strings.HasPrefix(text, "ssh: Could not resolve"), strings.HasPrefix(text, "Host key verification failed"),
		strings.Contains(text, "Permission denied (publickey"), strings.HasPrefix(text, "kex_exchange_identification"):
		if len(s.open) > 0 && len(s.shells) > 1 && !s.shell().named {
			s.pop()
		}
	}
}

// follow changes the shell as a command does: ssh, su, exec, exit.
func (s *scanner) follow(argv []string, inner []string) {
	if len(argv) == 0 {
		return
	}
	sh := s.shell()
	switch base(argv[0]) {
	case "exit", "logout":
		s.pop()
	case "ssh", "slogin", "mosh":
		if host, cmd := remote(argv); host != "" && len(cmd) == 0 {
			s.push(frame{host: host, nameless: true})
		}
	case "su", "bash", "sh", "zsh", "ash", "tmux", "screen", "script":
		if len(inner) == 0 && len(argv) <= 3 {
			s.push(frame{host: sh.host, user: sh.user, in: sh.in, nameless: true})
		}
	case "docker", "podman", "kubectl", "crictl", "oc", "nerdctl":
		if c, cmd := within(argv); c != "" && interactive(cmd) {
			s.push(frame{host: sh.host, in: c, nameless: true})
		}
	}
}

// interactive says whether what runs in a container is a shell that prompts.
func interactive(cmd []string) bool {
	if len(cmd) == 0 {
		return false
	}
	switch base(cmd[0]) {
	case "sh", "bash", "ash", "zsh", "dash":
		return len(cmd) == 1 || cmd[1] == "-l" || cmd[1] == "-i"
	}
	return false
}

// remote is the host that ssh goes to, and what it runs there.
func remote(argv []string) (host string, cmd []string) {
	n := 1 + options(argv[1:], "-p -i -l -o -J -F -L -R -D -W -b -c -e -E -I -m -O -Q -S -w -B")
	if n >= len(argv) {
		return "", nil
	}
	host = argv[n]
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	host = strings.TrimPrefix(host, "ssh://")
	rest := argv[n+1:]
	n = options(rest, "-p -i -l -o -J -F")
	return host, rest[n:]
}

// within is the container that an exec goes to, and what it runs there.
func within(argv []string) (container string, cmd []string) {
	for i := 1; i < len(argv); i++ {
		if argv[i] != "exec" {
			continue
		}
		rest := argv[i+1:]
		rest = rest[options(rest, "-n --namespace -c --container -u --user -w --workdir -e --env --context"):]
		if len(rest) == 0 {
			return "", nil
		}
		container, rest = rest[0], rest[1:]
		rest = rest[options(rest, "-n --namespace -c --container"):]
		return container, rest
	}
	return "", nil
}
