package dialect

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// go-redsync/redsync: a key of the caller's, a value of random bytes, the same
// on every server of a quorum. Nothing renews but Extend.
func redsync() Dialect {
	return Dialect{Name: "redsync", Keys: verbatim, Clients: []string{"go-redis", "rueidis"}, Recognise: func(s Shape) Reading {
		if s.Type != "string" || !base64Of(s.Value, 16) {
			return misfit // 32 bytes before v1.2: the shape of others too, and years ago
		}
		return Reading{
			Fit: evidence.FitsWell, Because: []string{"the value is 16 random bytes in base64"},
			Dialect: evidence.Dialect{
				Form: "lock", Lease: 8 * time.Second, Renews: evidence.ByCall,
				Holders: []evidence.Locker{{Text: s.Value}},
				Release: "redsync deletes the key only where it still has the holder's value, on every server of the set: compare first, on each.",
			},
		}
	}}
}

// base64Of says whether s is standard base64, padded, of so many bytes.
func base64Of(s string, bytes int) bool {
	b, ok := decode64(s)
	return ok && len(b) == bytes && strings.HasSuffix(s, "=") == (bytes%3 != 0)
}
