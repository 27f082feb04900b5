package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/shell"
)

// told writes files down in one line each: path, status, * when partial, bytes.
func told(files []shell.File) string {
	var out []string
	for _, f := range files {
		mark := ""
		if f.Partial {
			mark = "*"
		}
		out = append(out, f.Path+" "+string(f.Status)+mark+" "+string(f.Bytes))
	}
	return strings.Join(out, "|")
}

const usage = "usage_usec 10\nuser_usec 8\nsystem_usec 2\n"

func TestFiles(t *testing.T) {
	for _, c := range []struct {
		command, filter, output string
		want                    string
	}{
		{"cat /proc/1/wchan", "", "ptrace_stop", "/proc/1/wchan ok ptrace_stop"},
		{"sudo cat /g/cpu.stat", "", usage, "/g/cpu.stat ok " + usage},
		{"cat < /g/cpu.stat", "", usage, "/g/cpu.stat ok " + usage},
		{"cat /g/cpu.stat", "grep usage", "usage_usec 10\n", "/g/cpu.stat ok* usage_usec 10\n"},
		{"grep usage /g/cpu.stat", "", "usage_usec 10\n", "/g/cpu.stat ok* usage_usec 10\n"},
		{"grep -n usage /g/cpu.stat", "", "1:usage_usec 10\n", "/g/cpu.stat ok* usage_usec 10\n"},
		{"grep -c usage /g/cpu.stat", "", "1\n", "/g/cpu.stat unsupported 1\n"},
		{"cat /g/cpu.stat", "awk '{print $2}'", "10\n", "/g/cpu.stat unsupported 10\n"},
		{"cat /g/cpu.stat", "awk '/usage/'", "usage_usec 10\n", "/g/cpu.stat ok* usage_usec 10\n"},
		{"sed -n 1p /g/cpu.stat", "", "usage_usec 10\n", "/g/cpu.stat ok* usage_usec 10\n"},
		{"cat /g/cpu.stat 2>/dev/null", "head", usage, "/g/cpu.stat ok " + usage},
		{"cat /g/cpu.stat 2>/dev/null", "head", "", "/g/cpu.stat failed "},
		{"cat /g/cpu.stat", "grep nothing", "", "/g/cpu.stat ok* "},
		{"head -2 /g/cpu.stat", "", "usage_usec 10\nuser_usec 8\n", "/g/cpu.stat ok* usage_usec 10\nuser_usec 8\n"},
		{"head -n 1 /proc/1/schedstat", "", "1 2 3\n", "/proc/1/schedstat ok 1 2 3\n"},
		{"tail -n +1 /g/a /g/b", "", "==> /g/a <==\nx\n\n==> /g/b <==\ny\n", "/g/a ok x\n|/g/b ok y\n"},
		{"tail -n +1 /g/a /g/b", "", "==> /g/a <==\nno end\n==> /g/b <==\ny\n", "/g/a ok no end|/g/b ok y\n"},
		{"head -n 1 /proc/1/task/*/schedstat", "", "==> /proc/1/task/1/schedstat <==\n1 2 3\n\n==> /proc/1/task/4/schedstat <==\n4 5 6\n",
			"/proc/1/task/1/schedstat ok 1 2 3\n|/proc/1/task/4/schedstat ok 4 5 6\n"},
		{"head /g/{a,b}", "", "==> /g/a <==\nx\n\n==> /g/b <==\ny\n", "/g/a ok x\n|/g/b ok y\n"},
		{"head -v /g/a", "", "==> /g/a <==\nx\n", "/g/a ok x\n"},
		{"head -n 1 /proc/1/task/*/comm", "", "ledgerd\n", "ledgerd"},
		{"more /g/a /g/b", "", "::::::::::::::\n/g/a\n::::::::::::::\nx\n::::::::::::::\n/g/b\n::::::::::::::\ny\n", "/g/a ok x\n|/g/b ok y\n"},
		{"grep . /g/a /g/b", "", "/g/a:x 1\n/g/a:y 2\n/g/b:z 3\n", "/g/a ok x 1\ny 2\n|/g/b ok z 3\n"},
		{"grep -E 'State|ctxt' /proc/1/task/*/status", "", "/proc/1/task/1/status:State:\tS (sleeping)\n/proc/1/task/2/status:State:\tR (running)\n",
			"/proc/1/task/1/status ok* State:\tS (sleeping)\n|/proc/1/task/2/status ok* State:\tR (running)\n"},
		{"grep -r '' /g", "", "/g/a:x\n/g/sub/b:y\n", "/g/a ok x\n|/g/sub/b ok y\n"},
		{"grep -H x /g/a", "", "/g/a:x\n", "/g/a ok* x\n"},
		{"cat /g/cpu.cfs_quota_us /g/cpu.cfs_period_us", "", "10000\n100000\n", "/g/cpu.cfs_quota_us ok 10000\n|/g/cpu.cfs_period_us ok 100000\n"},
		{"cat /g/memory.max /g/memory.current", "", "max\n4096\n", "/g/memory.max ok max\n|/g/memory.current ok 4096\n"},
		{"cat /proc/sys/vm/swappiness /proc/sys/kernel/hostname", "", "60\nq-3\n", "/proc/sys/vm/swappiness ok 60\n|/proc/sys/kernel/hostname ok q-3\n"},
		{"cat /sys/block/sda/queue/scheduler /sys/class/net/eth0/mtu", "", "[none] mq\n1500\n", "/sys/block/sda/queue/scheduler ok [none] mq\n|/sys/class/net/eth0/mtu ok 1500\n"},
		{"cat /g/memory.max /g/memory.current", "", "cat: /g/memory.max: No such file or directory\n4096\n", "/g/memory.current ok 4096\n|/g/memory.max absent "},
		{"cat /proc/1/stat /proc/1/status", "", "1 (x) S 0 1\nName:\tx\nState:\tS (sleeping)\n", "/proc/1/stat ok 1 (x) S 0 1\n|/proc/1/status ok Name:\tx\nState:\tS (sleeping)\n"},
		{"cat /g/cpu.stat /g/memory.events", "", usage + "low 0\nhigh 0\nmax 4\noom 1\noom_kill 1\n", "/g/cpu.stat ok " + usage + "|/g/memory.events ok low 0\nhigh 0\nmax 4\noom 1\noom_kill 1\n"},
		{"cat /g/cpu.pressure /g/io.pressure", "", "some avg10=0 a\nfull avg10=0 b\nsome avg10=1 c\nfull avg10=1 d\n", "/g/cpu.pressure ok some avg10=0 a\nfull avg10=0 b\n|/g/io.pressure ok some avg10=1 c\nfull avg10=1 d\n"},
		{"cat /g/memory.max /g/memory.current", "", "max\n4096\n", "/g/memory.max ok max\n|/g/memory.current ok 4096\n"},
		{"cat /proc/1/stat /proc/2/stat", "", "1 (x) S 0 1\ncat: /proc/2/stat: No such file or directory\n", "/proc/1/stat ok 1 (x) S 0 1\n|/proc/2/stat absent "},
		{"cat /proc/7/task/*/stat", "", "7 (a b) S 1 2\n9 (c) R 1 2\n", "/proc/7/task/7/stat ok 7 (a b) S 1 2\n|/proc/7/task/9/stat ok 9 (c) R 1 2\n"},
	} {
		var filters [][]string
		if c.filter != "" {
			filters = [][]string{typed(c.filter)}
		}
		files, ok := shell.Files(typed(c.command), filters, []byte(c.output))
		got := told(files)
		if c.want == "ledgerd" { // a pattern that one file matched has no heading
			if ok || len(files) != 1 || files[0].Path != "" || string(files[0].Bytes) != c.output {
				t.Errorf("%s: %q, %v", c.command, got, ok)
			}
			continue
		}
		if !ok || got != c.want {
			t.Errorf("%s | %s:\n got %q, %v\nwant %q", c.command, c.filter, got, ok, c.want)
		}
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	for _, c := range []struct {
		command, output string
		status          evidence.Status
	}{
		{"cat /proc/28807/stat", "cat: /proc/28807/stat: No such file or directory", evidence.Missing},
		{"cat /proc/28807/io", "cat: /proc/28807/io: Permission denied", evidence.Denied},
		{"cat /proc/28807/io", "/bin/cat: /proc/28807/io: Permission denied", evidence.Denied},
		{"cat /proc/pressure/cpu", "cat: /proc/pressure/cpu: Operation not supported", evidence.Unsupported},
		{"cat /proc/28807/wchan", "cat: /proc/28807/wchan: No such process", evidence.Missing},
		{"cat /proc/28807/x", "cat: /proc/28807/x: Input/output error", evidence.Failed},
		{"cat /proc/28807/stat", "cat: can't open '/proc/28807/stat': No such file or directory", evidence.Missing},
		{"head -3 /proc/28807/stat", "head: cannot open '/proc/28807/stat' for reading: No such file or directory", evidence.Missing},
		{"tail /proc/28807/stat", "tail: cannot open ‘/proc/28807/stat’ for reading: Permission denied", evidence.Denied},
		{"grep State /proc/28807/status", "grep: /proc/28807/status: No such file or directory", evidence.Missing},
		{"cat < /proc/28807/stat", "-bash: /proc/28807/stat: No such file or directory", evidence.Missing},
		{"cat < /proc/28807/io", "zsh: permission denied: /proc/28807/io", evidence.Denied},
		{"cat /proc/28807/stat", "cat: /proc/28807/stat: Datei oder Verzeichnis nicht gefunden", evidence.Missing},
		{"cat /proc/28807/stat", "bash: cat: command not found", evidence.Unsupported},
	} {
		files, ok := shell.Files(typed(c.command), nil, []byte(c.output+"\n"))
		if !ok || len(files) != 1 || files[0].Status != c.status || !strings.Contains(c.command, files[0].Path) || files[0].Path == "" || files[0].Why == "" {
			t.Errorf("%q: %+v, %v; want %s", c.output, files, ok, c.status)
		}
	}
	// What a file itself says is no complaint of the command.
	files, ok := shell.Files(typed("cat /var/log/x"), nil, []byte("worker: open /proc/1/stat: Permission denied\n"))
	if !ok || len(files) != 1 || files[0].Status != evidence.OK || len(files[0].Bytes) == 0 {
		t.Errorf("a line of a log: %+v", files)
	}
}

// The clocks of threads have no number in them: the place in the list is theirs,
// unless a filter may have taken a line away.
func TestThreadsByPlace(t *testing.T) {
	argv, text := typed("cat /proc/1/task/*/schedstat"), []byte("1 2 3\n4 5 6\n")
	files, ok := shell.Files(argv, nil, text)
	if !ok || len(files) != 2 || files[0].Nth != 1 || files[1].Nth != 2 || string(files[1].Bytes) != "4 5 6\n" || files[1].Status != evidence.OK {
		t.Errorf("%+v, %v", files, ok)
	}
	for _, filter := range []string{"sort -n", "head -2", "grep -v 0"} {
		files, _ := shell.Files(argv, [][]string{strings.Fields(filter)}, text)
		if slices.ContainsFunc(files, func(f shell.File) bool { return f.Status == evidence.OK }) {
			t.Errorf("behind %s: %+v", filter, files)
		}
	}
}

func TestFilesNotDivided(t *testing.T) {
	for command, output := range map[string]string{
		"cat /proc/1/task/*/schedstat":  "1 2 3\njunk\n",
		"tac /proc/1/task/*/schedstat":  "1 2 3\n4 5 6\n",
		"cat /proc/*/task/*/schedstat":  "1 2 3\n4 5 6\n",
		"cat /g/a /g/b":                 "x\ny\n",
		"cat /g/cpu.shares /g/pids.max": "1024\n",
		"cat /sys/a /sys/b":             "x\ny\nz\n",
		"cat /g/memory.max /g/x /g/y":   "max\na\nb\n",
		"cat /proc/1/status /proc/2/x":  "junk\n",
	} {
		files, ok := shell.Files(typed(command), nil, []byte(output))
		if ok || len(files) != 1 || files[0].Path != "" || string(files[0].Bytes) != output {
			t.Errorf("%s: %+v, %v", command, files, ok)
		}
	}
	for _, command := range []string{"ls /proc", "cat", "cat -n /g/a", "cat -"} {
		if files, ok := shell.Files(typed(command), nil, nil); ok {
			t.Errorf("%s: %+v", command, files)
		}
	}
}
