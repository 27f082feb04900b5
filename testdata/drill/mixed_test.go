package drill

import (
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// mixedRows hold two things at once, of which one decides.
var mixedRows = []Row{
	{
		Slug:  "oom-beside-failover",
		Story: "The kernel killed the worker for memory; at the same time Redis was failed over, as planned, and the replica kept the key. The failover is innocent.",
		Drill: func(s *Scene) {
			s.Contract = []string{"--lease", "15s", "--renew-every", "2s"}
			r := s.Redis(RedisConfig{})
			replica := s.Replica(r)
			w, _ := s.outOfMemory(r, Role{Lease: 15 * time.Second, RenewEvery: 2 * time.Second})
			s.failover(r, replica)
			if !s.Held(replica, w.Value) {
				s.T.Fatal("prove the injection: the promoted replica lost the key")
			}
			s.Inspect(replica, pidFlag(w))
		},
		Want: Want{Label: evidence.Crash, Cause: "oom-kill", Owner: "gone", Coordinator: "kept", Findings: []string{"failover"}},
	},
	{
		Slug:  "oom-beside-throttle",
		Story: "The worker was throttled a little all its life, as many are, and renewed all the same. Then the kernel killed it for memory.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			cpu := s.Group("cpu", "ledger.service")
			cpu.LimitCPU(20*time.Millisecond, 100*time.Millisecond)
			w, _ := s.outOfMemory(r, Role{}, cpu)
			s.Must("it was throttled", func() bool { return throttles(cpu) > 0 })
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{Label: evidence.Crash, Cause: "oom-kill", Owner: "gone"},
	},
	{
		Slug:  "stopped-then-killed",
		Story: "The worker was stopped, missed its renewals, and only then did somebody kill it. The process is gone, but a hang came first: a crash that may have been a stall.",
		Drill: func(s *Scene) {
			s.Contract = []string{"--lease", "12s", "--renew-every", "1s"}
			r := s.Redis(RedisConfig{})
			w := s.Holder(r, Role{Lease: 12 * time.Second})
			s.Stop(w.Pid)
			s.Quiet(r, renewEvery)
			s.Kill(w.Pid)
			s.Inspect(r, pidFlag(w))
		},
		Want: Want{
			Label: evidence.Crash, Grade: evidence.Likely, Lease: "lapsing|lapsed", Owner: "gone",
			NotRuledOut: []evidence.Label{evidence.Stall},
		},
	},
}

// failover promotes a replica in good order: no write is lost.
func (s *Scene) failover(from, to *Redis) {
	s.T.Helper()
	host, port, err := net.SplitHostPort(to.Addr)
	s.check(err, "split "+to.Addr)
	s.check(from.Admin.Do(s.Ctx, "FAILOVER", "TO", host, port).Err(), "fail over")
	s.Must("the replica is promoted", func() bool { return s.Info(to, "replication")["role"] == "master" })
}

// throttles is how often the group ran out of its quota.
func throttles(g *Group) int {
	for line := range strings.Lines(g.Read("cpu.stat")) {
		if n, ok := strings.CutPrefix(strings.TrimSpace(line), "nr_throttled "); ok {
			count, _ := strconv.Atoi(n)
			return count
		}
	}
	return 0
}
