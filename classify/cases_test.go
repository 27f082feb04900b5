package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Incidents as responders met them, down to their numbers: zero is the first
// reading. Names and addresses are those of this package's other tests.
var cases = stories{
	"healthy renewal": {
		"a little throttling is not a stall",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 24.870)).look(13, heldBy(holder, 34.909)).info(0).info(13)
			few := func(d time.Duration) procSight { return func(l *evidence.ProcLook) { l.Cgroup.Throttled = saw(d) } }
			s.process(pidOne, "value").look(0, "S", 0, few(0)).look(13, "S", 2.7, few(4100*time.Microsecond))
			return s.clients(1, client(418, ownAddr, "evalsha", 6)).clients(13, client(418, ownAddr, "evalsha", 8))
		},
		want{label: evidence.NoFailure, lease: "renewing", owner: "running", path: "up", clock: "steady", coordinator: "kept", state: evidence.Held,
			with: []string{"no-fencing-token"}, without: []string{"throttled", "contested", "stale-holder", "renewal-gap", "no-lease"},
			renewed: []float64{4.908, 4.910}, ends: []float64{34.908, 34.910}},
	},
	"out-of-memory kill": {
		"a time left that still looks healthy hides it",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 11.583)).look(6.191, heldBy(holder, 11.583)).info(1).info(6.5)
			s.process(pidOne, "value", "flag").missing(0.3).missing(6.4)
			s.Host.Groups = []evidence.NamedCgroup{{Path: "/system.slice", Cgroup: evidence.Cgroup{OOMKills: saw(int64(1))}}}
			return s.kernel(-14.38, oomKill(pidOne)).clients(0.5, client(9, "10.0.0.12:41880", "zrange", 1))
		},
		want{label: evidence.Crash, cause: "oom-kill", grade: evidence.Proven, lease: "lapsing", owner: "gone", clock: "steady", coordinator: "kept", state: evidence.StaleHolder,
			with: []string{"no-fencing-token"}, without: []string{"evicted", "clock-step", "pid-reused", "contested"},
			gone: []float64{-14.413, -14.340}, renewed: []float64{-18.418, -18.416}, ends: []float64{11.582, 11.584}},
	},
	"out-of-memory kill of a neighbour": {
		"4120 is a beginning of 41207",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 24.870)).look(13, heldBy(holder, 34.909)).info(0).info(13)
			working(s, 0, 13)
			return s.kernel(-14, oomKill(4120)).clients(1, client(418, ownAddr, "evalsha", 6)).clients(13, client(418, ownAddr, "evalsha", 8))
		},
		want{label: evidence.NoFailure, lease: "renewing", owner: "running", path: "up", coordinator: "kept", state: evidence.Held,
			with: []string{"no-fencing-token"}, without: []string{"pid-reused", "stale-holder", "contested", "renewal-gap"}},
	},
	"a forked child killed": {
		"its parent lives, connected under the same name",
		func() *scene {
			s := newScene().look(0, forEver("quince-3:13388:0c4f")).look(17, forEver("quince-3:13388:0c4f"))
			s.Contract = evidence.Contract{}
			for i := range s.Looks {
				s.Looks[i].Before, s.Looks[i].After = evidence.Reading[time.Time]{}, evidence.Reading[time.Time]{}
			}
			s.process(13388, "value").unconnected().missing(5).missing(17)
			s.process(13307, "unit").look(5, "S", 0).look(17, "S", 1)
			return s.kernel(-131, oomKill(13388))
		},
		want{label: evidence.Crash, grade: evidence.Likely, lease: "endless", owner: "gone", state: evidence.StaleHolder,
			with: []string{"no-lease", "no-fencing-token", "stale-holder"}, without: []string{"pid-reused"}},
	},
	"a zombie": {
		"its folder exists, its connection does not",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 21.887)).look(15.472, heldBy(holder, 21.887))
			dead := func(l *evidence.ProcLook) { l.Stat.Value.Exit, l.Tasks = 9, none[[]evidence.Task]() }
			s.process(pidOne, "value").unconnected().look(-1.2, "Z", 0, dead).look(8, "Z", 0, dead)
			return s
		},
		want{label: evidence.Crash, cause: "killed", grade: evidence.Likely, lease: "lapsing", owner: "gone", clock: "steady", state: evidence.StaleHolder,
			with: []string{"no-fencing-token"}, without: []string{"pid-reused", "contested"},
			gone: []float64{-8.113, -0.830}, renewed: []float64{-8.114, -8.112}, ends: []float64{21.886, 21.888}},
	},
	"a reused pid": {
		"begun after the last renewal, so it cannot have made it",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 8.089)).look(4.970, heldBy(holder, 8.089))
			s.process(pidOne, "value").unconnected().began(-15.0).look(-0.2, "S", 0).look(4.5, "S", 0)
			return s
		},
		want{label: evidence.Crash, grade: evidence.Likely, lease: "lapsing", owner: "gone", clock: "steady", state: evidence.StaleHolder,
			with: []string{"pid-reused", "no-fencing-token"}, without: []string{"contested", "clock-step"},
			gone: []float64{-21.910, -14.995}, renewed: []float64{-21.912, -21.910}, ends: []float64{8.088, 8.090}},
	},
	"stopped, then replaced": {
		"CLIENT LIST alone would show the same for a cut link",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 6.266)).look(12.132, heldBy(rival, 36.353)).info(2)
			s.process(pidOne, "value").look(1, "T", 0).look(13, "T", 0)
			return s.clients(0.5, client(418, ownAddr, "evalsha", 24))
		},
		want{label: evidence.Stall, cause: "stopped", grade: evidence.Likely, lease: "lapsed", owner: "stalled", clock: "steady", coordinator: "kept", state: evidence.Contested,
			with: []string{"no-fencing-token", "lease-shorter-than-stall"}, without: []string{"non-owner-renewal", "released-by-non-owner", "half-open-connection"},
			renewed: []float64{-23.735, -23.733}, ends: []float64{6.265, 6.267}},
	},
	"a frozen container": {
		"a freezer shows S, as for any waiting process",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 8.728)).look(4.975, heldBy(holder, 8.728))
			s.process(pidOne, "value").look(-5, "S", 0, frozen).look(4, "S", 0, frozen)
			return s.clients(3, client(418, ownAddr, "evalsha", 25))
		},
		want{label: evidence.Stall, cause: "frozen", grade: evidence.Likely, lease: "lapsing", owner: "stalled", state: evidence.StaleHolder,
			with: []string{"no-fencing-token"}, without: []string{"throttled", "contested", "pid-reused"},
			renewed: []float64{-21.273, -21.271}, ends: []float64{8.727, 8.729}},
	},
	"held by a debugger": {
		"",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 3.769)).look(8.696, noKey)
			debugged := func(l *evidence.ProcLook) { l.Status.Value.TracerPid = 52011 }
			s.process(pidOne, "value").look(2, "t", 0, debugged).look(9, "t", 0, debugged)
			return s.clients(5, client(418, ownAddr, "evalsha", 33))
		},
		want{label: evidence.Stall, cause: "traced", grade: evidence.Likely, lease: "lapsed", owner: "stalled", state: evidence.Free,
			with: []string{"no-fencing-token", "lease-shorter-than-stall", "traced"}, without: []string{"released-by-non-owner", "evicted", "pid-reused"},
			renewed: []float64{-26.232, -26.230}, ends: []float64{3.768, 3.770}},
	},
	"throttled to a crawl": {
		"the growth counts, not that it is above zero",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 35.091)).look(17.350, heldBy(holder, 35.091))
			s.Contract.Lease = time.Minute
			crawl := func(throttled, delay float64) procSight {
				return func(l *evidence.ProcLook) {
					l.Cgroup.Throttled, l.Tasks.Value[0].Delay = saw(secs(throttled)), secs(delay)
				}
			}
			s.process(pidOne, "value").look(4, "R", 0, crawl(812, 9922)).look(16, "R", 0.109, crawl(823.568, 9933.859))
			return s
		},
		want{label: evidence.Stall, cause: "throttled", grade: evidence.Likely, lease: "lapsing", owner: "stalled", state: evidence.StaleHolder,
			with: []string{"throttled", "no-fencing-token"}, without: []string{"contested", "oom-risk", "half-open-connection"},
			renewed: []float64{-24.910, -24.908}, ends: []float64{35.090, 35.092}},
	},
	"a deadlocked child": {
		"an idle host and a clean socket look like health",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 24.290)).look(11.194, heldBy(holder, 24.290))
			s.Contract.Lease = time.Minute
			alone := func(l *evidence.ProcLook) { l.Tasks = saw(l.Tasks.Value[:1]) }
			s.process(pidOne, "value").look(-4, "S", 0, alone).look(10, "S", 0, alone)
			return s.clients(1, client(418, ownAddr, "evalsha", 38))
		},
		want{label: evidence.Stall, cause: "no-progress", grade: evidence.Likely, lease: "lapsing", owner: "stalled", state: evidence.StaleHolder,
			with: []string{"no-fencing-token"}, without: []string{"throttled", "contested", "half-open-connection"},
			renewed: []float64{-35.711, -35.709}, ends: []float64{24.289, 24.291}},
	},
	"renewed by its thread": {
		"",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 22.837)).look(13.237, heldBy(holder, 42.845))
			s.Subject.Heartbeat = "key:hb:invoice-roll"
			s.process(pidOne, "value").look(1, "S", 0).look(14, "S", 0)
			s.Heartbeat = []evidence.Beat{{Span: span(0), Value: saw("1792449502"), Age: saw(1906 * time.Second)}, {Span: span(13), Value: saw("1792449502"), Age: saw(1919 * time.Second)}}
			return s.clients(14, client(418, ownAddr, "evalsha", 1))
		},
		want{label: evidence.RenewalAfterLoss, cause: "heartbeat-stale", lease: "renewing", owner: "stalled", path: "up", state: evidence.StaleHolder,
			with: []string{"renewer-outlives-worker", "no-fencing-token"}, without: []string{"non-owner-renewal", "throttled", "contested"},
			renewed: []float64{12.844, 12.846}, ends: []float64{42.844, 42.846}},
	},
	"unacknowledged, and replaced": {
		"",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 5.177)).look(12.633, heldBy(rival, 35.578)).info(3).info(12)
			sent := func(n int, rto, left float64) procSight {
				return func(l *evidence.ProcLook) {
					k := &l.Sockets.Value[0]
					k.TxQueue, k.Timer, k.Retrans, k.RTO, k.Expires = 108, "retransmit", n, secs(rto), secs(left)
				}
			}
			s.process(pidOne, "value").look(5.4, "S", 0, sent(6, 13.06, 5.16)).look(11, "S", 0.33, sent(7, 26.11, 25.80))
			return s.clients(1, client(418, ownAddr, "evalsha", 26)).clients(13, client(418, ownAddr, "evalsha", 38))
		},
		want{label: evidence.Partition, grade: evidence.Proven, lease: "lapsed", owner: "running", path: "broken", clock: "steady", coordinator: "kept", state: evidence.Contested,
			with: []string{"contested", "no-fencing-token"}, without: []string{"redis-stall", "throttled", "clock-step", "released-by-non-owner"},
			renewed: []float64{-24.824, -24.822}, ends: []float64{5.176, 5.178}},
	},
	"the owner host out of reach": {
		"a lost host, a frozen one and a cut link look the same from here",
		func() *scene {
			s := newScene().look(0, heldBy("aspen-5:36107:1177fe02", 1.988)).look(1.994, noKey).info(130).info(136)
			return s.clients(1, client(9, "10.0.0.30:46004", "evalsha", 29)).clients(137, client(9, "10.0.0.30:46004", "evalsha", 164))
		},
		want{label: evidence.Inconclusive, open: []evidence.Label{evidence.Crash, evidence.Partition, evidence.Stall}, lease: "lapsed", owner: "running|stalled|gone", path: "up|broken", coordinator: "kept",
			with: []string{"no-fencing-token"}, without: []string{"pid-reused", "released-by-non-owner"},
			renewed: []float64{-28.013, -28.011}, ends: []float64{1.987, 1.989}},
	},
}

func TestCases(t *testing.T) { cases.tell(t) }
