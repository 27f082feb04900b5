package classify

import (
	"fmt"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func serverRules() []rule {
	return []rule{
		{"redis-restarted", "Persist locks or treat a restart as the loss of all of them.", redisRestarted},
		{"evicted", "Keep locks where no eviction policy can take them: another instance, or noeviction.", evictedRule},
		{"eviction-risk", "Locks carry an expiry, and volatile policies take keys with one first.", evictionRisk},
		{"failover", "Compare both nodes' view of the key; a failover can lose the newest writes.", failoverRule},
		{"redis-stall", "Find the slow command: while Redis runs it, no renewal is served.", redisStall},
		{"other", "Keep locks where nobody flushes: an instance of their own, and FLUSHALL and FLUSHDB denied by ACL or renamed.", flushRule},
		{"redis-refuses-writes", "Renewals are writes: while Redis refuses them, every lease runs out.", refusesWrites},
	}
}

func redisRestarted(c *incident, _ evidence.Verdict) evidence.Finding {
	_, handed := c.handover()
	a, b, ok := c.ends()
	switch change := turnedOver(a, b); {
	case !ok || handed:
	case change == otherRun:
		return found(evidence.Critical, c.read("run_id"), "Redis was restarted while watched")
	case change == otherUnsure:
		return found(evidence.Critical, c.read("run_id"), "another run of the server answers: it was restarted, or another node took over")
	}
	if n, ok := c.sinceRenewed(beginnings...); ok {
		severity, how := evidence.Warning, "began"
		if n.Class == evidence.NoticeNoKeys {
			severity, how = evidence.Critical, "came up without any key"
		}
		return found(severity, n.Source, "the server "+how+" "+moment(n.on))
	}
	return nothing()
}

func evictedRule(c *incident, v evidence.Verdict) evidence.Finding {
	a, b, ok := c.counters()
	e1, ok1 := a.Evicted.Get()
	e2, ok2 := b.Evicted.Get()
	if !ok || !ok1 || !ok2 || e2 <= e1 {
		return nothing()
	}
	severity := evidence.Warning
	if v.Label == evidence.CoordinatorFault {
		severity = evidence.Critical
	}
	return found(severity, c.read("evicted_keys"), fmt.Sprintf("evicted_keys went from %d to %d while watched", e1, e2))
}

func evictionRisk(c *incident, _ evidence.Verdict) evidence.Finding {
	for _, i := range c.s.Node.Infos {
		limit, ok1 := i.MaxMemory.Get()
		used, ok2 := i.UsedMemory.Get()
		policy, ok3 := i.Policy.Get()
		if ok1 && ok2 && ok3 && limit > 0 && policy != "noeviction" && used >= limit-limit/10 {
			return found(evidence.Warning, c.read("used_memory"), fmt.Sprintf("%d of %d bytes used under %s", used, limit, quote(policy)))
		}
	}
	return nothing()
}

// failoverRule: the node's replication history changed while watched, or it was
// promoted at some time before, as its second offset tells. Whether that cost
// this lock is the coordinator answer's to say.
func failoverRule(c *incident, _ evidence.Verdict) evidence.Finding {
	if n, ok := c.inLife(evidence.Interval{}, takeovers...); ok {
		return found(evidence.Warning, n.Source, fmt.Sprintf("%s: %s", clockTime(n.on), quote(n.Text)))
	}
	if h, ok := c.handover(); ok {
		return found(evidence.Warning, c.readAt(h, "run_id"), "failed over while watched: "+h.says())
	}
	if len(c.s.Node.Infos) == 0 {
		return nothing()
	}
	a, b := c.s.Node.Infos[0], c.s.Node.Infos[len(c.s.Node.Infos)-1]
	restarted := a.RunID.State == evidence.Seen && b.RunID.State == evidence.Seen && a.RunID.Value != b.RunID.Value
	changed := func(x, y evidence.Reading[string]) bool {
		return x.State == evidence.Seen && y.State == evidence.Seen && x.Value != y.Value
	}
	if !restarted && (changed(a.ReplID, b.ReplID) || changed(a.Role, b.Role)) {
		return found(evidence.Warning, c.read("master_replid"), "the node's replication history changed while watched")
	}
	if n, ok := b.SecondOff.Get(); ok && n >= 0 {
		return found(evidence.Warning, c.read("second_repl_offset"), fmt.Sprintf("this node was a replica once, promoted at offset %d", n))
	}
	return nothing()
}

// redisStall: a command that ran for longer than half a renewal interval, in
// this lease's life.
func redisStall(c *incident, _ evidence.Verdict) evidence.Finding {
	limit := c.every / 2
	if limit == 0 {
		limit = time.Second
	}
	for _, e := range c.s.Node.Slowlog.Or(nil) {
		recent := !c.now.Known() || c.leaseHi > 0 && c.now.From.Sub(e.Ended) < 2*c.leaseHi
		if e.Took >= limit && recent && len(e.Args) > 0 {
			return found(evidence.Warning, c.read("slowlog"), fmt.Sprintf("%s ran for %s until %s", quote(e.Args[0]), round(e.Took), e.Ended.UTC().Format("15:04:05Z")))
		}
	}
	if n, ok := c.inLife(evidence.Interval{}, evidence.NoticeSlowScript, evidence.NoticeStall, evidence.NoticeAOFSlow); ok {
		return found(evidence.Warning, n.Source, fmt.Sprintf("%s: %s", clockTime(n.on), quote(n.Text)))
	}
	return nothing()
}

func refusesWrites(c *incident, _ evidence.Verdict) evidence.Finding {
	if n, ok := c.inLife(evidence.Interval{}, refusals...); ok {
		return found(evidence.Critical, n.Source, fmt.Sprintf("%s: %s", clockTime(n.on), quote(n.Text)))
	}
	a, b, ok := c.counters()
	if !ok {
		return nothing()
	}
	for _, name := range []string{"OOM", "READONLY", "MISCONF", "NOREPLICAS", "CLUSTERDOWN"} {
		if n := b.ErrorStats.Value[name] - a.ErrorStats.Value[name]; n > 0 {
			return found(evidence.Critical, c.read("errorstats"), fmt.Sprintf("Redis answered %s to %s while watched", name, plural(int(n), "command")))
		}
	}
	return nothing()
}
