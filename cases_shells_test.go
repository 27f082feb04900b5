package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Other ways to run the same commands.
func shellTellings() []telling {
	return []telling{
		{name: "sudo", change: eachCommand(func(p *step) bool { return p.program() != "redis-cli" && prefix(p, "sudo ") })},
		{name: "sudo with its question", change: sudoAsks},
		{name: "timeout and nice", change: eachCommand(func(p *step) bool { return prefix(p, "timeout 5 nice -n 10 ") })},
		{name: "absolute paths", change: eachCommand(func(p *step) bool { return prefix(p, "/usr/bin/") })},
		{name: "a locale in front", change: eachCommand(func(p *step) bool { return prefix(p, "LC_ALL=C TZ=UTC ") })},
		{name: "errors thrown away", change: eachCommand(func(p *step) bool {
			if !p.plain() || slices.ContainsFunc(p.output, func(l string) bool { return strings.HasPrefix(l, p.program()+": ") }) {
				return false
			}
			p.typed += " 2>/dev/null"
			return true
		})},
		{name: "kept with tee", change: eachCommand(func(p *step) bool {
			ok := p.plain() || strings.Contains(p.typed, "| grep") && !strings.Contains(p.typed, ";")
			p.typed += " | tee -a /tmp/notes"
			return ok && p.program() != "redis-cli"
		})},
		{name: "comments behind", change: eachCommand(func(p *step) bool { p.typed += "   # look at this"; return true })},
		{name: "two commands in a line", change: func(s *story) bool { return paired(s, " ; ") }},
		{name: "two commands joined by &&", change: func(s *story) bool { return paired(s, " && ") }},
		{name: "two lines of one command", change: eachCommand(func(p *step) bool {
			if !strings.Contains(p.typed, " | ") {
				return false
			}
			p.typed = strings.Replace(p.typed, " | ", " \\\n> | ", 1)
			return true
		})},
		{name: "ssh with the command", change: func(s *story) bool { return sshEach(s, "ssh %s '%s'", "'") }},
		{name: "ssh with the command, quoted twice", change: func(s *story) bool { return sshEach(s, `ssh -q -o BatchMode=yes ops@%s "%s"`, `"`) }},
		{name: "ssh and a greeting", change: sshGreets},
		{name: "root's shell", change: rootShell},
		{name: "tmux", change: func(s *story) bool {
			p := firstShell(s)
			s.steps = slices.Concat([]step{p.again("tmux new -s inc")}, s.steps, []step{p.again("exit", "[exited]")})
			return true
		}},
	}
}

// Other programs, and flags, that show the same.
func programTellings() []telling {
	return []telling{
		{name: "tail -n +1 in place of head -n 1", change: eachCommand(func(p *step) bool {
			before := p.typed
			p.typed = strings.Replace(p.typed, "head -n 1 ", "tail -n +1 ", 1)
			return p.typed != before
		})},
		{name: "head in place of cat", change: eachCommand(func(p *step) bool {
			if p.program() != "cat" || !p.plain() || len(p.output) > 9 || p.open {
				return false
			}
			p.typed = "head " + strings.TrimPrefix(p.typed, "cat ")
			p.output = renamed(p.output, "cat: ", "head: cannot open '", ": No such", "' for reading: No such")
			return true
		})},
		{name: "less", change: eachCommand(func(p *step) bool {
			ok := p.plain() && p.program() != "redis-cli"
			p.typed += " | less -S"
			return ok
		})},
		{name: "busybox's ps", change: eachCommand(busyboxPS)},
		{name: "ps with more columns", change: eachCommand(morePS)},
		{name: "ps without headings", change: eachCommand(barePS)},
		{name: "grep with other flags", change: eachCommand(func(p *step) bool {
			before := p.typed
			p.typed = strings.NewReplacer("grep -E '", "grep --color=auto -iE '", `grep -E "`, `egrep "`).Replace(p.typed)
			return p.typed != before
		})},
		{name: "grep -n", change: eachCommand(func(p *step) bool {
			before := p.typed
			p.typed = strings.Replace(p.typed, "| grep ", "| grep --line-buffered -n ", 1)
			for i, line := range p.output {
				if p.typed != before {
					p.output[i] = fmt.Sprintf("%d:%s", 3*i+2, line)
				}
			}
			return p.typed != before
		}), strict: weaker, loses: "it puts numbers in front"},
		{name: "two people's terminals, one after the other", change: twoTerminals, strict: notElse, loses: "what was read between what"},
		{name: "Redis in a terminal of its own", change: redisApart, strict: notElse, loses: "what was read between what"},
	}
}

