package shell_test

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/inspect/shell"
)

// one reads an output that has one row.
func one(t *testing.T, command, output string) shell.Row {
	t.Helper()
	p, err := shell.PS(typed(command), nil, []byte(output))
	if err != nil || len(p.Rows) != 1 {
		t.Errorf("%s: %d rows, odd %q, %v", command, len(p.Rows), p.Odd, err)
		return shell.Row{}
	}
	return p.Rows[0]
}

const upTwoHours = 2*time.Hour + time.Minute + 51*time.Second

func TestPSForms(t *testing.T) {
	for _, c := range []struct {
		command, output string
		want            shell.Row // what matters of it
	}{
		{"ps -o pid,stat,etime,cmd -p 61707", "    PID STAT     ELAPSED CMD\n  61707 tsl     02:01:51 /opt/x/tariffd --shard 3\n",
			shell.Row{Pid: 61707, Stat: "tsl", Elapsed: shell.Span{upTwoHours, time.Second}, Cmd: "/opt/x/tariffd --shard 3"}},
		{"ps -o pid,ppid,stat,etime,cmd -p 3010", "    PID    PPID STAT     ELAPSED CMD\n   3010       1 Ss   10-10:05:07 /usr/sbin/runsvdir -P /etc\n",
			shell.Row{Pid: 3010, PPid: 1, Stat: "Ss", Elapsed: shell.Span{10*24*time.Hour + 10*time.Hour + 5*time.Minute + 7*time.Second, time.Second}, Cmd: "/usr/sbin/runsvdir -P /etc"}},
		{"ps -o pid,etime,stat,comm -p 9", "  PID     ELAPSED STAT COMMAND\n    9       00:26 S+   tmux: server\n",
			shell.Row{Pid: 9, Stat: "S+", Elapsed: shell.Span{26 * time.Second, time.Second}, Comm: "tmux: server"}},
		{"ps -o pid,comm,etime,stat -p 9", "  PID COMMAND             ELAPSED STAT\n    9 tmux: server          00:26 S+\n",
			shell.Row{Pid: 9, Stat: "S+", Elapsed: shell.Span{26 * time.Second, time.Second}, Comm: "tmux: server"}},
		{"ps -o pid,comm,stat,args -p 9", "  PID COMMAND         STAT COMMAND\n    9 tmux: server    S+   tmux new -s x\n",
			shell.Row{Pid: 9, Stat: "S+", Comm: "tmux: server", Cmd: "tmux new -s x"}},
		{"ps -o pid,ppid,stat,lstart,etimes,cputimes,psr,ni,nlwp,rss,wchan,args -p 7",
			"  PID  PPID STAT                  STARTED ELAPSED     TIME PSR  NI NLWP   RSS WCHAN  COMMAND\n" +
				"    7     1 Ssl  Mon Oct  5 09:31:24 2026    7311      605   3   0    9 51200 ep_pol /opt/x -a\n",
			shell.Row{Pid: 7, PPid: 1, Stat: "Ssl", Elapsed: shell.Span{7311 * time.Second, time.Second}, CPU: shell.Span{605 * time.Second, time.Second}, Threads: 9, RSSKB: 51200, CPUNumber: 3, Wchan: "ep_pol", Cmd: "/opt/x -a"}},
		{"ps aux", "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\nroot           1  0.0  0.1 167744 11200 ?        Ss   Oct05   9:11 /sbin/init splash\n",
			shell.Row{Pid: 1, User: "root", Stat: "Ss", RSSKB: 11200, Start: "Oct05", CPU: shell.Span{9*time.Minute + 11*time.Second, time.Second}, Cmd: "/sbin/init splash"}},
		{"ps -ef", "UID          PID    PPID  C STIME TTY          TIME CMD\nindex      16460       1  0 03:30 ?        00:00:05 /opt/index -f\n",
			shell.Row{Pid: 16460, PPid: 1, User: "index", Start: "03:30", CPU: shell.Span{5 * time.Second, time.Second}, Cmd: "/opt/index -f"}},
		{"ps -eLf", "UID          PID    PPID     LWP  C NLWP STIME TTY          TIME CMD\nx  41207  1  41215  0  2 03:30 ?  00:00:01 /opt/l\n",
			shell.Row{Pid: 41207, PPid: 1, Tid: 41215, Threads: 2, User: "x", Start: "03:30", CPU: shell.Span{time.Second, time.Second}, Cmd: "/opt/l"}},
		{"ps -p 5", "  PID TTY          TIME CMD\n    5 ?        00:00:01 kworker/0:0H\n",
			shell.Row{Pid: 5, CPU: shell.Span{time.Second, time.Second}, Comm: "kworker/0:0H"}},
		{"ps", "PID   USER     TIME  COMMAND\n    1 root      1h02 {entry} /bin/sh /entry.sh\n",
			shell.Row{Pid: 1, User: "root", CPU: shell.Span{62 * time.Minute, time.Minute}, Comm: "entry", Cmd: "/bin/sh /entry.sh"}},
		{"ps -o pid= -o stat= -p 8", "    8 Zs\n", shell.Row{Pid: 8, Stat: "Zs"}},
		{"ps --no-headers -o pid,stat,cmd -p 8", "    8 Z [ledgerd] <defunct>\n", shell.Row{Pid: 8, Stat: "Z", Comm: "ledgerd", Defunct: true}},
		{"ps -o pid,stat,comm -p 8", "  PID STAT COMMAND\n    8 Z    ledgerd <defunct>\n", shell.Row{Pid: 8, Stat: "Z", Comm: "ledgerd", Defunct: true}},
		{"ps -o stat,etime -p 8", "STAT     ELAPSED\nT          00:26\n", shell.Row{Pid: 8, Stat: "T", Elapsed: shell.Span{26 * time.Second, time.Second}}},
		{"ps -o pid,stat,wchan:20,etime,cmd -p 8", "    PID STAT WCHAN                    ELAPSED CMD\n  8 D    rpc_wait_bit_killabl    00:26 x\n",
			shell.Row{Pid: 8, Stat: "D", Wchan: "rpc_wait_bit_killabl", Elapsed: shell.Span{26 * time.Second, time.Second}, Cmd: "x"}},
		{"top -b -n1 -p 8", "top - 05:13:32 up 5 days\n\n    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n      8 app       20   0   1.2g  51200   9000 R  99.9   0.3   9:11.20 ledgerd\n",
			shell.Row{Pid: 8, User: "app", Stat: "R", CPU: shell.Span{9*time.Minute + 11*time.Second + 200*time.Millisecond, 10 * time.Millisecond}, Cmd: "ledgerd"}},
	} {
		got := one(t, c.command, c.output)
		if c.want.CPUNumber == 0 {
			c.want.CPUNumber = got.CPUNumber
		}
		got.Started = shell.Stamp{}
		if got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.command, got, c.want)
		}
	}
}

