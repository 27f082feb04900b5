package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	goredis "github.com/redis/go-redis/v9"
	"golang.org/x/sys/unix"

	"github.com/lockscene/lockscene/evidence"
)

// A heard is what a process has written so far.
type heard struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

// A child is lockscene as a process of its own, which ends with the test.
type child struct {
	*exec.Cmd
	ended chan struct{}
}

func start(t *testing.T, cmd *exec.Cmd) *child {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &child{cmd, make(chan struct{})}
	go func() { _ = cmd.Wait(); close(c.ended) }()
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-c.ended })
	return c
}

func (c *child) over() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// interrupt sends one SIGINT and wants the end, with the exit code of an interrupt.
func (c *child) interrupt(t *testing.T, sig syscall.Signal) {
	t.Helper()
	if err := c.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the process ends", c.over)
	if code := c.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
}

// whole wants a bundle that verifies, and that says that it was cut short.
func whole(t *testing.T, path, cut string) {
	t.Helper()
	var said bytes.Buffer
	if code := run(context.Background(), []string{"evidence", "verify", path}, &said, &said); code != exitNone {
		t.Errorf("verify: exit code %d: %s", code, said.String())
	}
	if got := open(t, path).Capture.Cut; !strings.Contains(got, cut) {
		t.Errorf("capture.json says of its end %q, want %q", got, cut)
	}
}

// heldLock is a key of a real server.
func heldLock(t *testing.T, key string) *server {
	t.Helper()
	s := startRedis(t)
	rdb := goredis.NewClient(&goredis.Options{Addr: s.addr, Protocol: 2, DisableIdentity: true})
	defer rdb.Close()
	if err := rdb.Do(context.Background(), "SET", key, "v", "PX", 3600_000).Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

// Through a pipe nothing is drawn, and a signal freezes what there is.
func TestSignalFreezesWatch(t *testing.T) {
	s := heldLock(t, "lk")
	for name, tt := range map[string]struct {
		sig   syscall.Signal
		flags []string
	}{
		"watch":  {syscall.SIGINT, []string{"--watch", "10m"}},
		"follow": {syscall.SIGTERM, []string{"--follow"}},
	} {
		t.Run(name, func(t *testing.T) {
			out, said := filepath.Join(t.TempDir(), "b.tar.gz"), &heard{}
			cmd := exec.Command("lockscene", append([]string{"inspect", "lk", "--redis", s.addr, "--budget", "11m", "--out", out}, tt.flags...)...)
			cmd.Stdout, cmd.Stderr = said, said
			c := start(t, cmd)
			eventually(t, "the watch begins", func() bool { return strings.Contains(said.String(), "watching") })
			c.interrupt(t, tt.sig)
			whole(t, out, tt.sig.String())
			if strings.ContainsAny(said.String(), "\r\x1b") {
				t.Errorf("drawn through a pipe: %q", said)
			}
		})
	}
}

// terminal is a pseudo-terminal of that many columns, and what is written to it.
func terminal(t *testing.T, columns uint16) (tty *os.File, shown *heard) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 25, Col: columns}); err != nil {
		t.Fatal(err)
	}
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	shown = &heard{}
	go func() { _, _ = io.Copy(shown, master) }()
	return tty, shown
}

// On a terminal one line says what is waited for, and is gone in the end.
func TestProgressOnTerminal(t *testing.T) {
	const key = "lk\x1b[2J\n"
	s := heldLock(t, key)
	tty, shown := terminal(t, 72)
	out := filepath.Join(t.TempDir(), "b.tar.gz")
	cmd := exec.Command("lockscene", "inspect", key, "--redis", s.addr, "--watch", "10m", "--budget", "11m", "--out", out)
	cmd.Env = append(os.Environ(), "TERM=xterm", "NO_COLOR=", "LANG=C.UTF-8", "LC_ALL=")
	cmd.Stderr = tty
	c := start(t, cmd)
	eventually(t, "the line is drawn", func() bool {
		return strings.Contains(shown.String(), `watching lk\x1b[2J\n: lease ends in 60 min; at most`)
	})
	c.interrupt(t, syscall.SIGINT)
	whole(t, out, "interrupt")
	eventually(t, "the line is wiped", func() bool { return strings.HasSuffix(shown.String(), "\r\x1b[K") })
	first, rest, _ := strings.Cut(shown.String(), "\n")
	if !strings.HasPrefix(first, "first look: ") {
		t.Errorf("the first look is not said: %q", first)
	}
	for _, line := range strings.Split(rest, "\r") {
		text := strings.TrimSuffix(line, "\x1b[K")
		if strings.ContainsAny(text, "\x1b\n") || len(text) >= 72 {
			t.Errorf("drawn: %q", line)
		}
	}
}

// Plain text is plain on a terminal too.
func TestNoProgressWhereUnwanted(t *testing.T) {
	for _, env := range []string{"TERM=dumb", "NO_COLOR=1"} {
		t.Run(env, func(t *testing.T) {
			tty, _ := terminal(t, 80)
			name, value, _ := strings.Cut(env, "=")
			t.Setenv("TERM", "xterm")
			t.Setenv("NO_COLOR", "")
			if !rewritable(tty) {
				t.Error("no line on a terminal")
			}
			t.Setenv(name, value)
			if rewritable(tty) {
				t.Error("a line where plain text is wanted")
			}
		})
	}
}

