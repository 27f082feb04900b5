package inspect

import (
	"context"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/dialect"
	"github.com/lockscene/lockscene/inspect/redis"
)

// record keeps one exchange with Redis. file is the raw file below the server's
// folder; replies of one kind share it.
func (s *session) record(name, file string, ex redis.Exchange) evidence.Probe {
	return s.recordAt(s.target.Subject.Redis, name, file, ex)
}

// recordAt keeps an exchange with the server at an address.
func (s *session) recordAt(addr, name, file string, ex redis.Exchange) evidence.Probe {
	var commands []string
	for _, args := range ex.Commands {
		commands = append(commands, strings.Join(args, " "))
	}
	return s.reader.add(evidence.Probe{
		Name: name, Source: "redis/" + addr, Commands: commands, Look: s.look,
		Start: ex.Start, End: ex.End, Status: ex.Status, Why: ex.Why,
	}, "redis/"+addr+"/"+file, ex.Raw)
}

// readLock samples the lock tuple: the most volatile thing there is. The first
// and the last sample are full, and so is the one after any change; those in
// between only follow the lease.
func (s *session) readLock(ctx context.Context, full bool) evidence.Look {
	key := s.target.Subject.Key
	commands := redis.Sample(key)
	if !full && !s.changed {
		commands = redis.Brief(key, s.endCommand())
	}
	if s.look == 1 {
		commands = append(redis.Hello(), commands...)
	}
	ex := s.client.Do(ctx, commands...)
	s.lastRaw = ex.Raw
	look := lookOf(s.record("redis/sample", "samples.resp", ex), ex.Raw)
	if kind, ok := look.Type.Get(); ok {
		s.kind = kind
	}
	if full || s.changed {
		s.absolute = look.End.State != evidence.Unread
	}
	if look.PTTL.State != evidence.Absent && look.End.State != evidence.Absent {
		s.readTyped(ctx)
	}
	if n, ok := look.Length.Get(); ok && s.look == 1 && n <= redis.MaxValue && look.Type.State == evidence.Seen {
		s.record("redis/get", "get.resp", s.client.Do(ctx, redis.Get(key)...))
	}
	s.changed = look.Value.State != s.before.Value.State || look.Value.Value != s.before.Value.Value
	s.before = look
	return look
}

// endCommand tells the lease's end: PEXPIRETIME where the last full sample
// showed that the server has it.
func (s *session) endCommand() string {
	if s.absolute {
		return "PEXPIRETIME"
	}
	return "PTTL"
}

// readTime reads nothing but the server's clock.
func (s *session) readTime(ctx context.Context) {
	ex := s.client.Do(ctx, []string{"TIME"}, []string{"TIME"})
	s.record("redis/sample", "samples.resp", ex)
}

// readTyped reads a lock that is no string, after asking how big it is.
func (s *session) readTyped(ctx context.Context) {
	count := redis.Count(s.kind, s.target.Subject.Key)
	switch {
	case s.kind == "hash":
		s.readHash(ctx)
	case count != nil:
		ex := s.client.Do(ctx, count)
		s.record("redis/count", "members.resp", ex)
		n, err := redis.ParseReplies(ex.Raw)
		if err != nil || len(n) != 1 || s.kind == "set" && n[0].Int > redis.MaxMembers {
			return
		}
		s.record("redis/members", "members.resp", s.client.Do(ctx, redis.Members(s.kind, s.target.Subject.Key)))
	}
}

// readLore asks what the lock's library keeps beside it, and which of its scripts
// the server has seen.
func (s *session) readLore(ctx context.Context) {
	shape, ok := shapeOf(s.outline())
	if !ok {
		return
	}
	if ask := dialect.Companions(shape); len(ask) > 0 {
		ex := s.client.Do(ctx, ask...)
		probe := s.record("redis/companions", "companions.resp", ex)
		var told lore
		told.addCompanions(probe, ex.Raw)
		if more := dialect.More(shape, told.answers); len(more) > 0 {
			s.record("redis/companions", "companions.resp", s.client.Do(ctx, more...))
		}
	}
	if digests := dialect.Scripts(shape); len(digests) > 0 && s.look == 1 {
		s.record("redis/scripts", "scripts.resp", s.client.Do(ctx, append([]string{"SCRIPT", "EXISTS"}, digests...)))
	}
}

