package drill

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// topologyRows are locks on more than one server: a Redlock's five, a primary and its
// replica, what Sentinel makes of them, and a cluster.
var topologyRows = []Row{
	{
		Slug:  "redlock-two-lost",
		Story: "A lock on five servers, extended by its holder. Two of them die; three are a majority.",
		Drill: func(s *Scene) {
			all, c := s.redlock(nil)
			s.Kill(all[1].Pid)
			s.Kill(all[3].Pid)
			s.Inspect(all[0], append(also(all[1:]), "--pid="+itoa(c.Pid))...)
		},
		Want: Want{Label: evidence.NoFailure, Findings: []string{"quorum-weak"}, Absent: []string{"quorum-lost"}},
	},
	{
		Slug:  "redlock-first-lost",
		Story: "As redlock-two-lost, and the server that is named first on the command line is one of the dead.",
		Drill: func(s *Scene) {
			all, c := s.redlock(nil)
			s.Kill(all[0].Pid)
			s.Kill(all[3].Pid)
			s.Inspect(all[0], append(also(all[1:]), "--pid="+itoa(c.Pid))...)
		},
		Want: Want{State: "held", Label: evidence.NoFailure, Findings: []string{"quorum-weak"}, Absent: []string{"quorum-lost"}},
	},
	{
		Slug:  "redlock-three-lost",
		Story: "As redlock-two-lost, and a third dies: nobody can hold this lock, whatever the two that are left say.",
		Drill: func(s *Scene) {
			all, c := s.redlock(nil)
			for _, n := range []int{1, 3, 4} {
				s.Kill(all[n].Pid)
			}
			s.Inspect(all[0], append(also(all[1:]), "--pid="+itoa(c.Pid))...)
		},
		Want: Want{Label: evidence.CoordinatorFault, Cause: "quorum-lost", Coordinator: "broke", Findings: []string{"quorum-lost"}},
	},
	{
		Slug:  "redlock-clock-off",
		Story: "The clock of one of five servers jumps ahead: the lock expires there at once, and goes on on the other four.",
		Drill: func(s *Scene) {
			clock := s.Clock()
			all, c := s.redlock(clock)
			clock.Step(time.Minute)
			s.Must("the lock expired on that server", func() bool { return s.Left(all[4]) < 0 || s.Left(all[4]) > time.Minute })
			s.Inspect(all[0], append(also(all[1:]), "--pid="+itoa(c.Pid))...)
		},
		Want: Want{Label: evidence.NoFailure, Absent: []string{"quorum-lost"}},
	},
	{
		Slug:  "replica-promoted",
		Story: "A replica is promoted while the old primary lives on. Both hold the lock, for two owners.",
		Drill: func(s *Scene) {
			primary := s.Redis(RedisConfig{})
			replica := s.replicaOf(primary)
			w := s.Holder(primary, Role{})
			s.Must("the replica has the lock", func() bool { return s.Held(replica, w.Value) })
			s.check(replica.Admin.ReplicaOf(s.Ctx, "NO", "ONE").Err(), "promote the replica")
			s.check(replica.Admin.Del(s.Ctx, s.Key).Err(), "let the lock end there")
			other := s.Holder(replica, Role{})
			if other.Value == w.Value {
				s.T.Fatal("prove the injection: one owner holds both")
			}
			s.Inspect(primary, append(also([]*Redis{replica}), pidFlag(w))...)
		},
		Want: Want{Label: evidence.CoordinatorFault, Cause: "failover-split", Coordinator: "broke", State: "contested", Findings: []string{"failover-split"}},
	},
	{
		Slug:  "cluster-primary-killed",
		Story: "A cluster of three shards. The primary that has the lock's slot is killed, its replica is promoted with the lock, and the holder goes on extending it there.",
		Drill: func(s *Scene) {
			all, c := s.clusterLock()
			has := s.slotOwner(all)
			s.Must("its replica has the lock", func() bool { return s.copies(all) >= 2 })
			s.Kill(all[has].Pid)
			s.Must("a replica was promoted", func() bool {
				now := s.slotOwner(all)
				return now >= 0 && now != has
			})
			// A cluster's client learns of it in its own time.
			s.Must("the lock is extended there", func() bool { return s.longestLeft(all) > 10*time.Second })
			seed := all[(has+1)%3]
			if has == 0 {
				seed = all[1]
			}
			s.Inspect(seed, "--pid="+itoa(c.Pid))
		},
		Want: Want{Label: evidence.NoFailure, Findings: []string{"failover"}},
	},
	{
		Slug:  "cluster-slot-moving",
		Story: "A cluster moves the lock's slot to another shard, and the key has gone ahead: the old node answers ASK, the new one only those who say ASKING.",
		Drill: func(s *Scene) {
			all, c := s.clusterLock()
			from := s.slotOwner(all)
			to := (from + 1) % 3
			s.moveSlot(all[from], all[to])
			s.Must("the old node sends to the new one", func() bool {
				return strings.HasPrefix(fmt.Sprint(all[from].Admin.Get(s.Ctx, s.Key).Err()), "ASK ")
			})
			s.Inspect(all[from], "--pid="+itoa(c.Pid))
		},
		Want: Want{Label: evidence.NoFailure, State: "held", Lease: "renewing"},
	},
	{
		Slug:  "sentinel-failover",
		Story: "The primary dies before its replica has the lock. Sentinel promotes the replica, and the lock is gone with the old primary; the address is Sentinel's to know.",
		Drill: func(s *Scene) {
			s.Contract = []string{"--lease", "20s"}
			primary := s.Redis(RedisConfig{})
			replica := s.replicaOf(primary)
			sentinel := s.sentinel(primary)
			// The replica is cut off: what is written from now on does not reach it.
			s.check(replica.Admin.ReplicaOf(s.Ctx, "127.0.0.1", "1").Err(), "cut the replica off")
			s.Must("it is cut off", func() bool { return s.Info(replica, "replication")["master_link_status"] == "down" })
			w := s.Worker(primary, Role{Lease: 20 * time.Second})
			i := s.WatchBy(primary, fmt.Sprintf("redis-sentinel://%s/locks", sentinel.Addr), pidFlag(w))
			s.Kill(primary.Pid)
			s.Must("Sentinel names the new primary", func() bool {
				at, err := sentinel.Admin.Do(s.Ctx, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "locks").StringSlice()
				return err == nil && len(at) == 2 && at[0]+":"+at[1] == replica.Addr
			})
			i.Wait()
		},
		Want: Want{Label: evidence.CoordinatorFault, Coordinator: "broke"},
	},
	{
		Slug:  "noeviction-full",
		Story: "As evicted-lru, under noeviction: Redis is full, refuses to grow, and keeps the lock.",
		Drill: func(s *Scene) {
			r, w, i := s.coordinatorWatched(RedisConfig{Lines: []string{"--maxmemory-policy", "noeviction"}})
			used, err := strconv.ParseInt(s.Info(r, "memory")["used_memory"], 10, 64)
			s.check(err, "read used_memory")
			s.check(r.Admin.ConfigSet(s.Ctx, "maxmemory", strconv.FormatInt(used+1<<20, 10)).Err(), "set maxmemory")
			filler, refused := strings.Repeat("x", 256<<10), false
			for n := 0; n < 64 && !refused; n++ {
				refused = r.Admin.Set(s.Ctx, "cache:"+strconv.Itoa(n), filler, 0).Err() != nil
			}
			if !refused || !s.Held(r, w.Value) {
				s.T.Fatal("prove the injection: Redis is not full, or the lock is gone")
			}
			i.Wait()
		},
		Want: Want{Label: evidence.NoFailure, Coordinator: "kept", Absent: []string{"evicted"}},
	},
}

