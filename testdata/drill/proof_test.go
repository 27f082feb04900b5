package drill

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// The whole proof, against a protected resource that is real: a table of PostgreSQL
// whose write path compares tokens, and a twin that does not.

// The guarded workers' lease.
const (
	guardedLease = 4 * time.Second
	guardedRenew = time.Second
)

// A guardedRun is one run of a drill: an owner, a successor that waits, and what
// became of the owner.
type guardedRun struct {
	s        *Scene
	r        *Redis
	resource string
	owner    *Worker
	next     *Worker
	watch    *Inspection
	events   []string // files
}

// guardedRun starts both workers on a Redis and a resource, and an inspection that
// follows the lock until it is taken over.
func (s *Scene) guardedRun(db *Database, config RedisConfig, fenced bool, owner Role, launch ...Launch) *guardedRun {
	s.T.Helper()
	s.Contract = []string{"--lease", guardedLease.String(), "--renew-every", guardedRenew.String()}
	g := &guardedRun{s: s, r: s.Redis(config)}
	g.resource = s.Resource(db, "r"+fmt.Sprint(s.Index), fenced)
	g.owner = g.worker("owner", owner, launch...)
	s.Await(g.owner.Process, "renew true", 0)
	g.next = g.worker("next", Role{})
	g.watch = s.WatchBy(g.r, "redis://"+g.r.Addr, pidFlag(g.owner), "--follow", "--budget", "40s")
	return g
}

func (g *guardedRun) worker(name string, role Role, launch ...Launch) *Worker {
	g.s.T.Helper()
	file := filepath.Join(g.s.Dir, name+".ndjson")
	g.events = append(g.events, file)
	role.Kind, role.Lease, role.RenewEvery, role.Resource, role.Events = "guarded", guardedLease, guardedRenew, g.resource, file
	return g.s.start(g.r, role, launch...)
}

