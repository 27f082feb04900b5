package inspect

import (
	"context"
	"slices"
	"sync"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
	"github.com/lockscene/lockscene/inspect/redis"
)

// Other nodes that may claim the same lock: those of a Redlock's set, replicas, and
// the other end of a split. Each is asked over one connection of its own.

// mostOthers bounds them: a Redlock has five nodes, a shard a handful.
const mostOthers = 16

// An other is one such node.
type other struct {
	target  redis.Target
	client  *redis.Client
	replica bool // of a cluster: it answers for its keys only after READONLY
	primary bool // it answered, and says that it is nobody's replica
}

// ask adds a node, once.
func (s *session) ask(t redis.Target, replica bool) {
	known := t.Addr == s.target.Redis.Addr || slices.ContainsFunc(s.others, func(o *other) bool { return o.target.Addr == t.Addr })
	if known || len(s.others) >= mostOthers {
		return
	}
	s.others = append(s.others, &other{target: t, client: redis.Dial(t, s.target.Timeout, clock.Now), replica: replica})
}

// sibling is how to reach another address of the same deployment: as the first.
func (s *session) sibling(addr string) redis.Target {
	t := s.target.Redis
	t.Network, t.Addr, t.Nowhere, t.Asking = "tcp", addr, "", false
	return t
}

// readOthers asks every other node about the key and about itself, side by side.
func (s *session) readOthers(ctx context.Context) {
	var all sync.WaitGroup
	for _, o := range s.others {
		all.Go(func() {
			var commands [][]string
			if o.replica {
				commands = append(commands, []string{"READONLY"})
			}
			commands = append(commands, redis.Sample(s.target.Subject.Key)...)
			ex := o.client.Do(ctx, commands...)
			s.recordAt(o.target.Addr, "redis/sample", "samples.resp", ex)
			if ex.Raw == nil {
				return // nobody answers there
			}
			info := o.client.Do(ctx, redis.Server()...)
			o.primary = redis.ParseInfo("", info.Raw, evidence.Span{}, info.Status, "").Role.Or("") == "master"
			s.recordAt(o.target.Addr, "redis/info", "info.resp", info)
			s.recordAt(o.target.Addr, "redis/roles", "roles.resp", o.client.Do(ctx, redis.Roles()...))
		})
	}
	all.Wait()
}

// standIn looks at another server of a Redlock's set where the one that was named
// first does not answer: the lock is on all of them. Two that are nobody's replica
// make a set; a lone one may be another's heir, and is left to the rules.
func (s *session) standIn() bool {
	primaries := 0
	for _, o := range s.others {
		if o.primary {
			primaries++
		}
	}
	i := slices.IndexFunc(s.others, func(o *other) bool { return o.primary })
	if primaries < 2 {
		return false
	}
	first := s.target.Redis
	s.lookAt(s.others[i].target) // which may have a password or a socket of its own
	s.ask(first, false)
	return true
}

func (s *session) closeAll() {
	_ = s.client.Close()
	for _, o := range s.others {
		_ = o.client.Close()
	}
}
