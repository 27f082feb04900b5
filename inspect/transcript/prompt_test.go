package transcript

import "testing"

// Every style of prompt that people paste. Two commands each, so that the second
// prompt must end the first one's output.
func TestPromptStyles(t *testing.T) {
	for _, c := range []struct{ prompt, where string }{
		{"$ ", ""},
		{"# ", ""},
		{"% ", ""},
		{"quince-3$ ", "quince-3"},
		{"quince-3# ", "quince-3"},
		{"quince-3% ", "quince-3"},
		{"quince-3:~$ ", "quince-3"},
		{"quince-3:/var/log# ", "quince-3"},
		{"quince-3.example.net$ ", "quince-3.example.net"},
		{"quince-3 ~ # ", "quince-3"},
		{"[quince-3 ~]$ ", "quince-3"},
		{"ops@quince-3:~$ ", "ops@quince-3"},
		{"ops@quince-3:/var/log/app$ ", "ops@quince-3"},
		{"root@quince-3:~# ", "root@quince-3"},
		{"[ops@quince-3 ~]$ ", "ops@quince-3"},
		{"[root@quince-3 log]# ", "root@quince-3"},
		{"ops@quince-3 ~ % ", "ops@quince-3"},
		{"ops@quince-3 /var/log (main) $ ", "ops@quince-3"},
		{"ops@quince-3 ~> ", "ops@quince-3"},
		{"root@quince-3 /v/log# ", "root@quince-3"},
		{"(venv) ops@quince-3:~$ ", "ops@quince-3"},
		{"(prod:default) (venv) ops@quince-3:~$ ", "ops@quince-3"},
		{"[0] ops@quince-3:~$ ", "ops@quince-3"},
		{"[130] (venv) quince-3$ ", "quince-3"},
		{"quince-3:log ops$ ", "ops@quince-3"},
		{"root@3f2a9c1d04be:/# ", "root@3f2a9c1d04be"},
		{"bash-5.1$ ", ""},
		{"sh-4.4# ", ""},
		{"/ # ", ""},
		{"~ $ ", ""},
		{"/app $ ", ""},
		{"➜  ~ ", ""},
		{"➜  app git:(main) ✗ ", ""},
		{"❯ ", ""},
		{"λ ", ""},
		{"└─$ ", ""},
	} {
		first, second := "date -u", "cat /proc/41207/stat"
		where := c.where
		if where != "" {
			where += " "
		}
		expect(t, c.prompt+first+"\nMon Oct  5 09:31:24 UTC 2026\n"+c.prompt+second+"\n41207 (ledgerd) S 1\n",
			where+"date -u → Mon Oct  5 09:31:24 UTC 2026",
			where+"cat /proc/41207/stat → 41207 (ledgerd) S 1")
	}
}

func TestRedisPrompts(t *testing.T) {
	for _, c := range []struct{ prompt, where string }{
		{"10.40.64.7:6379> ", "<10.40.64.7:6379/0>"},
		{"10.40.64.7:6379[3]> ", "<10.40.64.7:6379/3>"},
		{"redis-lb:6379> ", "<redis-lb:6379/0>"},
		{"redis-0.cache.svc:26379> ", "<redis-0.cache.svc:26379/0>"},
		{"[2001:db8::7]:6379> ", "<[2001:db8::7]:6379/0>"},
		{"10.40.64.7:6379(TX)> ", "<10.40.64.7:6379/0>"},
		{"10.40.64.7:6379[2](TX)> ", "<10.40.64.7:6379/2>"},
		{"redis /run/redis.sock> ", "</run/redis.sock/0>"},
		{"redis /run/redis.sock[1]> ", "</run/redis.sock/1>"},
		{"valkey /run/valkey.sock> ", "</run/valkey.sock/0>"},
		{"not connected> ", "</0>"},
	} {
		expect(t, c.prompt+"PTTL lk:roll\n(integer) 25925\n"+c.prompt+"GET lk:roll\n\"quince-3:41207\"\n",
			c.where+" PTTL lk:roll → (integer) 25925",
			c.where+" GET lk:roll → \"quince-3:41207\"")
	}
}