// eachCommand lets a telling work on what was typed at shells.
func eachCommand(change func(*step) bool) func(*story) bool {
	return eachStep(func(p *step) bool {
		if !p.shell() || p.opensRedis() || p.typed == "" {
			return false
		}
		before := *p
		if change(p) {
			return true
		}
		*p = before
		return false
	})
}

func prefix(p *step, front string) bool {
	p.typed = front + p.typed
	return true
}

func renamed(lines []string, pairs ...string) []string {
	r := strings.NewReplacer(pairs...)
	out := slices.Clone(lines)
	for i := range out {
		out[i] = r.Replace(out[i])
	}
	return out
}

func sudoAsks(s *story) bool {
	return eachCommand(func(p *step) bool {
		if p.program() == "redis-cli" || p.user == "" {
			return false
		}
		p.output = slices.Concat([]string{"[sudo] password for " + p.user + ": "}, p.output)
		return prefix(p, "sudo ")
	})(s)
}

// oneLine are the commands whose output is one line, or two of TIME: after them
// everybody can see where the next command's output begins.
var oneLine = regexp.MustCompile(`^(?:date\b[^;|]*|redis-cli -h \S+ (?:TIME|PTTL \S+|PEXPIRETIME \S+|TYPE \S+|OBJECT IDLETIME \S+|GET \S+)|cat /proc/(?:uptime|[0-9]+/(?:stat|schedstat)))$`)

// paired puts two commands of one shell on one line.
func paired(s *story, joint string) bool {
	var out []step
	for i := 0; i < len(s.steps); i++ {
		p := s.steps[i]
		if i+1 < len(s.steps) {
			next := s.steps[i+1]
			refused := slices.ContainsFunc(p.output, func(l string) bool { return strings.Contains(l, "No such file") || strings.HasPrefix(l, "(error)") })
			if p.prompt == next.prompt && next.shell() && !next.opensRedis() && p.stamp == "" && !refused && !p.open && oneLine.MatchString(p.typed) && next.typed != "" {
				p.typed, p.output, p.open = p.typed+joint+next.typed, slices.Concat(p.output, next.output), next.open
				i++
			}
		}
		out = append(out, p)
	}
	changed := len(out) != len(s.steps)
	s.steps = out
	return changed
}

// sshEach has every command of the owner's host, or of a host that ssh led to, run
// over an ssh of its own.
func sshEach(s *story, form, quote string) bool {
	gate := step{prompt: "ops@gate:~$ ", user: "ops", host: "gate"}
	var out []step
	for _, p := range asked(s.steps) {
		switch {
		case sshTo.MatchString(p.typed) && len(p.output) == 0, p.typed == "exit":
			continue
		case p.loose || p.host == "" || p.host == "bastion" || p.host == "juniper":
			out = append(out, p)
			continue
		case strings.Contains(p.typed, quote) || quote == `"` && strings.Contains(p.typed, "$"):
			return false
		}
		p.typed = fmt.Sprintf(form, p.host, p.typed)
		p.prompt, p.user, p.host = gate.prompt, gate.user, gate.host
		out = append(out, p)
	}
	s.steps = out
	return slices.ContainsFunc(out, func(p step) bool { return p.host == "gate" })
}

func sshGreets(s *story) bool {
	p := firstShell(s)
	if p.host == "" {
		return false
	}
	gate := step{prompt: "[ops@gate ~]$ ", user: "ops", host: "gate"}
	s.steps = slices.Concat([]step{gate.again("ssh "+p.host, "Welcome to Debian GNU/Linux 12 (bookworm)", "", "# This system is monitored. $ 500 fine.", "Last login: Mon Sep  7 10:02:11 2026 from 10.9.9.9")}, s.steps,
		[]step{p.again("exit", "logout", "Connection to "+p.host+" closed."), gate.again("uptime -p", "up 2 weeks")})
	return true
}

