package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Is the lease still being extended?

var leaseStories = stories{
	"released by its library's script": {
		"the script was given the holder's own value: it removes the key only while it is that",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, noKey).info(0).info(9)
			working(s, 0, 9)
			s.Node.Slowlog = saw([]evidence.SlowEntry{{Ended: at(4), Took: secs(0.02), Args: []string{"evalsha", "e950", "1", "lock:orders", holder}, Client: "10.0.0.99:1", Deed: evidence.DeedRelease}})
			return s
		},
		want{label: evidence.NoFailure, lease: "released"},
	},
	"another's attempt to release": {
		"a failed acquire sends the release script too, with a value of its own",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, noKey).info(0).info(9)
			working(s, 0, 9)
			s.Node.Slowlog = saw([]evidence.SlowEntry{{Ended: at(4), Took: secs(0.02), Args: []string{"evalsha", "e950", "1", "lock:orders", "another"}, Client: "10.0.0.99:1", Deed: evidence.DeedRelease}})
			return s
		},
		want{lease: "lost|released"},
	},

	"a healthy holder": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 14, 1, heldBy(holder, 35)).looks(15, 20, 1, heldBy(holder, 45)).info(0).info(20)
			working(s, 0, 20)
			return s.clients(0, client(7, ownAddr, "evalsha", 5)).clients(20, client(7, ownAddr, "evalsha", 5))
		},
		want{label: evidence.NoFailure, lease: "renewing", owner: "running", path: "up", clock: "steady", coordinator: "kept", state: evidence.Held,
			renewed: []float64{15, 15.001}, ends: []float64{45, 45}, with: []string{"renewer-shares-process", "no-fencing-token"}},
	},
	"no renewal due yet": {
		"one that holds its lease has not failed",
		func() *scene {
			s := newScene().looks(0, 3, 1, heldBy(holder, 29)).info(0).info(3)
			working(s, 0, 3)
			return s.clients(3, client(7, ownAddr, "evalsha", 4))
		},
		want{label: evidence.NoFailure, lease: "renewing|held", owner: "running"},
	},
	"the renewal does not come": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			working(s, 0, 8, 12, 19)
			return s.clients(1, client(7, ownAddr, "evalsha", 2)).clients(19, client(7, ownAddr, "get", 0))
		},
		want{label: evidence.ContractFault, cause: "renewal-missing", grade: evidence.Likely, lease: "lapsing", owner: "running", path: "up",
			doubts: []evidence.Label{evidence.ClockAnomaly, evidence.Stall}, with: []string{"renewer-dead", "never-renewed"}},
	},
	"an older server": {
		"without PEXPIRETIME the end is as wide as the round trip, and does not move by itself",
		func() *scene {
			s := newScene().looks(0, 8, 1, olderServer(holder, 29)).info(0).info(8)
			working(s, 0, 8)
			return s.clients(8, client(7, ownAddr, "evalsha", 9))
		},
		want{label: evidence.NoFailure, lease: "renewing|held", renewed: []float64{-1, -1}},
	},
	"seen to the end, and gone then": {
		"",
		func() *scene {
			s := newScene().looks(0, 9, 1, heldBy(holder, 10)).looks(11, 16, 1, noKey).info(0).info(16)
			return s
		},
		want{label: evidence.Inconclusive, lease: "lapsed", state: evidence.Free, freed: []float64{9, 11},
			open: []evidence.Label{evidence.Crash, evidence.Stall, evidence.Partition, evidence.ContractFault}, notOpen: []evidence.Label{evidence.NoFailure}},
	},
	"there past its end": {
		"a server that has not got round to it, or a replica that waits for its master",
		func() *scene { return newScene().looks(0, 5, 1, heldBy(holder, 3)).info(0).info(5) },
		want{lease: "lapsing", state: evidence.Overdue},
	},
	"never there": {
		"an absent key was released, expired or removed",
		func() *scene { return newScene().looks(0, 5, 1, noKey).info(0).info(5) },
		want{label: evidence.Inconclusive, lease: "lapsed|lost|released", state: evidence.Free, open: []evidence.Label{evidence.NoFailure, evidence.Crash},
			doubts: []evidence.Label{evidence.CoordinatorFault}},
	},
	"taken away while its holder slept": {
		"connections idle since before the key was last seen removed nothing",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, noKey).info(0).info(9)
			working(s, 0, 9)
			return s.clients(0, client(7, ownAddr, "evalsha", 5)).clients(9, client(7, ownAddr, "evalsha", 14))
		},
		want{label: evidence.ContractFault, cause: "removed-by-another", lease: "lost", coordinator: "kept", with: []string{"released-by-non-owner"}},
	},
	"released": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, noKey).info(0).info(9)
			working(s, 0, 9)
			return s.clients(0, client(7, ownAddr, "evalsha", 5)).clients(9, client(7, ownAddr, "del", 4))
		},
		want{label: evidence.NoFailure, lease: "released", state: evidence.Free},
	},
	"without an expiry": {
		"",
		func() *scene {
			s := newScene().looks(0, 9, 1, forEver(holder)).info(0).info(9)
			s.process(pidOne, "value").missing(0).missing(9)
			return s
		},
		want{label: evidence.Crash, lease: "endless", owner: "gone", state: evidence.StaleHolder, with: []string{"no-lease", "stale-holder"}},
	},
	"given an expiry a moment later": {
		"SETNX comes before EXPIRE",
		func() *scene {
			s := newScene().look(0, forEver(holder)).looks(1, 6, 1, heldBy(holder, 31)).info(0).info(6)
			working(s, 0, 6)
			return s
		},
		want{lease: "renewing|held", without: []string{"no-lease"}},
	},
	"Redis stops answering": {
		"what may have happened since is open again",
		func() *scene {
			s := newScene().looks(0, 3, 1, heldBy(holder, 29)).blind(4).blind(20).info(0)
			working(s, 0, 20)
			return s
		},
		want{label: evidence.Inconclusive, lease: "renewing|held|lapsing|lapsed|lost|released"},
	},
	"cut short between TIME and the key's absence": {
		"one TIME bounds the look by its round trip: it may have been past the end",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 1.001)).look(1, noKey)
			s.Looks[1].After = evidence.Reading[time.Time]{}
			return s
		},
		want{lease: "lapsed"},
	},
	"two holders in turn": {
		"a lock that comes back to its first holder was acquired again, not renewed",
		func() *scene {
			s := newScene().looks(0, 2, 1, heldBy(holder, 25)).looks(3, 5, 1, heldBy(rival, 33)).looks(6, 8, 1, heldBy(holder, 36)).info(0).info(8)
			working(s, 0, 8)
			return s.clients(0, client(7, ownAddr, "evalsha", 5)).clients(8, client(7, ownAddr, "evalsha", 1))
		},
		want{lease: "lost|released", label: evidence.Inconclusive},
	},
	"killed right after a renewal it made itself": {
		"renewals before the death prove nothing about after it",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			working(s, 0, 3, 7).missing(8)
			return s
		},
		want{label: evidence.Inconclusive, lease: "renewing|held", owner: "gone", open: []evidence.Label{evidence.Crash, evidence.RenewalAfterLoss}},
	},
	"stopped right after a renewal": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			working(s, 0, 3, 7).look(8, "T", 1.4)
			return s
		},
		want{label: evidence.Inconclusive, lease: "renewing|held", owner: "stalled", open: []evidence.Label{evidence.Stall, evidence.RenewalAfterLoss}},
	},
	"killed, and renewed after that": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			working(s, 0, 1).missing(2).missing(8)
			return s
		},
		want{label: evidence.RenewalAfterLoss, lease: "renewing", owner: "gone"},
	},
	"the same word for every holder": {
		"a value that names nobody lets the next holder's lock pass for a renewal of the first's",
		func() *scene {
			s := newScene().looks(0, 9, 1, heldBy("1", 9.5)).looks(10, 15, 1, heldBy("1", 39.9)).info(0).info(15)
			s.process(pidOne, "flag").missing(0).missing(15)
			return s
		},
		want{label: evidence.Crash, lease: "lapsed", owner: "gone"},
	},
	"a second reader joins": {
		"a hash that gains a field has not changed hands",
		func() *scene {
			s := newScene().looks(0, 3, 1, hash(25, "mode", "u1:7")).looks(4, 6, 1, hash(26, "mode", "u1:7", "u2:9")).info(0).info(6)
			return s
		},
		want{lease: "renewing", state: evidence.Held},
	},
	"a value rewritten by its own holder": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy("quince-3:41207:seq=1", 25)).looks(5, 9, 1, heldBy("quince-3:41207:seq=2", 35)).info(0).info(9)
			working(s, 0, 9)
			return s.clients(0, client(7, ownAddr, "set", 5)).clients(9, client(7, ownAddr, "set", 4))
		},
		want{label: evidence.NoFailure, lease: "renewing", owner: "running", state: evidence.Held},
	},
	"a value not read in between": {
		"",
		func() *scene {
			s := newScene().looks(0, 2, 1, heldBy(holder, 25)).look(3, func(l *evidence.Look, t float64) {
				heldBy("", 30)(l, t)
				l.Value = denied[string]()
			}).looks(4, 6, 1, heldBy(rival, 34)).info(0).info(6)
			return s
		},
		want{lease: "lost|released", state: evidence.Held},
	},
	"taken again after it was seen free": {
		"the lock is the next holder's, not a stale one",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 5)).looks(6, 7, 1, noKey).looks(8, 10, 1, heldBy(rival, 38)).info(0).info(10)
			s.process(pidOne, "value").missing(0).missing(10)
			return s
		},
		want{label: evidence.Crash, lease: "lapsed", state: evidence.Held, without: []string{"stale-holder"}},
	},
	"two renewals close together": {
		"one short step does not make a short interval",
		func() *scene {
			s := newScene().looks(0, 1, 1, heldBy(holder, 29)).looks(2, 3, 1, heldBy(holder, 32)).looks(4, 11, 1, heldBy(holder, 33)).
				looks(12, 13, 1, heldBy(holder, 42)).looks(14, 20, 1, heldBy(holder, 43)).info(0).info(20)
			s.Contract.RenewEvery = 0
			working(s, 0, 20)
			return s
		},
		want{label: evidence.NoFailure, lease: "renewing"},
	},
	"told a lease that is too long": {
		"what is seen beats what is said",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 14, 1, heldBy(holder, 35)).looks(15, 20, 1, heldBy(holder, 45)).info(0).info(20)
			s.Contract.Lease = 60 * time.Second
			working(s, 0, 20)
			return s
		},
		want{label: evidence.NoFailure, lease: "renewing"},
	},
	"renewed less often than the lease is long": {
		"the lease ended under a living owner, whenever the renewal was meant to come",
		func() *scene {
			s := newScene().looks(0, 9, 1, heldBy(holder, 10)).looks(11, 16, 1, noKey).info(0).info(16)
			s.Contract.RenewEvery = 40 * time.Second
			working(s, 0, 9, 12, 14).missing(15)
			return s
		},
		want{lease: "lapsed", owner: "running", notOpen: []evidence.Label{evidence.Crash}},
	},
	"released, and the next lock taken": {
		"SET after the key went may be of another key",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 12, 1, noKey).info(0).info(12)
			working(s, 0, 12)
			return s.clients(0, client(7, ownAddr, "evalsha", 5)).clients(12, client(7, ownAddr, "set", 1))
		},
		want{label: evidence.Inconclusive, lease: "lost|released", open: []evidence.Label{evidence.NoFailure}},
	},
	"an eternity": {
		"a lease of six hundred years does not overflow into the past",
		func() *scene {
			s := newScene().looks(0, 3, 1, func(l *evidence.Look, t float64) {
				olderServer(holder, 25)(l, t)
				l.PTTL = saw(int64(19999999845000 - 1000*t))
			}).info(0).info(3)
			working(s, 0, 3)
			return s
		},
		want{lease: "renewing|held", state: evidence.Held},
	},
}

func TestLease(t *testing.T) { leaseStories.tell(t) }
