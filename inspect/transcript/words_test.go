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
		`printf '%q' 'PTTL k' | redis-cli`:            `printf·%q·PTTL k|redis-cli`,
		`echo v | redis-cli -x SET k`:                 `echo·v|redis-cli·-x·SET·k`,
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

// A command line that calls up an earlier one is what the shell prints in the next
// line, in full.
func TestRecalled(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"the last one as root": {
			"q-3$ dmesg -T | tail\ndmesg: read kernel buffer failed: Operation not permitted\nq-3$ sudo !!\nsudo dmesg -T | tail\n[x] oom\nq-3$ true\n",
			[]string{"q-3 dmesg -T | tail → dmesg: read kernel buffer failed: Operation not permitted", "q-3 dmesg -T | tail → [x] oom", "q-3 true"},
		},
		"the last one": {
			"q-3$ redis-cli PTTL k\n(integer) 5\nq-3$ !!\nredis-cli PTTL k\n(integer) 4\nq-3$ true\n",
			[]string{"q-3 redis-cli PTTL k → (integer) 5", "q-3 redis-cli PTTL k → (integer) 4", "q-3 true"},
		},
		"a part more": {
			"q-3$ dmesg\nx\nq-3$ !! | grep -i oom\ndmesg | grep -i oom\noom\nq-3$ true\n",
			[]string{"q-3 dmesg → x", "q-3 dmesg | grep -i oom → oom", "q-3 true"},
		},
		"by its word": {
			"q-3$ !ps\nps -p 7\n  7 x\nq-3$ true\n",
			[]string{"q-3 ps -p 7 →   7 x", "q-3 true"},
		},
		"its last word": {
			"q-3$ ls /proc/7/stat\n/proc/7/stat\nq-3$ cat !$\ncat /proc/7/stat\n7 (x) S\nq-3$ true\n",
			[]string{"q-3 ls /proc/7/stat → /proc/7/stat", "q-3 cat /proc/7/stat → 7 (x) S", "q-3 true"},
		},
		"with another word": {
			"q-3$ ps -p 7\nx\nq-3$ ^7^8^\nps -p 8\ny\nq-3$ true\n",
			[]string{"q-3 ps -p 7 → x", "q-3 ps -p 8 → y", "q-3 true"},
		},
		"there was none": {
			"q-3$ sudo !!\n-bash: !!: event not found\nq-3$ true\n",
			[]string{"q-3 !! → -bash: !!: event not found", "q-3 true"},
		},
		"nothing was printed": {
			"q-3$ sudo !!\nq-3$ true\n",
			[]string{"q-3 !!", "q-3 true"},
		},
		"no earlier one": {
			"q-3$ echo 'a!b'\na!b\nq-3$ echo \"a!\"\na!\nq-3$ [ $? != 0 ]\nq-3$ echo $!\n41\nq-3$ true\n",
			[]string{"q-3 echo a!b → a!b", "q-3 echo a! → a!", "q-3 [ $? != 0 ]", "q-3 echo $! → 41", "q-3 true"},
		},
	} {
		t.Run(name, func(t *testing.T) { expect(t, c.text, c.want...) })
	}
}

// Several commands that redis-cli is fed through a pipe.
func TestPiped(t *testing.T) {
	want := []string{"q-3 redis-cli TIME → 1791192684/120000", "q-3 redis-cli GET lk → q-3:7", "q-3 redis-cli PTTL lk → 21000", "q-3 true"}
	for _, typed := range []string{
		`printf 'TIME\nGET lk\nPTTL lk\n' | redis-cli`,
		`printf "TIME\nGET lk\nPTTL lk\n" | redis-cli`,
		`printf "TIME\r\nGET lk\r\nPTTL lk" | redis-cli`,
		`printf '%s\n' TIME 'GET lk' "PTTL lk" | redis-cli`,
		`printf '%b' 'TIME\nGET lk\n' 'PTTL lk\n' | redis-cli`,
		`printf 'TIME\n%s %s\nPTTL lk\n' GET lk | redis-cli`,
		`echo -e 'TIME\nGET lk\nPTTL lk' | redis-cli`,
		`echo -ne "TIME\nGET lk\nPTTL lk\n" | redis-cli`,
		`echo 'TIME\nGET lk\nPTTL lk' | redis-cli`,
	} {
		expect(t, "q-3$ "+typed+"\n1791192684\n120000\nq-3:7\n21000\nq-3$ true\n", want...)
	}
	expect(t, "q-3$ printf 'TIME\\nPTTL lk\\n' | docker exec -i cache redis-cli --no-raw\n1) \"1791192684\"\n2) \"120000\"\n(integer) 21000\nq-3$ true\n",
		"q-3{cache} redis-cli --no-raw TIME → 1) \"1791192684\"/2) \"120000\"", "q-3{cache} redis-cli --no-raw PTTL lk → (integer) 21000", "q-3 true")
	expect(t, "q-3$ printf '%x\\n' 7 | redis-cli\nERR unknown command\nq-3$ true\n", "q-3 printf %x\\n 7 | redis-cli → ERR unknown command", "q-3 true")
}

// Which container an exec goes to.
func TestWithin(t *testing.T) {
	for typed, want := range map[string]Inside{
		"kubectl exec web-0 -- ps":                                 {Name: "web-0", By: "kubectl"},
		"kubectl -n pay exec -it pod/web-0 -c app -- ps":           {Name: "web-0", Part: "app", Namespace: "pay", By: "kubectl"},
		"kubectl exec --namespace=pay --container=app web-0 -- ps": {Name: "web-0", Part: "app", Namespace: "pay", By: "kubectl"},
		"k3s kubectl exec -npay deploy/web -- ps":                  {Name: "deploy/web", Namespace: "pay", By: "k3s"},
		"docker exec -it -u root worker ps":                        {Name: "worker", By: "docker"},
		"sudo docker compose -f x.yml exec -T web ps":              {Name: "web", By: "docker"},
		"ssh q-3 docker exec worker ps":                            {Name: "worker", By: "docker"},
		"kubectl exec web-0 -- sh -c 'ps | head'":                  {Name: "web-0", By: "kubectl"},
		"kubectl get pod":                                          {},
	} {
		if got := scan(t, "q-3$ "+typed+"\n")[0].In; got != want {
			t.Errorf("%s: %+v, want %+v", typed, got, want)
		}
	}
}