// readHash reads a lock kept as a hash, after asking how big it is.
func (s *session) readHash(ctx context.Context) {
	ex := s.client.Do(ctx, redis.HashLength(s.target.Subject.Key)...)
	s.record("redis/hlen", "hash.resp", ex)
	if n, err := redis.ParseReplies(ex.Raw); err != nil || len(n) != 1 || n[0].Int > redis.MaxFields {
		return
	}
	s.record("redis/hash", "hash.resp", s.client.Do(ctx, redis.Hash(s.target.Subject.Key)...))
}

// readServer reads INFO; the last one only repeats it.
func (s *session) readServer(ctx context.Context) evidence.Info {
	ex := s.client.Do(ctx, redis.Server()...)
	s.record("redis/info", "info.resp", ex)
	s.readShards(ctx, ex)
	return redis.ParseInfo("", ex.Raw, evidence.Span{}, ex.Status, ex.Why)
}

// readList asks for CLIENT LIST, unless its reply could push the lock out of a
// full memory: a list of 10 000 clients takes some 4 MB of the server's own.
func (s *session) readList(ctx context.Context, info evidence.Info) (redis.Exchange, bool) {
	clients, limit := info.Connected.Or(0), info.MaxMemory.Or(0)
	free := limit - info.UsedMemory.Or(0)
	why := ""
	switch {
	case s.lists >= 2:
		return redis.Exchange{}, false
	case limit > 0 && clients*400 > free/2:
		why = "not asked: its reply could make Redis evict the lock, maxmemory is nearly reached"
	case s.lists == 1 && clients > manyClients:
		why = "asked once only: the server has more than 10 000 clients"
	}
	s.lists++
	if why != "" {
		s.skip("redis/clients", redis.Clients(), why)
		return redis.Exchange{}, false
	}
	return s.client.Do(ctx, redis.Clients()...), true
}

func (s *session) skip(name string, commands [][]string, why string) {
	s.record(name, "", redis.Exchange{Commands: commands, Status: evidence.Skipped, Why: why,
		Start: s.vantage().Start, End: s.vantage().Start})
}

// keepList masks and records a CLIENT LIST, now that it is known whose
// connections concern the lock.
func (s *session) keepList(ex redis.Exchange) {
	if ex.Commands == nil {
		return
	}
	if !s.target.Full {
		ex.Raw = redis.MaskClients(ex.Raw, s.concerns(ex))
	}
	s.record("redis/clients", "clients.resp", ex)
}

// concerns says which connections are kept in full: those of the owner's host,
// those the lock's value names, those whose last command may have touched the
// lock, and our own.
func (s *session) concerns(ex redis.Exchange) func(evidence.Client) bool {
	snap := s.outline()
	hosts := s.ownHosts(snap)
	value := holderText(snap)
	touched := touchWindow(snap, ex.End)
	return func(c evidence.Client) bool {
		switch {
		case slices.Contains(hosts, redis.Host(c.Addr)), c.Addr == s.client.Local():
			return true
		case value != "" && c.Name != "" && (strings.Contains(value, c.Name) || strings.Contains(c.Name, value)):
			return true
		}
		return evidence.VerbOf(c.Cmd) != evidence.NoVerb && touched(c.Idle)
	}
}

// readSlow reads what the server only keeps for administrators.
func (s *session) readSlow(ctx context.Context) {
	ex := s.client.Do(ctx, redis.Slowlog()...)
	if redis.Refused(ex.Raw) {
		if other := s.client.Do(ctx, redis.Commandlog()...); len(other.Raw) > 0 && !redis.Refused(other.Raw) {
			ex = other
		}
	}
	if !s.target.Full {
		ex.Raw = redis.MaskSlowlog(ex.Raw, s.target.Subject.Key, dialect.OfLock)
	}
	s.record("redis/slowlog", "slowlog.resp", ex)
	s.record("redis/roles", "roles.resp", s.client.Do(ctx, redis.Roles()...))
}
