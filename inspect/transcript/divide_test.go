package transcript

import (
	"slices"
	"strings"
	"testing"
)

// Several commands on one line, and whose output is whose.
var listCases = map[string]struct {
	typed, printed string
	want           []string
	guessed        bool
}{
	"known numbers of lines": {
		"date -u; cat /proc/uptime", "Mon Oct  5 09:31:24 UTC 2026\n100.00 90.00\n",
		[]string{"date -u → Mon Oct  5 09:31:24 UTC 2026", "cat /proc/uptime → 100.00 90.00"}, false,
	},
	"an open one first": {
		"ps -p 7 && date && hostname", "  PID TTY\n    7 ?\nMon Oct  5 09:31:24 UTC 2026\nq\n",
		[]string{"ps -p 7 →   PID TTY/    7 ?", "date → Mon Oct  5 09:31:24 UTC 2026", "hostname → q"}, false,
	},
	"an open one in the middle": {
		"redis-cli TIME; redis-cli CLIENT LIST; redis-cli TIME", "1) \"1791192684\"\n2) \"120000\"\nid=4 addr=a\nid=5 addr=b\n1) \"1791192685\"\n2) \"7\"\n",
		[]string{`redis-cli TIME → 1) "1791192684"/2) "120000"`, "redis-cli CLIENT LIST → id=4 addr=a/id=5 addr=b", `redis-cli TIME → 1) "1791192685"/2) "7"`}, false,
	},
	"a refusal is one line": {
		"redis-cli TIME; redis-cli PTTL k", "Could not connect to Redis at 127.0.0.1:6379: Connection refused\n(integer) 5\n",
		[]string{"redis-cli TIME → Could not connect to Redis at 127.0.0.1:6379: Connection refused", "redis-cli PTTL k → (integer) 5"}, false,
	},
	"a warning counts for nothing": {
		"redis-cli -a x PTTL k; date", "Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.\n(integer) 5\nMon Oct  5 09:31:24 UTC 2026\n",
		[]string{"redis-cli -a x PTTL k → Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe./(integer) 5", "date → Mon Oct  5 09:31:24 UTC 2026"}, false,
	},
	"two open ones, the second known by its head": {
		"dmesg; ps aux", "[1.0] a\n[2.0] b\nUSER       PID\nroot 1\n",
		[]string{"dmesg → [1.0] a/[2.0] b", "ps aux → USER       PID/root 1"}, false,
	},
	"the same table twice": {
		"ps -p 1; ps -p 7", "  PID TTY\n    1 ?\n  PID TTY\n    7 ?\n",
		[]string{"ps -p 1 →   PID TTY/    1 ?", "ps -p 7 →   PID TTY/    7 ?"}, false,
	},
	"lines in between say where": {
		"dmesg; echo ---; journalctl -k; echo '== end'", "[1.0] a\n---\nx\ny\n== end\n",
		[]string{"dmesg → [1.0] a", "echo --- → ---", "journalctl -k → x/y", "echo ==_end → == end"}, false,
	},
	"known by its last line": {
		"cat /proc/7/status; dmesg", "Name:\tx\nnonvoluntary_ctxt_switches:\t1\n[1.0] a\n",
		[]string{"cat /proc/7/status → Name:\tx/nonvoluntary_ctxt_switches:\t1", "dmesg → [1.0] a"}, false,
	},
	"no newline in between": {
		"cat /proc/7/wchan; date -u +%FT%TZ", "ptrace_stop2026-10-05T09:31:24Z\n",
		[]string{"cat /proc/7/wchan → ptrace_stop", "date -u +%FT%TZ → 2026-10-05T09:31:24Z"}, false,
	},
	"a part of what shows its shape in every line": {
		"dmesg; redis-cli CLIENT LIST | grep -v metrics", "[1.0] a\nid=4 addr=10.0.0.5:1 name=x\nid=5 addr=10.0.0.5:2 name=y\n",
		[]string{"dmesg → [1.0] a", "redis-cli CLIENT LIST | grep -v metrics → id=4 addr=10.0.0.5:1 name=x/id=5 addr=10.0.0.5:2 name=y"}, false,
	},
	"nobody can tell": {
		"dmesg; journalctl -k", "x\ny\n",
		[]string{"dmesg → x/y", "journalctl -k"}, true,
	},
	"only one of two ran": {
		"cat /proc/7/stat || date", "Mon Oct  5 09:31:24 UTC 2026\n",
		[]string{"cat /proc/7/stat → Mon Oct  5 09:31:24 UTC 2026", "date"}, true,
	},
	"nothing came": {
		"date; ps", "", []string{"date", "ps"}, false,
	},
	"counts": {
		"dmesg | grep -c oom; ss -tn | wc -l", "0\n4\n",
		[]string{"dmesg | grep -c oom → 0", "ss -tn | wc -l → 4"}, false,
	},
	"a group": {
		"(date; hostname) 2>&1 | tee log", "Mon\nq\n",
		[]string{"date → Mon", "hostname | tee log → q"}, false,
	},
}

