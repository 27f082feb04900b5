package drill

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// stallRows stop the owner without ending it. None of them may be called a crash.
var stallRows = []Row{
	{
		Slug:  "sigstop",
		Story: "Somebody stopped the worker with SIGSTOP, as Ctrl-Z does.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, Role{})
			s.Stop(w.Pid)
			s.Inspect(r, pidFlag(w))
		},
		Want: stalled,
	},
	{
		Slug:  "frozen-cgroup-v1",
		Story: "The worker's control group is frozen by the v1 freezer, as a checkpoint or an old container pause does. Its threads look merely asleep.",
		Drill: func(s *Scene) { s.frozen("freezer") },
		Want:  stalled,
	},
	{
		Slug:  "frozen-cgroup-v2",
		Story: "The worker's control group is frozen by cgroup v2, as pausing a container does.",
		Drill: func(s *Scene) { s.frozen("v2") },
		Want:  stalled,
	},
	{
		Slug:  "throttled",
		Story: "A runaway computation eats the container's CPU quota, and the renewing thread gets no turn for seconds at a time.",
		Drill: func(s *Scene) {
			s.Contract = []string{"--lease", "9s", "--renew-every", "1s"}
			r := s.Redis(RedisConfig{})
			g := s.Group("cpu", "ledger.service")
			w := s.Holder(r, Role{Lease: 9 * time.Second}, Launch{Groups: []*Group{g}})
			s.Tell(w.Process, "burn 16")
			s.Await(w.Process, "burning", 0)
			// 1 % of a core; the next renewal comes some ten seconds late.
			g.LimitCPU(time.Millisecond, 100*time.Millisecond)
			s.Must("two renewals were missed", func() bool { return 9*time.Second-s.Left(r) > 2*renewEvery+renewEvery/4 })
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.Stall, Lease: "lapsing|lapsed", Owner: "stalled", Findings: []string{"throttled"}},
	},
	{
		Slug:  "debugger",
		Story: "A debugger is attached to the worker and sits at its prompt: every thread is in a tracing stop.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, Role{})
			s.Traced(w.Pid)
			s.Inspect(r, pidFlag(w))
		},
		Want: stalled,
	},
}

var stalled = Want{Label: evidence.Stall, Lease: "lapsing|lapsed", Owner: "stalled"}

func (s *Scene) frozen(hierarchy string) {
	s.T.Helper()
	r := s.Redis(RedisConfig{})
	g := s.Group(hierarchy, "ledger.service")
	if hierarchy != "v2" && g.V2 {
		s.NotRun("no v1 %s on this machine", hierarchy)
	}
	w := s.Holder(r, Role{}, Launch{Groups: []*Group{g}})
	g.Freeze()
	s.Inspect(r, pidFlag(w))
}
