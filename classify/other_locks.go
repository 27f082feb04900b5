package classify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// How far a holder's trouble reaches: which other locks its connection is seen to
// take and to renew.

func otherLockRules() []rule {
	return []rule{
		{"holds-other-locks", "Whatever befell the holder befell all of its locks: look at each before anybody acquires it, and release none by hand for the sake of one.", holdsOthers},
	}
}

func holdsOthers(c *incident, _ evidence.Verdict) evidence.Finding {
	names, unnamed := c.locksInSlowlog()
	switch {
	case len(names) > 0:
		return found(evidence.Notice, c.read("slowlog"), fmt.Sprintf("its connection took or renewed %s too: %s", plural(len(names), "other lock"), quoteSome(names)))
	case unnamed > 0:
		return found(evidence.Notice, c.read("slowlog"), fmt.Sprintf("its connection took or renewed %s too; --full keeps their names", plural(unnamed, "other lock")))
	}
	return nothing()
}

// locksInSlowlog are the other locks of the connections that are the owner's, or that
// the server served as this lock's holder. Those that were not kept in full have
// numbers only.
func (c *incident) locksInSlowlog() (names []string, unnamed int) {
	own := map[string]bool{}
	for _, list := range c.s.Node.Clients {
		for _, k := range c.connections(list) {
			own[k.Addr] = true
		}
	}
	for _, h := range c.holdings() {
		if h.party != "" && h.party == c.first.Holder {
			own[h.Actor] = true
		}
	}
	delete(own, "")
	numbers := map[int]bool{}
	for _, e := range c.s.Node.Slowlog.Or(nil) {
		switch key := scriptsKey(e); {
		case !own[e.Client], e.Deed != evidence.DeedAcquire && e.Deed != evidence.DeedRenew:
		case e.Lock > 0:
			numbers[e.Lock] = true
		case !e.Withheld && key != "" && key != c.s.Subject.Key && !slices.Contains(names, key):
			names = append(names, key)
		}
	}
	return names, len(numbers)
}

// scriptsKey is the key that a script was given, of one that is known as a lock's.
func scriptsKey(e evidence.SlowEntry) string {
	if len(e.Args) > 3 && strings.HasPrefix(strings.ToLower(e.Args[0]), "eval") && e.Args[2] != "0" {
		return e.Args[3]
	}
	return ""
}

// quoteSome lists the first few.
func quoteSome(names []string) string {
	const most = 4
	var out []string
	for _, n := range names[:min(len(names), most)] {
		out = append(out, quote(n))
	}
	if more := len(names) - most; more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, ", ")
}
