package inspect

import (
	"context"
	"slices"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
	"github.com/lockscene/lockscene/inspect/redis"
)

// Where the lock is: Sentinels name a primary, a cluster's node sends us on to the
// one that has the key's slot.

// reach finds the primary that Sentinels name, and its replicas. Each is asked, since
// they may disagree; the one that most of them name is looked at.
func (s *session) reach(ctx context.Context) {
	for _, t := range s.target.Others {
		s.ask(t, false)
	}
	q := s.target.Quorum
	if len(q.Sentinels) == 0 {
		return
	}
	votes, best, why := map[string]int{}, "", ""
	for _, t := range q.Sentinels {
		c := redis.Dial(t, s.target.Timeout, clock.Now)
		ask := redis.AskQuorum(q.Name)
		named, kept := c.Do(ctx, ask[0]), c.Do(ctx, ask[1])
		_ = c.Close()
		why = joinedWhy(why, t.Addr, redis.OfSentinel(named.Why))
		s.recordAt(t.Addr, "redis/sentinel", "sentinel.resp", named)
		s.recordAt(t.Addr, "redis/replicas", "replicas.resp", kept)
		for _, r := range redis.Addresses(kept.Raw) {
			s.ask(s.sibling(r), false)
		}
		for _, primary := range redis.Addresses(named.Raw) {
			if votes[primary]++; best == "" || votes[primary] > votes[best] {
				best = primary
			}
		}
	}
	switch {
	case best != "":
		s.turn(best)
	case s.target.Redis.Nowhere != "" || s.look == 0:
		s.nowhere("no Sentinel names a primary called " + q.Name + why)
	}
	for primary := range votes {
		s.ask(s.sibling(primary), false) // what a Sentinel in the minority believes is asked too
	}
}

// nowhere is that nobody says where the lock is: a Sentinel is not asked for keys.
func (s *session) nowhere(why string) {
	_ = s.client.Close()
	s.target.Redis.Nowhere = why
	s.client = redis.Dial(s.target.Redis, s.target.Timeout, clock.Now)
}

// joinedWhy lists what Sentinels answered, the first few.
func joinedWhy(all, addr, why string) string {
	const most = 300
	if why == "" || len(all) > most {
		return all
	}
	return all + "; " + addr + ": " + why
}

// turn makes another address the one that is looked at.
func (s *session) turn(addr string) { s.turnTo(addr, false) }

func (s *session) turnTo(addr string, asking bool) {
	if addr == s.target.Redis.Addr {
		return
	}
	t := s.sibling(addr)
	t.Asking = asking
	s.lookAt(t)
}

// lookAt makes another node the one that is looked at, reached in its own way.
func (s *session) lookAt(t redis.Target) {
	addr := t.Addr
	_ = s.client.Close()
	s.target.Redis = t
	s.target.Subject.Redis, s.capture.Subject.Redis = addr, addr
	s.client = redis.Dial(s.target.Redis, s.target.Timeout, clock.Now)
	s.others = slices.DeleteFunc(s.others, func(o *other) bool { return o.target.Addr == addr })
}

// again is the closing look at the lock.
func (s *session) again(ctx context.Context) { s.moved(ctx, s.readLock(ctx, true)) }

// moved follows the lock where the server that was looked at has gone, or sends us on:
// Sentinels or the cluster may name another by now. The former one is asked on as
// another node.
func (s *session) moved(ctx context.Context, look evidence.Look) {
	before := s.target.Redis
	s.follow(ctx, look)
	if len(s.target.Quorum.Sentinels) > 0 && s.lastRaw == nil {
		s.reach(ctx)
	}
	if s.target.Redis.Addr == before.Addr {
		return
	}
	if before.Nowhere == "" {
		s.ask(before, false)
	}
	if s.lastRaw == nil { // Sentinels only named it
		s.readLock(ctx, true)
	}
	s.readServer(ctx)
	s.record("redis/roles", "roles.resp", s.client.Do(ctx, redis.Roles()...))
}

// mostMoves is how often a cluster may send us on: its nodes may disagree for a
// moment, not for long.
const mostMoves = 3

// follow goes where a cluster's node sends us, and asks it who else keeps the slot.
func (s *session) follow(ctx context.Context, look evidence.Look) evidence.Look {
	for range mostMoves {
		addr, asking := redis.Moved(s.lastRaw, s.target.Redis.Addr)
		if addr == "" {
			break
		}
		s.turnTo(addr, asking)
		look = s.readLock(ctx, true)
	}
	return look
}

// readShards asks a node of a cluster which nodes keep the key's slot. The others of
// its shard are replicas; a failover makes one of them the primary.
func (s *session) readShards(ctx context.Context, info redis.Exchange) {
	if !redis.Clustered(info.Raw) {
		return
	}
	ex := s.client.Do(ctx, redis.Shards()...)
	s.record("redis/cluster", "cluster.resp", ex)
	slot := redis.Slot(s.target.Subject.Key)
	for _, shard := range redis.ParseShards(ex.Raw, s.target.Redis.Addr) {
		if shard.From > slot || slot > shard.To {
			continue
		}
		for _, addr := range shard.Nodes {
			s.ask(s.sibling(addr), true)
		}
	}
}
