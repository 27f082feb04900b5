package transcript

import "testing"

// What several redis-clis of one line printed is divided where an answer tells its
// own end, and nowhere else.
func TestRepliesOfOneLine(t *testing.T) {
	const row = "id=3311 addr=1.2.3.4:5 name=bill"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"rows and a hash": {
			"redis-cli time; redis-cli client list | grep bill; redis-cli hgetall lk; redis-cli pttl lk\n1) \"1796377304\"\n2) \"493000\"\n" + row + "\n1) \"u:1\"\n2) \"1\"\n(integer) 26421\n",
			[]string{`time → 1) "1796377304"/2) "493000"`, `client list | grep bill → ` + row, `hgetall lk → 1) "u:1"/2) "1"`, `pttl lk → (integer) 26421`},
		},
		"a filter that lets nothing through": {
			"redis-cli client list | grep bill && redis-cli hgetall lk && redis-cli pttl lk\n1) \"u:1\"\n2) \"1\"\n(integer) 26421\n",
			[]string{`client list | grep bill`, `hgetall lk → 1) "u:1"/2) "1"`, `pttl lk → (integer) 26421`},
		},
		"no row but a refusal": {
			"redis-cli client list; redis-cli hgetall lk; redis-cli zrange z 0 -1\n(error) NOPERM no\n(empty array)\n1) \"a\"\n",
			[]string{`client list → (error) NOPERM no`, `hgetall lk → (empty array)`, `zrange z 0 -1 → 1) "a"`},
		},
		"arrays within arrays": {
			"redis-cli role; redis-cli slowlog get 1; redis-cli hgetall lk; redis-cli get lk\n1) \"master\"\n2) (integer) 5\n3) (empty array)\n1) 1) (integer) 7\n   2) (integer) 8\n(empty array)\n\"v\"\n",
			[]string{`role → 1) "master"/2) (integer) 5/3) (empty array)`, `slowlog get 1 → 1) 1) (integer) 7/   2) (integer) 8`, `hgetall lk → (empty array)`, `get lk → "v"`},
		},
		"fields before a hash": {
			"redis-cli info server; redis-cli hgetall lk; redis-cli ttl lk\n# Server\nredis_version:7.2.4\n\n1) \"a:b\"\n2) \"1\"\n(integer) 5\n",
			[]string{`info server → # Server/redis_version:7.2.4/`, `hgetall lk → 1) "a:b"/2) "1"`, `ttl lk → (integer) 5`},
		},
		"a string that looks like a field stays undivided": {
			"redis-cli --raw info server; redis-cli --raw hgetall lk; redis-cli --raw hgetall l2\n# Server\nredis_version:7.2.4\na:b\n1\nc:d\n2\n",
			[]string{"--raw info server → # Server/redis_version:7.2.4/a:b/1/c:d/2", "--raw hgetall lk", "--raw hgetall l2"},
		},
		"rows of two lists stay undivided": {
			"redis-cli client list; redis-cli client list; redis-cli pttl lk\n" + row + "\n" + row + "\n" + row + "\n(integer) 5\n",
			[]string{"client list → " + row + "/" + row + "/" + row + "/(integer) 5", "client list", "pttl lk"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var want []string
			for _, w := range c.want {
				want = append(want, "q redis-cli "+w)
			}
			expect(t, "q$ "+c.text, want...)
		})
	}
	expect(t, "q$ cat /proc/9/task/*/schedstat; sleep 5; cat /proc/9/task/*/schedstat\n1 2 3\n4 5 6\n2 2 3\n4 5 7\n",
		"q cat /proc/9/task/*/schedstat → 1 2 3/4 5 6/2 2 3/4 5 7", "q sleep 5", "q cat /proc/9/task/*/schedstat")
}
