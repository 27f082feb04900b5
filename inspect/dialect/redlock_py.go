package dialect

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// SPSCommerce/redlock-py: 22 letters and digits under a key of the caller's, on
// every server of the set. It cannot extend.
func redlockPy() Dialect {
	return Dialect{Name: "redlock-py", Keys: verbatim, Clients: []string{"redis-py"}, Recognise: func(s Shape) Reading {
		if s.Type != "string" || s.Endless || !of(s.Value, 22, alnum) {
			return misfit // value and expiry are set by one command
		}
		r := Reading{
			Fit: evidence.Possible, Because: []string{"the value is 22 letters and digits, and the key expires"},
			Dialect: evidence.Dialect{
				Form: "lock", Renews: evidence.NeverRenews, Holders: []evidence.Locker{{Text: s.Value}},
				Release: "Compare the value on every server of the set, and delete only where it is the same. Nothing extends the lease, so it also ends by itself; the holder is not told either way.",
			},
		}
		// 16 bytes in base64 leave four bits unused: the last letter is one of four.
		if !strings.ContainsAny(s.Value[21:], "AQgw") {
			r.Because = append(r.Because, "its end is not that of 16 bytes in base64, as redislock's would be")
		}
		return r
	}}
}
