package classify

import (
	"fmt"
	"regexp"

	"github.com/lockscene/lockscene/evidence"
)

func leaseRules() []rule {
	return []rule{
		{"no-lease", "Give every acquire an explicit expiry; a lock without one survives its owner for ever.", noLease},
		{"lease-too-long", "A lease longer than the contract's maximum only widens the time nobody can work after a crash.", leaseTooLong},
		{"ttl-unit-error", "Check the unit of the expiry: seconds given where milliseconds were meant, or the reverse.", ttlUnit},
		{"no-owner-identity", "Write host, pid and a random token into the lock's value: without them nobody can tell whose it is.", noIdentity},
		{"no-fencing-token", "Let every acquire return a number that grows, and let the protected resource refuse a smaller one.", noToken},
		{"wrong-type", "The key holds something other than a lock; keep locks and other data under different names.", wrongType},
		{"cache-collision", "A cached page under a lock's name: keep lock state and cache state apart, or expiry and eviction of one will pass for release of the other.", cacheCollision},
		{"contested", "Fence the resource first: until the first holder has stopped or seen its loss, both may write.", contestedRule},
		{"stale-holder", "Confirm that the owner cannot come back before anything is released by hand.", staleHolder},
	}
}

func noLease(c *incident, _ evidence.Verdict) evidence.Finding {
	if d, ok := c.dialect(); ok && d.Endless && c.endless() {
		return found(evidence.Warning, c.read("pttl"), "the key has no expiry, which is usual for "+libraries(d)+": if its owner dies, it stays")
	}
	if c.endless() {
		return found(evidence.Critical, c.read("pttl"), "the key has no expiry: if its owner dies, it stays")
	}
	return nothing()
}

// leaseTooLong: longer than the contract's maximum, or, where none is stated, more
// left than twice the contract's lease. A factor of about 1000 is another finding,
// and so is a clock that went back.
func leaseTooLong(c *incident, v evidence.Verdict) evidence.Finding {
	most, lease := c.s.Contract.LeaseMax, c.s.Contract.Lease
	if most > 0 && c.leaseLo > most {
		return found(evidence.Warning, c.read("pexpiretime"), fmt.Sprintf("the lease is %s, the contract allows %s", round(c.leaseLo), round(most)))
	}
	if most > 0 || lease == 0 || v.Answers.Clock.Value == off {
		return nothing()
	}
	if left := lease + c.tooMuchLeft(); left > 2*lease && left <= 300*lease {
		return found(evidence.Warning, c.read("pttl"), fmt.Sprintf("%s is left of a lease of %s: it was taken for longer than the contract says, unless Redis's clock went back", round(left), lease))
	}
	return nothing()
}

// ttlUnit: more left than the contract's lease by a factor of about 1000, or
// the reverse. A clock that went back looks similar and is judged elsewhere.
func ttlUnit(c *incident, v evidence.Verdict) evidence.Finding {
	lease := c.s.Contract.Lease
	if lease == 0 || !c.first.Ends.Known() || v.Answers.Clock.Value == off {
		return nothing()
	}
	left := c.first.Ends.From.Sub(c.first.Now.To)
	if left > 300*lease && left < 1100*lease {
		return found(evidence.Warning, c.read("pttl"), fmt.Sprintf("%s is left of a lease of %s: seconds and milliseconds may have been mixed up", round(left), lease))
	}
	return nothing()
}

func noIdentity(c *incident, _ evidence.Verdict) evidence.Finding {
	if !c.seen || c.first.Holder == "" || evidence.NamedIn(c.first.Holder).Pid > 0 || len(c.first.Holder) >= 16 {
		return nothing()
	}
	if _, known := c.dialect(); known {
		return nothing()
	}
	return found(evidence.Warning, c.read("value"), "the value "+quote(c.first.Holder)+" does not say who holds the lock")
}

// number is a run of digits that can be a fencing token: not a pid or a part of
// a hexadecimal word.
func number() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[:|/,; ])(?:fence|token|epoch|seq)[=:]?(\d+)(?:$|[:|/,; ])`)
}

func noToken(c *incident, _ evidence.Verdict) evidence.Finding {
	if !c.seen || c.first.Holder == "" || number().MatchString(c.first.Holder) {
		return nothing()
	}
	severity := evidence.Notice
	if c.s.Contract.NeedsToken {
		severity = evidence.Warning
	}
	d, known := c.dialect()
	switch {
	case known && d.FencedBy != "":
		return nothing() // the library keeps it in a key of its own
	case known:
		return found(severity, c.read("value"), libraries(d)+": nothing of this lock is a number that a resource could compare")
	}
	return found(severity, c.read("value"), "the value carries no number that a resource could compare")
}

func wrongType(c *incident, _ evidence.Verdict) evidence.Finding {
	_, known := c.dialect()
	for _, l := range c.s.Looks {
		switch t, ok := l.Type.Get(); {
		case !ok:
		case known: // some libraries keep locks as sorted sets
		case t != "string" && t != "hash":
			return found(evidence.Warning, c.read("type"), "the key is a "+quote(t)+", which no known lock is")
		}
	}
	return nothing()
}

func cacheCollision(c *incident, _ evidence.Verdict) evidence.Finding {
	_, known := c.dialect()
	for _, l := range c.s.Looks {
		if n, ok := l.Length.Get(); ok && n > 4096 {
			return found(evidence.Warning, c.read("strlen"), fmt.Sprintf("the value has %d bytes: a lock's has some tens", n))
		}
		if f, ok := l.Fields.Get(); ok && len(f) >= 3 && !known {
			return found(evidence.Warning, c.read("hgetall"), fmt.Sprintf("the hash has %d fields: a lock's has one a holder", len(f)))
		}
	}
	return nothing()
}

func contestedRule(c *incident, v evidence.Verdict) evidence.Finding {
	a, b, twice := c.twice()
	if twice && (v.State == evidence.Contested || !b.sure) {
		if s, ok := c.splitBrain(); !ok || !s.proven {
			return c.tookInside(a, b)
		}
	}
	if v.State != evidence.Contested {
		return nothing()
	}
	if s, ok := c.splitBrain(); ok && s.proven {
		return found(evidence.Critical, c.read("value"), quote(c.first.Holder)+" and "+quote(s.holder)+" hold the lock on two masters")
	}
	return found(evidence.Critical, c.read("value"), quote(c.nextHolder())+" holds the lock while its former holder is not known to be gone")
}

// tookInside is a lock that b took, or was served, inside the lease of a.
func (c *incident) tookInside(a, b recorded) evidence.Finding {
	severity, presuming := presumably(b)
	did, logged := "acquired", b.Source == c.read("slowlog")
	if logged {
		did = "held"
	}
	if logged && !b.sure {
		presuming = "; that log may lack a release in between"
	}
	return found(severity, b.Source, fmt.Sprintf("%s %s it at %s, inside the lease of %s%s", quote(b.party), did, clockTime(b.At), quote(a.party), presuming))
}

func staleHolder(c *incident, v evidence.Verdict) evidence.Finding {
	if v.State != evidence.StaleHolder {
		return nothing()
	}
	return found(evidence.Warning, c.read("value"), "the lock is held in the name of an owner that is "+v.Answers.Owner.Value)
}
