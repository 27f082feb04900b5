package transcript

import (
	"net/netip"
	"slices"
	"strings"
)

// maxPrompts bounds the prompts remembered for finding one glued to an output.
const maxPrompts = 32

// believes decides whether what looks like a prompt is one.
func (s *scanner) believes(f found) bool {
	known := slices.Contains(s.prompts, f.text)
	word, _, _ := strings.Cut(strings.TrimSpace(f.rest), " ")
	switch {
	case f.sure, s.names.framed && (f.kind == bare || f.kind == plain):
		return true
	case f.doubtful && !known:
		return knownProgram(word) && !s.anyNamed()
	}
	switch f.kind {
	case redisIs:
		return true
	case named:
		if known || f.user != "" && s.met(f.host) {
			return true
		}
		if !likeCommand(f.rest) || strings.Count(f.text, " ") > 5 {
			return false
		}
		return f.user != "" || s.met(f.host) || s.expects(f.host) || f.rest != "" && (!s.anyNamed() || s.fresh() || knownProgram(word))
	case plain:
		if known || s.names.host != "" || shellIs.MatchString(f.text) {
			return true
		}
		return likeCommand(f.rest) && word != "" && (s.shell().nameless && !s.shell().named || !s.anyNamed())
	case traced:
		return knownProgram(unquoted(word)) && s.tracing()
	}
	return s.believesSign(f, word)
}

// believesSign decides about a sign alone. In a shell whose prompts have a name
// it is output.
func (s *scanner) believesSign(f found, word string) bool {
	if !s.shell().nameless || s.shell().named || !likeCommand(f.rest) {
		return false
	}
	if knownProgram(word) {
		return f.text[0] != '#' || !prose(f.rest)
	}
	known := s.shell().sign == f.text[0]
	if f.text[0] == '#' {
		// Comments and headings look the same: only the shape of a command tells.
		return known && (word == "" || !sectionLike(f.rest) && !prose(f.rest) && !s.showsFile())
	}
	return known || len(s.open) == 0 || f.text[0] == '$' && f.rest != ""
}

// anyNamed says whether a prompt with a name was seen in a shell that is open.
func (s *scanner) anyNamed() bool {
	return slices.ContainsFunc(s.shells, func(f frame) bool { return f.named })
}

// expects says whether an ssh to that host is under way.
func (s *scanner) expects(host string) bool {
	return slices.ContainsFunc(s.shells, func(f frame) bool {
		return f.host != "" && (f.host == host || strings.HasPrefix(f.host, host+".") || strings.HasPrefix(host, f.host+"."))
	})
}

// fresh says whether a shell was opened whose own prompt has yet to be seen.
func (s *scanner) fresh() bool { return s.opened && !s.shell().named }

// met says whether a prompt of that host was seen.
func (s *scanner) met(host string) bool { return host != "" && slices.Contains(s.hosts, host) }

// tracing says whether a shell that tells what it runs may be at work.
func (s *scanner) tracing() bool {
	if len(s.open) == 0 {
		return !s.anyNamed()
	}
	argv := s.open[0].Argv
	return s.traced || s.head.kind == traced || len(argv) > 0 && (slices.Contains(argv, "-x") || strings.HasSuffix(argv[0], ".sh"))
}

// showsFile says whether the command under way prints a text in which "# " begins
// a comment.
func (s *scanner) showsFile() bool {
	if len(s.open) == 0 || len(s.open[0].Argv) == 0 {
		return false
	}
	e := s.open[0]
	switch base(e.Argv[0]) {
	case "cat", "head", "tail", "less", "more", "grep", "zgrep", "egrep", "sed", "awk", "zcat", "bat", "curl", "kubectl", "git":
		return !strings.Contains(e.Typed, "/proc/") && !strings.Contains(e.Typed, "/sys/")
	}
	return false
}

// glued finds a prompt seen before in the middle of a line: what the command
// before it printed had no newline at its end.
func (s *scanner) glued(text string) (before string, f found, ok bool) {
	if len(s.open) == 0 {
		return "", f, false
	}
	for _, p := range s.prompts {
		i := strings.Index(text, p)
		if i <= 0 || len(strings.TrimSpace(p)) < 2 {
			continue
		}
		from := stampBefore(text, i, p)
		f, ok = findPrompt(text[from:])
		if ok && f.text == p && likeCommand(f.rest) {
			return text[:from], f, true
		}
	}
	return s.gluedSign(text)
}

// gluedSign finds a prompt that is a sign alone behind the one word of a command
// that prints no newline.
func (s *scanner) gluedSign(text string) (before string, f found, ok bool) {
	last, sh := s.open[len(s.open)-1], s.shell()
	if sh.sign == 0 || !sh.nameless || sh.named || s.said.bytes > 0 || len(last.Argv) == 0 || !unterminated(last) {
		return "", f, false
	}
	i := strings.Index(text, string(sh.sign)+" ")
	if i <= 0 || strings.ContainsAny(text[:i], " \t") {
		return "", f, false
	}
	f, ok = findPrompt(text[i:])
	word, _, _ := strings.Cut(f.rest, " ")
	return text[:i], f, ok && f.kind == bare && knownProgram(word)
}

// stampBefore is where the stamp in front of a prompt at i begins, or i.
func stampBefore(text string, i int, prompt string) int {
	const longest = 44
	for j := max(0, i-longest); j < i-4; j++ {
		if c := text[j]; c == '[' || c == '(' || c >= '0' && c <= '9' {
			if s, rest, ok := cutStamp(text[j:min(len(text), i+len(prompt))]); ok && s.Known() && rest == prompt {
				return j
			}
		}
	}
	return i
}

// whole says that a prompt found at the beginning of a line has no output in
// front of it, although its end is that of another one known.
func (s *scanner) whole(f found) bool {
	switch f.kind {
	case named:
		if f.user != "" {
			return !s.met(f.host) || slices.Contains(s.users, f.user+"@"+f.host)
		}
		return s.met(f.host) || s.expects(f.host) || s.fresh()
	case redisIs:
		addr, err := netip.ParseAddrPort(f.session.Addr)
		return err == nil && addr.IsValid()
	}
	return false
}
