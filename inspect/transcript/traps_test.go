package transcript

import "testing"

// Output that looks like a prompt, and prompts that do not.
var trapCases = map[string]struct {
	text string
	want []string
}{
	"a section of INFO is no root prompt": {
		"# redis-cli INFO\n# Server\nredis_version:7.2.4\n\n# Clients\nconnected_clients:4\n# date\nMon\n",
		[]string{"redis-cli INFO → # Server/redis_version:7.2.4//# Clients/connected_clients:4", "date → Mon"},
	},
	"nor is one with a program's name when prompts have names": {
		"root@q:~# cat notes\n# date of the outage\n$ date\n# cat\nroot@q:~# true\n",
		[]string{"root@q cat notes → # date of the outage/$ date/# cat", "root@q true"},
	},
	"comments of a file at a root prompt": {
		"# cat /etc/redis.conf\n# maxmemory <bytes>\nmaxmemory 0\n# save 60 1000\n# cat /proc/1/comm\nsystemd\n",
		[]string{"cat /etc/redis.conf → # maxmemory <bytes>/maxmemory 0/# save 60 1000", "cat /proc/1/comm → systemd"},
	},
	"a price is no command": {
		"$ cat bill\n$ 5 left\n$ date\nMon\n",
		[]string{"cat bill → $ 5 left", "date → Mon"},
	},
	"output without a newline": {
		"cedar-9$ cat /proc/617/wchan\nptrace_stopcedar-9$ dmesg | grep -i oom\ncedar-9$ cat /proc/617/wchan\n0cedar-9$ date\nMon\n",
		[]string{"cedar-9 cat /proc/617/wchan → ptrace_stop", "cedar-9 dmesg | grep -i oom", "cedar-9 cat /proc/617/wchan → 0", "cedar-9 date → Mon"},
	},
	"the same, and the prompt is a sign alone": {
		"$ cat /proc/617/wchan\nptrace_stop$ dmesg | grep -i oom\n$ cat /proc/617/wchan\nep_poll$ 5 left\n$ date\nMon\n",
		[]string{"cat /proc/617/wchan → ptrace_stop", "dmesg | grep -i oom", "cat /proc/617/wchan → ep_poll$ 5 left", "date → Mon"},
	},
	"the same before a stamp": {
		"[2026-10-05T09:31:24Z] cedar-9$ cat /proc/617/wchan\ndo_exit[2026-10-05T09:31:25Z] cedar-9$ date\nMon\n",
		[]string{"cedar-9 cat /proc/617/wchan → do_exit", "cedar-9 date → Mon"},
	},
	"a bare stamp behind a number": {
		"2026-10-05T09:31:24Z ops@q:~$ cat /proc/617/wchan\n02026-10-05T09:31:25Z ops@q:~$ date\nMon\n",
		[]string{"ops@q cat /proc/617/wchan → 0", "ops@q date → Mon"},
	},
	"a host whose name ends like another": {
		"web$ ssh oldweb\noldweb$ date\nMon\noldweb$ exit\nweb$ true\n",
		[]string{"web ssh oldweb", "oldweb date → Mon", "oldweb exit", "web true"},
	},
	"an address that ends like another": {
		"10.0.0.5:6379> PING\nPONG\n110.0.0.5:6379> PING\nPONG\n",
		[]string{"<10.0.0.5:6379/0> PING → PONG", "<110.0.0.5:6379/0> PING → PONG"},
	},
	"links and arrows": {
		"q-3$ ls -l /proc/1/fd\nlrwx------ 1 root root 64 Oct  5 09:31 4 -> socket:[99]\nq-3$ true\n",
		[]string{"q-3 ls -l /proc/1/fd → lrwx------ 1 root root 64 Oct  5 09:31 4 -> socket:[99]", "q-3 true"},
	},
	"a percent sign ends a word": {
		"q-3$ df\nUse% Mounted\n100% /\nq-3$ true\n",
		[]string{"q-3 df → Use% Mounted/100% /", "q-3 true"},
	},
	"mail addresses": {
		"q-3$ cat mail\nbob@example.com wrote about the last of the bills: $ 5\nq-3$ true\n",
		[]string{"q-3 cat mail → bob@example.com wrote about the last of the bills: $ 5", "q-3 true"},
	},
	"remarks": {
		"## what we saw\nq-3$ date\nMon\n## and then\nnothing\nq-3$ true\n",
		[]string{"## what we saw", "q-3 date → Mon", "q-3 ## and then", "q-3 loose → nothing", "q-3 true"},
	},
	"a remark about the output around it": {
		"q-3$ dmesg\na\n## snip\nb\n## ^^^ this one\nc\nq-3$ true\n",
		[]string{"q-3 dmesg → a/b/c", "q-3 ## snip", "q-3 ## ^^^ this one", "q-3 true"},
	},
	"lines before any prompt": {
		"we found this:\n\nq-3$ true\n",
		[]string{"loose → we found this:/", "q-3 true"},
	},
	"no prompt at all": {
		"[12345.678] Out of memory: Killed process 41207\n[12345.700] oom_reaper\n",
		[]string{"loose → [12345.678] Out of memory: Killed process 41207/[12345.700] oom_reaper"},
	},
	"headings before prompts that are only signs": {
		"# What happened\n# the lock hung\n\n$ date\nMon\n",
		[]string{"loose → # What happened/# the lock hung/", "date → Mon"},
	},
	"a session of script(1)": {
		"Script started on 2026-10-05 09:31:24+00:00 [TERM=\"xterm\"]\nq-3$ date\nMon\nq-3$ exit\nexit\n\nScript done on 2026-10-05 09:31:30+00:00 [COMMAND_EXIT_CODE=\"0\"]\n",
		[]string{"## Script started on 2026-10-05 09:31:24+00:00 [TERM=\"xterm\"]", "q-3 date → Mon", "q-3 exit → exit/", "q-3 ## Script done on 2026-10-05 09:31:30+00:00 [COMMAND_EXIT_CODE=\"0\"]"},
	},
	"a question for a password": {
		"ops@q:~$ sudo cat /proc/1/wchan\n[sudo] password for ops: \nep_pollops@q:~$ true\n",
		[]string{"ops@q cat /proc/1/wchan → ep_poll", "ops@q true"},
	},
}

