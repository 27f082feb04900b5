package classify

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// coordinator answers: did Redis keep its promise to this lock? It broke it only
// when this key suffered in this lease's life and there is a reason why: a
// restart, a promotion, an eviction, a stall, refused writes. A failover that
// left the key alone, or a counter that is merely large, is a finding.
func (c *incident) coordinator() evidence.Answer {
	x := ask(kept, broke)
	infos := c.s.Node.Infos
	switch {
	case c.divided(x):
	case c.majorityLost(x):
	case c.majorityOpen(x):
	case c.perhapsDivided(x):
	case c.restarted(x):
	case c.wiped(x):
	case c.evicted(x):
	case c.promoted(x):
	case c.busy(x):
	case c.refusing(x):
	case c.unanswered(x):
	case c.carriedOver(x):
	case c.young(x):
	default:
		c.keptPromise(x, infos)
	}
	c.saysOfZones(x)
	c.coordIs = x.answer()
	return c.coordIs
}

// hurt says whether the key was lost before its end while it was watched, and
// not by a release that was seen.
func (c *incident) hurt() bool { return c.lost.yes && !c.lost.late && c.leaseIs.Value != released }

func (c *incident) ends() (first, last evidence.Info, ok bool) {
	n := len(c.s.Node.Infos)
	if n < 2 {
		return evidence.Info{}, evidence.Info{}, false
	}
	return c.s.Node.Infos[0], c.s.Node.Infos[n-1], true
}

// counters are the first INFO and the last where both are of one run of one server:
// what each counts since it began can be held against the other.
func (c *incident) counters() (first, last evidence.Info, ok bool) {
	first, last, ok = c.ends()
	_, handed := c.handover()
	return first, last, ok && !handed && turnedOver(first, last) == sameServer
}

// evicted: the key went before its end while evicted_keys grew under a policy
// that may take keys with an expiry. The counter never names its victims, so
// this stays an inference.
func (c *incident) evicted(x *exam) bool {
	a, b, ok := c.counters()
	e1, ok1 := a.Evicted.Get()
	e2, ok2 := b.Evicted.Get()
	policy, okPolicy := need(x, b.Policy, c.read("maxmemory_policy"))
	spared := c.lost.before.Endless && strings.HasPrefix(policy, "volatile-")
	if !ok || !ok1 || !ok2 || e2 <= e1 || policy == "noeviction" || spared || !c.hurt() {
		return false
	}
	if c.leaseIs.Value != lost || !okPolicy {
		// Its holder may have released it in the same moment: then nothing was
		// broken. Both stay open, and neither is presumed.
		c.unpresumed = true
		x.cite(c.read("evicted_keys"), "%d at the first look, %d at the last, policy %s; whether the key was among them or was released is not shown", e1, e2, quote(policy))
		x.says = "evicted keys while the key went; whether it was one of them is not shown"
		return true
	}
	c.cause = "evicted"
	x.only(broke)
	x.source("info")
	x.cap = true
	x.cite(c.read("evicted_keys"), "%d at the first look, %d at the last, policy %s", e1, e2, quote(policy))
	if c.lost.before.Ends.Known() {
		left := c.lost.before.Ends.From.Sub(c.lost.at.To)
		x.cite(c.read("pexpiretime"), "the key went %s before its end", round(left))
	}
	x.says = fmt.Sprintf("evicted %s (policy %s) while the key went before its end", plural(int(e2-e1), "key"), quote(policy))
	return true
}