// record adds one event of the harness's own.
func (g *guardedRun) record(event string, more map[string]any) {
	g.s.T.Helper()
	host, _ := os.Hostname()
	e := map[string]any{"at": time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"), "clock": "host:" + host, "actor": "harness", "event": event, "owner": fmt.Sprintf("%s:%d", host, g.owner.Pid)}
	for k, v := range more {
		e[k] = v
	}
	line, _ := json.Marshal(e)
	f, err := os.OpenFile(g.events[0], os.O_APPEND|os.O_WRONLY, 0o644)
	g.s.check(err, "open the owner's record")
	defer f.Close()
	_, err = f.Write(append(line, '\n'))
	g.s.check(err, "write the owner's record")
}

// shared has the successor do the request that its predecessor's late write is about.
func (g *guardedRun) shared() {
	g.s.T.Helper()
	at := len(g.next.Lines())
	g.s.Tell(g.next.Process, "share")
	g.s.Await(g.next.Process, "wrote shared accepted", at)
}

// replay sends a write of the lost owner to the resource, as a packet that was under
// way for long would arrive: of a request that its successor has done by then.
func (g *guardedRun) replay() {
	g.s.T.Helper()
	g.shared()
	host, _ := os.Hostname()
	out, err := openSQL(g.resource)
	g.s.check(err, "open the resource")
	_, err = out.write(fmt.Sprintf("%s:%d", host, g.owner.Pid), 1, "shared", "replayed by the harness")
	g.s.check(err, "replay a write")
}

// died records the owner's end, which the harness saw.
func (g *guardedRun) died() {
	g.s.T.Helper()
	g.record("exit", map[string]any{"text": "killed by signal 9"})
	g.taken()
	g.replay()
}

// taken waits until the successor has the lock and works.
func (g *guardedRun) taken() {
	g.s.T.Helper()
	_, at := g.s.Await(g.next.Process, "acquire true", 0)
	g.s.Await(g.next.Process, "renew true", at)
}

// freeze ends the run: the capture, the workers' events and the resource's record
// become one bundle.
func (g *guardedRun) freeze() string {
	s := g.s
	s.T.Helper()
	if g.watch.cmd.ProcessState == nil {
		g.watch.Wait()
	}
	audit := filepath.Join(s.Dir, "resource.ndjson")
	s.Audit(g.resource, audit)
	run := func(args ...string) {
		s.T.Helper()
		out, err := exec.CommandContext(s.Ctx, s.Lab.Bin, args...).CombinedOutput()
		if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() == 2) {
			s.T.Fatalf("lockscene %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	recorded, merged := filepath.Join(s.Dir, "events.tar.gz"), filepath.Join(s.Dir, "run.tar.gz")
	args := []string{"evidence", "import", "--key", s.Key, "--out", recorded}
	for _, f := range append(g.events, audit) {
		args = append(args, "--events", f)
	}
	run(append(args, s.Contract...)...)
	run("evidence", "merge", g.watch.Bundle, recorded, "--out", merged)
	return merged
}

// proofModes are the ways in which the guarded owner is lost.
var proofModes = []struct {
	slug string
	mode evidence.Mode
	twin bool // also against the resource without a fence
	run  func(s *Scene, db *Database, fenced bool, n int) *guardedRun
}{
	{"killed-idle", evidence.ModeCrash, true, func(s *Scene, db *Database, fenced bool, _ int) *guardedRun {
		g := s.guardedRun(db, RedisConfig{}, fenced, Role{})
		s.Next(g.owner.Process, "renew true")
		s.Kill(g.owner.Pid)
		g.died()
		return g
	}},
	{"killed-mid-renewal", evidence.ModeCrash, false, func(s *Scene, db *Database, fenced bool, n int) *guardedRun {
		// Before it leaves, or behind its answer: either way its sender dies in it.
		place := []string{"before", "behind"}[n%2]
		g := s.guardedRun(db, RedisConfig{}, fenced, Role{})
		s.Tell(g.owner.Process, "stick "+place)
		s.Await(g.owner.Process, "stuck "+place, 0)
		s.Kill(g.owner.Pid)
		g.died()
		return g
	}},
	{"out-of-memory", evidence.ModeCrash, false, func(s *Scene, db *Database, fenced bool, _ int) *guardedRun {
		group := s.Group("memory", "ledger.service")
		group.LimitMemory(oomLimit)
		g := s.guardedRun(db, RedisConfig{}, fenced, Role{}, Launch{Groups: []*Group{group}})
		s.Tell(g.owner.Process, "balloon")
		s.Must("the kernel kills it", func() bool { return procState(g.owner.Pid) == "" })
		g.died()
		return g
	}},
	{"paused", evidence.ModePause, true, func(s *Scene, db *Database, fenced bool, _ int) *guardedRun {
		g := s.guardedRun(db, RedisConfig{}, fenced, Role{})
		s.Tell(g.owner.Process, "hold")
		s.Await(g.owner.Process, "about to write", 0)
		s.Stop(g.owner.Pid)
		g.record("pause", map[string]any{"text": "SIGSTOP"})
		g.taken()
		g.shared()
		g.watch.Wait()
		s.check(syscall.Kill(g.owner.Pid, syscall.SIGCONT), "continue")
		g.record("resume", map[string]any{"text": "SIGCONT"})
		s.Tell(g.owner.Process, "go")
		s.Await(g.owner.Process, "wrote shared", 0)
		return g
	}},
	{"partition-healed", evidence.ModePartition, false, func(s *Scene, db *Database, fenced bool, _ int) *guardedRun {
		net := s.Netns()
		// A renewer that keeps trying is what could take the lock back.
		g := s.guardedRun(db, RedisConfig{Bind: net.Here}, fenced, Role{Careless: true}, Launch{Prefix: net.Enter()})
		s.Next(g.owner.Process, "renew true")
		net.Cut()
		g.taken()
		g.watch.Wait()
		at := len(g.owner.Lines())
		net.Heal()
		s.Await(g.owner.Process, "renew false not the owner", at)
		g.replay()
		return g
	}},
	{"clock-forward", evidence.ModeClock, false, func(s *Scene, db *Database, fenced bool, _ int) *guardedRun {
		clock := s.Clock()
		g := s.guardedRun(db, RedisConfig{Clock: clock}, fenced, Role{})
		s.Next(g.owner.Process, "renew true")
		clock.Step(time.Minute)
		g.taken()
		s.Must("the owner is told", func() bool {
			return slices.ContainsFunc(g.owner.Lines(), func(l Line) bool {
				return strings.HasPrefix(l.Text, "renew false not") || strings.HasSuffix(l.Text, " rejected")
			})
		})
		g.replay()
		return g
	}},
	{"clock-back", evidence.ModeOther, false, func(s *Scene, db *Database, fenced bool, _ int) *guardedRun {
		// By less than the contract's skew: the lease lasts longer by it, and no more.
		clock := s.Clock()
		g := s.guardedRun(db, RedisConfig{Clock: clock}, fenced, Role{})
		s.Next(g.owner.Process, "renew true")
		clock.Step(-1500 * time.Millisecond)
		s.Kill(g.owner.Pid)
		g.died()
		return g
	}},
	{"renewals-paused", evidence.ModeOther, false, func(s *Scene, db *Database, fenced bool, _ int) *guardedRun {
		g := s.guardedRun(db, RedisConfig{}, fenced, Role{})
		s.Tell(g.owner.Process, "pause-renewals")
		g.taken()
		s.Await(g.owner.Process, "stopped", 0)
		g.replay()
		return g
	}},
	{"work-paused", evidence.ModeOther, false, func(s *Scene, db *Database, fenced bool, _ int) *guardedRun {
		g := s.guardedRun(db, RedisConfig{}, fenced, Role{})
		s.Tell(g.owner.Process, "pause-work")
		g.taken()
		g.replay()
		return g
	}},
}

var proofRuns = flag.Int("proof-runs", 2, "runs of each mode of the proof")

// The contract of the guarded lock. Its margins are those of a machine that runs many
// drills at once.
const guardedContract = `key: lock:ledger
lease: 4s
renew_every: 1s
max_clock_skew: 2s
worst_stall: 500ms
worst_renewal: 300ms
margin: 1.5
lease_max: 10s
release_within: 8s
takeover_within: 9s
fencing: {required: true, from: events}
modes: [crash, partition, clock-anomaly, pause]
`

// proofsAtOnce is how many of these runs go on together.
const proofsAtOnce = 7

func TestProofs(t *testing.T) {
	if err := Sweep(); err != nil {
		t.Fatal(err)
	}
	lab := &Lab{Bin: binary(t), Record: *recordDir, Tally: &Tally{}}
	if lab.Bin == "" {
		t.Skip("not run: nothing is judged when only injections are proven")
	}
	db, why := StartDatabase(t)
	t.Cleanup(func() { publish(t, "proofs", lab.Tally) })
	dir := t.TempDir()
	run := func(t *testing.T, name string, index int, fenced bool, n int, m int) {
		ctx, cancel := context.WithTimeout(context.Background(), sceneBudget)
		t.Cleanup(cancel)
		s := &Scene{T: t, Ctx: ctx, Lab: lab, Row: Row{Slug: name}, Index: index, Dir: t.TempDir(), Key: "lock:ledger"}
		start := time.Now()
		t.Cleanup(func() { lab.Tally.end(s, time.Since(start)) })
		if db == nil {
			s.NotRun("%s", why)
		}
		bundle, err := os.ReadFile(proofModes[m].run(s, db, fenced, n).freeze())
		s.check(err, "read the run's bundle")
		s.check(os.WriteFile(filepath.Join(dir, name+".tar.gz"), bundle, 0o644), "keep the run's bundle")
		if n == 0 && lab.Record != "" {
			s.check(os.WriteFile(filepath.Join(lab.Record, name+".tar.gz"), bundle, 0o644), "record the run's bundle")
		}
	}
	t.Run("runs", func(t *testing.T) {
		// More than of other drills may go on at once: a worker that writes now and
		// then, and a capture, wait nearly all of their time.
		slots := make(chan struct{}, proofsAtOnce)
		var all sync.WaitGroup
		defer all.Wait()
		begin := func(name string, index int, fenced bool, n, m int) {
			slots <- struct{}{}
			all.Go(func() {
				defer func() { <-slots }()
				t.Run(name, func(t *testing.T) { run(t, name, index, fenced, n, m) })
			})
		}
		for m, mode := range proofModes {
			for n := range *proofRuns {
				begin(fmt.Sprintf("fenced-%s-%d", mode.slug, n), 500+20*m+n, true, n, m)
			}
			if mode.twin {
				begin("unfenced-"+mode.slug, 515+20*m, false, 0, m)
			}
		}
	})
	if db == nil || t.Failed() {
		return
	}
	t.Run("fenced", func(t *testing.T) { fencedIsProven(t, lab.Bin, dir) })
	t.Run("unfenced", func(t *testing.T) { unfencedIsNot(t, lab.Bin, dir) })
}

// proved is what lockscene says of runs.
func proved(t *testing.T, bin, dir, pattern string) (evidence.Proof, int) {
	t.Helper()
	contract := filepath.Join(dir, "lease.yaml")
	if err := os.WriteFile(contract, []byte(guardedContract), 0o644); err != nil {
		t.Fatal(err)
	}
	runs, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(runs) == 0 {
		t.Fatalf("no runs: %v", err)
	}
	cmd := exec.Command(bin, append([]string{"prove", "--contract", contract, "--format", "json"}, runs...)...)
	out, _ := cmd.Output()
	var p evidence.Proof
	if err := json.Unmarshal(out, &p); err != nil {
		t.Fatalf("read the proof: %v\n%s", err, out)
	}
	return p, cmd.ProcessState.ExitCode()
}

// fencedIsProven: all modes together prove that the lock recovers, and each run was
// lost in the way that the harness meant.
func fencedIsProven(t *testing.T, bin, dir string) {
	p, code := proved(t, bin, dir, "fenced-*.tar.gz")
	if !p.Proven || code != 0 {
		t.Errorf("not a proof (exit %d)", code)
	}
	for _, r := range p.Results {
		t.Logf("%-13s %-24s %d runs, %d silent: %s", r.Outcome, r.ID, r.Passed, r.Silent, r.Text)
		if r.Outcome != evidence.Pass {
			t.Errorf("%s: %s, %+v", r.ID, r.Text, r.Because)
		}
	}
	for _, run := range p.Runs {
		for _, m := range proofModes {
			if strings.HasPrefix(run.Name, "fenced-"+m.slug) && m.mode != evidence.ModeOther && run.Mode != m.mode {
				t.Errorf("%s was judged %s, in the mode %s; want %s", run.Name, run.Label, run.Mode, m.mode)
			}
		}
	}
	t.Logf("free after %v, taken over after %v, %d writes refused", p.Release, p.Transfer, p.Rejected)
}

// unfencedIsNot: the same drills against a resource that compares nothing let stale
// writes in, and have them take effect twice.
func unfencedIsNot(t *testing.T, bin, dir string) {
	p, code := proved(t, bin, dir, "unfenced-*.tar.gz")
	if p.Proven || code != 6 {
		t.Errorf("proven %v (exit %d)", p.Proven, code)
	}
	for _, r := range p.Results {
		wrong := slices.Contains([]string{"stale-write-rejected", "one-effect"}, r.ID)
		if wrong && r.Outcome != evidence.Fail {
			t.Errorf("%s: %s, %s; want a failure", r.ID, r.Outcome, r.Text)
		}
	}
}
