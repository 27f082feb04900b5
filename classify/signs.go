package classify

import (
	"fmt"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// Signs of life that a library keeps in Redis: Sidekiq's and asynq's processes write
// a beat, and a server's lease on a task is one. A beat shows that a process lived
// and reached Redis, never that its worker works. One that is gone tells nothing of
// why: the dead, the stalled and the cut off are silent alike.

// signsOfHolder are those of the process that the lock, its library or the responder
// names, and of whoever holds it by the library's own word.
func (c *incident) signsOfHolder() []evidence.Alive {
	var out []evidence.Alive
	for _, a := range c.s.Dialect.Value.Alive {
		if a.Holder || c.signNames(a) {
			out = append(out, a)
		}
	}
	return out
}

func (c *incident) signNames(a evidence.Alive) bool {
	if a.Pid == 0 || a.Host == "" {
		return false
	}
	is := func(host string, pid int) bool { return pid == a.Pid && sameHost(host, a.Host) }
	if n := evidence.NamedIn(c.first.Holder); is(n.Host, n.Pid) {
		return true
	}
	if c.owner != nil && c.owner.same != another && is(c.localHost(), c.owner.proc.Pid) {
		return true
	}
	for _, h := range c.s.Dialect.Value.Holders {
		if is(h.Host, h.Pid) {
			return true
		}
	}
	return false
}

// sameHost compares two host names, of which one may be given in full.
func sameHost(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return a != "" && b != "" && (a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+"."))
}

// beatReaches finds a sign whose latest beat came after T*, or, while nothing was
// missed, within two of its intervals.
func (c *incident) beatReaches() (evidence.Alive, bool) {
	for _, a := range c.signsOfHolder() {
		at := evidence.At(a.Beat, c.skew(), evidence.Coordinator)
		switch {
		case a.Dead, a.Beat.IsZero():
		case c.missedOne() && c.when.Known() && at.After(c.when):
			return a, true
		case !c.missedOne() && a.Every > 0 && c.now.Known() && c.now.To.Sub(at.From) <= 2*a.Every+c.skew():
			return a, true
		}
	}
	return evidence.Alive{}, false
}

// ownerBySign: nobody could look at the process, but it beats.
func (c *incident) ownerBySign(x *exam) bool {
	a, ok := c.beatReaches()
	if !ok {
		return false
	}
	x.exclude(gone)
	x.cap = true // by its own clock, and by the library's word
	x.source("sign of life")
	x.cite(c.read("companions"), "%s: latest beat %s", quote(a.Who), evidence.FormatTime(a.Beat))
	x.says = quote(a.Who) + " beats; whether it works is not shown"
	return true
}

// pathBySign: a beat that was written after T* reached the coordinator.
func (c *incident) pathBySign(x *exam) bool {
	a, ok := c.beatReaches()
	if !ok || !c.missedOne() {
		return false
	}
	x.only(up)
	x.cap = true
	x.source("sign of life")
	x.cite(c.read("companions"), "the beat of %s reached it at %s", quote(a.Who), evidence.FormatTime(a.Beat))
	x.says = "the beat of " + quote(a.Who) + " got through"
	return true
}

func signRules() []rule {
	return []rule{
		{"no-sign-of-life", "The library itself has lost its holder: look at that process and its host before the lock. The library's own recovery may be under way already.", noSign},
	}
}

func noSign(c *incident, _ evidence.Verdict) evidence.Finding {
	for _, a := range c.signsOfHolder() {
		if a.Dead {
			return found(evidence.Warning, c.read("companions"), fmt.Sprintf("%s: %s", quote(a.Who), quote(a.Text)))
		}
	}
	return nothing()
}