// feed writes to a process and waits until all of it was taken.
func feed(t *testing.T, to *os.File, text string) {
	t.Helper()
	if _, err := to.WriteString(text); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the text is read", func() bool {
		n, err := unix.IoctlGetInt(int(to.Fd()), unix.TIOCINQ)
		if err != nil {
			t.Fatal(err)
		}
		return n == 0
	})
}

// fed is a process that reads a pipe which stays open.
func fed(t *testing.T, args ...string) (c *child, to *os.File, said *heard) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	said = &heard{}
	cmd := exec.Command("lockscene", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = r, said, said
	c = start(t, cmd)
	r.Close()
	return c, w, said
}

// An import that waits for more is ended by a signal and freezes what came.
func TestSignalEndsImport(t *testing.T) {
	out := filepath.Join(t.TempDir(), "b.tar.gz")
	c, to, _ := fed(t, "evidence", "import", "-", "--key", "lk:x", "--out", out)
	feed(t, to, strings.ReplaceAll(askedThere, "PROMPT", "ops@sk-3:~$ ")+"ops@sk-3:~$ redis-cli GET lk:x\nsk-3:7")
	feed(t, to, "7")
	c.interrupt(t, syscall.SIGINT)
	whole(t, out, "interrupted: standard input was not read to its end")
	if looks := open(t, out).Snapshot.Looks; len(looks) != 1 || looks[0].Value.Value != "sk-3:771:e0" {
		t.Errorf("looks: %+v", looks)
	}
}

// One that has nothing yet freezes nothing, and says so.
func TestSignalEndsEmptyImport(t *testing.T) {
	out := filepath.Join(t.TempDir(), "b.tar.gz")
	c, to, said := fed(t, "evidence", "import", "-", "--key", "lk:x", "--out", out)
	feed(t, to, "ops@sk-3:~$ redis-cli TI")
	c.interrupt(t, syscall.SIGTERM)
	if _, err := os.Stat(out); err == nil || !strings.Contains(said.String(), "nothing is frozen") {
		t.Errorf("frozen: %v: %s", err, said)
	}
}

// What does not end at the first Ctrl-C does at another.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	c, to, _ := fed(t, "report", "-")
	feed(t, to, "\x1f\x8b")
	eventually(t, "the process ends", func() bool {
		_ = c.Process.Signal(syscall.SIGINT)
		return c.over()
	})
	if code := c.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
}

// A classify that is interrupted keeps what it printed, and says how much is left.
func TestInterruptedClassify(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const one = "testdata/proofs/unfenced-paused.tar.gz"
	var errs bytes.Buffer
	out := &stopping{cancel: cancel}
	code := run(ctx, []string{"classify", one, one, one, "--format", "json"}, out, &errs)
	if code != exitInterrupted || out.writes != 1 || !strings.Contains(errs.String(), "interrupted: 1 of 3 bundles read, 2 left") {
		t.Errorf("exit %d after %d verdicts: %s", code, out.writes, errs.String())
	}
}

// stopping cancels at the first write.
type stopping struct {
	cancel context.CancelFunc
	writes int
}

func (s *stopping) Write(p []byte) (int, error) {
	s.cancel()
	s.writes++
	return len(p), nil
}

// A part of a proof is none, and a part of an incident is not merged.
func TestInterruptedProveAndMerge(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	const one, two = "testdata/proofs/unfenced-paused.tar.gz", "testdata/proofs/unfenced-killed-idle.tar.gz"
	merged := filepath.Join(t.TempDir(), "m.tar.gz")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"prove", one, two, "--contract", "testdata/proofs/lease.yaml"}, "interrupted: 0 of 2 bundles read, 2 left; a part of them is no proof"},
		{[]string{"evidence", "merge", one, two, "-o", merged}, "interrupted: 1 of 2 bundles read, 1 left; nothing is merged"},
	} {
		var out, errs bytes.Buffer
		if code := run(ctx, tt.args, &out, &errs); code != exitInterrupted || out.Len() > 0 || !strings.Contains(errs.String(), tt.want) {
			t.Errorf("%s: exit %d: %s%s", tt.args[0], code, out.String(), errs.String())
		}
	}
	if _, err := os.Stat(merged); err == nil {
		t.Error("something was merged")
	}
}

// The bundles that are being read when the interrupt comes are read to their end.
func TestInterruptedInTheMiddleOfAProof(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	paths := make([]string, 200)
	for i := range paths {
		paths[i] = fmt.Sprintf("nowhere/%d.tar.gz", i)
	}
	var opened atomic.Int64
	_, _ = openRuns(ctx, paths, evidence.Contract{}, func() { opened.Add(1); cancel() })
	if n := opened.Load(); n == 0 || n == int64(len(paths)) {
		t.Errorf("%d of %d opened", n, len(paths))
	}
}