func TestRedisSession(t *testing.T) {
	expect(t, `ops@bastion:~$ redis-cli -h 10.40.64.7 -n 2
10.40.64.7:6379[2]> GET 'lk:{roll};a|b'
(nil)
10.40.64.7:6379[2]> SELECT 1
OK
10.40.64.7:6379[1]> SET k "a\x00\n" NX # 1
OK
Could not connect to Redis at 10.40.64.7:6379: Connection refused
not connected> PING
Could not connect to Redis at 10.40.64.7:6379: Connection refused
not connected> exit
ops@bastion:~$ hostname
bastion
`,
		"ops@bastion redis-cli -h 10.40.64.7 -n 2",
		"ops@bastion <10.40.64.7:6379/2> GET lk:{roll};a|b → (nil)",
		"ops@bastion <10.40.64.7:6379/2> SELECT 1 → OK",
		"ops@bastion <10.40.64.7:6379/1> SET k a\x00\n NX # 1 → OK/Could not connect to Redis at 10.40.64.7:6379: Connection refused",
		"ops@bastion <10.40.64.7:6379/1> PING → Could not connect to Redis at 10.40.64.7:6379: Connection refused",
		"ops@bastion <10.40.64.7:6379/1> exit",
		"ops@bastion hostname → bastion")
}

// A client that never had a connection is known by how it was started.
func TestRedisNeverConnected(t *testing.T) {
	entries := scan(t, "quince-3$ docker exec -it cache redis-cli -p 6390\nnot connected> PING\nCould not connect\nquince-3$ true\n")
	e := entries[1]
	if e.Redis == nil || e.Redis.Connected || e.Redis.Addr != "127.0.0.1:6390" || e.In.Name != "cache" || e.Host != "quince-3" {
		t.Errorf("%+v of %+v", e.Redis, e)
	}
	if last := entries[2]; last.In.Name != "" || last.Redis != nil {
		t.Errorf("the shell's own command: %s", brief(last))
	}
}

// A prompt of two lines names its host in the first.
func TestPromptOfTwoLines(t *testing.T) {
	expect(t, "┌──(ops㉿quince-3)-[~]\n└─$ date\nMon\n┌──(ops㉿quince-3)-[~]\n└─$ hostname\nquince-3\n",
		"ops@quince-3 date → Mon", "ops@quince-3 hostname → quince-3")
	expect(t, "╭─ops@quince-3 ~\n╰─$ date\nMon\n", "ops@quince-3 date → Mon")
	expect(t, "┌──(ops㉿q)-[~]\n└─$ cat /proc/1/wchan\nep_poll┌──(ops㉿q)-[~]\n└─$ date\nMon\n", "ops@q cat /proc/1/wchan → ep_poll", "ops@q date → Mon")
	entries := scan(t, "[2026-10-05T09:31:24Z] ┌──(ops㉿q)-[~]\n└─$ date\nMon\n")
	if len(entries) != 1 || entries[0].Host != "q" || entries[0].Stamp.Format("15:04:05") != "09:31:24" {
		t.Errorf("%+v", entries)
	}
}

func TestEnterAndAbortedLines(t *testing.T) {
	expect(t, "quince-3$ date\nMon\nquince-3$\nquince-3$ \nquince-3$ dmesg -w^C\nquince-3$ # a comment\nquince-3$ hostname\nquince-3\n",
		"quince-3 date → Mon", "quince-3", "quince-3", "quince-3", "quince-3", "quince-3 hostname → quince-3")
}

// What set -x prints tells what ran.
func TestTraced(t *testing.T) {
	expect(t, "quince-3$ sh -x look.sh\n+ redis-cli PTTL k\n(integer) 5\n++ date +%s\n+ echo 1\n1\nquince-3$ true\n",
		"quince-3 sh -x look.sh", "quince-3 redis-cli PTTL k → (integer) 5", "quince-3 date +%s", "quince-3 echo 1 → 1", "quince-3 true")
	expect(t, "quince-3$ diff a b\n+ date and time\n- other\n", "quince-3 diff a b → + date and time/- other")
}