func TestPSStart(t *testing.T) {
	r := one(t, "ps -o pid,lstart,cmd -p 7", "  PID                  STARTED CMD\n    7 Mon Oct  5 09:31:24 2026 /opt/x -a\n")
	if r.Started.Time.Unix() != 1791192684 || r.Started.Zoned || r.Cmd != "/opt/x -a" {
		t.Errorf("got %+v", r)
	}
}

func TestPSThreads(t *testing.T) {
	const rows = "  41207 Ssl     02:01:50 ep_poll              00:10:09 ledgerd\n  41215 Ssl     02:01:50 -                    00:00:01 lock renewer\n"
	const head = "    TID STAT     ELAPSED WCHAN                    TIME COMMAND\n"
	for name, text := range map[string]string{"with heading": head + rows, "heading filtered out": rows} {
		p, err := shell.PS(typed("ps -L -o tid,stat,etime,wchan:20,time,comm -p 41207"), [][]string{{"grep", "l"}}, []byte(text))
		if err != nil || len(p.Rows) != 2 || !p.Threads || !p.Partial {
			t.Errorf("%s: %+v, %v", name, p, err)
			continue
		}
		last := p.Rows[1]
		if last.Pid != 41207 || last.Tid != 41215 || last.Comm != "lock renewer" || last.CPU.Least != time.Second || last.Wchan != "-" {
			t.Errorf("%s: %+v", name, last)
		}
	}
}

