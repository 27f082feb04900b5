package drill

import (
	"path/filepath"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// renewalRows are the dangerous ones: the lease goes on without the work.
var renewalRows = []Row{
	{
		Slug:  "sidecar-outlives-worker",
		Story: "A sidecar renews the worker's lock. The worker is killed; the sidecar goes on, and the lock looks perfectly alive.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w := s.Worker(r, Role{Lease: lease})
			s.Sidecar(r, w)
			s.Kill(w.Pid)
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.RenewalAfterLoss, Lease: "renewing", Owner: "gone", State: "stale-holder", Findings: []string{"renewer-outlives-worker"}},
	},
	{
		Slug:  "sidecar-renews-stopped-worker",
		Story: "As sidecar-outlives-worker, but the worker is only stopped, with SIGSTOP, and may wake up at any moment.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w := s.Worker(r, Role{Lease: lease})
			side := s.Sidecar(r, w)
			s.Stop(w.Pid)
			s.Inspect(r, pidFlag(w), "--renewer-pid", itoa(side.Pid))
		},
		Want: Want{Label: evidence.RenewalAfterLoss, Lease: "renewing", Owner: "stalled", State: "stale-holder"},
	},
	{
		Slug:  "deadlocked-worker-renews",
		Story: "The thread that does the work is in a deadlock; the thread that renews is not. The worker's heartbeat file shows it.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			beat := filepath.Join(s.Dir, "beat")
			w := s.deadlocked(r, Role{Heartbeat: beat})
			// One second more than the lease: the file holds whole seconds.
			s.Must("the heartbeat is older than the lease", func() bool { return fileAge(beat) > lease+time.Second })
			s.Next(w.Process, "renew-ok")
			s.Inspect(r, pidFlag(w), "--heartbeat", "file:"+beat)
		},
		Want: Want{Label: evidence.RenewalAfterLoss, Lease: "renewing", Owner: "stalled", State: "stale-holder"},
	},
	{
		Slug:  "deadlocked-worker-no-heartbeat",
		Story: "As deadlocked-worker-renews, without any heartbeat. A process that only renews may be waiting for work or stuck for ever: from outside nobody can tell.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w := s.deadlocked(r, Role{})
			s.Next(w.Process, "renew-ok")
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{
			Label: evidence.Inconclusive, Lease: "renewing", Owner: "unknown",
			Open: []evidence.Label{evidence.RenewalAfterLoss, evidence.NoFailure},
		},
	},
}

// deadlocked is a holder whose work thread waits for a mutex that is never freed
// while its renewals go on.
func (s *Scene) deadlocked(r *Redis, role Role) *Worker {
	s.T.Helper()
	w := s.Holder(r, role)
	s.Tell(w.Process, "deadlock")
	s.Await(w.Process, "deadlocked", 0)
	before := threadCPU(w.Pid, "worker")
	s.Next(w.Process, "renew-ok")
	// Half a millisecond: parking for ever costs a little, working costs twenty times that.
	if ran := threadCPU(w.Pid, "worker") - before; ran > 500_000 {
		s.T.Fatalf("prove the injection: the deadlocked thread ran for %d ns", ran)
	}
	return w
}