// also names further servers to an inspection.
func also(servers []*Redis) []string {
	var flags []string
	for _, r := range servers {
		flags = append(flags, "--redis", "redis://"+r.Addr)
	}
	return flags
}

func addresses(all []*Redis) string {
	var out []string
	for _, r := range all {
		out = append(out, r.Addr)
	}
	return strings.Join(out, ",")
}

// redlock starts five servers, the last of them with a clock of its own, and a client
// that holds a lock on all of them and extends it.
func (s *Scene) redlock(clock *Clock) ([]*Redis, *Process) {
	s.T.Helper()
	s.Contract = nil
	s.Key = s.Row.Slug
	var all []*Redis
	for n := range 5 {
		config := RedisConfig{}
		if n == 4 {
			config.Clock = clock
		}
		all = append(all, s.Redis(config))
	}
	c := s.Run(Start{Args: []string{s.goClients(), "-lib", "redsync", "-redis", addresses(all), "-key", s.Key,
		"-lease", "8s", "-renew", "1s", "-for", clientSeconds + "s"}})
	s.Await(c, "held", 0)
	for _, r := range all {
		s.Must("every server has the lock", func() bool { return s.Left(r) > 0 })
	}
	return all, c
}

// replicaOf starts a replica and waits until it follows.
func (s *Scene) replicaOf(primary *Redis) *Redis {
	s.T.Helper()
	_, port, _ := strings.Cut(primary.Addr, ":")
	r := s.Redis(RedisConfig{Lines: []string{"--replicaof", "127.0.0.1 " + port, "--repl-diskless-sync-delay", "0"}})
	s.Must("the replica follows", func() bool { return s.Info(r, "replication")["master_link_status"] == "up" })
	return r
}

