package drill

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// contractRows are failures of the lock's own rules: host, network, clock and
// Redis are fine.
var contractRows = []Row{
	{
		Slug:  "lease-too-short",
		Story: "Nobody renews this lock, and the work takes longer than the lease. The owner works on without it.",
		Drill: func(s *Scene) {
			s.Contract = []string{"--lease", "6s"}
			r := s.Redis(RedisConfig{})
			w := s.Worker(r, settled(Role{Lease: 6 * time.Second}))
			i := s.Watch(r, pidFlag(w))
			if left := s.Left(r); left < 1500*time.Millisecond {
				s.T.Fatalf("prove the injection: the watch began only %s before the end", left)
			}
			s.Must("the lease ran out", func() bool { return s.Left(r) < 0 })
			s.alive(w)
			i.Wait()
		},
		Want: Want{Label: evidence.ContractFault, Lease: "lapsed", Owner: "running", Coordinator: "kept", State: "free"},
	},
	{
		Slug:  "renewer-dead",
		Story: "The thread that renews has ended, in silence; the work goes on.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, settled(Role{Lease: lease}))
			s.Tell(w.Process, "stop-renewing")
			s.Await(w.Process, "stopped-renewing", 0)
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.ContractFault, Lease: "lapsing|lapsed", Owner: "running"},
	},
	{
		Slug:  "deleted-by-another",
		Story: "A person at a prompt deleted the key of a lock that was held, long before its lease would have ended.",
		Drill: func(s *Scene) {
			s.Contract = []string{"--lease", "18s", "--renew-every", "6s"}
			r := s.Redis(RedisConfig{})
			w := s.Worker(r, settled(Role{Lease: 18 * time.Second, RenewEvery: 6 * time.Second}))
			last, _ := s.Await(w.Process, "renew-ok", 0)
			i := s.Watch(r, pidFlag(w))
			s.Until(last.At.Add(2600 * time.Millisecond))
			s.as(r, "ops-cleanup", "DEL", s.Key)
			s.Must("the lock is gone", func() bool { return s.Left(r) < 0 })
			i.Wait()
		},
		Want: Want{Label: evidence.ContractFault, Lease: "lost", Owner: "running", State: "free"},
	},
}

// settled makes the worker older than one lease when it takes the lock, as real
// ones are. A younger one could have been started after the holder died, and
// only an older one is provably the holder itself.
func settled(role Role) Role {
	role.Settle = role.Lease + time.Second
	return role
}

// blindRows show one side only: the honest answer is that nobody can tell.
var blindRows = []Row{
	{
		Slug:  "redis-side-only",
		Story: "The responder sees Redis and no more; the holder names another host, which is stopped. From here a crash, a partition and a stall look alike.",
		Drill: func(s *Scene) {
			n := s.Netns()
			r := s.Redis(RedisConfig{Bind: n.Here})
			w := s.Holder(r, Role{Host: "quince-9"}, Launch{Prefix: n.Enter()})
			s.Stop(w.Pid)
			s.InspectFrom(s.ownPids(), r)
		},
		Want: blind,
	},
	{
		Slug:  "host-lost",
		Story: "The owner's host lost power: no farewell reached Redis, whose side of the connection still looks well. Seen from Redis alone.",
		Drill: func(s *Scene) {
			n := s.Netns()
			r := s.Redis(RedisConfig{Bind: n.Here})
			w := s.Holder(r, Role{Host: "quince-9"}, Launch{Prefix: n.Enter()})
			n.Cut()
			s.Kill(w.Pid)
			s.InspectFrom(s.ownPids(), r)
		},
		Want: blind,
	},
}

var blind = Want{
	Label: evidence.Inconclusive, Lease: "lapsing|lapsed", Owner: "unknown",
	Open: []evidence.Label{evidence.Crash, evidence.Partition, evidence.Stall},
}
