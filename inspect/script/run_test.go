package script

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// shells are those the script must run in: what they are called here, and how
// they are started. BusyBox brings its own cat, ls, grep, sed and date along.
var shells = map[string][]string{
	"dash":       {"dash"},
	"bash-posix": {"bash", "--posix"},
	"busybox":    {"busybox", "sh"},
}

// eachShell runs a test in every shell this machine has.
func eachShell(t *testing.T, test func(t *testing.T, sh shell)) {
	if runtime.GOOS != "linux" {
		t.Skip("not run: the script reads /proc, which only Linux has")
	}
	for name, argv := range shells {
		t.Run(name, func(t *testing.T) {
			path, err := exec.LookPath(argv[0])
			if err != nil {
				t.Skipf("not run: %s is not installed", argv[0])
			}
			t.Parallel()
			sh := shell{argv: argv, dir: t.TempDir(), env: os.Environ()}
			if argv[0] == "busybox" {
				applets := t.TempDir()
				if out, err := exec.Command(path, "--install", "-s", applets).CombinedOutput(); err != nil {
					t.Fatalf("install applets: %v: %s", err, out)
				}
				sh.argv = []string{filepath.Join(applets, "sh")}
				sh.env = append(sh.env, "PATH="+applets)
			}
			test(t, sh)
		})
	}
}

type shell struct {
	argv []string
	env  []string
	dir  string
}

// run feeds the script on standard input, as ssh HOST sh does, with a line
// behind it that must survive.
func (sh shell) run(t *testing.T, text string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, sh.argv[0], sh.argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = sh.dir, sh.env, strings.NewReader(text+"echo still-read\n")
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil || complaints.Len() > 0 {
		t.Fatalf("run the script: %v: %s\n%s", err, complaints.Bytes(), tail(out))
	}
	seen, ok := strings.CutSuffix(string(out), "## end of lockscene script\nstill-read\n")
	if !ok {
		t.Fatalf("the script did not come to its end, or ate what followed it:\n%s", tail(out))
	}
	if len(seen) > 1<<20 {
		t.Errorf("%d bytes were printed", len(seen))
	}
	return seen
}

func tail(b []byte) []byte { return b[max(0, len(b)-2000):] }

// An entry is a prompt of the transcript, and what followed it.
type entry struct{ command, output string }

var promptLine = regexp.MustCompile(`^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{9})?Z\] [A-Za-z0-9._-]+\$ (.*)$`)

func entries(transcript string) []entry {
	var out []entry
	for line := range strings.Lines(transcript) {
		if m := promptLine.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			out = append(out, entry{command: m[2]})
		} else if n := len(out); n > 0 {
			out[n-1].output += line
		}
	}
	return out
}

// all are the outputs of one command, in order.
func all(list []entry, command string) []string {
	var out []string
	for _, e := range list {
		if e.command == command {
			out = append(out, e.output)
		}
	}
	return out
}

// child starts a process with one thread that lives until the test ends.
func child(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sleep", "100")
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd
}

// Two looks at two live processes: this one has threads, the other has none.
func TestLooksTwice(t *testing.T) {
	eachShell(t, func(t *testing.T, sh shell) {
		const planted = "planted-secret-7c41"
		me, other := os.Getpid(), child(t, "TOKEN="+planted).Process.Pid
		seen := sh.run(t, scriptOf(t, Options{Pid: me, Renewer: other, Seconds: 1}))
		list := entries(seen)
		for _, file := range []string{"stat", "status", "wchan", "schedstat", "cgroup", "oom_score"} {
			for _, pid := range []int{me, other} {
				got := all(list, fmt.Sprintf("cat /proc/%d/%s", pid, file))
				if len(got) != 2 || strings.TrimSpace(got[0]) == "" {
					t.Errorf("%s of %d was read %d times: %q", file, pid, len(got), got)
				}
			}
		}
		tasks := all(list, fmt.Sprintf("head -n 1 /proc/%d/task/*/stat", me))
		if len(tasks) != 2 || !strings.Contains(tasks[0], fmt.Sprintf("==> /proc/%d/task/%d/stat <==\n%d (", me, me, me)) {
			t.Errorf("threads: %q", tasks)
		}
		if got := all(list, fmt.Sprintf("cat /proc/%d/task/%d/schedstat", other, other)); len(got) != 2 {
			t.Errorf("the only thread of %d was read %d times", other, len(got))
		}
		if got := all(list, "cat /proc/sys/kernel/random/boot_id"); len(got) != 1 || len(got[0]) != 37 {
			t.Errorf("boot id: %q", got)
		}
		if got := all(list, "cat /proc/uptime"); len(got) < 3 {
			t.Errorf("the kernel's seconds were read %d times", len(got))
		}
		if strings.Contains(seen, planted) {
			t.Error("the environment of a process was printed")
		}
	})
}

