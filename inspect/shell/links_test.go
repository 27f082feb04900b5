package shell_test

import (
	"testing"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/shell"
)

const longList = "total 0\nlrwx------ 1 index index 64 Nov  6 03:30 0 -> /dev/null\nlrwx------ 1 index index 64 Nov  6 03:30 9 -> 'socket:[884213]'\n"

func TestLinks(t *testing.T) {
	for _, c := range []struct {
		command, filter, output string
		fds                     string
		whole                   bool
	}{
		{"ls -l /proc/16460/fd/9", "", "lrwx------ 1 index index 64 Nov  6 03:30 /proc/16460/fd/9 -> socket:[884213]\n", "9 socket:[884213]\n", false},
		{"ls -l /proc/16460/fd", "", longList, "9 socket:[884213]\n", true},
		{"ls -la /proc/16460/fd/", "", longList, "9 socket:[884213]\n", true},
		{"ls -l /proc/16460/fd", "grep socket", "lrwx------ 1 index index 64 2026-11-06 03:30 9 -> socket:[884213]\n", "9 socket:[884213]\n", false},
		{"ls -l /proc/16460/fd /proc/7/fd", "", "/proc/16460/fd:\n" + longList + "\n/proc/7/fd:\ntotal 0\n", "9 socket:[884213]\n", false},
		{"readlink /proc/16460/fd/9", "", "socket:[884213]\n", "9 socket:[884213]\n", false},
		{"readlink /proc/16460/fd/8 /proc/16460/fd/9", "", "/dev/null\nsocket:[884213]\n", "9 socket:[884213]\n", false},
	} {
		var filters [][]string
		if c.filter != "" {
			filters = [][]string{typed(c.filter)}
		}
		l, ok := shell.Links(typed(c.command), filters, []byte(c.output))
		if got := string(l.Descriptors()[16460]); !ok || got != c.fds || l.Whole != c.whole {
			t.Errorf("%s: %q whole %v, %v; want %q %v", c.command, got, l.Whole, ok, c.fds, c.whole)
		}
	}
	if _, ok := shell.Links(typed("readlink /proc/1/fd/*"), nil, []byte("/dev/null\nsocket:[1]\n")); ok {
		t.Error("targets of a pattern were given names")
	}
	l, ok := shell.Links(typed("ls -l /proc/1/fd"), nil, []byte("ls: cannot open directory '/proc/1/fd': Permission denied\n"))
	if !ok || l.Whole || len(l.Failed) != 1 || l.Failed[0].Status != evidence.Denied {
		t.Errorf("a refused folder: %+v, %v", l, ok)
	}
}

func TestNamespaces(t *testing.T) {
	for command, output := range map[string]string{
		"readlink /proc/7/ns/pid":         "pid:[4026531836]\n",
		"readlink /proc/7/ns/*":           "pid:[4026531836]\n",
		"ls -l /proc/7/ns":                "total 0\nlrwxrwxrwx 1 a a 0 Nov  6 03:30 pid -> 'pid:[4026531836]'\n",
		"ls -l /proc/7/ns/pid":            "lrwxrwxrwx 1 a a 0 Nov  6 03:30 /proc/7/ns/pid -> 'pid:[4026531836]'\n",
		"sudo readlink -v /proc/7/ns/pid": "pid:[4026531836]\n",
	} {
		l, ok := shell.Links(typed(command), nil, []byte(output))
		if got := string(l.Namespaces()[7]); !ok || got != "pid pid:[4026531836]\n" {
			t.Errorf("%s: %q, %v", command, got, ok)
		}
	}
	rows, err := shell.Lsns([]byte("        NS TYPE   NPROCS   PID USER    COMMAND\n4026531836 pid       97     1 root    /sbin/init splash\n"))
	want := shell.Namespace{Inode: 4026531836, Type: "pid", Count: 97, Pid: 1, Cmd: "/sbin/init splash"}
	if err != nil || len(rows) != 1 || rows[0] != want {
		t.Errorf("lsns: %+v, %v", rows, err)
	}
	if _, err := shell.Lsns([]byte("lsns: failed\n")); err == nil {
		t.Error("lsns without a heading was read")
	}
}

func TestHidePid(t *testing.T) {
	for text, want := range map[string]int{
		"proc /proc proc rw,nosuid,nodev,noexec,relatime,hidepid=2 0 0\n":                              2,
		"sysfs /sys sysfs rw 0 0\nproc /proc proc rw,relatime 0 0\n":                                   0,
		"proc on /proc type proc (rw,nosuid,hidepid=invisible)\n":                                      2,
		"proc on /proc type proc (rw,nosuid,gid=4,hidepid=ptraceable)\n":                               4,
		"22 28 0:21 / /proc rw,nosuid,nodev shared:12 - proc proc rw,hidepid=noaccess\n":               1,
		"proc /proc proc rw 0 0\nproc /proc proc rw,hidepid=1 0 0\n":                                   1,
		"proc /proc proc rw,hidepid=17 0 0\n":                                                          2,
		"proc on /proc type proc (rw)\nsystemd-1 on /proc/sys/fs/binfmt_misc type autofs (rw,fd=29)\n": 0,
	} {
		if got, ok := shell.HidePid([]byte(text)); !ok || got != want {
			t.Errorf("%q: %d, %v; want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "tmpfs /run tmpfs rw 0 0\n", "proc /srv/jail/proc proc rw,hidepid=2 0 0\n"} {
		if got, ok := shell.HidePid([]byte(text)); ok {
			t.Errorf("%q: %d", text, got)
		}
	}
}
