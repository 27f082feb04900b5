package drill

import (
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// coordinatorRows let Redis break its promise under a healthy holder.
var coordinatorRows = []Row{
	{
		Slug:  "redis-restarted",
		Story: "Redis died and came back empty, because nothing is persisted. The lock is gone and its holder knows nothing of it.",
		Drill: func(s *Scene) {
			r, w, i := s.coordinatorWatched(RedisConfig{})
			after := s.Restart(r)
			s.Must("the lock is gone", func() bool { return !s.Held(after, w.Value) })
			i.Wait()
		},
		Want: Want{Label: evidence.CoordinatorFault, Coordinator: "broke", Findings: []string{"redis-restarted"}},
	},
	{
		Slug:  "evicted-lru",
		Story: "Redis reached maxmemory under volatile-lru and evicted the only key that has an expiry: the lock.",
		Drill: func(s *Scene) { s.evicted("volatile-lru") },
		Want:  Want{Label: evidence.CoordinatorFault, Coordinator: "broke", Findings: []string{"evicted"}},
	},
	{
		Slug:  "evicted-ttl",
		Story: "As evicted-lru, under volatile-ttl: the key with the shortest time to live goes first, and that is what a lease is.",
		Drill: func(s *Scene) { s.evicted("volatile-ttl") },
		Want:  Want{Label: evidence.CoordinatorFault, Coordinator: "broke", Findings: []string{"evicted"}},
	},
}

func (s *Scene) coordinatorWatched(config RedisConfig) (*Redis, *Worker, *Inspection) {
	s.T.Helper()
	s.Contract = []string{"--lease", "6s", "--renew-every", "2s"}
	r := s.Redis(config)
	w := s.Holder(r, Role{Lease: 6 * time.Second, RenewEvery: 2 * time.Second})
	return r, w, s.Watch(r, pidFlag(w))
}

// evicted fills Redis with keys that never expire until it throws out the lock.
func (s *Scene) evicted(policy string) {
	s.T.Helper()
	r, _, i := s.coordinatorWatched(RedisConfig{Lines: []string{"--maxmemory-policy", policy}})
	used, err := strconv.ParseInt(s.Info(r, "memory")["used_memory"], 10, 64)
	s.check(err, "read used_memory")
	s.check(r.Admin.ConfigSet(s.Ctx, "maxmemory", strconv.FormatInt(used+1<<20, 10)).Err(), "set maxmemory")
	filler := strings.Repeat("x", 256<<10)
	for n := 0; n < 64 && s.Info(r, "stats")["evicted_keys"] == "0"; n++ {
		// Refused once nothing is left to evict: that is expected at the end.
		_ = r.Admin.Set(s.Ctx, "cache:"+strconv.Itoa(n), filler, 0).Err()
	}
	s.Must("the lock was evicted", func() bool { return s.Info(r, "stats")["evicted_keys"] == "1" && s.Left(r) < 0 })
	i.Wait()
}
