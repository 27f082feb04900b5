package drill

import (
	"os"
	"path/filepath"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// healthyRows are the controls: the same machinery with nothing broken.
var healthyRows = []Row{
	{
		Slug:  "healthy",
		Story: "A worker holds the lock and renews it every second. Nothing is wrong; whoever called was mistaken.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, Role{})
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.NoFailure, Lease: "renewing", Owner: "running", State: "held"},
	},
	{
		Slug:  "healthy-heartbeat",
		Story: "As healthy, and the thread that does the work writes the time to a file, which shows that it works.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			beat := filepath.Join(s.Dir, "beat")
			w := s.Holder(r, Role{Heartbeat: beat})
			s.Must("the heartbeat is written", func() bool { return fileAge(beat) < time.Second })
			s.Inspect(r, pidFlag(w), "--heartbeat", "file:"+beat)
		},
		Want: Want{Label: evidence.NoFailure, Lease: "renewing", Owner: "running", State: "held"},
	},
	{
		Slug:  "healthy-across-a-network",
		Story: "As healthy, with the worker behind a real network path that nobody cuts.",
		Drill: func(s *Scene) {
			n := s.Netns()
			r := s.Redis(RedisConfig{Bind: n.Here})
			w := s.Holder(r, Role{}, Launch{Prefix: n.Enter()})
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.NoFailure, Lease: "renewing", Owner: "running", Path: "up", State: "held"},
	},
	{
		Slug:  "traced-but-running",
		Story: "Somebody attached strace to a healthy owner. It is slower and worth mentioning, but it works and renews.",
		Drill: func(s *Scene) {
			s.needs("strace")
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, Role{})
			tracer := s.Run(Start{Args: []string{"strace", "-f", "-o", "/dev/null", "-p", itoa(w.Pid)}})
			s.Must("the process is traced and not stopped, or strace gave up", func() bool {
				return statusField(w.Pid, "TracerPid") != "0" && procState(w.Pid) != "t" || procState(tracer.Pid) == ""
			})
			if procState(tracer.Pid) == "" {
				s.NotRun("attach strace: %s", tracer.tail(1))
			}
			s.Next(w.Process, "renew-ok")
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.NoFailure, Lease: "renewing", Owner: "running", Findings: []string{"traced"}},
	},
	{
		Slug:  "released-then-exited",
		Story: "The worker finished while we watched: it released its lock and ended a second later. A key that vanishes and a process that exits, and yet nothing failed.",
		Drill: func(s *Scene) {
			s.Contract = []string{"--lease", "9s", "--renew-every", "3s"}
			r := s.Redis(RedisConfig{})
			w := s.Worker(r, Role{Lease: 9 * time.Second, RenewEvery: 3 * time.Second})
			last, _ := s.Await(w.Process, "renew-ok", 0)
			i := s.Watch(r, pidFlag(w))
			s.Until(last.At.Add(1600 * time.Millisecond))
			s.Tell(w.Process, "release")
			released, _ := s.Await(w.Process, "released", 0)
			s.Until(released.At.Add(time.Second))
			s.Tell(w.Process, "exit")
			s.Must("the worker is gone", func() bool { return procState(w.Pid) == "" })
			i.Wait()
		},
		Want: Want{Label: evidence.NoFailure, Lease: "released", State: "free"},
	},
	{
		Slug:  "pid-namespace",
		Story: "The worker runs in a pid namespace and believes it is pid 1 of this host; its value says so. The machine's own pid 1 is somebody else. Found without being told the pid.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, Role{}, Launch{Forks: true, Prefix: s.ownPids()})
			s.owner = w.Pid
			s.Inspect(r)
		},
		Want: Want{Label: evidence.NoFailure, Lease: "renewing", Owner: "running", FindsOwner: true},
	},
	{
		Slug:  "container",
		Story: "As pid-namespace, and the worker has a host name of its own too, as in a container. Found through its connection.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, Role{UTS: "ledger-7d4f9c-x2"}, Launch{Forks: true, Prefix: s.ownPids("--uts")})
			s.owner = w.Pid
			s.Inspect(r)
		},
		Want: Want{Label: evidence.NoFailure, Lease: "renewing", Owner: "running", FindsOwner: true},
	},
	{
		Slug:  "opaque-value",
		Story: "A healthy worker whose lock holds a random token, as most libraries write it, and nobody said who it is. Found because its connection to Redis, joined with this machine's sockets, is the one that renews.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, Role{Opaque: true})
			s.owner = w.Pid
			s.Inspect(r)
		},
		Want: Want{Label: evidence.NoFailure, Lease: "renewing", Owner: "running", FindsOwner: true},
	},
	{
		Slug:  "by-unit",
		Story: "As opaque-value, and the responder knows only the name of the worker's systemd unit.",
		Drill: func(s *Scene) { s.grouped("invoice.service", "--unit", "invoice.service") },
		Want:  Want{Label: evidence.NoFailure, Lease: "renewing", Owner: "running", FindsOwner: true},
	},
	{
		Slug:  "by-container",
		Story: "As opaque-value, and the responder knows only the id of the worker's container, cut short as tools print it.",
		Drill: func(s *Scene) {
			s.grouped("docker-39e1f8ba2fc64425fcae4cfa02953fc84a1d7cce36162b753abf1154f6c85d48.scope", "--container", "39e1f8ba2fc6")
		},
		Want: Want{Label: evidence.NoFailure, Lease: "renewing", Owner: "running", FindsOwner: true},
	},
}

// grouped inspects a healthy worker of a named control group, told only how the
// group is called.
func (s *Scene) grouped(name string, flags ...string) {
	s.T.Helper()
	r := s.Redis(RedisConfig{})
	w := s.Holder(r, Role{Opaque: true}, Launch{Groups: []*Group{s.Group("memory", name)}})
	s.owner = w.Pid
	s.Inspect(r, flags...)
}

// ownPids is the prefix that starts a program as pid 1 of a pid namespace.
func (s *Scene) ownPids(more ...string) []string {
	s.T.Helper()
	s.needsRoot("a pid namespace")
	s.needs("unshare")
	return append(append([]string{"unshare", "--fork", "--pid", "--mount-proc", "--kill-child"}, more...), "--")
}

// fileAge is how long ago a file was written; very long when there is none.
func fileAge(path string) time.Duration {
	info, err := os.Stat(path)
	if err != nil {
		return time.Hour
	}
	return time.Since(info.ModTime())
}
