package dialect

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// pottery's Redlock: redlock:NAME with a random UUID, on every server of the set.
// The program may extend it three times.
func pottery() Dialect {
	keys := func(name string) []string { return []string{potteryPrefix + name} }
	return Dialect{Name: "pottery", Keys: keys, Clients: []string{"redis-py"}, Recognise: func(s Shape) Reading {
		name, named := strings.CutPrefix(s.Key, potteryPrefix)
		version, ok := uuid(s.Value)
		if s.Type != "string" || s.Endless || !named || name == "" || !ok || version != 4 {
			return misfit // value and expiry are set by one command
		}
		return Reading{
			Fit: evidence.FitsWell, Because: []string{"the value is a random UUID, the prefix redlock"},
			Dialect: evidence.Dialect{
				Form: "lock, on a quorum of servers", Lease: potteryLease, Renews: evidence.ByCall,
				Holders: []evidence.Locker{{Text: s.Value}}, Notes: potteryNotes(s.Left),
				Release: "Compare the value on every server of the set, and delete only where it is the same. By default the lease is 10 s and may be extended three times, so it soon ends by itself; a holder that comes back then is told that it holds nothing.",
			},
		}
	}}
}

const (
	potteryPrefix = "redlock:"
	potteryLease  = 10 * time.Second
)

func potteryNotes(left time.Duration) []string {
	if left > potteryLease {
		return []string{"more than pottery's 10 s were left: if it is pottery's, with a lease of its own"}
	}
	return nil
}
