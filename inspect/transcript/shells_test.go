package transcript

import "testing"

// Whose shell a prompt belongs to, as ssh, su, exec and exit change it.
var shellCases = map[string]struct {
	text string
	want []string
}{
	"a named host and back": {
		"ops@bastion:~$ ssh quince-3\nLast login: Mon\nquince-3$ date\nMon\nquince-3$ exit\nlogout\nConnection to quince-3 closed.\nops@bastion:~$ true\n",
		[]string{"ops@bastion ssh quince-3 → Last login: Mon", "quince-3 date → Mon", "quince-3 exit → logout/Connection to quince-3 closed.", "ops@bastion true"},
	},
	"prompts without a name": {
		"$ ssh -p 2222 ops@quince-3\n$ date\nMon\n$ exit\nConnection to quince-3 closed.\n$ hostname\nbastion\n",
		[]string{"ssh -p 2222 ops@quince-3", "ops@quince-3 date → Mon", "ops@quince-3 exit → Connection to quince-3 closed.", "hostname → bastion"},
	},
	"a closed connection without exit": {
		"ops@bastion:~$ ssh quince-3\n# date\nMon\n# \nConnection to quince-3 closed by remote host.\nConnection to quince-3 closed.\nops@bastion:~$ true\n",
		[]string{"ops@bastion ssh quince-3", "quince-3 date → Mon", "quince-3 → Connection to quince-3 closed by remote host./Connection to quince-3 closed.", "ops@bastion true"},
	},
	"a host that cannot be reached": {
		"$ ssh quince-3\nssh: connect to host quince-3 port 22: Connection timed out\n$ date\nMon\n",
		[]string{"ssh quince-3 → ssh: connect to host quince-3 port 22: Connection timed out", "date → Mon"},
	},
	"one command over ssh": {
		"ops@bastion:~$ ssh -o BatchMode=yes root@quince-3 cat /proc/7/stat\n7 (x) S\nops@bastion:~$ ssh quince-3 'ps -p 7 | grep x'\n  7 x\n",
		[]string{"root@quince-3 cat /proc/7/stat → 7 (x) S", "quince-3 ps -p 7 | grep x →   7 x"},
	},
	"several commands over ssh": {
		"ops@bastion:~$ ssh quince-3 'date -u +%FT%TZ; cat /proc/uptime'\n2026-10-05T09:31:24Z\n100.00 90.00\n",
		[]string{"quince-3 date -u +%FT%TZ → 2026-10-05T09:31:24Z", "quince-3 cat /proc/uptime → 100.00 90.00"},
	},
	"root's shell": {
		"ops@quince-3:~$ sudo -i\nroot@quince-3:~# date\nMon\nroot@quince-3:~# exit\nlogout\nops@quince-3:~$ su -\nPassword: \n# date\nMon\n# exit\nops@quince-3:~$ true\n",
		[]string{"ops@quince-3 sudo -i", "root@quince-3 date → Mon", "root@quince-3 exit → logout", "ops@quince-3 su -", "ops@quince-3 date → Mon", "ops@quince-3 exit", "ops@quince-3 true"},
	},
	"a container's shell": {
		"ops@quince-3:~$ docker exec -it ledger sh\n/ # cat /proc/1/comm\nledgerd\n/ # exit\nops@quince-3:~$ true\n",
		[]string{"ops@quince-3{ledger} sh", "ops@quince-3{ledger} cat /proc/1/comm → ledgerd", "ops@quince-3{ledger} exit", "ops@quince-3 true"},
	},
	"a container's shell that nobody was seen to leave": {
		"ops@quince-3:~$ docker exec -it ledger sh\n/app $ cat /proc/1/comm\nledgerd\nops@quince-3:~$ true\nops@quince-3:/var$ true\n",
		[]string{"ops@quince-3{ledger} sh", "ops@quince-3{ledger} cat /proc/1/comm → ledgerd", "ops@quince-3 true", "ops@quince-3 true"},
	},
	"a container with its host's name": {
		"ops@quince-3:~$ docker exec -it ledger bash\nroot@quince-3:/# cat /proc/1/comm\nledgerd\nroot@quince-3:/# exit\nexit\nops@quince-3:~$ true\n",
		[]string{"ops@quince-3{ledger} bash", "root@quince-3{ledger} cat /proc/1/comm → ledgerd", "root@quince-3{ledger} exit → exit", "ops@quince-3 true"},
	},
	"a container that names itself": {
		"ops@quince-3:~$ docker exec -it ledger bash\nroot@3f2a9c1d04be:/# date\nMon\nroot@3f2a9c1d04be:/# exit\nexit\nops@quince-3:~$ true\n",
		[]string{"ops@quince-3{ledger} bash", "root@quince-3{ledger} date → Mon", "root@quince-3{ledger} exit → exit", "ops@quince-3 true"},
	},
	"one command in a container": {
		"ops@quince-3:~$ docker exec -u root ledger cat /proc/1/comm\nledgerd\nops@quince-3:~$ kubectl -n pay exec ledger-0 -c app -- sh -c 'cat /proc/1/comm'\nledgerd\n",
		[]string{"ops@quince-3{ledger} cat /proc/1/comm → ledgerd", "ops@quince-3{ledger-0} cat /proc/1/comm → ledgerd"},
	},
	"redis-cli in a container": {
		"ops@quince-3:~$ docker exec -it cache redis-cli\n127.0.0.1:6379> PING\nPONG\n127.0.0.1:6379> exit\nops@quince-3:~$ true\n",
		[]string{"ops@quince-3{cache} redis-cli", "ops@quince-3{cache} <127.0.0.1:6379/0> PING → PONG", "ops@quince-3{cache} <127.0.0.1:6379/0> exit", "ops@quince-3 true"},
	},
	"a shell that some other tool opened": {
		"ops@bastion:~$ vagrant ssh db\n$ cat /proc/1/comm\nsystemd\n$ exit\nops@bastion:~$ true\n",
		[]string{"ops@bastion vagrant ssh db", "cat /proc/1/comm → systemd", "exit", "ops@bastion true"},
	},
	"another namespace": {
		"root@q:~# nsenter -t 41207 -n ss -tnpo\nState\nroot@q:~# true\n",
		[]string{"root@q ss -tnpo → State", "root@q true"},
	},
	"lines that a shell is fed": {
		"ops@bastion:~$ ssh quince-3 <<'EOF'\n> date -u +%FT%TZ\n> cat /proc/uptime\n> EOF\n2026-10-05T09:31:24Z\n100.00 90.00\n",
		[]string{"quince-3 date -u +%FT%TZ → 2026-10-05T09:31:24Z", "quince-3 cat /proc/uptime → 100.00 90.00"},
	},
	"lines that redis-cli is fed": {
		"q-3$ redis-cli -h 10.0.0.5 <<EOF\nTIME\nGET \"a b\"\nEOF\n1791192684\n120000\nx\nq-3$ true\n",
		[]string{"q-3 redis-cli -h 10.0.0.5 TIME → 1791192684/120000", "q-3 redis-cli -h 10.0.0.5 GET a_b → x", "q-3 true"},
	},
	"a here-document that is a file": {
		"q-3$ cat > f <<EOF\n> date\n> EOF\nq-3$ true\n",
		[]string{"q-3 cat", "q-3 true"},
	},
}

func TestShells(t *testing.T) {
	for name, c := range shellCases {
		t.Run(name, func(t *testing.T) { expect(t, c.text, c.want...) })
	}
}

// The flag's host is that of prompts without a name, until one has a name.
func TestHostOption(t *testing.T) {
	var got []string
	err := Scan(newReader("$ date\nMon\n$ ssh b\n$ date\n"), Options{Host: "a"}, func(e Entry) error {
		got = append(got, e.Host)
		return nil
	})
	if err != nil || len(got) != 3 || got[0] != "a" || got[1] != "a" || got[2] != "b" {
		t.Errorf("%q, %v", got, err)
	}
}
