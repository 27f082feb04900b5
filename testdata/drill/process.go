package drill

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A Line is one line a process printed, and when it arrived here.
type Line struct {
	At   time.Time
	Text string
}

// A Process is one program a scene started. What it prints is kept line by
// line; it dies with this process, and with its scene.
type Process struct {
	Pid   int
	cmd   *exec.Cmd
	stdin io.WriteCloser
	done  chan struct{} // closed once reaped; never, while Unreaped
	once  sync.Once

	mu    sync.Mutex
	lines []Line
}

// A Start says what to run.
type Start struct {
	Args     []string // program first
	Env      []string // nil inherits
	Unreaped bool     // leave it a zombie when it dies, until the scene ends
}

// Run starts a program that ends with the scene.
func (s *Scene) Run(start Start) *Process {
	s.T.Helper()
	p := &Process{cmd: exec.Command(start.Args[0], start.Args[1:]...), done: make(chan struct{})}
	p.cmd.Env, p.cmd.Dir = start.Env, s.Dir
	// Not even a killed test run may leave a stopped or frozen process behind.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdin, err := p.cmd.StdinPipe()
	s.check(err, "open stdin")
	r, w, err := os.Pipe()
	s.check(err, "open pipe")
	p.cmd.Stdout, p.cmd.Stderr, p.stdin = w, w, stdin
	err = p.cmd.Start()
	w.Close()
	s.check(err, "start "+start.Args[0])
	p.Pid = p.cmd.Process.Pid
	go p.collect(r)
	if !start.Unreaped {
		go p.reap()
	}
	s.T.Cleanup(func() {
		// Not by pid: once reaped, it may be somebody else's.
		_ = p.cmd.Process.Kill()
		p.reap()
		if s.T.Failed() {
			s.T.Logf("%s (pid %d) said:\n%s", start.Args[0], p.Pid, p.tail(20))
		}
	})
	return p
}

func (p *Process) collect(r *os.File) {
	defer r.Close()
	in := bufio.NewScanner(r)
	for in.Scan() {
		p.mu.Lock()
		p.lines = append(p.lines, Line{time.Now(), in.Text()})
		p.mu.Unlock()
	}
}

// reap collects the exit status, once; later callers wait for it.
func (p *Process) reap() {
	p.once.Do(func() {
		_ = p.cmd.Wait()
		close(p.done)
	})
	<-p.done
}

// EndedBy waits for the end and names the signal that caused it; -1 when none did.
func (p *Process) EndedBy() syscall.Signal {
	p.reap()
	return p.cmd.ProcessState.Sys().(syscall.WaitStatus).Signal()
}

// Lines returns what the process printed so far.
func (p *Process) Lines() []Line {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lines[:len(p.lines):len(p.lines)]
}

func (p *Process) tail(n int) string {
	lines := p.Lines()
	var b strings.Builder
	for _, l := range lines[max(0, len(lines)-n):] {
		fmt.Fprintf(&b, "\t%s %s\n", l.At.UTC().Format("15:04:05.000"), l.Text)
	}
	return b.String()
}

// Await returns the first line with the prefix among those after the first
// `from`, and where to go on from.
func (s *Scene) Await(p *Process, prefix string, from int) (Line, int) {
	s.T.Helper()
	var line Line
	next := from
	s.Must(fmt.Sprintf("pid %d says %q", p.Pid, prefix), func() bool {
		lines := p.Lines()
		for ; next < len(lines); next++ {
			if strings.HasPrefix(lines[next].Text, prefix) {
				line = lines[next]
				next++
				return true
			}
		}
		return false
	})
	return line, next
}

// Next returns the next line with the prefix that is printed from now on.
func (s *Scene) Next(p *Process, prefix string) Line {
	s.T.Helper()
	line, _ := s.Await(p, prefix, len(p.Lines()))
	return line
}

// Tell sends one command line to the process.
func (s *Scene) Tell(p *Process, command string) {
	s.T.Helper()
	_, err := io.WriteString(p.stdin, command+"\n")
	s.check(err, "tell "+command)
}

// Kill sends SIGKILL and waits until the process is off the process table, or a
// zombie if nobody reaps it.
func (s *Scene) Kill(pid int) {
	s.T.Helper()
	s.check(syscall.Kill(pid, syscall.SIGKILL), "kill")
	s.Must(fmt.Sprintf("pid %d is gone or a zombie", pid), func() bool {
		state := procState(pid)
		return state == "" || state == "Z"
	})
}

// Stop sends SIGSTOP and waits until the process is stopped.
func (s *Scene) Stop(pid int) {
	s.T.Helper()
	s.check(syscall.Kill(pid, syscall.SIGSTOP), "stop")
	s.Must(fmt.Sprintf("pid %d is stopped", pid), func() bool { return procState(pid) == "T" })
}

// procState is the state letter of /proc/PID/stat, empty when there is none.
func procState(pid int) string {
	fields := procStat(pid)
	if len(fields) == 0 {
		return ""
	}
	return fields[0]
}

// procStat is /proc/PID/stat from the state letter on: the comm before it may
// hold blanks and parentheses.
func procStat(pid int) []string {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return nil
	}
	return strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
}

// child returns the only child of a process, which its own namespace may know
// under another pid.
func (s *Scene) child(parent int) int {
	s.T.Helper()
	pid := 0
	s.Must(fmt.Sprintf("pid %d has a child", parent), func() bool {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", parent, parent))
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(b)))
		return err == nil
	})
	return pid
}

// firstLine is what a program said first.
func firstLine(b []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(b)), "\n")
	return line
}