// sentinel starts one that watches a primary. It keeps its state in its own
// configuration file and does not start without.
func (s *Scene) sentinel(primary *Redis) *Redis {
	s.T.Helper()
	host, port, _ := strings.Cut(primary.Addr, ":")
	own := s.freePort("127.0.0.1")
	conf := filepath.Join(s.Dir, "sentinel.conf")
	text := fmt.Sprintf("port %d\nbind 127.0.0.1\ndir %s\nsentinel monitor locks %s %s 1\nsentinel down-after-milliseconds locks 1500\nsentinel failover-timeout locks 6000\n",
		own, s.Dir, host, port)
	s.check(os.WriteFile(conf, []byte(text), 0o644), "write sentinel.conf")
	addr := fmt.Sprintf("127.0.0.1:%d", own)
	r := &Redis{Process: s.Run(Start{Args: []string{"redis-server", conf, "--sentinel"}}), Addr: addr, Admin: dial(addr, "drill-admin")}
	s.T.Cleanup(func() { r.Admin.Close() })
	s.Must("Sentinel knows the replica", func() bool {
		all, err := r.Admin.Do(s.Ctx, "SENTINEL", "REPLICAS", "locks").Slice()
		return err == nil && len(all) == 1
	})
	return r
}

// cluster starts three shards of two nodes each.
func (s *Scene) cluster() []*Redis {
	s.T.Helper()
	s.needs("redis-cli")
	var all []*Redis
	args := []string{"--cluster", "create"}
	for range 6 {
		r := s.Redis(RedisConfig{Lines: []string{"--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--repl-diskless-sync-delay", "0"}})
		all, args = append(all, r), append(args, r.Addr)
	}
	out, err := exec.CommandContext(s.Ctx, "redis-cli", append(args, "--cluster-replicas", "1", "--cluster-yes")...).CombinedOutput()
	if err != nil {
		s.NotRun("a cluster cannot be made: %s", firstLine(out))
	}
	for _, r := range all {
		s.Must("the cluster is up", func() bool { return strings.Contains(r.Admin.ClusterInfo(s.Ctx).Val(), "cluster_state:ok") })
	}
	return all
}

// clusterLock is a lock in a cluster, and a client that holds it.
func (s *Scene) clusterLock() ([]*Redis, *Process) {
	s.T.Helper()
	all := s.cluster()
	s.Contract = nil
	s.Key = "rueidislock:0:" + s.Row.Slug
	c := s.Run(Start{Args: []string{s.goClients(), "-lib", "rueidislock", "-redis", addresses(all), "-key", s.Row.Slug,
		"-lease", "12s", "-for", clientSeconds + "s"}})
	s.Await(c, "held", 0)
	return all, c
}

// moveSlot begins to move the lock's slot, and moves the lock: what redis-cli does for
// every slot when it rebalances a cluster.
func (s *Scene) moveSlot(from, to *Redis) {
	s.T.Helper()
	id := func(r *Redis) string {
		out, err := r.Admin.Do(s.Ctx, "CLUSTER", "MYID").Text()
		s.check(err, "ask for a node's id")
		return out
	}
	slot := s.slot(from)
	s.check(to.Admin.Do(s.Ctx, "CLUSTER", "SETSLOT", slot, "IMPORTING", id(from)).Err(), "import the slot")
	s.check(from.Admin.Do(s.Ctx, "CLUSTER", "SETSLOT", slot, "MIGRATING", id(to)).Err(), "migrate the slot")
	host, port, _ := strings.Cut(to.Addr, ":")
	s.check(from.Admin.Migrate(s.Ctx, host, port, s.Key, 0, 5*time.Second).Err(), "migrate the lock")
}

func (s *Scene) slot(r *Redis) int64 {
	s.T.Helper()
	n, err := r.Admin.ClusterKeySlot(s.Ctx, s.Key).Result()
	s.check(err, "ask for the key's slot")
	return n
}

// slotOwner is the node that has the lock's key as a primary; -1 while none has.
func (s *Scene) slotOwner(all []*Redis) int {
	for i, r := range all {
		if r.Admin.Exists(s.Ctx, s.Key).Val() == 1 && s.Info(r, "replication")["role"] == "master" {
			return i
		}
	}
	return -1
}

// longestLeft is what is left of the lock on the primary that has it.
func (s *Scene) longestLeft(all []*Redis) time.Duration {
	if n := s.slotOwner(all); n >= 0 {
		return s.Left(all[n])
	}
	return 0
}

// copies is how many nodes have the key, replicas among them.
func (s *Scene) copies(all []*Redis) int {
	n := 0
	for _, r := range all {
		if strings.Contains(s.Info(r, "keyspace")["db0"], "keys=1") {
			n++
		}
	}
	return n
}

// Locks on several servers, with real servers.
func TestTopology(t *testing.T) {
	lab := &Lab{Bin: binary(t), Record: *recordDir, Tally: &Tally{}}
	t.Cleanup(func() { publish(t, "several servers", lab.Tally) })
	for n, row := range topologyRows {
		t.Run(row.Slug, func(t *testing.T) {
			t.Parallel()
			Stage(t, lab, 300+n, row)
		})
	}
}
