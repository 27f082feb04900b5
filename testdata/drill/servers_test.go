package drill

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// A serverKind is a server of another Debian suite, with its own libraries.
type serverKind struct {
	name, suite, pkg, binary string
}

// serverKinds are the servers beside this machine's own, the oldest first.
var serverKinds = []serverKind{
	{"redis-6.0", "bullseye", "redis-tools", "redis-check-aof"},
	{"redis-8", "trixie", "redis-tools", "redis-check-aof"},
	{"valkey-8", "trixie", "valkey-tools", "valkey-check-aof"},
	{"valkey-9", "sid", "valkey-tools", "valkey-check-aof"},
}

// program unpacks a server once, and is what starts it.
func (k serverKind) program(s *Scene) string {
	s.T.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "lockscene-servers", k.name)
	run := filepath.Join(dir, "run")
	if exec.Command(run, "--version").Run() == nil {
		return run
	}
	_ = os.RemoveAll(dir)
	script, err := filepath.Abs("../servers.sh")
	s.check(err, "find servers.sh")
	out, err := exec.CommandContext(s.Ctx, "sh", script, dir, k.suite, k.pkg, k.binary).CombinedOutput()
	if err != nil {
		s.NotRun("%s cannot be had here: %s", k.name, firstLine(out))
	}
	return run
}

// serverRows are each server twice: with a healthy lock, and with one whose owner is
// killed.
func serverRows() []Row {
	var out []Row
	for _, k := range serverKinds {
		out = append(out,
			Row{
				Slug:  k.name + "-healthy",
				Story: "A healthy lock on " + k.name + ".",
				Drill: func(s *Scene) {
					r := s.Redis(RedisConfig{Run: k.program(s)})
					w := s.Holder(r, Role{})
					s.Inspect(r, pidFlag(w))
					s.speaks(k)
				},
				Want: Want{Label: evidence.NoFailure, Lease: "renewing", Owner: "running", Coordinator: "kept"},
			},
			Row{
				Slug:  k.name + "-killed",
				Story: "The owner of a lock on " + k.name + " is killed.",
				Drill: func(s *Scene) {
					r := s.Redis(RedisConfig{Run: k.program(s)})
					w := s.Holder(r, Role{})
					s.Kill(w.Pid)
					s.Inspect(r, pidFlag(w))
				},
				Want: Want{Label: evidence.Crash, Lease: "lapsing|lapsed", Owner: "gone"},
			})
	}
	return out
}

// speaks proves that it was that server, and that every read of it ended well or says
// why not.
func (s *Scene) speaks(k serverKind) {
	s.T.Helper()
	if s.Lab.Bin == "" {
		return
	}
	b := s.bundle()
	info := b.Snapshot.Node.Infos[0]
	family, version, _ := strings.Cut(k.name, "-")
	got := info.Version.Value
	if family == "valkey" {
		got = info.Server.Value + " " + got // it reports a version of Redis beside its own
	}
	if family == "redis" && !strings.HasPrefix(got, version) || family == "valkey" && !strings.Contains(got, "valkey") {
		s.T.Errorf("it is %q, want %s", got, k.name)
	}
	for _, p := range s.seen.Probes {
		if strings.HasPrefix(p.Name, "redis/") && (p.Status == string(evidence.Failed) || p.Status == string(evidence.Timeout)) {
			s.T.Errorf("%s: %s, %s", p.Name, p.Status, p.Why)
		}
	}
}

// Every server that a responder may meet, as far as it can be had here.
func TestServers(t *testing.T) {
	lab := &Lab{Bin: binary(t), Record: *recordDir, Tally: &Tally{}}
	t.Cleanup(func() { publish(t, "other servers", lab.Tally) })
	for _, k := range serverKinds { // one after the other: they share a download
		s := &Scene{T: t, Ctx: t.Context(), Lab: lab, Row: Row{Slug: k.name}}
		t.Run("unpack "+k.name, func(t *testing.T) { s.T = t; k.program(s) })
	}
	for n, row := range serverRows() {
		t.Run(row.Slug, func(t *testing.T) {
			t.Parallel()
			Stage(t, lab, 400+n, row)
		})
	}
}
