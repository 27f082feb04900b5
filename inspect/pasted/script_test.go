package pasted_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/pasted"
)

// asked is a look at the lock as a script takes it: one command after the other,
// between two TIMEs.
func asked(second int, answers ...string) string {
	var b strings.Builder
	at := func(command, answer string) {
		fmt.Fprintf(&b, "[2026-10-05T09:31:%02d.100000000Z] fig-1$ redis-cli --no-raw -h 10.0.0.5 %s\n%s\n", second, command, answer)
	}
	time := func(us int) string { return fmt.Sprintf("1) \"%d\"\n2) \"%d\"", 1791192660+second, us) }
	at("TIME", time(100000))
	for i := 0; i+1 < len(answers); i += 2 {
		at(answers[i], answers[i+1])
	}
	at("TIME", time(140000))
	return b.String()
}

// The TIME behind the reads closes a look; it is none by itself, and the last look
// is the last one that asked for the key.
func TestTimeClosesALook(t *testing.T) {
	s, _ := imported(t, asked(1, "TYPE lk", "string", "PTTL lk", "(integer) 20000")+asked(2, "TYPE lk", "string", "PTTL lk", "(integer) 19000"), pasted.Options{})
	if len(s.Looks) != 2 {
		t.Fatalf("%d looks, want 2", len(s.Looks))
	}
	for i, l := range s.Looks {
		if l.Before.State != evidence.Seen || l.After.State != evidence.Seen || l.PTTL.State != evidence.Seen {
			t.Errorf("look %d is not between two TIMEs: %+v", i, l)
		}
	}
}

// One TIME between two looks bounds both.
func TestTimeBetweenLooks(t *testing.T) {
	one := asked(1, "PTTL lk", "(integer) 20000")
	second := "[2026-10-05T09:31:02.100000000Z] fig-1$ redis-cli --no-raw -h 10.0.0.5 PTTL lk\n(integer) 19000\n"
	s, _ := imported(t, one+second, pasted.Options{})
	if len(s.Looks) != 2 || s.Looks[0].After.State != evidence.Seen || s.Looks[1].Before.State != evidence.Seen ||
		!s.Looks[0].After.Value.Equal(s.Looks[1].Before.Value) {
		t.Errorf("looks: %+v", s.Looks)
	}
}

// A key that goes, or comes, between two commands of one look makes two of it.
func TestTornLooks(t *testing.T) {
	for name, tt := range map[string]struct {
		look []string
		here []bool
	}{
		"whole":     {[]string{"TYPE lk", "string", "PTTL lk", "(integer) 20000", "GET lk", `"a"`}, []bool{true}},
		"gone":      {[]string{"TYPE lk", "none", "PTTL lk", "(integer) -2", "GET lk", "(nil)"}, []bool{false}},
		"it went":   {[]string{"TYPE lk", "string", "PTTL lk", "(integer) 20000", "GET lk", "(nil)"}, []bool{true, false}},
		"it came":   {[]string{"TYPE lk", "none", "PTTL lk", "(integer) 30000", "GET lk", `"b"`}, []bool{false, true}},
		"came, and": {[]string{"TYPE lk", "none", "PTTL lk", "(integer) 30000", "GET lk", "(nil)"}, []bool{false, true, false}},
	} {
		s, _ := imported(t, asked(1, tt.look...), pasted.Options{})
		var here []bool
		for _, sight := range s.Sights() {
			here = append(here, sight.Here)
		}
		if !slices.Equal(here, tt.here) {
			t.Errorf("%s: the looks show %v, want %v", name, here, tt.here)
		}
	}
}

// The threads of one look, read a kind of file after the other, are one list.
func TestThreadsByKind(t *testing.T) {
	const stat = "S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 2 0 5000 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"
	head := func(kind, a, b string) string {
		return "fig-1$ head -n 1 /proc/4120/task/*/" + kind + "\n==> /proc/4120/task/4120/" + kind + " <==\n" + a + "\n==> /proc/4120/task/4121/" + kind + " <==\n" + b + "\n"
	}
	look := "fig-1$ cat /proc/4120/schedstat\n10 20 3\n" +
		head("stat", "4120 (worker) "+stat+"\n", "4121 (lock-renewer) "+stat+"\n") +
		head("schedstat", "10 20 3\n", "40 50 6\n") + head("wchan", "do_epoll_wait", "0")
	s, _ := imported(t, session(look), pasted.Options{Subject: evidence.Subject{Pid: 4120}})
	if len(s.Processes) != 1 || len(s.Processes[0].Looks) != 1 {
		t.Fatalf("processes: %+v", s.Processes)
	}
	l := s.Processes[0].Looks[0]
	tasks := l.Tasks.Or(nil)
	if len(tasks) != 2 || l.TasksPart || tasks[1].Comm != "lock-renewer" || tasks[1].Run != 40 || tasks[0].Wchan != "do_epoll_wait" {
		t.Errorf("threads: part %v, %+v", l.TasksPart, tasks)
	}
}