// keptPromise: the same server all along, or one that has been up for longer
// than the lease's life, and never promoted in it.
func (c *incident) keptPromise(x *exam, infos []evidence.Info) {
	if len(infos) == 0 && c.keptByHistory(x) {
		return
	}
	if len(infos) == 0 {
		x.miss(c.read("run_id"), c.silenceStatus(), c.silenceWhy())
		x.says = "not known: INFO was not read"
		return
	}
	a, b := infos[0], infos[len(infos)-1]
	id, ok := need(x, b.RunID, c.read("run_id"))
	uptime, okUp := need(x, b.Uptime, c.read("uptime_in_seconds"))
	if !ok {
		return
	}
	// What happened before the first look left no trace in the looks since.
	same := len(infos) >= 2 && a.RunID.State == evidence.Seen && a.RunID.Value == id && !c.neverThere()
	life := 2 * c.leaseHi
	if life == 0 && c.endless() {
		life = 2 * c.untouched() // nobody has touched it for so long: taken before that
	}
	old := okUp && life > 0 && seconds(uptime) > life && c.clockIs.Value != off
	if !same && !old {
		x.says = "looked at once; whether it was restarted in this lease's life is not shown"
		return
	}
	if c.isReplica() {
		x.says = "a replica answered: what its master did is not shown"
		return
	}
	if n, seen := b.SecondOff.Get(); seen && n >= 0 && c.neverThere() {
		x.says = "it was a replica once; whether the key was lost when it was promoted is not shown"
		return
	}
	if slices.Contains(c.leaseIs.Possible, lost) && c.evictionOpen(x) {
		x.says = "the same server, but whether it evicted the key is not shown"
		return
	}
	x.only(kept)
	x.source("info")
	x.cap = x.cap || refusesWrites(c, evidence.Verdict{}).Severity != "" // somebody was refused: not this lock, as far as it goes
	x.cite(c.read("run_id"), "%.8s…, up %s", id, seconds(uptime).String())
	if c.olderConnections() {
		x.source("client ages")
	}
	x.says = c.keptSays(a, b, same)
}

// untouched is how long nobody had touched the key at the first look that says.
func (c *incident) untouched() time.Duration {
	for _, l := range c.s.Looks {
		if idle, ok := l.Idle.Get(); ok && idle > 0 && idle < 1<<23 {
			return seconds(idle)
		}
	}
	return 0
}

func (c *incident) keptSays(a, b evidence.Info, same bool) string {
	says := "up for longer than the lease"
	if same {
		says = "same run_id"
	}
	if c.promotedLong(b) {
		says += ", no failover"
	}
	if !same && c.neverEvicted(b) {
		says += ", nothing evicted"
	}
	if e1, ok1 := a.Evicted.Get(); ok1 {
		if e2, ok2 := b.Evicted.Get(); ok2 && e1 == e2 && same {
			says += ", evicted_keys unchanged"
		}
	}
	return says
}

func (c *incident) promotedLong(b evidence.Info) bool {
	n, ok := b.SecondOff.Get()
	return ok && n == -1
}

// evictionOpen keeps eviction possible when a key was lost and the counter or
// the policy could not be read.
func (c *incident) evictionOpen(x *exam) bool {
	a, b, ok := c.ends()
	if !ok && len(c.s.Node.Infos) == 1 {
		a, b = c.s.Node.Infos[0], c.s.Node.Infos[0]
	}
	if p, seen := b.Policy.Get(); seen && p == "noeviction" {
		return false
	}
	if limit, seen := b.MaxMemory.Get(); seen && limit == 0 {
		return false
	}
	if p, _ := b.Policy.Get(); c.lost.before.Endless && strings.HasPrefix(p, "volatile-") {
		return false // these policies spare keys without an expiry
	}
	if c.neverEvicted(b) {
		return false
	}
	e1, ok1 := need(x, a.Evicted, c.read("evicted_keys"))
	e2, ok2 := need(x, b.Evicted, c.read("evicted_keys"))
	if !c.lost.yes {
		return !ok2 || e2 != 0 // it went before the first look: any eviction may have been this one
	}
	return !ok || !ok1 || !ok2 || e1 != e2
}

// neverEvicted says whether a server that was up already when the key was last seen
// has evicted nothing since it began, by an INFO from after the loss: then nothing
// was evicted in between either.
func (c *incident) neverEvicted(i evidence.Info) bool {
	n, ok := i.Evicted.Get()
	began, up := c.beganBy(i)
	return c.lost.yes && ok && n == 0 && up && began.Before(c.lost.before.Now) && c.after(i.Span, c.spanOf(c.lost.after))
}

// olderConnections: a connection of another client that is older than the lease
// shows that the server has not been restarted since.
func (c *incident) olderConnections() bool {
	if c.leaseHi == 0 {
		return false
	}
	lists := c.s.Node.Clients
	for _, list := range lists {
		for _, k := range list.Clients.Or(nil) {
			if seconds(k.Age) > c.leaseHi {
				return true
			}
		}
	}
	// Or one connection that both lists show: it outlived the watch.
	if len(lists) >= 2 {
		for _, k := range lists[0].Clients.Or(nil) {
			for _, o := range lists[len(lists)-1].Clients.Or(nil) {
				if k.ID == o.ID {
					return true
				}
			}
		}
	}
	return false
}