func TestTraps(t *testing.T) {
	for name, c := range trapCases {
		t.Run(name, func(t *testing.T) { expect(t, c.text, c.want...) })
	}
}

// What terminals and tickets add is taken away.
func TestWrappings(t *testing.T) {
	want := []string{"ops@q cat f → a\tb/ c", "ops@q date → Mon"}
	for name, text := range map[string]string{
		"none":             "ops@q:~$ cat f\na\tb\n c\nops@q:~$ date\nMon\n",
		"CRLF":             "ops@q:~$ cat f\r\na\tb\r\n c\r\nops@q:~$ date\r\nMon\r\n",
		"colours":          "\x1b[01;32mops@q\x1b[00m:\x1b[01;34m~\x1b[00m$ cat f\na\t\x1b[31mb\x1b[K\x1b[m\n c\nops@q:~$ date\nMon\n",
		"window titles":    "\x1b]0;ops@q: ~\x07ops@q:~$ cat f\na\tb\n c\n\x1b[?2004h\x1b]2;ops\x1b\\ops@q:~$ date\nMon\n",
		"mistypes":         "ops@q:~$ catt\b f\na\tb\n c\nops@q:~$ dx\bate\nMon\n",
		"a byte order":     "\ufeffops@q:~$ cat f\na\tb\n c\nops@q:~$ date\nMon\n",
		"quoted":           "> ops@q:~$ cat f\n> a\tb\n>  c\n> ops@q:~$ date\n> Mon\n",
		"quoted twice":     "> > ops@q:~$ cat f\n> > a\tb\n> >  c\n> > ops@q:~$ date\n> > Mon\n",
		"indented":         "    ops@q:~$ cat f\n    a\tb\n     c\n    ops@q:~$ date\n    Mon\n",
		"a fence":          "```console\nops@q:~$ cat f\na\tb\n c\nops@q:~$ date\nMon\n```\n",
		"Jira's fence":     "{noformat:title=q}\nops@q:~$ cat f\na\tb\n c\nops@q:~$ date\nMon\n{noformat}\n",
		"a screen's width": "ops@q:~$ cat f   \na\tb      \n c     \nops@q:~$ date  \nMon     \n",
		"no last newline":  "ops@q:~$ cat f\na\tb\n c\nops@q:~$ date\nMon",
		"zsh's open lines": "ops@q:~$ cat f\na\tb\n c%                    \r \rops@q:~$ date\nMon\n",
	} {
		t.Run(name, func(t *testing.T) { expect(t, text, want...) })
	}
}

// A closed code block ends the output: what follows is somebody's words.
func TestFences(t *testing.T) {
	expect(t, "Look:\n```\n$ redis-cli GET k\n\"a\"\n```\nand a minute later\n```\n$ redis-cli GET k\n(nil)\n```\ngone.\n",
		"loose → Look:", "redis-cli GET k → \"a\"", "loose → and a minute later", "redis-cli GET k → (nil)", "loose → gone.")
	expect(t, "q-3$ cat README.md\n```\nmake\n```\nq-3$ true\n", "q-3 cat README.md → ```/make/```", "q-3 true")
}
