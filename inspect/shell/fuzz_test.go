package shell_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/inspect/shell"
)

func FuzzDate(f *testing.F) {
	f.Add("date -u +%FT%T.%3NZ", "2026-10-05T09:31:24.402Z")
	f.Add("date +%s%N", "1791192684402118203")
	f.Add("date", "Mon 05 Oct 2026 09:31:24 AM UTC")
	f.Fuzz(func(t *testing.T, command, output string) {
		s, err := shell.Date(strings.Fields(command), []byte(output))
		if err == nil && s.Precision <= 0 {
			t.Errorf("a date without a precision: %+v", s)
		}
		if p, rest, ok := shell.CutStamp(output); ok && (!p.Known() || !strings.HasSuffix(output, rest)) {
			t.Errorf("%+v and rest %q of %q", p, rest, output)
		}
	})
}

func FuzzUptime(f *testing.F) {
	f.Add("uptime", " 05:13:32 up 5 days, 21:45,  2 users,  load average: 0.04, 0.06, 0.05")
	f.Add("uptime -s", "2026-10-05 09:31:24")
	f.Add("w", " 9:31PM  up 45 secs, 2 users, load averages: 1.20, 3.40, 5.60")
	f.Fuzz(func(t *testing.T, command, output string) {
		u, err := shell.ParseUptime(strings.Fields(command), []byte(output))
		if err == nil && !u.Since.Known() && (u.Lo < 0 || u.Hi <= u.Lo) {
			t.Errorf("an empty range: %+v", u)
		}
	})
}

func FuzzPS(f *testing.F) {
	f.Add("ps -o pid,stat,etime,cmd -p 7", "", "    PID STAT     ELAPSED CMD\n      7 tsl     02:01:51 /opt/x --shard 3\n")
	f.Add("ps -o pid,comm,stat,args -p 9", "grep 9", "  PID COMMAND         STAT COMMAND\n    9 tmux: server    S+   tmux new -s x\n")
	f.Add("ps aux", "", "USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND\nroot 1 0 0 1 1 ? Ss Oct05 9:11 init\n")
	f.Fuzz(func(t *testing.T, command, filter, output string) {
		var filters [][]string
		if filter != "" {
			filters = [][]string{strings.Fields(filter)}
		}
		p, err := shell.PS(strings.Fields(command), filters, []byte(output))
		if err != nil {
			return
		}
		for _, r := range p.Rows {
			if r.Pid < 0 || r.Tid < 0 || r.CPU.Least < 0 || r.Elapsed.Least < 0 {
				t.Errorf("a negative number: %+v", r)
			}
			if p.Absent(r.Pid) {
				t.Errorf("pid %d has a row and is absent", r.Pid)
			}
		}
	})
}

func FuzzFiles(f *testing.F) {
	f.Add("head -n 1 /a/*/b", "", "==> /a/1/b <==\n1 2 3\n\n==> /a/2/b <==\n4 5 6\n")
	f.Add("cat /a/stat /a/status", "", "1 (x) S 0 1\nName:\tx\nState:\tS\n")
	f.Add("grep . /a /b", "head", "/a:x\n/b:y\n")
	f.Add("cat /proc/1/stat", "", "cat: /proc/1/stat: No such file or directory\n")
	f.Fuzz(func(t *testing.T, command, filter, output string) {
		var filters [][]string
		if filter != "" {
			filters = [][]string{strings.Fields(filter)}
		}
		files, _ := shell.Files(strings.Fields(command), filters, []byte(output))
		total := 0
		for _, file := range files {
			total += len(file.Bytes)
			if file.Status == "" {
				t.Errorf("a file without a status: %+v", file)
			}
		}
		if total > len(output) {
			t.Errorf("%d bytes out of %d", total, len(output))
		}
	})
}

func FuzzSS(f *testing.F) {
	f.Add("ss -tinpo", "ESTAB 0 108 10.0.0.1:44218 10.0.0.7:6379 users:((\"x\",pid=7,fd=9)) timer:(on,1.204ms,6)\n\t cubic rto:13056 backoff:6\n")
	f.Add("netstat -antpo", "tcp 0 108 10.0.0.1:44218 10.0.0.7:6379 ESTABLISHED 7/redis-server 1  on (1.20/6/0)")
	f.Add("lsof -i", "COMMAND PID USER FD TYPE DEVICE SIZE/OFF NODE NAME\nx 7 u 9u IPv4 884213 0t0 TCP 10.0.0.1:44218->10.0.0.7:6379 (ESTABLISHED)\n")
	f.Fuzz(func(t *testing.T, command, output string) {
		s, err := shell.ListSockets(strings.Fields(command), nil, []byte(output))
		if err != nil {
			return
		}
		if len(s.Rows) > bytes.Count([]byte(output), []byte("\n"))+1 {
			t.Errorf("%d rows", len(s.Rows))
		}
		for _, r := range s.Rows {
			if r.Socket.Local == "" || r.Socket.Expires < 0 || r.Socket.RTO < 0 {
				t.Errorf("a damaged row: %+v", r)
			}
		}
	})
}

func FuzzOthers(f *testing.F) {
	f.Add("ls -l /proc/7/fd", "lrwx------ 1 a a 64 Nov  6 03:30 9 -> socket:[884213]\n")
	f.Add("ssh x", "ssh: connect to host x port 22: Connection timed out\n")
	f.Add("uname -a", "Linux x 5.15.0\n")
	f.Fuzz(func(t *testing.T, command, output string) {
		argv := strings.Fields(command)
		l, _ := shell.Links(argv, nil, []byte(output))
		l.Descriptors()
		l.Namespaces()
		shell.Connection(argv, []byte(output))
		shell.Hostname(argv, []byte(output))
		shell.Who(argv, []byte(output))
		shell.Pids(argv, []byte(output))
		shell.Lsns([]byte(output))
		shell.HidePid([]byte(output))
		shell.BootID([]byte(output))
		shell.ProcUptime([]byte(output))
		shell.BootTime([]byte(output))
		shell.LoadAvg([]byte(output))
	})
}