func TestPSAbsent(t *testing.T) {
	const head = "    PID STAT     ELAPSED CMD\n"
	for _, c := range []struct {
		command, filter, output string
		absent                  bool
	}{
		{"ps -o pid,stat,etime,cmd -p 28807", "", head, true},
		{"ps -o pid,stat,etime,cmd --pid=1,28807", "", head, true},
		{"ps -o pid= -p 28807", "", "", true},
		{"ps -fp 28807", "", "UID PID PPID C STIME TTY TIME CMD\n", true},
		{"ps 28807", "", "    PID TTY      STAT   TIME COMMAND\n", true},
		{"ps aux", "", "USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND\nroot 1 0.0 0.1 1 1 ? Ss Oct05 9:11 init\n", true},
		{"ps -ef", "grep 28807", "", true},
		{"ps -ef", "grep -w 28807", "", true},
		{"ps -ef", "grep 28807", "ops 31004 2988 0 03:30 pts/0 00:00:00 grep 28807\n", true},
		{"ps aux", "grep 28807", "ops 31004 0.0 0.0 9 9 pts/0 S+ 03:30 0:00 grep --color=auto 28807\n", true},
		{"ps aux", "grep 28807", "ops 28807 0.0 0.0 9 9 ? Ssl 01:30 0:00 /opt/ledgerd\n", false},
		{"ps -ef", "grep ledgerd", "", false},
		{"ps -ef", "head -5", "UID PID PPID C STIME TTY TIME CMD\na 1 0 0 03:30 ? 00:00:01 i\na 2 0 0 03:30 ? 00:00:01 i\na 3 0 0 03:30 ? 00:00:01 i\na 4 0 0 03:30 ? 00:00:01 i\n", false},
		{"ps -o pid,stat,etime,cmd -p 3010", "", head, false},
		{"ps -C ledgerd -o pid,stat,etime,cmd", "", head, false},
		{"ps -N -p 28807 -o pid,stat,etime,cmd", "", head, false},
		{"ps -o pid,stat,etime,cmd -p 28807", "", head + "  28807 Ssl  02:01:51 x\n", false},
		{"ps -o pid,stat,etime,cmd -p 28807", "", head + "what is this\n", false},
		{"ps -o pid,stat,etime,cmd -p '$PID'", "", head, false},
	} {
		var filters [][]string
		if c.filter != "" {
			filters = [][]string{typed(c.filter)}
		}
		p, err := shell.PS(typed(c.command), filters, []byte(c.output))
		if err != nil || p.Absent(28807) != c.absent {
			t.Errorf("%s | %s: absent %v, want %v (%v)", c.command, c.filter, p.Absent(28807), c.absent, err)
		}
	}
	if _, err := shell.PS(typed("ps -o pid,stat -p 28807"), nil, nil); err == nil {
		t.Error("an output without even a heading was read as nobody there")
	}
}

func TestRowName(t *testing.T) {
	for _, c := range []struct {
		row  shell.Row
		want string
	}{
		{shell.Row{Comm: "gdb", Cmd: "/usr/bin/gdb -p 1"}, "gdb"},
		{shell.Row{Cmd: "/opt/x/tariffd --shard 3"}, "tariffd"},
		{shell.Row{Cmd: "sidekiq: 3 of 5 busy"}, "sidekiq"},
	} {
		if got := c.row.Name(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.row, got, c.want)
		}
	}
}