func firstShell(s *story) step {
	i := slices.IndexFunc(s.steps, func(p step) bool { return !p.loose && p.node == "" })
	if i < 0 {
		return step{prompt: "$ "}
	}
	p := s.steps[i]
	p.stamp = ""
	return p
}

// rootShell has the first host's commands typed in a shell of root's.
func rootShell(s *story) bool {
	p := firstShell(s)
	if p.host == "" || p.root() || strings.Contains(s.whole(), "hidepid") { // from root nothing is hidden
		return false
	}
	open := p.again("sudo -i", "[sudo] password for ops: ")
	for i := range s.steps {
		if q := &s.steps[i]; q.host == p.host {
			q.prompt, q.user = "root@"+p.host+":~# ", "root"
		}
	}
	s.steps = slices.Concat([]step{open}, s.steps, []step{firstShell(s).again("exit", "logout"), p.again("true")})
	return true
}

var psOne = regexp.MustCompile(`^ps -o ([a-z:0-9,]+) -p ([0-9]+)$`)

// busyboxPS prints like a ps that knows no -p.
func busyboxPS(p *step) bool {
	m := psOne.FindStringSubmatch(p.typed)
	if m == nil || strings.Contains(m[1], "wchan") || len(p.output) < 2 { // procps without -p lists one terminal: its silence says nothing
		return false
	}
	columns := strings.Split(strings.ReplaceAll(m[1], "cmd", "args"), ",")
	p.typed = "ps -o " + strings.Join(columns, ",") + " | grep -w '^ *" + m[2] + "'"
	var rows []string
	for _, row := range p.output[1:] {
		words := strings.Fields(row)
		for i, c := range columns {
			switch c {
			case "stat":
				words[i] = words[i][:1]
			case "etime":
				words[i] = busyboxSpan(words[i])
			}
		}
		rows = append(rows, "  "+strings.Join(words, " "))
	}
	p.output = rows
	return true
}

func busyboxSpan(s string) string {
	days, clock, dashed := strings.Cut(s, "-")
	if !dashed {
		days, clock = "", s
	}
	parts := strings.Split(clock, ":")
	switch {
	case days != "":
		return days + "d" + parts[0]
	case len(parts) == 3:
		return strings.TrimPrefix(parts[0], "0") + "h" + parts[1]
	}
	return strings.TrimPrefix(parts[0], "0") + ":" + parts[1]
}

func morePS(p *step) bool {
	m := psOne.FindStringSubmatch(p.typed)
	if m == nil || len(p.output) == 0 {
		return false
	}
	p.typed = strings.Replace(p.typed, "-o ", "-o user:12,nlwp,psr,", 1)
	for i, row := range p.output {
		if i == 0 {
			p.output[i] = "USER         NLWP PSR " + row
			continue
		}
		p.output[i] = "svc             9   2 " + row
	}
	return true
}

// barePS asks for the rows alone, as scripts do.
func barePS(p *step) bool {
	m := psOne.FindStringSubmatch(p.typed)
	if m == nil || len(p.output) == 0 {
		return false
	}
	p.typed = "ps --no-headers -o " + m[1] + " -p " + m[2]
	p.output = p.output[1:]
	return true
}

// twoTerminals pastes what was typed on one host after what was typed on
// another.
func twoTerminals(s *story) bool {
	var hosts []string
	parts := map[string][]step{}
	at := ""
	for _, p := range s.steps {
		if p.node == "" && !p.loose {
			at = p.host
		}
		if sshTo.MatchString(p.typed) && len(p.output) == 0 || p.typed == "exit" && p.node == "" {
			continue
		}
		if !slices.Contains(hosts, at) {
			hosts = append(hosts, at)
		}
		parts[at] = append(parts[at], p)
	}
	if len(hosts) < 2 {
		return false
	}
	s.steps = nil
	for _, h := range hosts {
		s.steps = append(s.steps, parts[h]...)
	}
	return true
}

// redisApart pastes what was asked of Redis after what was asked of the host.
func redisApart(s *story) bool {
	var hers, his []step
	for _, p := range asked(s.steps) {
		if p.asks() {
			p.prompt, p.user, p.host = "ops@gate:~$ ", "ops", "gate"
			hers = append(hers, p)
			continue
		}
		his = append(his, p)
	}
	if len(hers) == 0 || len(his) < 3 {
		return false
	}
	s.steps = slices.Concat(his, hers)
	return true
}
