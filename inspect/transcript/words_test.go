package transcript

import (
	"slices"
	"strings"
	"testing"
)

// A command line as a POSIX shell splits it, without what does not print.
func TestSplit(t *testing.T) {
	for typed, want := range map[string]string{
		`ps -o pid,stat -p 7`:                         `ps·-o·pid,stat·-p·7`,
		`redis-cli GET "lk:{a} b"`:                    `redis-cli·GET·lk:{a} b`,
		`redis-cli GET 'it'\''s'`:                     `redis-cli·GET·it's`,
		`redis-cli GET a\ b ""`:                       `redis-cli·GET·a b·`,
		`echo "a\"b\$c\d"`:                            `echo·a"b$c\d`,
		`dmesg 2>/dev/null | grep -Ei 'oom|killed'`:   `dmesg|grep·-Ei·oom|killed`,
		`dmesg |& tail -5 2>&1`:                       `dmesg|tail·-5`,
		`cat </proc/7/stat >out`:                      `cat`,
		`dmesg &>all`:                                 `dmesg`,
		`sudo -u root cat /proc/7/stat`:               `cat·/proc/7/stat`,
		`sudo -n dmesg -T`:                            `dmesg·-T`,
		`TZ=UTC LC_ALL=C date`:                        `date`,
		`env TZ=UTC date`:                             `date`,
		`time nice -n 5 ionice -c 3 ps`:               `ps`,
		`timeout -k 1 3 redis-cli PING`:               `redis-cli·PING`,
		`timeout 3s redis-cli PING`:                   `redis-cli·PING`,
		`watch -n 1 redis-cli PTTL k`:                 `redis-cli·PTTL·k`,
		`watch 'ps -p 7 | tail -1'`:                   `ps·-p·7`,
		`stdbuf -oL journalctl -f`:                    `journalctl·-f`,
		`nsenter -t 7 -n ss -tn`:                      `ss·-tn`,
		`chroot /host cat /proc/7/stat`:               `cat·/proc/7/stat`,
		`busybox ps`:                                  `ps`,
		`sudo sh -c 'cat /proc/7/stack'`:              `cat·/proc/7/stack`,
		`bash -lc "dmesg | tail"`:                     `dmesg|tail`,
		`ssh q-3 "ps -p 7 | cat" | tee log`:           `ps·-p·7|cat|tee·log`,
		`ssh -J b ops@q-3 -p 22 date`:                 `date`,
		`docker exec ledger redis-cli PING`:           `redis-cli·PING`,
		`kubectl exec -n pay pod -c app -- ps aux`:    `ps·aux`,
		`echo "GET 'a b'" | redis-cli -h 10.0.0.5`:    `redis-cli·-h·10.0.0.5·GET·a b`,
		`printf 'PTTL k\n' | redis-cli | cat`:         `redis-cli·PTTL·k|cat`,
		`cat /proc/$(pgrep -f "a b")/stat`:            `cat·/proc/$(pgrep -f "a b")/stat`,
		"cat /proc/`pgrep a b`/stat":                  "cat·/proc/`pgrep a b`/stat",
		`head -n 1 /proc/7/task/*/stat # the threads`: `head·-n·1·/proc/7/task/*/stat`,
		`redis-cli GET a#b`:                           `redis-cli·GET·a#b`,
		`if redis-cli EXISTS k; then date; fi`:        `redis-cli·EXISTS·k`,
		`sudo -i`:                                     `sudo·-i`,
		`# nothing`:                                   ``,
		``:                                            ``,
		`'`:                                           ``,
	} {
		argv, filters := Split(typed)
		got := strings.Join(argv, "·")
		for _, f := range filters {
			got += "|" + strings.Join(f, "·")
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", typed, got, want)
		}
	}
}

// Split finds in Typed what the entry had: stored commands are split again.
func TestSplitAgain(t *testing.T) {
	for _, typed := range []string{
		"ssh q-3 'ps -p 7 | cat'", "date; ps -p 7 | cat; hostname", "for i in 1 2; do redis-cli PTTL k; sleep 1; done",
		"docker exec c sh -c 'date; ps'", "ssh q-3 'sudo sh -c \"date; dmesg | tail\"'", "watch 'date; ps'",
	} {
		for _, e := range scan(t, "$ "+typed+"\n") {
			argv, filters := Split(e.Typed)
			if !slices.Equal(argv, e.Argv) || len(filters) != len(e.Filters) {
				t.Errorf("%s: %q splits into %q %q, was %q %q", typed, e.Typed, argv, filters, e.Argv, e.Filters)
			}
		}
	}
}

func TestRedisWords(t *testing.T) {
	for typed, want := range map[string][]string{
		`GET lk`:               {"GET", "lk"},
		`GET "a \"b\" \x41\n"`: {"GET", "a \"b\" A\n"},
		`GET 'a \'b\' \x41'`:   {"GET", `a 'b' \x41`},
		`GET "\xzz"`:           {"GET", "xzz"},
		`GET a;b|c>d#e`:        {"GET", "a;b|c>d#e"},
		`SET k ""`:             {"SET", "k", ""},
		`GET "open`:            {"GET", "open"},
		`GET "a\`:              {"GET", `a\`},
		"  \t ":                nil,
	} {
		if got := redisWords(typed); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", typed, got, want)
		}
	}
}

// A command line may go on in the next line.
func TestContinued(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a backslash": {
			"q-3$ redis-cli -h 10.0.0.5 \\\n>   PTTL k\n(integer) 5\nq-3$ true\n",
			[]string{"q-3 redis-cli -h 10.0.0.5 PTTL k → (integer) 5", "q-3 true"},
		},
		"a backslash, copied without the second prompt": {
			"q-3$ redis-cli -h 10.0.0.5 \\\n    PTTL k\n(integer) 5\nq-3$ true\n",
			[]string{"q-3 redis-cli -h 10.0.0.5 PTTL k → (integer) 5", "q-3 true"},
		},
		"a quote": {
			"q-3$ redis-cli EVAL \"return\n> 1\" 0\n(integer) 1\nq-3$ true\n",
			[]string{"q-3 redis-cli EVAL return\n1 0 → (integer) 1", "q-3 true"},
		},
		"a pipe": {
			"q-3$ dmesg |\npipe> grep oom\nx\nq-3$ true\n",
			[]string{"q-3 dmesg | grep oom → x", "q-3 true"},
		},
		"an apostrophe that was none": {
			"q-3$ echo don't\nx\nq-3$ true\n",
			[]string{"q-3 echo dont → x", "q-3 true"},
		},
		"given up": {
			"q-3$ dmesg |\nq-3$ true\n",
			[]string{"q-3 dmesg", "q-3 true"},
		},
		"a here-document without an end": {
			"q-3$ redis-cli <<EOF\nPING\nq-3$ true\n",
			[]string{"q-3 redis-cli → PING", "q-3 true"},
		},
	} {
		t.Run(name, func(t *testing.T) { expect(t, c.text, c.want...) })
	}
}

func TestPartial(t *testing.T) {
	for typed, want := range map[string]bool{
		"dmesg": false, "dmesg | cat": false, "dmesg | sort | tee log | less": false,
		"dmesg | grep oom": true, "dmesg | tail": true, "dmesg | sort | head -5": true, "x | jq .": true, "x | awk 1": true, "x | cut -f 1": true, "x | wc -l": true, "x | frobnicate": true,
	} {
		argv, filters := Split(typed)
		if got := (Entry{Argv: argv, Filters: filters}).Partial(); got != want {
			t.Errorf("%s: %v", typed, got)
		}
	}
}
