package classify

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// localElsewhere says whether an address only means this server where somebody
// asked it, in a container or on another host than the owner's: on the owner's it
// would be another server, or none.
func (c *incident) localElsewhere(addr string) bool {
	if c.reckoned() == nil || !loopback(addr) && !strings.HasPrefix(addr, "/") {
		return false
	}
	first := c.s.Vantages[0]
	if first.Remote == "" && !strings.HasPrefix(addr, "/") {
		return true // it was asked within a container
	}
	if first.Host == "" {
		return false // nobody said where
	}
	return first.Name != "owner" || slices.ContainsFunc(c.s.Looks, func(l evidence.Look) bool { return l.Vantage != "" && l.Vantage != first.Name })
}
