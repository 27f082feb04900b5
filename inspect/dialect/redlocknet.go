package dialect

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// samcook/RedLock.net: redlock:NAME with a random UUID, the same on every server of
// a quorum. A timer of the process extends it at half of the lease, unasked.
func redlockNet() Dialect {
	keys := func(name string) []string { return []string{"redlock:" + name, name} }
	return Dialect{Name: "RedLock.net", Keys: keys, Clients: []string{"SE.Redis"}, Recognise: func(s Shape) Reading {
		version, ok := uuid(s.Value)
		if s.Type != "string" || s.Endless || !ok || version != 4 {
			return misfit
		}
		r := Reading{
			Fit: evidence.Possible, Because: []string{"the value is a random UUID, and the key expires"},
			Dialect: evidence.Dialect{
				Form: "lock, on a quorum of servers", Share: 0.5, Renews: evidence.ByItself,
				Holders: []evidence.Locker{{Text: s.Value}},
				Release: "Stop the holder first: its timer sets a key that is gone again, and so takes back what was released. Then compare the value on every server of the set, and delete it where it is the same.",
			},
		}
		// The prefix is pottery's too; another may be configured.
		if strings.HasPrefix(s.Key, "redlock:") && s.Key != "redlock:" {
			r.Fit, r.Because = evidence.FitsWell, append(r.Because, "its prefix is redlock")
		}
		return r
	}}
}
