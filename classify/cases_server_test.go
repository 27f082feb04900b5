package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// More of them: those in which the server or the link has a part.
var serverCases = stories{
	"Redis's clock forward": {
		"the owner's own clock says nothing about it",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 24.818)).look(3.821, noKey).stepped(3, 45.013)
			later := func(i *evidence.Info) { i.Uptime = saw(i.Uptime.Value + 45) }
			aged := client(418, ownAddr, "evalsha", 55)
			aged.Age += 49
			working(s, 5, 6)
			return s.info(0.5).info(4, later).clients(1, client(418, ownAddr, "evalsha", 6)).clients(5, aged)
		},
		want{label: evidence.ClockAnomaly, cause: "clock-step", grade: evidence.Proven, clock: "off", coordinator: "kept", state: evidence.Free,
			with: []string{"clock-step", "no-fencing-token"}, without: []string{"redis-restarted", "evicted", "released-by-non-owner"}},
	},
	"Redis's clock backward": {
		"a time left that rose is not a renewal",
		func() *scene {
			s := newScene().look(0, heldBy("", 25.077)).look(2.8, heldBy("", 25.077)).stepped(2, -30)
			for i := range s.Looks {
				s.Looks[i].Value = evidence.Reading[string]{}
			}
			s.Looks[1].Idle = saw(int64(16777194))
			before := func(i *evidence.Info) { i.Uptime = saw(i.Uptime.Value - 30) }
			young := client(84, "10.0.0.12:41992", "get", -10)
			young.Age = -10
			s.process(pidOne, "flag").look(6, "S", 0)
			return s.info(0.5).info(4, before).clients(3, client(418, ownAddr, "evalsha", -21), young)
		},
		want{label: evidence.ClockAnomaly, cause: "clock-step", grade: evidence.Proven, clock: "off", coordinator: "kept", state: evidence.Held,
			with: []string{"clock-step"}, without: []string{"ttl-unit-error", "redis-restarted", "non-owner-renewal"}},
	},
	"Redis's clock frozen": {
		"an uptime of zero is not a restart",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 30)).look(17.8, heldBy(holder, 30))
			still := func(i *evidence.Info) { i.Uptime = saw(int64(0)) }
			for i := range s.Looks {
				s.Looks[i].Before, s.Looks[i].After, s.Looks[i].PTTL = saw(at(0)), saw(at(0)), saw(int64(30000))
			}
			s.process(pidOne, "value").missing(1).missing(18)
			return s.info(0.5, still).info(18, still)
		},
		want{label: evidence.ClockAnomaly, cause: "clock-frozen", grade: evidence.Proven, owner: "gone", clock: "off",
			with: []string{"no-fencing-token"}, without: []string{"redis-restarted", "renewer-outlives-worker", "non-owner-renewal", "no-lease"}},
	},
	"evicted while held": {
		"renewals of a key that is not there hold nothing",
		func() *scene {
			evicting := func(n int64) func(*evidence.Info) {
				return func(i *evidence.Info) {
					i.Evicted, i.Policy, i.MaxMemory, i.UsedMemory = saw(n), saw("volatile-lru"), saw(int64(268435456)), saw(int64(267911808))
				}
			}
			s := newScene().look(0, heldBy(holder, 23.841)).look(2.561, noKey).look(7.5, noKey).info(-0.5, evicting(0)).info(4, evicting(1812))
			s.process(pidOne, "value").look(8, "S", 0).look(9, "S", 0.19)
			return s.clients(0.5, client(418, ownAddr, "evalsha", 7)).clients(3, client(418, ownAddr, "evalsha", 9)).clients(7, client(418, ownAddr, "pexpire", 3))
		},
		want{label: evidence.CoordinatorFault, cause: "evicted", grade: evidence.Likely, lease: "lost", path: "up", coordinator: "broke", state: evidence.Free,
			with: []string{"evicted", "no-fencing-token"}, without: []string{"redis-restarted", "released-by-non-owner", "never-renewed"},
			renewed: []float64{-6.160, -6.158}, ends: []float64{23.840, 23.842}},
	},
	"endless and anonymous": {
		"no expiry is a finding, not a crash",
		func() *scene {
			s := newScene().look(0, forEver("1")).look(5, forEver("1")).info(0).info(5)
			s.Contract = evidence.Contract{}
			return s
		},
		want{label: evidence.Inconclusive, open: []evidence.Label{evidence.Crash, evidence.NoFailure, evidence.Stall}, lease: "endless", owner: "running|stalled|gone", path: "up|broken", coordinator: "kept",
			with: []string{"no-lease", "no-owner-identity", "no-fencing-token"}, without: []string{"stale-holder", "evicted", "ttl-unit-error"}},
	},
	"a hash behind a proxy": {
		"nobody is in CLIENT LIST by his own address",
		func() *scene {
			s := newScene().look(0, hash(30.692, "1f0c2e9a-7c1d-4c58-9f35-3b0e8a7f2d11:73")).look(12.882, hash(40.693, "1f0c2e9a-7c1d-4c58-9f35-3b0e8a7f2d11:73")).info(14).info(15)
			s.process(pidOne, "flag").unconnected().look(2, "R", 0).look(13, "R", 9.7)
			return s.clients(1, client(9502, "10.0.0.5:39112", "get", 2), client(9504, "10.0.0.5:39340", "evalsha", 5))
		},
		want{label: evidence.NoFailure, lease: "renewing", owner: "running", coordinator: "kept", state: evidence.Held,
			with: []string{"no-fencing-token"}, without: []string{"wrong-type", "cache-collision", "contested", "stale-holder", "half-open-connection"},
			renewed: []float64{10.692, 10.694}, ends: []float64{40.692, 40.694}},
	},
	"most evidence denied": {
		"what hidepid hides may live",
		func() *scene {
			s := newScene().look(0, olderServer(holder, 11.7)).look(9.128, olderServer(holder, 11.7)).look(14.603, olderServer(rival, 42.1))
			s.process(pidOne, "value").hidden(5).hidden(15)
			s.Host.Kernel = denied[evidence.KernelLog]()
			return s
		},
		want{label: evidence.Inconclusive, open: []evidence.Label{evidence.Crash, evidence.Partition, evidence.Stall}, lease: "lapsed", owner: "running|stalled|gone", path: "up|broken",
			with: []string{"no-fencing-token"}, without: []string{"pid-reused", "oom-risk", "evicted"}},
	},
	"a connection outlives its owner": {
		"a child that was forked later still has the socket open",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 289.462)).look(10.257, heldBy(holder, 289.462))
			s.Contract = evidence.Contract{Lease: 10 * time.Minute, RenewEvery: 2 * time.Minute}
			s.process(pidOne, "value").missing(2).missing(10)
			return s.kernel(-258.05, evidence.KernelEvent{Class: "segfault", Pid: pidOne, Comm: "indexd", Text: "indexd[41207]: segfault"}).
				clients(1, client(418, ownAddr, "evalsha", 312))
		},
		want{label: evidence.Crash, cause: "segfault", lease: "lapsing", owner: "gone", state: evidence.StaleHolder,
			with: []string{"no-fencing-token"}, without: []string{"half-open-connection", "renewer-outlives-worker", "pid-reused"},
			gone: []float64{-258.080, -257.960}, renewed: []float64{-310.539, -310.537}, ends: []float64{289.461, 289.463}},
	},
	"Redis busy in a script": {
		"two owners stalling in the same seconds is not the likely story",
		func() *scene {
			s := newScene().look(0.12, heldBy(holder, 6.810)).look(11.264, noKey).info(13.7)
			s.Contract = evidence.Contract{Lease: 8 * time.Second, RenewEvery: 2500 * time.Millisecond}
			s.Node.Slowlog = saw([]evidence.SlowEntry{{ID: 9121, Ended: at(10), Took: 9812604 * time.Microsecond, Args: []string{"EVAL"}, Withheld: true}})
			s.process(pidOne, "value").look(12.8, "S", 0).look(14.8, "S", 0.01)
			return s.clients(2, client(418, ownAddr, "evalsha", 0))
		},
		want{label: evidence.CoordinatorFault, cause: "redis-stall", lease: "lapsed", coordinator: "broke", state: evidence.Free,
			with: []string{"redis-stall", "no-fencing-token"}, without: []string{"contested", "throttled", "half-open-connection", "redis-restarted"},
			renewed: []float64{-1.191, -1.189}, ends: []float64{6.809, 6.811}},
	},
	"never renewed": {
		"a loss one lease after the acquire is not a stall",
		func() *scene {
			mine, theirs := "quince-3:41207:1794384887090", "plum-8:3391:1794384917600"
			s := newScene().look(0, heldBy(mine, 21.879)).look(11.977, heldBy(mine, 21.879)).look(23.470, heldBy(theirs, 52.389)).info(24).info(25)
			two := func(l *evidence.ProcLook) {
				l.Sockets.Value = append(l.Sockets.Value, evidence.Socket{Local: "10.0.0.9:50164", Remote: server, State: "ESTABLISHED", Inode: 884219})
				l.Inodes = saw([]uint64{884213, 884219})
			}
			s.process(pidOne, "value").look(1, "R", 0, two).look(12, "R", 4.7, two).look(23.5, "R", 9.2, two)
			return s.clients(0.5, client(418, ownAddr, "evalsha", 8), client(419, "10.0.0.9:50164", "lpop", 0)).clients(23.6, client(418, ownAddr, "evalsha", 32), client(419, "10.0.0.9:50164", "lpop", 0))
		},
		want{label: evidence.ContractFault, grade: evidence.Likely, lease: "lapsed", owner: "running", path: "up", coordinator: "kept", state: evidence.Contested,
			with: []string{"never-renewed", "contested"}, without: []string{"throttled", "released-by-non-owner", "evicted", "half-open-connection"},
			renewed: []float64{-8.122, -8.120}, ends: []float64{21.878, 21.880}},
	},
	"deleted by a janitor": {
		"a counter that does not grow evicted nothing",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 18.688)).look(10.326, noKey)
			s.Contract.RenewEvery = 0
			past := func(i *evidence.Info) { i.Evicted = saw(int64(5120)) }
			s.Node.Slowlog = saw([]evidence.SlowEntry{{ID: 90412, Ended: at(5), Took: 11 * time.Microsecond, Args: []string{"DEL", "lock:orders"}, Client: "10.0.0.19:40112", Name: "lock-janitor"}})
			s.process(pidOne, "value").look(2, "R", 0).look(10.5, "R", 7.9)
			return s.info(0.5, past).info(12, past).clients(11, client(418, ownAddr, "get", 0), client(486, "10.0.0.19:40112", "scan", 7))
		},
		want{label: evidence.ContractFault, cause: "removed-by-another", grade: evidence.Likely, lease: "lost", owner: "running", path: "up", coordinator: "kept", state: evidence.Free,
			with: []string{"released-by-non-owner", "no-fencing-token"}, without: []string{"evicted", "throttled", "redis-restarted"},
			renewed: []float64{-11.313, -11.311}, ends: []float64{18.687, 18.689}},
	},
	"one process, two leases": {
		"judged per key, this one is kept alive for nobody",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 76.790)).look(24.510, heldBy(holder, 106.794))
			s.Contract = evidence.Contract{Lease: 90 * time.Second, RenewEvery: 30 * time.Second}
			s.Subject.Heartbeat = "key:job:5501:lease"
			s.process(pidOne, "value").look(1, "D", 0).look(25, "D", 0)
			s.Heartbeat = []evidence.Beat{{Span: span(0.5), Value: saw("job-5501"), Age: saw(735 * time.Second)}}
			return s
		},
		want{label: evidence.RenewalAfterLoss, grade: evidence.Likely, lease: "renewing", owner: "stalled", state: evidence.StaleHolder,
			with: []string{"renewer-outlives-worker", "no-fencing-token"}, without: []string{"non-owner-renewal", "throttled", "contested"},
			renewed: []float64{16.793, 16.795}, ends: []float64{106.793, 106.795}},
	},
	"cannot reconnect": {
		"its connection is gone from CLIENT LIST, and it dials",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 32.469)).look(10.477, heldBy(holder, 32.469)).info(11)
			s.Contract.Lease = time.Minute
			dials := func(left float64) procSight {
				return func(l *evidence.ProcLook) {
					l.Sockets = saw([]evidence.Socket{{Local: ownAddr, Remote: server, State: "SYN_SENT", TxQueue: 1, Timer: "retransmit", Retrans: 4, RTO: 16 * time.Second, Expires: secs(left), Inode: 884213}})
				}
			}
			s.process(pidOne, "value").look(3, "S", 0, dials(13.33)).look(7.84, "S", 0.02, dials(8.49))
			return s.clients(0.5, client(484, "10.0.0.12:41880", "get", 1))
		},
		want{label: evidence.Partition, grade: evidence.Likely, lease: "lapsing", owner: "running", path: "broken", coordinator: "kept", state: evidence.Held,
			with: []string{"no-fencing-token"}, without: []string{"pid-reused", "stale-holder", "contested", "redis-stall"},
			renewed: []float64{-27.532, -27.530}, ends: []float64{32.468, 32.470}},
	},
}

func TestServerCases(t *testing.T) { serverCases.tell(t) }
