package drill

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

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
				Story: "A healthy lock on " + k.name + ": every read is answered, or says why it is not.",
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
				Story: "The owner of a lock on " + k.name + " is killed while it is idle.",
				Drill: func(s *Scene) {
					r := s.Redis(RedisConfig{Run: k.program(s)})
					w := s.Holder(r, Role{})
					s.Kill(w.Pid)
					s.Inspect(r, pidFlag(w))
				},
				Want: Want{Label: evidence.Crash, Lease: "lapsing|lapsed", Owner: "gone"},
			})
	}
	valkey := serverKinds[len(serverKinds)-1]
	return append(out, Row{
		Slug:  valkey.name + "-by-commandlog",
		Story: "SLOWLOG is renamed away, and COMMANDLOG answers in its place: a second owner renewed while the first one's lease had not ended.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{Run: valkey.program(s), Lines: []string{"--rename-command", "SLOWLOG", "", "--slowlog-log-slower-than", "0", "--maxmemory-policy", "volatile-ttl"}})
			s.Contract = []string{"--lease", "12s", "--renew-every", "2s"} // SLOWLOG counts whole seconds
			long := Role{Lease: 12 * time.Second, RenewEvery: 2 * time.Second}
			w := s.Holder(r, long)
			s.evict(r)
			other := s.Holder(r, long)
			s.Inspect(r, pidFlag(w))
			if other.Value == w.Value {
				s.T.Fatal("prove the injection: one owner took it twice")
			}
		},
		Want: Want{Label: evidence.NoFailure, State: "contested", Findings: []string{"contested"}},
	})
}

// evict makes Redis throw the lock out with as few commands as may be: no entry of
// SLOWLOG names it then, and what stands there already stays.
func (s *Scene) evict(r *Redis) {
	s.T.Helper()
	used, err := strconv.ParseInt(s.Info(r, "memory")["used_memory"], 10, 64)
	s.check(err, "read used_memory")
	limit := func(bytes int64) {
		s.T.Helper()
		s.check(r.Admin.ConfigSet(s.Ctx, "maxmemory", strconv.FormatInt(bytes, 10)).Err(), "set maxmemory")
	}
	limit(used + 1<<20)
	for range 4 { // the last are refused: nothing is left to evict
		_ = r.Admin.Set(s.Ctx, "cache", strings.Repeat("x", 2<<20), 0).Err()
	}
	limit(0)
	if s.Info(r, "stats")["evicted_keys"] != "1" {
		s.T.Fatal("prove the injection: the lock was not evicted")
	}
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
