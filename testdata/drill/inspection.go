package drill

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// inspectBudget is above the tool's own: it must end by itself.
const inspectBudget = 90 * time.Second

// An Inspection is one run of lockscene inspect, and what it answered.
type Inspection struct {
	Args    []string
	Bundle  string // path of the frozen evidence
	Exit    int
	Took    time.Duration
	Stderr  string
	Verdict evidence.Verdict
	Probes  []struct {
		Name, Source, Status, Why string
	}

	s          *Scene
	cmd        *exec.Cmd
	transcript []byte // what the script printed, where one looked
	out        bytes.Buffer
	err        bytes.Buffer
	from       time.Time
}

// A View is where an inspection looks from: a prefix that executes it there.
type View []string

// Inspect looks at the lock until lockscene has made up its mind.
func (s *Scene) Inspect(r *Redis, flags ...string) {
	s.T.Helper()
	s.InspectFrom(nil, r, flags...)
}

// InspectFrom does so from another place.
func (s *Scene) InspectFrom(view View, r *Redis, flags ...string) {
	s.T.Helper()
	s.begin(view, r, "redis://"+r.Addr, flags).Wait()
}

// Watch starts an inspection and returns once it has sampled the lock twice, so
// that what the drill does next happens under its eyes.
func (s *Scene) Watch(r *Redis, flags ...string) *Inspection {
	s.T.Helper()
	return s.WatchBy(r, "redis://"+r.Addr, flags...)
}

// WatchBy is Watch by another address of the server.
func (s *Scene) WatchBy(r *Redis, address string, flags ...string) *Inspection {
	s.T.Helper()
	// Nobody else here sends PEXPIRETIME: the server's own count shows the samples.
	before := s.calls(r, "pexpiretime")
	i := s.begin(nil, r, address, flags)
	if i.cmd != nil {
		s.Must("lockscene samples the lock", func() bool { return s.calls(r, "pexpiretime") >= before+2 })
	}
	return i
}

func (s *Scene) begin(view View, r *Redis, address string, flags []string) *Inspection {
	s.T.Helper()
	i := &Inspection{s: s, Bundle: filepath.Join(s.Dir, s.Row.Slug+".tar.gz"), from: time.Now()}
	s.seen = i
	if s.Lab.Bin == "" {
		return i
	}
	if s.Lab.Script {
		i.byScript(view, r, flags)
	} else {
		i.Args = append([]string{"inspect", s.Key, "--redis", address, "--watch", "20s"}, i.told(flags)...)
		args := append(append([]string(view), s.Lab.Bin), i.Args...)
		i.cmd = exec.CommandContext(s.Ctx, args[0], args[1:]...)
	}
	i.cmd.Stdout, i.cmd.Stderr = &i.out, &i.err
	// Where it was run by another program, an ended one may leave the pipe open.
	i.cmd.WaitDelay = 5 * time.Second
	s.check(i.cmd.Start(), "start lockscene")
	// A drill that fails while lockscene watches must not leave it behind.
	s.T.Cleanup(func() { _ = i.cmd.Process.Kill() })
	return i
}

// Wait ends the inspection and reads its answer.
func (i *Inspection) Wait() {
	i.s.T.Helper()
	if i.cmd == nil {
		return
	}
	err := i.ended()
	if i.s.Lab.Script {
		err = i.judgeTranscript()
	}
	i.Took, i.Exit, i.Stderr = time.Since(i.from), i.cmd.ProcessState.ExitCode(), i.err.String()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		i.s.T.Fatalf("wait for lockscene: %v", err)
	}
	answer := struct {
		Verdict *evidence.Verdict
		Probes  any
	}{&i.Verdict, &i.Probes}
	if err := json.Unmarshal(i.out.Bytes(), &answer); err != nil {
		i.s.T.Fatalf("read lockscene's answer (exit %d): %v\n%s\n%s\nlockscene %s",
			i.Exit, err, i.out.String(), i.Stderr, strings.Join(i.Args, " "))
	}
}

// told is what the command is told of the lease and the owner, and how to answer.
func (i *Inspection) told(flags []string) []string {
	var args []string
	if !i.s.Row.Untold {
		args = append(args, i.s.Contract...)
	}
	return append(append(args, flags...), "--out", i.Bundle, "--format", "json")
}

// ended waits for the command, and ends it when it does not end by itself.
func (i *Inspection) ended() error {
	limit := time.AfterFunc(inspectBudget, func() { _ = i.cmd.Process.Kill() })
	defer limit.Stop()
	return i.cmd.Wait()
}

// pidFlag is --pid for a worker.
func pidFlag(w *Worker) string { return "--pid=" + strconv.Itoa(w.Pid) }

// summary is the verdict in a few lines, for the log.
func (i *Inspection) summary() string {
	v := i.Verdict
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s exit %d in %.1fs; state %s, open %v, also %v, not ruled out %v\n",
		v.Label, v.Cause, v.Grade, i.Exit, i.Took.Seconds(), v.State, v.Open, v.Also, v.NotRuledOut)
	for _, q := range questions(v.Answers) {
		fmt.Fprintf(&b, "  %-12s %-9s %v %s: %s\n", q.name, q.answer.Value, q.answer.Possible, q.answer.Grade, q.answer.Says)
	}
	for _, f := range v.Findings {
		fmt.Fprintf(&b, "  finding      %s (%s): %s\n", f.ID, f.Severity, f.Text)
	}
	return b.String()
}

// bundle is what the inspection froze.
func (s *Scene) bundle() evidence.Bundle {
	s.T.Helper()
	f, err := os.Open(s.seen.Bundle)
	s.check(err, "open the bundle")
	defer f.Close()
	b, err := evidence.Open(f)
	s.check(err, "open the bundle")
	return b
}