// A process that is not there is told from one that is hidden.
func TestSaysWhoIsGone(t *testing.T) {
	eachShell(t, func(t *testing.T, sh shell) {
		cmd := child(t)
		pid := cmd.Process.Pid
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		list := entries(sh.run(t, scriptOf(t, Options{Pid: pid, Seconds: 1})))
		asked := all(list, fmt.Sprintf("kill -0 %d", pid))
		if len(asked) != 2 || !strings.Contains(strings.ToLower(asked[0]), "no such process") {
			t.Errorf("kill -0: %q", asked)
		}
		read := all(list, fmt.Sprintf("cat /proc/%d/stat", pid))
		if len(read) != 2 || !strings.Contains(read[0], "No such file") {
			t.Errorf("stat: %q", read)
		}
	})
}

// What is refused is said, not left out.
func TestWithoutPrivileges(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not run: only root can become somebody who is refused")
	}
	if _, err := exec.LookPath("setpriv"); err != nil {
		t.Skip("not run: setpriv is not installed")
	}
	sh := shell{argv: []string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh"}, dir: "/", env: os.Environ()}
	pid := child(t).Process.Pid
	list := entries(sh.run(t, scriptOf(t, Options{Pid: pid, Redis: redisAt, Seconds: 1})))
	refused := all(list, fmt.Sprintf("ls -l /proc/%d/fd | grep socket: | head -n 1000", pid))
	if len(refused) != 2 || !strings.Contains(refused[0], "Permission denied") {
		t.Errorf("descriptors: %q", refused)
	}
	if got := all(list, fmt.Sprintf("cat /proc/%d/stat", pid)); len(got) != 2 || !strings.HasPrefix(got[0], fmt.Sprint(pid)) {
		t.Errorf("stat: %q", got)
	}
}

// No flag's value becomes a command, in any shell.
func TestValuesStayWords(t *testing.T) {
	eachShell(t, func(t *testing.T, sh shell) {
		for n, hostile := range []string{
			`'; : >pwned; '`, `$(: >pwned)`, "`: >pwned`", `\'; : >pwned; \'`, `"; : >pwned; "`, `) ; : >pwned ; (`,
			`-x; : >pwned`, `{}*?[a-z]~ & : >pwned`, `%s%n\n\0`,
		} {
			text := scriptOf(t, Options{
				Unit: hostile, Cgroup: hostile, Container: hostile, Key: hostile, Heartbeat: "file:/" + hostile,
				Redis: Redis{Host: hostile, User: hostile, Port: 1}, Seconds: 1, Full: true,
			})
			// Nothing is learned by waiting here.
			text = strings.Replace(text, "seconds='1'", "seconds='0'", 1)
			seen := sh.run(t, text)
			if left, _ := os.ReadDir(sh.dir); len(left) > 0 {
				t.Fatalf("value %d was executed: %s", n, hostile)
			}
			// The prompt shows the word as it would have to be typed.
			if want := "-- " + quote("/"+hostile); n < 6 && !strings.Contains(seen, "head -c 256 "+quote("/"+hostile)) {
				t.Errorf("value %d is not shown quoted (%s)", n, want)
			}
		}
	})
}
