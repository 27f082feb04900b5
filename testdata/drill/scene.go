package drill

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A Lab is what all drills of one run share.
type Lab struct {
	Bin    string // the lockscene under test; empty proves injections only
	Record string // folder for bundles and stories; empty keeps none
	Script bool   // look by lockscene script, and judge what it printed
	Tally  *Tally
}

// A Scene is one drill at work. Everything it starts ends with it.
type Scene struct {
	T        *testing.T
	Ctx      context.Context
	Lab      *Lab
	Row      Row
	Index    int    // distinct among the scenes of a run: names and addresses derive from it
	Key      string // the lock
	Dir      string
	Contract []string // what the inspection is told about the lease

	owner int         // pid of the process the verdict must name, where Want.FindsOwner
	seen  *Inspection // what lockscene said
}

// sceneBudget bounds one drill, far above the longest.
const sceneBudget = 3 * time.Minute

// mustBudget is how long a condition may take to come true. Conditions here come
// in milliseconds; the rest is for a starved machine.
const mustBudget = 20 * time.Second

// Stage runs one row and checks the verdict.
func Stage(t *testing.T, lab *Lab, index int, row Row) {
	ctx, cancel := context.WithTimeout(context.Background(), sceneBudget)
	t.Cleanup(cancel)
	s := &Scene{
		T: t, Ctx: ctx, Lab: lab, Row: row, Index: index, Dir: t.TempDir(),
		Key:      "lock:" + row.Slug,
		Contract: []string{"--lease", lease.String(), "--renew-every", renewEvery.String()},
	}
	start := time.Now()
	t.Cleanup(func() { lab.Tally.end(s, time.Since(start)) })
	row.Drill(s)
	if lab.Bin == "" {
		return
	}
	if s.seen == nil {
		t.Fatal("the drill inspected nothing")
	}
	s.judge()
	s.record()
}

// NotRun ends a drill this machine cannot do. It is counted and printed at the end.
func (s *Scene) NotRun(format string, args ...any) {
	s.T.Helper()
	why := fmt.Sprintf(format, args...)
	s.Lab.Tally.notRun(s.Row.Slug, why)
	s.T.Skip("not run: " + why)
}

// needs ends the drill unless the programs are installed.
func (s *Scene) needs(programs ...string) {
	s.T.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			s.NotRun("%s is not installed", p)
		}
	}
}

// needsRoot ends the drill unless it may do what only root may.
func (s *Scene) needsRoot(what string) {
	s.T.Helper()
	if os.Geteuid() != 0 {
		s.NotRun("%s needs root", what)
	}
}

// Must waits until the condition holds: the proof that an injection took.
func (s *Scene) Must(what string, holds func() bool) {
	s.T.Helper()
	for end := time.Now().Add(mustBudget); ; time.Sleep(10 * time.Millisecond) {
		if holds() {
			return
		}
		if time.Now().After(end) {
			s.T.Fatalf("prove the injection: not within %s: %s", mustBudget, what)
		}
	}
}

// Until lets the clock run to a moment the story needs.
func (s *Scene) Until(at time.Time) { time.Sleep(time.Until(at)) }

func (s *Scene) check(err error, what string) {
	s.T.Helper()
	if err != nil {
		s.T.Fatalf("%s: %v", what, err)
	}
}

// command runs a short program that must succeed.
func (s *Scene) command(args ...string) {
	s.T.Helper()
	ctx, cancel := context.WithTimeout(s.Ctx, mustBudget)
	defer cancel()
	if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
		s.T.Fatalf("run %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// comm is the name of a process's first thread.
func comm(pid int) string {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return strings.TrimSpace(string(b))
}
