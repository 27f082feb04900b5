package main

import (
	"fmt"
	"regexp"
	"strings"
)

// What tickets and terminals put around a text.
func wrappedTellings() []telling {
	return []telling{
		{name: "nothing changed", change: func(*story) bool { return true }},
		{name: "CRLF", change: asText(func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") })},
		{name: "colours", change: coloured},
		{name: "a code block", change: asText(func(s string) string {
			return "Seen tonight, see below.\n\n```console\n" + s + "```\n\nPlease advise.\n"
		})},
		{name: "Jira's block", change: asText(func(s string) string { return "{noformat}\n" + s + "{noformat}\n" })},
		{name: "quoted", change: everyLine("> ")},
		{name: "quoted twice", change: everyLine("> > ")},
		{name: "indented", change: everyLine("    ")},
		{name: "trailing blanks", change: asText(func(s string) string { return strings.ReplaceAll(s, "\n", "  \n") })},
		{name: "no last newline", change: asText(func(s string) string { return strings.TrimSuffix(s, "\n") })},
		{name: "a byte order mark", change: asText(func(s string) string { return "\ufeff" + s })},
		{name: "a greeting and a farewell", change: greeted},
		{name: "a session of script", change: asText(func(s string) string {
			return "Script started on 2026-09-01 00:00:00+00:00 [TERM=\"xterm\" TTY=\"/dev/pts/0\" COLUMNS=\"200\" LINES=\"50\"]\n" + s + "\nScript done on 2026-12-24 00:00:00+00:00 [COMMAND_EXIT_CODE=\"0\"]\n"
		})},
		{name: "unknown commands in between", change: interleaved},
		{name: "remarks in between", change: remarked},
		{name: "Enter in between", change: entered},
		{name: "mistypes in between", change: mistyped},
		{name: "pasted twice", change: asText(func(s string) string { return s + s })},
	}
}

func everyLine(front string) func(*story) bool {
	return asText(func(s string) string {
		return front + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+front) + "\n"
	})
}

func coloured(s *story) bool {
	for i := range s.steps {
		p := &s.steps[i]
		if !p.loose && p.node == "" {
			p.prompt = "\x1b]0;" + p.host + "\x07\x1b[?2004h\x1b[01;32m" + strings.TrimSuffix(p.prompt, " ") + "\x1b[00m "
		}
		if strings.Contains(p.typed, "grep") {
			for j, line := range p.output {
				if len(line) > 4 {
					p.output[j] = line[:2] + "\x1b[01;31m\x1b[K" + line[2:4] + "\x1b[m\x1b[K" + line[4:]
				}
			}
		}
	}
	return true
}

func greeted(s *story) bool {
	s.text = "Welcome to Ubuntu 24.04.1 LTS (GNU/Linux 6.8.0-45-generic x86_64)\n\n * Documentation:  https://help.example.net\n\n  System load:  0.42      Processes: 231\n\n" +
		"Last login: Mon Jun  1 08:14:33 2026 from 10.1.1.1\n" + s.whole() + "\n-- \nThanks, and good night.\nThe lock is # 1 on the list; it costs us $ 5 a minute.\n"
	return true
}

// between puts steps behind every second one.
func between(s *story, more func(step) []step) bool {
	var out []step
	for i, p := range s.steps {
		if out = append(out, p); i%2 == 0 && !p.loose && !p.opensRedis() && p.typed != "exit" && !p.open && !strings.HasPrefix(p.typed, "ssh ") {
			out = append(out, more(p)...)
		}
	}
	s.steps = out
	return true
}

func interleaved(s *story) bool {
	return between(s, func(p step) []step {
		if p.node != "" {
			return []step{p.again("MODULE LIST", "(empty array)")}
		}
		return []step{
			p.again("ls /opt/tools", "bin  etc  README.md  $HOME  # notes"),
			p.again("ledgerctl status --all", "shard  owner   lag", "0      plum-8  0.2s", "# 2 shards", "$ 4 pending"),
		}
	})
}

func remarked(s *story) bool {
	return between(s, func(step) []step {
		return []step{{typed: "## still the same, says the pager; owner quince-1, pid 4?", loose: true}}
	})
}

func entered(s *story) bool {
	return between(s, func(p step) []step { return []step{p.again(""), p.again("")} })
}

func mistyped(s *story) bool {
	return between(s, func(p step) []step {
		if p.node != "" {
			return []step{p.again("PPTL", "(error) ERR unknown command 'PPTL', with args beginning with: ")}
		}
		return []step{p.again("dmseg", "-bash: dmseg: command not found"), p.again("cat /proc/^C")}
	})
}

// Other people's prompts.
func promptTellings() []telling {
	styles := []struct{ name, user, root string }{
		{"user@host", "USER@HOST:/var/log$ ", "root@HOST:~# "},
		{"in brackets", "[USER@HOST log]$ ", "[root@HOST log]# "},
		{"host$", "HOST$ ", "HOST# "},
		{"host%", "HOST% ", "HOST# "},
		{"host:~$", "HOST:~$ ", "HOST:~# "},
		{"zsh", "USER@HOST ~ % ", "root@HOST ~ # "},
		{"fish", "USER@HOST /v/log> ", "root@HOST /v/log# "},
		{"an environment", "(venv) USER@HOST:~/src/tools$ ", "(venv) root@HOST:~# "},
		{"a cluster's context", "(prod:default) USER@HOST:~$ ", "(prod:default) root@HOST:~# "},
		{"git", "USER@HOST ~/ops (main *) $ ", "root@HOST ~/ops (main *) # "},
		{"two lines", "┌──(USER㉿HOST)-[~]\n└─$ ", "┌──(root㉿HOST)-[~]\n└─# "},
		{"names in full", "USER@HOST.example.net:~$ ", "root@HOST.example.net:~# "},
		{"the host in full", "HOST.prod.example.net$ ", "HOST.prod.example.net# "},
		{"a changing folder", "USER@HOST:DIR$ ", "root@HOST:DIR# "},
		{"a history number", "[USER@HOST #N ~]$ ", "[root@HOST #N ~]# "},
		{"an exit code", "[0] USER@HOST:~$ ", "[0] root@HOST:~# "},
		{"SUSE", "USER@HOST:~> ", "HOST:~ # "},
		{"SUSE, a folder", "USER@HOST:DIR> ", "HOST:DIR # "},
		{"kube-ps1", "(⎈|prod:locks)USER@HOST:~$ ", "(⎈|prod:locks)root@HOST:~# "},
		{"a helm", "⎈ prod-eu|locks USER@HOST:~$ ", "⎈ prod-eu|locks root@HOST:~# "},
		{"fish's exit codes", "USER@HOST ~ [1]> ", "root@HOST ~ [1]# "},
		{"cPanel", "USER@HOST [DIR]# ", "root@HOST [DIR]# "},
		{"agnoster", " USER@HOST \ue0b0 DIR \ue0b0 \ue0a0 main \ue0b0 ", " ⚡ root@HOST \ue0b0 DIR \ue0b0 "},
		{"powerlevel10k", "╭─ DIR  main ········· ✔  USER@HOST  ─╮\n╰─❯ ", "╭─ DIR ········· ✔  root@HOST  ─╮\n╰─❯ "},
		{"starship", "\nUSER in 🌐 HOST in DIR on \ue0a0 main [!] \n❯ ", "\nroot in 🌐 HOST in DIR \n❯ "},
		{"pure", "\nDIR main* USER@HOST\n❯ ", "\nDIR root@HOST\n❯ "},
		{"ys", "# USER @ HOST in DIR \n$ ", "# root @ HOST in DIR \n$ "},
		{"Git for Windows", "USER@HOST MINGW64 ~/src (main)\n$ ", "root@HOST MINGW64 ~/src (main)\n$ "},
		{"a line of its own", "USER@HOST:DIR\n$ ", "root@HOST:DIR\n# "},
		{"Parrot", "┌─[USER@HOST]─[DIR]\n└──╼ $", "┌─[✗]─[root@HOST]─[DIR]\n└──╼ #"},
		{"»", "USER@HOST DIR » ", "root@HOST DIR » "},
		{"screen's titles", "\x1bkHOST: DIR\x1b\\USER@HOST:DIR$ ", "\x1bkHOST: DIR\x1b\\root@HOST:DIR# "},
		{"a history's number", "1042 USER@HOST:DIR$ ", "1042 root@HOST:DIR# "},
	}
	var out []telling
	for _, style := range styles {
		out = append(out, telling{name: "prompts: " + style.name, change: func(s *story) bool { return restyle(s, style.user, style.root) }})
	}
	return append(out,
		telling{name: "prompts: signs alone", change: func(s *story) bool { return nameless(s, "$ ", "# ") }},
		telling{name: "prompts: a percent sign", change: func(s *story) bool { return nameless(s, "% ", "# ") }},
		telling{name: "prompts: bash-5.1$", change: func(s *story) bool { return nameless(s, "bash-5.1$ ", "bash-5.1# ") }},
		telling{name: "prompts: / #", change: func(s *story) bool { return nameless(s, "/ # ", "/ # ") }},
		telling{name: "prompts: an arrow", change: func(s *story) bool { return nameless(s, "➜  ~ ", "➜  ~ ") }},
		telling{name: "prompts: ⎈", change: func(s *story) bool { return nameless(s, "⎈ prod-eu|locks ~ $ ", "⎈ prod-eu|locks ~ # ") }},
		telling{name: "prompts: cmd.exe", change: func(s *story) bool { return nameless(s, `C:\Users\ops>`, `C:\Windows>`) }},
		telling{name: "prompts: PowerShell", change: func(s *story) bool { return nameless(s, `PS C:\Users\ops> `, `PS C:\> `) }},
		telling{name: "prompts: a folder and >", change: func(s *story) bool { return nameless(s, "~/src> ", "/root> ") }},
		telling{name: "prompts: Powerline", change: func(s *story) bool { return nameless(s, " ~/src \ue0b0 \ue0a0 main \ue0b0 ", " / \ue0b0 ") }},
		telling{name: "prompts: starship at home", change: func(s *story) bool { return nameless(s, "\n~/src on \ue0a0 main \n❯ ", "\n~ \n❯ ") }},
		telling{name: "prompts: a time at the right", change: rightTimes},
		telling{name: "prompts: tmux's line below", change: asText(func(s string) string {
			return s + `[inc] 0:bash* 1:top-` + strings.Repeat(" ", 60) + `"quince-3" 10:11 05-Oct-26` + "\n"
		})},
		telling{name: "prompts: redis-cli of a socket", change: socketed},
	)
}

// restyle gives every shell another prompt. Where one has no name it is the
// host's that the flag names.
func restyle(s *story, user, root string) bool {
	n := 0
	return eachStep(func(p *step) bool {
		if p.loose || p.node != "" {
			return false
		}
		n++
		style, host, name := user, p.host, p.user
		if p.root() {
			style = root
		}
		if host == "" {
			if host = s.want.Args["host"]; host == "" {
				return false
			}
		}
		if name == "" {
			name = "ops"
		}
		p.prompt = strings.NewReplacer("USER", name, "HOST", host, "DIR", [...]string{"~", "/var/log", "~/src/tools", "/"}[n%4], "#N", fmt.Sprint(100+n)).Replace(style)
		return true
	})(s)
}

// rightTimes has zsh's right prompt stand behind what was typed.
func rightTimes(s *story) bool {
	return eachStep(func(p *step) bool {
		if p.loose || p.node != "" || p.typed == "" || strings.HasSuffix(p.typed, `\`) || strings.Contains(p.typed, "\n") {
			return false
		}
		p.typed += "                    ✔ 10:11:12"
		return true
	})(s)
}

var sshTo = regexp.MustCompile(`^ssh (?:-J \S+ )?(\S+)$`)

// nameless takes the names from the prompts. Where neither the first shell is the
// owner's nor an ssh leads there nobody could tell whose it is: it is left out.
func nameless(s *story, user, root string) bool {
	if !s.ownerTold() {
		return false
	}
	return eachStep(func(p *step) bool {
		if p.loose || p.node != "" {
			return false
		}
		if p.prompt = user; p.root() {
			p.prompt = root
		}
		return true
	})(s)
}

// ownerTold says whether prompts without a name would leave it clear whose shell
// is whose.
func (s *story) ownerTold() bool {
	first, owner := "", s.want.Args["host"]
	for _, p := range s.steps {
		if p.loose || p.node != "" {
			continue
		}
		if first == "" {
			first = p.host
		}
		if m := sshTo.FindStringSubmatch(p.typed); first == "" || first == owner || m != nil && m[1] == owner && len(p.output) == 0 {
			return true
		}
	}
	return false
}

// socketed says of redis-cli's prompts that they are on the server itself.
func socketed(s *story) bool {
	node := ""
	for i := range s.steps {
		p := &s.steps[i]
		if p.node == "" {
			continue
		}
		if node == "" {
			node = p.node
		}
		if p.node != node || strings.Contains(node, "[") || s.want.Args["redis"] != "" {
			return false
		}
		p.prompt = "redis /run/redis/redis.sock> "
	}
	for i := range s.steps {
		p := &s.steps[i]
		if p.node == "" && p.program() == "redis-cli" {
			p.typed = strings.ReplaceAll(p.typed, "-h "+strings.TrimSuffix(node, ":6379"), "-s /run/redis/redis.sock")
		}
	}
	return node != ""
}
