package drill

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// oomLimit kills a worker that wants 512 MiB long before the machine feels it.
const oomLimit = 96 << 20

// deathRows are deaths inside a unit's control group.
var deathRows = []Row{
	{
		Slug:  "oom-kill",
		Story: "The worker outgrew its control group's memory limit and the kernel killed it.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w, _ := s.outOfMemory(r, Role{})
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.Crash, Cause: "oom-kill", Grade: evidence.Proven, Lease: "lapsing|lapsed", Owner: "gone"},
	},
	{
		Slug:  "oom-kill-while-watched",
		Story: "As oom-kill, but the responder was already looking when it happened.",
		Drill: func(s *Scene) {
			s.Contract = []string{"--lease", "6s", "--renew-every", "2s"}
			r := s.Redis(RedisConfig{})
			g := s.Group("memory", "ledger.service")
			g.LimitMemory(oomLimit)
			w := s.Holder(r, Role{Lease: 6 * time.Second, RenewEvery: 2 * time.Second}, Launch{Groups: []*Group{g}})
			i := s.Watch(r, pidFlag(w))
			s.balloon(w, g)
			i.Wait()
		},
		Want: Want{Label: evidence.Crash, Cause: "oom-kill", Lease: "lapsing|lapsed", Owner: "gone"},
	},
	{
		Slug:  "killed-without-lease",
		Story: "The lock was taken without an expiry and its holder was killed: nothing will ever free it.",
		Drill: func(s *Scene) {
			s.Contract = nil
			r := s.Redis(RedisConfig{})
			w := s.Worker(r, Role{})
			s.Kill(w.Pid)
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.Crash, Lease: "endless", Owner: "gone", State: "stale-holder", Findings: []string{"no-lease"}},
	},
	{
		Slug:  "replaced-without-lease",
		Story: "As killed-without-lease, and the supervisor started a healthy replacement in the same unit, which waits for the lock its predecessor still holds.",
		Drill: func(s *Scene) {
			s.Contract = nil
			r := s.Redis(RedisConfig{})
			unit := s.unit("ledger.service")
			w := s.Worker(r, Role{}, Launch{Groups: unit})
			s.Kill(w.Pid)
			heir := s.Standby(r, Role{}, Launch{Groups: unit})
			s.Must("the replacement runs in the unit", func() bool { return contains(unit[0].Read("cgroup.procs"), itoa(heir.Pid)) })
			s.Must("the replacement works", func() bool { return threadCPU(heir.Pid, "worker") > 0 })
			s.Inspect(r, "--cgroup", unit[0].Path)
		},
		Want: Want{Label: evidence.Crash, Lease: "endless", Owner: "gone", State: "stale-holder", Findings: []string{"no-lease"}},
	},
}

// unit makes the groups a service manager would: one path in several hierarchies.
func (s *Scene) unit(name string) []*Group {
	s.T.Helper()
	return []*Group{s.Group("memory", name), s.Group("v2", name)}
}

// outOfMemory starts a holder in a group of its own and lets the kernel kill it.
func (s *Scene) outOfMemory(r *Redis, role Role, more ...*Group) (*Worker, *Group) {
	s.T.Helper()
	g := s.Group("memory", "ledger.service")
	g.LimitMemory(oomLimit)
	w := s.Holder(r, role, Launch{Groups: append(more, g)})
	s.balloon(w, g)
	return w, g
}

func (s *Scene) balloon(w *Worker, g *Group) {
	s.T.Helper()
	s.Tell(w.Process, "balloon")
	s.Must("the worker is gone", func() bool { return procState(w.Pid) == "" })
	s.Must("the group counts one kill", func() bool { return g.Kills() == 1 })
}
