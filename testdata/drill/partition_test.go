package drill

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// partitionRows cut the owner off while it lives and works.
var partitionRows = []Row{
	{
		Slug:  "partition",
		Story: "The network between the owner and Redis drops every packet, both ways. Seen from a host that can see both.",
		Drill: func(s *Scene) {
			_, r, w := s.partitioned((*Netns).Cut)
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.Partition, Lease: "lapsing|lapsed", Owner: "running", Path: "broken", Coordinator: "kept"},
	},
	{
		Slug:  "partition-one-way",
		Story: "Requests still reach Redis, answers do not come back. One renewal takes effect without its sender knowing.",
		Drill: func(s *Scene) {
			_, r, w := s.partitioned((*Netns).CutReplies)
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.Partition, Lease: "lapsing|lapsed", Owner: "running", Path: "broken"},
	},
	{
		Slug:  "partition-own-firewall",
		Story: "A firewall rule on the owner host drops what it sends to Redis. The kernel never counts those packets as sent: the socket shows unanswered probes and not one retransmission.",
		Drill: func(s *Scene) {
			_, r, w := s.partitioned((*Netns).CutAtOwner)
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.Partition, Lease: "lapsing|lapsed", Owner: "running", Path: "broken"},
	},
	{
		Slug:  "partition-from-inside",
		Story: "As partition, but the responder sits on the cut-off owner host: Redis does not answer at all, and the owner's own socket has to tell.",
		Drill: func(s *Scene) {
			n, r, w := s.partitioned((*Netns).Cut)
			s.InspectFrom(n.Enter(), r, pidFlag(w))
		},
		Want: Want{Label: evidence.Partition, Owner: "running", Path: "broken"},
	},
	{
		Slug:  "partition-healed",
		Story: "The network was cut for longer than the lease and is whole again when the responder looks; the owner runs and no longer holds the lock, which a second worker has taken.",
		Drill: func(s *Scene) {
			n := s.Netns()
			r := s.Redis(RedisConfig{Bind: n.Here})
			w := s.Holder(r, Role{}, Launch{Prefix: n.Enter()})
			n.Cut()
			s.Must("the lease ran out", func() bool { return !s.Held(r, w.Value) })
			heir := s.Holder(r, Role{})
			n.Heal()
			s.Await(w.Process, "renew-lost", 0)
			s.owner = heir.Pid
			s.Inspect(r)
		},
		// The lock is about its present holder, who is well; what became of the
		// former one is for its own look, with --at.
		Want: Want{Label: evidence.NoFailure, Lease: "renewing", Owner: "running", FindsOwner: true},
	},
}

// partitioned is a holder in a namespace, cut off for more than one renewal.
func (s *Scene) partitioned(cut func(*Netns)) (*Netns, *Redis, *Worker) {
	s.T.Helper()
	s.Contract = []string{"--lease", "9s", "--renew-every", "1s"}
	n := s.Netns()
	r := s.Redis(RedisConfig{Bind: n.Here})
	w := s.Holder(r, Role{Lease: 9 * time.Second}, Launch{Prefix: n.Enter()})
	cut(n)
	// One renewal may still arrive where only the answers are lost.
	s.Next(w.Process, "renew-sent")
	s.Must("the renewal is on its way", func() bool { return s.Left(r) > 0 })
	s.Quiet(r, renewEvery)
	s.alive(w)
	return n, r, w
}

// alive proves that the worker runs and works.
func (s *Scene) alive(w *Worker) {
	s.T.Helper()
	before := threadCPU(w.Pid, "worker")
	s.Must("the work thread gets CPU", func() bool { return threadCPU(w.Pid, "worker") > before })
}
