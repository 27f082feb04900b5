package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Did the coordinator keep its promise?

var coordinatorStories = stories{

	"restarted, and the key with it": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, noKey).info(0).info(9, func(i *evidence.Info) { i.RunID, i.Uptime = saw("77aa"), saw(int64(4)) })
			working(s, 0, 9)
			return s
		},
		want{label: evidence.CoordinatorFault, cause: "redis-restarted", coordinator: "broke", with: []string{"redis-restarted"}, doubts: []evidence.Label{evidence.NoFailure}},
	},
	"restarted, and the key still there": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9, func(i *evidence.Info) { i.RunID, i.Uptime = saw("77aa"), saw(int64(4)) })
			working(s, 0, 9)
			return s
		},
		want{label: evidence.NoFailure, coordinator: "kept|broke", with: []string{"redis-restarted"}, doubts: []evidence.Label{evidence.CoordinatorFault}},
	},
	"evicted": {
		"",
		func() *scene {
			evicting := func(n int64) func(*evidence.Info) {
				return func(i *evidence.Info) {
					i.Evicted, i.Policy, i.MaxMemory, i.UsedMemory = saw(n), saw("volatile-lru"), saw(int64(1000)), saw(int64(990))
				}
			}
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, noKey).info(0, evicting(0)).info(9, evicting(44))
			working(s, 0, 9)
			return s.clients(0, client(7, ownAddr, "evalsha", 5)).clients(9, client(7, ownAddr, "evalsha", 14))
		},
		want{label: evidence.CoordinatorFault, cause: "evicted", grade: evidence.Likely, lease: "lost", coordinator: "broke", with: []string{"evicted", "eviction-risk"}},
	},
	"evictions long ago": {
		"a counter that does not grow names no victim",
		func() *scene {
			past := func(i *evidence.Info) {
				i.Evicted, i.Policy, i.MaxMemory = saw(int64(5120)), saw("volatile-lru"), saw(int64(1000))
			}
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, noKey).info(0, past).info(9, past)
			working(s, 0, 9)
			return s.clients(0, client(7, ownAddr, "evalsha", 5)).clients(9, client(7, ownAddr, "evalsha", 14))
		},
		want{label: evidence.ContractFault, coordinator: "kept", without: []string{"evicted"}},
	},
	"evicting while the key went, by whoever": {
		"the holder may have released it in the same moment",
		func() *scene {
			evicting := func(n int64) func(*evidence.Info) {
				return func(i *evidence.Info) {
					i.Evicted, i.Policy, i.MaxMemory = saw(n), saw("allkeys-lru"), saw(int64(1000))
				}
			}
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, noKey).info(0, evicting(0)).info(9, evicting(44))
			working(s, 0, 9)
			return s
		},
		want{label: evidence.Inconclusive, coordinator: "kept|broke", open: []evidence.Label{evidence.CoordinatorFault, evidence.NoFailure}},
	},
	"failed over, and the key lost": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, noKey).info(0).info(9, func(i *evidence.Info) { i.ReplID = saw("bb02") })
			working(s, 0, 9)
			return s
		},
		want{label: evidence.CoordinatorFault, cause: "failover", coordinator: "broke", with: []string{"failover"}},
	},
	"promoted once, and the key kept": {
		"a failover that left the key alone is a finding",
		func() *scene {
			promoted := func(i *evidence.Info) { i.SecondOff = saw(int64(90399)) }
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0, promoted).info(9, promoted)
			working(s, 0, 9)
			return s
		},
		want{label: evidence.NoFailure, coordinator: "kept", with: []string{"failover"}},
	},
	"promoted before the first look, and no key": {
		"",
		func() *scene {
			promoted := func(i *evidence.Info) { i.SecondOff = saw(int64(90399)) }
			return newScene().looks(0, 5, 1, noKey).info(0, promoted).info(5, promoted)
		},
		want{label: evidence.Inconclusive, coordinator: "kept|broke", doubts: []evidence.Label{evidence.CoordinatorFault}},
	},
	"refuses writes while the renewal was due": {
		"whether it refused this one is not shown, and not presumed either way",
		func() *scene {
			misconf := func(n int64) func(*evidence.Info) {
				return func(i *evidence.Info) { i.ErrorStats = saw(map[string]int64{"MISCONF": n}) }
			}
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0, misconf(0)).info(19, misconf(7))
			working(s, 0, 8, 12, 19)
			return s.clients(1, client(7, ownAddr, "evalsha", 2)).clients(19, client(7, ownAddr, "get", 0))
		},
		want{label: evidence.Inconclusive, open: []evidence.Label{evidence.CoordinatorFault, evidence.ContractFault}, with: []string{"redis-refuses-writes"}},
	},
	"a restart after a release that was seen": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, noKey).info(0).info(9, func(i *evidence.Info) { i.RunID, i.Uptime = saw("77aa"), saw(int64(4)) })
			working(s, 0, 9)
			return s.clients(0, client(7, ownAddr, "evalsha", 5)).clients(6, client(7, ownAddr, "del", 1))
		},
		want{label: evidence.NoFailure, lease: "released"},
	},
	"a replica whose link is down": {
		"a replica cut off from its master shows an old end",
		func() *scene {
			slave := func(i *evidence.Info) { i.Role = saw("slave") }
			s := newScene().looks(0, 19, 1, heldBy(holder, 24)).info(0, slave).info(19, slave)
			s.Node.Role = saw(evidence.Role{Name: "slave", Link: "connect"})
			working(s, 0, 12, 19)
			return s.clients(0, client(7, ownAddr, "get", 5)).clients(19, client(7, ownAddr, "get", 2))
		},
		want{label: evidence.Inconclusive, coordinator: "kept|broke", open: []evidence.Label{evidence.NoFailure}},
	},
	"Redis busy in a script from before the renewal to the lease's end": {
		"the renewals waited in the server",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 12)).look(0.5, heldBy(holder, 12)).look(20, noKey).look(20.5, noKey).info(0).info(20)
			s.Contract = evidence.Contract{Lease: 14 * time.Second, RenewEvery: 5 * time.Second}
			s.Node.Slowlog = saw([]evidence.SlowEntry{{Ended: at(17), Took: secs(16), Args: []string{"EVAL"}, Withheld: true}})
			s.process(pidOne, "value").look(0, "S", 0).look(0.5, "S", 0.1).look(20, "S", 2)
			return s
		},
		want{label: evidence.CoordinatorFault, cause: "redis-stall", coordinator: "broke", with: []string{"redis-stall"}},
	},
	"evicted under a policy that cannot take it": {
		"volatile policies spare keys without an expiry",
		func() *scene {
			evicting := func(n int64) func(*evidence.Info) {
				return func(i *evidence.Info) {
					i.Evicted, i.Policy, i.MaxMemory = saw(n), saw("volatile-lru"), saw(int64(1<<20))
				}
			}
			s := newScene().looks(0, 4, 1, forEver(holder)).looks(5, 9, 1, noKey).info(0, evicting(0)).info(9, evicting(44))
			working(s, 0, 9)
			return s.clients(0, client(7, ownAddr, "get", 5)).clients(9, client(7, ownAddr, "get", 14))
		},
		want{label: evidence.ContractFault, lease: "lost", coordinator: "kept"},
	}}

func TestCoordinator(t *testing.T) { coordinatorStories.tell(t) }
