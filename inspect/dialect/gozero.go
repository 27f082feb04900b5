package dialect

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// zeromicro/go-zero RedisLock: a key of the caller's, 16 random letters and digits
// that one RedisLock object keeps for its life. Acquiring again with the same
// object is the only renewal.
func goZero() Dialect {
	return Dialect{Name: "go-zero", Keys: verbatim, Clients: []string{"go-redis"}, Recognise: func(s Shape) Reading {
		if s.Type != "string" || s.Endless || !of(s.Value, 16, alnum) {
			return misfit // its one script sets value and expiry together: never one without the other
		}
		r := Reading{
			Fit: evidence.Possible, Because: []string{"the value is 16 letters and digits, and the key expires"},
			Dialect: evidence.Dialect{
				Form: "lock", Renews: evidence.ByCall,
				Holders: []evidence.Locker{{Text: s.Value}},
				Release: "Compare the whole value before the delete. One RedisLock object uses the same value for all it acquires: it may have let go and taken the lock again since the value was read.",
			},
		}
		// The seconds of SetExpire, none by default, and always half a second more.
		if s.Left > 0 && s.Left <= 500*time.Millisecond {
			r.Dialect.Notes = append(r.Dialect.Notes, "never more than 500 ms were left: all that go-zero gives without SetExpire")
		}
		return r
	}}
}
