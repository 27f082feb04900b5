package drill

import (
	"syscall"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// crashRows are SIGKILL and what makes it hard to see.
var crashRows = []Row{
	{
		Slug:  "sigkill-idle",
		Story: "The worker is killed with SIGKILL between two renewals. The lock stays until its lease ends.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, Role{})
			s.Kill(w.Pid)
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.Crash, Lease: "lapsing|lapsed", Owner: "gone", Coordinator: "kept"},
	},
	{
		Slug:  "sigkill-no-contract",
		Story: "As sigkill-idle, and nobody can say how long the lease is or how often it is renewed.",
		Drill: func(s *Scene) {
			s.Contract = nil
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, Role{})
			s.Kill(w.Pid)
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.Crash, Owner: "gone"},
	},
	{
		Slug:  "sigkill-mid-renewal",
		Story: "A proxy stands before Redis. The worker is killed after Redis extended the lease and before the worker read the answer.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			p := s.Proxy(r)
			w := s.Holder(r, Role{Redis: p.Addr})
			p.HoldReplies()
			s.Next(w.Process, "renew-sent")
			s.Must("Redis extended the lease", func() bool { return s.Left(r) > lease-300*time.Millisecond })
			s.Kill(w.Pid)
			if said := w.tail(1); !contains(said, "renew-sent") {
				s.T.Fatalf("prove the injection: the worker read the answer: %s", said)
			}
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.Crash, Lease: "lapsing|lapsed", Owner: "gone"},
	},
	{
		Slug:  "zombie",
		Story: "The worker was killed and its parent does not collect it: the pid is still on the process table, and no longer a process.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, Role{}, Launch{Unreaped: true})
			s.Kill(w.Pid)
			s.Must("it is a zombie", func() bool { return procState(w.Pid) == "Z" })
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.Crash, Lease: "lapsing|lapsed", Owner: "gone"},
	},
	{
		Slug:  "pid-reused",
		Story: "The worker was killed and its pid was given to an unrelated program, which is alive and well.",
		Drill: func(s *Scene) {
			s.Contract = []string{"--lease", "9s", "--renew-every", "1s"}
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, Role{Lease: 9 * time.Second})
			s.Kill(w.Pid)
			// Without the contract only OBJECT IDLETIME dates the last touch, in
			// whole seconds: the stranger must not begin within the same one.
			touched := time.Now().Unix()
			s.Must("the next second has begun", func() bool { return time.Now().Add(-300*time.Millisecond).Unix() > touched })
			s.Reuse(w.Pid)
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.Crash, Lease: "lapsing|lapsed", Owner: "gone", Findings: []string{"pid-reused"}},
	},
	{
		Slug:  "segfault",
		Story: "The worker touched a bad address and the kernel ended it, with a line in the kernel's log.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, Role{})
			s.Tell(w.Process, "segfault")
			s.Must("the worker is gone", func() bool { return procState(w.Pid) == "" })
			if by := w.EndedBy(); by != syscall.SIGSEGV {
				s.T.Fatalf("prove the injection: ended by signal %d", by)
			}
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.Crash, Lease: "lapsing|lapsed", Owner: "gone"},
	},
	{
		Slug:  "exit-without-release",
		Story: "The worker ended by itself, in good order, and forgot the lock.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, Role{})
			s.Tell(w.Process, "exit")
			s.Must("the worker is gone", func() bool { return procState(w.Pid) == "" })
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.Crash, Lease: "lapsing|lapsed", Owner: "gone"},
	},
}