func TestLists(t *testing.T) {
	for name, c := range listCases {
		t.Run(name, func(t *testing.T) {
			text := "$ " + c.typed + "\n" + c.printed
			expect(t, text, c.want...)
			guessed := slices.ContainsFunc(scan(t, text), func(e Entry) bool { return e.Shared })
			if guessed != c.guessed {
				t.Errorf("guessed %v, want %v", guessed, c.guessed)
			}
		})
	}
}

func TestLoops(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"one command": {
			"$ for i in 1 2 3; do redis-cli PTTL k; sleep 1; done\n(integer) 9\n(integer) 8\n(integer) 7\n",
			[]string{"redis-cli PTTL k → (integer) 9", "sleep 1", "redis-cli PTTL k → (integer) 8", "sleep 1", "redis-cli PTTL k → (integer) 7", "sleep 1"},
		},
		"until somebody stops it": {
			"$ while true; do date -u +%T; cat /proc/uptime; done\n09:31:24\n100.00 90.00\n^C\n",
			[]string{"true", "date -u +%T → 09:31:24", "cat /proc/uptime → 100.00 90.00", "true", "date -u +%T → ^C", "cat /proc/uptime"},
		},
		"over several lines": {
			"q-3$ for i in 1 2\n> do\n>   redis-cli TIME\n> done | tee log\n1) \"1791192684\"\n2) \"1\"\n1) \"1791192685\"\n2) \"2\"\nq-3$ true\n",
			[]string{`q-3 redis-cli TIME | tee log → 1) "1791192684"/2) "1"/1) "1791192685"/2) "2"`, "q-3 true"},
		},
		"tables": {
			"$ for i in 1 2; do ps -p 7; done\n  PID\n    7\n  PID\n    7\n",
			[]string{"ps -p 7 →   PID/    7", "ps -p 7 →   PID/    7"},
		},
		"what cannot be told apart": {
			"$ for p in 1 2; do ls /proc/$p/fd; done\n0 1\n0 1 2\n",
			[]string{"ls /proc/$p/fd → 0 1/0 1 2"},
		},
		"and then something else": {
			"$ for i in 1 2; do redis-cli PTTL k; done; date -u +%FT%TZ\n(integer) 9\n(integer) 8\n2026-10-05T09:31:24Z\n",
			[]string{"redis-cli PTTL k → (integer) 9", "redis-cli PTTL k → (integer) 8", "date -u +%FT%TZ → 2026-10-05T09:31:24Z"},
		},
	} {
		t.Run(name, func(t *testing.T) { expect(t, c.text, c.want...) })
	}
	for _, typed := range []string{"for i in 1 2; do dmesg; done", "watch -n 1 dmesg", "watch 'dmesg | tail'", "while sleep 1; do dmesg; done"} {
		entries := scan(t, "$ "+typed+"\nx\ny\n")
		if last := entries[len(entries)-1]; !last.Loop {
			t.Errorf("%s: no loop in %s", typed, brief(last))
		}
	}
}

// Nothing is lost when a list's output is divided.
func TestDivideKeepsAll(t *testing.T) {
	commands := []string{"date", "dmesg", "ps -p 1", "redis-cli TIME", "echo x", "sleep 1", "cat /proc/1/wchan", "cat /proc/1/status", "redis-cli PTTL k"}
	body := "x\n1) \"1791192684\"\nName:\tx\n  PID\n(integer) 5\n\nnonvoluntary_ctxt_switches:\t1\nMon Oct  5 09:31:24 UTC 2026\n"
	for _, a := range commands {
		for _, b := range commands {
			for _, form := range []string{"A; B", "for i in 1; do A; B; done", "A; for i in 1; do B; done", "for i in 1; do A; done; B"} {
				typed := strings.NewReplacer("A", a, "B", b).Replace(form)
				var got strings.Builder
				for _, e := range scan(t, "q-3$ "+typed+"\n"+body) {
					got.Write(e.Output)
				}
				if got.String() != body {
					t.Errorf("%s: %q of %q", typed, got.String(), body)
				}
			}
		}
	}
}
