package classify

import (
	"fmt"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Restarts and failovers: another life of the server, or another server, answers
// than the one that had granted the lock.

// restarted: the server that answers is not the one that held the key. A pair of
// run ids says it; so does the server's own log, or an uptime that does not reach
// back to the key's last sight. The last two name a moment, which has to lie where
// the lease was in force; that a pasted look is not followed by a release before
// that moment nobody shows, so that they make it likely.
func (c *incident) restarted(x *exam) bool {
	if !c.hurt() {
		return false
	}
	if _, ok := c.handover(); ok {
		return false // another node was asked since: what became of this one is nothing to the lock
	}
	paired := c.otherRun(x)
	logged := c.beganInLog(x)
	counted := c.beganByUptime(x)
	if !paired && !logged && !counted {
		return false
	}
	c.cause = "redis-restarted"
	x.only(broke)
	x.cap = x.cap || !paired
	n := len(c.s.Node.Infos)
	if paired {
		x.says = "restarted while watched: another run_id, and the key was gone"
	}
	if a, b, _ := c.ends(); paired && !logged && turnedOver(a, b) == otherUnsure {
		c.cause = "another-server"
		x.says = "another run_id answers, restarted or another node, and the key was gone"
	}
	if n > 0 {
		if e, ok := c.s.Node.Infos[n-1].Expired.Get(); ok && e == 0 {
			x.source("counters")
			x.cite(c.read("expired_keys"), "0: the new server expired nothing, so the key did not run out there")
		}
	}
	return true
}

// otherRun: another run_id answers than at the first look.
func (c *incident) otherRun(x *exam) bool {
	a, b, ok := c.ends()
	if change := turnedOver(a, b); !ok || change != otherRun && change != otherUnsure {
		return false
	}
	x.source("info")
	became := ": the server was restarted and the key went with it"
	if turnedOver(a, b) == otherUnsure {
		became = ", and the key was gone"
	}
	x.cite(c.read("run_id"), "%.8s… at the first look, %.8s… at the last%s", a.RunID.Value, b.RunID.Value, became)
	return true
}

// sameRun says whether one server answered INFO before a moment and after it:
// then a log that tells of another life in between is not its own.
func (c *incident) sameRun(at evidence.Interval) bool {
	a, b, ok := c.ends()
	return ok && a.RunID.State == evidence.Seen && a.RunID == b.RunID && c.span(a.Span).Before(at) && at.Before(c.span(b.Span))
}

// beganInLog: the log tells that a server began where the key went. One that came
// up without loading anything has certainly lost it.
func (c *incident) beganInLog(x *exam) bool {
	w, ok := c.inForce()
	if !ok {
		return false
	}
	n, ok := c.meanwhile(w, beginnings...)
	if !ok || c.sameRun(n.on) {
		return false
	}
	x.source("server log")
	x.cite(n.Source, "%s: %s, between the key's last sight and its loss", clockTime(n.on), quote(n.Text))
	x.says = "restarted " + moment(n.on) + ", and the key was gone"
	if n.Class == evidence.NoticeNoKeys {
		x.says = "restarted and came up without any key " + moment(n.on)
	}
	return true
}

// beganByUptime: the server is younger than the key's last sight.
func (c *incident) beganByUptime(x *exam) bool {
	w, ok := c.inForce()
	if !ok {
		return false
	}
	for _, i := range c.s.Node.Infos {
		if began, ok := c.beganBy(i); ok && began.Within(w) && !c.sameRun(began) {
			x.source("info")
			x.cite(c.read("uptime_in_seconds"), "%d s: it began %s, after the key was last seen", i.Uptime.Value, moment(began))
			x.says = cmpOr(x.says, "restarted "+moment(began)+", and the key was gone")
			return true
		}
	}
	return false
}

// promoted: the node that answers was promoted, or lost its primacy, while the
// key went, by its replication id or by a log.
func (c *incident) promoted(x *exam) bool {
	a, b, ok := c.ends()
	r1, ok1 := a.ReplID.Get()
	r2, ok2 := b.ReplID.Get()
	if !c.hurt() {
		return false
	}
	if h, ok := c.handover(); ok {
		return c.handedOver(x, h)
	}
	if c.serves != "" {
		return c.promotedInLog(x) || c.servedElsewhere(x)
	}
	if !ok || !ok1 || !ok2 || r1 == r2 {
		return c.promotedInLog(x)
	}
	c.cause = "failover"
	x.only(broke)
	x.source("info")
	x.cap = true
	x.cite(c.read("master_replid"), "%.8s… at the first look, %.8s… at the last: a failover, and the key went with it", r1, r2)
	x.says = "failed over while watched, and the key was gone"
	return true
}

// servedElsewhere: a Sentinel sends clients to another node since, and the key is
// not there. Neither INFO nor a log tells more.
func (c *incident) servedElsewhere(x *exam) bool {
	c.cause = "failover"
	x.only(broke)
	x.source("sentinel")
	x.cap = true
	x.cite("redis/"+c.serves+"/pttl", "clients are sent to %s since, and the key is not there", quote(c.serves))
	x.says = "failed over: " + quote(c.serves) + " serves since, and the key was gone"
	return true
}

// promotedInLog: the server's log, or a Sentinel's, tells of a change of primary
// where the key went.
func (c *incident) promotedInLog(x *exam) bool {
	w, ok := c.inForce()
	if !ok {
		return false
	}
	n, ok := c.meanwhile(w, takeovers...)
	if !ok {
		return false
	}
	c.cause = "failover"
	x.only(broke)
	x.source("server log")
	x.cap = true
	x.cite(n.Source, "%s: %s, between the key's last sight and its loss", clockTime(n.on), quote(n.Text))
	x.says = "failed over " + moment(n.on) + ", and the key was gone"
	return true
}

// young: the server began within this lease's life, or was restarted while
// watched although the key is there. Whatever the key is now, it may have been
// lost in between.
func (c *incident) young(x *exam) bool {
	a, b, ok := c.ends()
	if change := turnedOver(a, b); ok && (change == otherRun || change == otherUnsure) {
		x.cite(c.read("run_id"), "%.8s… at the first look, %.8s… at the last", a.RunID.Value, b.RunID.Value)
		x.says = "restarted while watched; whether this lock was lost with it is not shown"
		if change == otherUnsure {
			x.says = "another run_id answers, restarted or another node; whether this lock was lost with it is not shown"
		}
		return true // the key is there, or was released: a finding, and a doubt
	}
	if c.cameUpEmpty(x) {
		return true
	}
	if len(c.s.Node.Infos) == 0 || c.seen || c.leaseHi == 0 || c.clockIs.Value == off {
		return false
	}
	up, known := c.s.Node.Infos[0].Uptime.Get()
	if !known || up < 0 || time.Duration(up)*time.Second >= c.leaseHi {
		return false
	}
	c.unpresumed = true
	x.cite(c.read("uptime_in_seconds"), "%d s at the first look, less than a lease", up)
	x.says = fmt.Sprintf("up for %d s only: a restart may have lost the key", up)
	return true
}

// cameUpEmpty: the server's log tells that every key was lost in this lease's
// life. Whether this lock was among them no look shows.
func (c *incident) cameUpEmpty(x *exam) bool {
	n, ok := c.sinceRenewed(evidence.NoticeNoKeys)
	if !ok || c.seen && !c.lost.late {
		return false
	}
	c.unpresumed = true
	x.cite(n.Source, "%s: it came up and had loaded nothing", clockTime(n.on))
	x.says = "came up without any key " + moment(n.on) + "; whether this lock was lost with them is not shown"
	return true
}