const remark = "## lockscene script 1\n## asked with "

// What the script was asked for need not be told again.
func TestAsked(t *testing.T) {
	for name, tt := range map[string]struct {
		remarks string
		told    evidence.Subject
		want    evidence.Subject
	}{
		"a pid":             {remark + "--pid '4120' --heartbeat 'file:/run/b t'\n", evidence.Subject{}, evidence.Subject{Pid: 4120, Heartbeat: "file:/run/b t"}},
		"a unit":            {remark + "--unit 'it'\\''s.service'\n", evidence.Subject{}, evidence.Subject{Unit: "it's.service"}},
		"a group":           {remark + "--cgroup '/a/b' --container '3f2a9c1d7b60' --renewer-pid '7'\n", evidence.Subject{}, evidence.Subject{Cgroup: "/a/b", Container: "3f2a9c1d7b60", Renewer: 7}},
		"the flag wins":     {remark + "--pid '4120'\n", evidence.Subject{Pid: 9}, evidence.Subject{Pid: 9}},
		"nobody":            {remark + "\n", evidence.Subject{}, evidence.Subject{}},
		"no number":         {remark + "--pid 'x'\n", evidence.Subject{}, evidence.Subject{}},
		"somebody's remark": {"## asked with --pid 4120\n", evidence.Subject{}, evidence.Subject{}},
	} {
		_, got := imported(t, tt.remarks+session(""), pasted.Options{Subject: tt.told})
		c := got.Capture.Subject
		if c.Pid != tt.want.Pid || c.Unit != tt.want.Unit || c.Cgroup != tt.want.Cgroup || c.Container != tt.want.Container ||
			c.Renewer != tt.want.Renewer || c.Heartbeat != tt.want.Heartbeat {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// Who may be the owner, where nobody named a pid.
func TestCandidates(t *testing.T) {
	const (
		sockets = "fig-1$ grep -E 'local_address|:18EB' /proc/self/net/tcp\n" +
			"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n" +
			"   1: 0200000A:C350 0500000A:18EB 01 00000000:00000000 00:00000000 00000000     0        0 884213 1 0000000000000000 20 4 0 10 -1\n"
		holds   = "fig-1$ ls -l /proc/4120/fd | grep -E 'socket:\\[(884213)\\]'\nlrwx------ 1 root root 64 Oct  5 09:31 7 -> socket:[884213]\nfig-1$ cat /proc/4120/comm\nworker\n"
		clients = "fig-1$ redis-cli --no-raw -h 10.0.0.5 CLIENT LIST\nid=7 addr=10.0.0.2:50000 laddr=10.0.0.5:6379 fd=8 name=%s age=90 idle=1 flags=N db=0 cmd=evalsha user=default\n"
		touched = "fig-1$ redis-cli --no-raw -h 10.0.0.5 OBJECT IDLETIME lk\n(integer) %d\n"
		groups  = "fig-1$ cat /proc/4120/cgroup\n0::/system.slice/docker-3f2a9c1d7b60aa.scope\n"
	)
	for name, tt := range map[string]struct {
		text string
		told evidence.Subject
		want string // the ways in which 4120 was found
	}{
		"in the unit's list":      {"fig-1$ head -n 64 /sys/fs/cgroup/system.slice/worker.service/cgroup.procs\n4120\n4121\n", evidence.Subject{Unit: "worker.service"}, "unit"},
		"in another unit's list":  {"fig-1$ cat /sys/fs/cgroup/system.slice/other.service/cgroup.procs\n4120\n", evidence.Subject{Unit: "worker.service"}, ""},
		"in the group's list":     {"fig-1$ cat /sys/fs/cgroup/a/b/cgroup.procs\n4120\n", evidence.Subject{Cgroup: "a/b/"}, "cgroup"},
		"in a group's namesake":   {"fig-1$ cat /sys/fs/cgroup/a/bc/cgroup.procs\n4120\n", evidence.Subject{Cgroup: "a/b"}, ""},
		"by its own groups":       {remark + "\n" + groups, evidence.Subject{Container: "3f2a9c1d7b60"}, "container"},
		"of a short id":           {remark + "\n" + groups, evidence.Subject{Container: "3f2a"}, ""},
		"by docker":               {`fig-1$ docker inspect worker` + "\n" + `[{"Id":"9f31","Name":"/worker","State":{"Status":"running","Pid":4120}}]` + "\n", evidence.Subject{Container: "worker"}, "container"},
		"by its connection's age": {remark + "\n" + sockets + holds + fmt.Sprintf(touched, 1) + fmt.Sprintf(clients, ""), evidence.Subject{}, "socket"},
		"idle for longer":         {remark + "\n" + sockets + holds + fmt.Sprintf(touched, 700) + fmt.Sprintf(clients, ""), evidence.Subject{}, ""},
		"by its connection's name": {remark + "\n" + sockets + holds + "fig-1$ redis-cli --no-raw -h 10.0.0.5 GET lk\n\"payer-17 9b1e\"\n" + fmt.Sprintf(clients, "payer-17"),
			evidence.Subject{}, "socket"},
		"somebody looked":     {"fig-1$ cat /proc/4120/stat\n4120 (worker) S 1\n", evidence.Subject{}, "flag"},
		"the script looked":   {remark + "\nfig-1$ cat /proc/4120/stat\n4120 (worker) S 1\n", evidence.Subject{}, ""},
		"looked at, connects": {sockets + holds + fmt.Sprintf(touched, 1) + fmt.Sprintf(clients, "") + "fig-1$ cat /proc/4120/status\nName:\tworker\nState:\tS (sleeping)\n", evidence.Subject{}, "socket flag"},
	} {
		_, got := imported(t, session(tt.text), pasted.Options{Subject: tt.told})
		var ways []string
		for _, c := range got.Capture.Vantages[0].Candidates {
			if c.Pid == 4120 {
				ways = append(ways, c.Way)
			}
		}
		if strings.Join(ways, " ") != tt.want {
			t.Errorf("%s: found by %v, want %q; unknown %v", name, ways, tt.want, got.Unknown)
		}
	}
}

// Whose connections are seen here are named, as a live capture names them.
func TestPeers(t *testing.T) {
	s, _ := imported(t, session("fig-1$ cat /proc/self/net/tcp\n"+
		"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"+
		"   1: 0200000A:C350 0500000A:18EB 01 00000000:00000000 00:00000000 00000000     0        0 884213 1 0000000000000000 20 4 0 10 -1\n"+
		"fig-1$ ls -l /proc/4200/fd | grep socket:\nlrwx------ 1 root root 64 Oct  5 09:31 7 -> socket:[884213]\nfig-1$ cat /proc/4200/comm\nodd \"name\n"), pasted.Options{})
	want := evidence.Peer{Local: "10.0.0.2:50000", Inode: 884213, Pid: 4200, Comm: `odd "name`}
	if got := s.Host.Peers.Or(nil); len(got) != 1 || got[0] != want {
		t.Errorf("peers: %+v", got)
	}
}

// A filter that lets only sockets through, and printed nothing, says there are none.
func TestNoSockets(t *testing.T) {
	for command, seen := range map[string]bool{
		"ls -l /proc/4120/fd | grep socket: | head -n 1000": true,
		"ls -l /proc/4120/fd 2>/dev/null | grep socket:":    false,
		"ls -l /proc/4120/fd | grep 884213":                 false,
	} {
		s, _ := imported(t, session("fig-1$ "+command+"\n"), pasted.Options{Subject: evidence.Subject{Pid: 4120}})
		got := len(s.Processes) == 1 && len(s.Processes[0].Looks) == 1 && s.Processes[0].Looks[0].Inodes.State == evidence.Seen
		if got != seen {
			t.Errorf("%s: descriptors seen %v, want %v", command, got, seen)
		}
	}
}

// What was pasted from another terminal, without anything that ties it to Redis's
// time, may have been seen at any moment: before the lease was renewed or after.
func TestUntiedTerminalIsNotDated(t *testing.T) {
	lock := "10.0.0.5:6379> TIME\n1) \"1791192660\"\n2) \"100000\"\n10.0.0.5:6379> PTTL lk\n(integer) 20000\n10.0.0.5:6379> TIME\n1) \"1791192662\"\n2) \"100000\"\n"
	host := "fig-1$ date -u +%FT%TZ\n2026-10-05T09:31:00Z\nfig-1$ cat /proc/4120/status\nName:\tworker\nState:\tT (stopped)\nfig-1$ date -u +%FT%TZ\n2026-10-05T09:31:01Z\n"
	got, err := pasted.Import([]pasted.Text{{Name: "one", From: strings.NewReader(lock)}, {Name: "two", From: strings.NewReader(host)}},
		pasted.Options{Subject: evidence.Subject{Key: "lk", Pid: 4120}})
	if err != nil {
		t.Fatal(err)
	}
	var sample, status evidence.Probe
	for _, p := range got.Probes {
		switch p.Name {
		case "redis/sample":
			sample = p
		case "proc/status":
			status = p
		}
	}
	if status.Start.Boot > sample.Start.Boot || status.End.Boot < sample.End.Boot {
		t.Errorf("the process was seen in %v to %v, the lock in %v to %v: their order is claimed to be known",
			status.Start.Boot, status.End.Boot, sample.Start.Boot, sample.End.Boot)
	}
}
