package classify

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// Ways in which a server that kept its data still did not serve a renewal.

// missedLease says whether a renewal was missed and the lease was not taken away:
// only then may a server that did not serve be why.
func (c *incident) missedLease() bool {
	return c.leaseIs.Value == lapsing || c.leaseIs.Value == lapsed
}

// busy: one command ran from before the renewal was due until the lease had
// ended, or until the renewal was overdue. Redis serves nothing else meanwhile.
// SLOWLOG dates an entry by its end, in whole seconds.
func (c *incident) busy(x *exam) bool {
	if !c.missedLease() || !c.when.Closed() {
		return false
	}
	until := c.when.Shift(c.grace()-c.every, c.grace()-c.every)
	if ends := c.leaseEnds(); ends.Known() && ends.Before(until) {
		until = ends
	}
	for _, e := range c.s.Node.Slowlog.Or(nil) {
		ended := endedAt(e)
		began := ended.Shift(-e.Took, -e.Took)
		if began.After(c.when) || ended.Before(until) {
			continue
		}
		x.cite(c.read("slowlog"), "%s ran for %s until %s, and the renewal was due %s", quote(command(e)), round(e.Took), e.Ended.UTC().Format("15:04:05Z"), clockTime(c.when))
		if !began.Before(c.when) || !ended.After(until) {
			c.unpresumed = true // it may have, to the second
			x.says = "ran one command for " + round(e.Took).String() + " about when the renewal was due"
			return true
		}
		c.cause = "redis-stall"
		x.only(broke)
		x.source("slowlog")
		x.cap = true
		x.says = "served nothing for " + round(e.Took).String() + ": the renewal due " + clockTime(c.when) + " waited in it"
		return true
	}
	return false
}

func command(e evidence.SlowEntry) string {
	if len(e.Args) == 0 {
		return "a command"
	}
	return e.Args[0]
}

// silent says whether the server stopped answering us, or never did: the last
// sample that was tried brought neither TIME nor a word about the key.
func (c *incident) silent() bool {
	n := len(c.s.Looks)
	if n == 0 {
		return false
	}
	last := c.s.Looks[n-1]
	if said, ok := c.last(); ok && said.Look == n-1 {
		return false
	}
	return !last.Now().Known() && last.Before.Status != evidence.Skipped && last.Before.Status != evidence.Denied
}

// unanswered: our own requests got no answer, and the owner's sockets do not
// show that the network is why. Then the server may be what failed, and it is not
// presumed innocent.
func (c *incident) unanswered(x *exam) bool {
	if !c.silent() || c.pathIs.Value == broken {
		return false
	}
	c.unpresumed = true
	last := c.s.Looks[len(c.s.Looks)-1]
	x.miss(c.read("time"), cmpOr(string(last.Before.Status), "unread"), last.Before.Why)
	x.says = "does not answer: " + cmpOr(last.Before.Why, "no reply")
	if c.now.Known() {
		x.says = "has not answered since " + clockTime(c.now)
	}
	return true
}

// refused says whether nothing listens where the coordinator should be: then
// either it is down or somebody on the way rejects the connection, and neither is
// presumed.
func (c *incident) refused() bool {
	o := c.s.Sources["redis/sample"]
	return o.Status != evidence.OK && strings.Contains(o.Why, "refused") && len(c.sights) == 0
}

// isReplica says whether the node that answered is a replica: it shows its
// master's keys as it last heard of them.
func (c *incident) isReplica() bool {
	if n := len(c.s.Node.Infos); n > 0 && c.s.Node.Infos[n-1].Role.State == evidence.Seen {
		return c.s.Node.Infos[n-1].Role.Value == "slave" // read last: it may have been promoted since ROLE
	}
	return c.s.Node.Role.Or(evidence.Role{}).Name == "slave"
}

// cutOff says whether it may have heard nothing of late.
func (c *incident) cutOff() bool {
	return c.isReplica() && c.s.Node.Role.Or(evidence.Role{}).Link != "connected"
}
