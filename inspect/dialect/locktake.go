package dialect

import "github.com/lockscene/lockscene/evidence"

// StackExchange.Redis LockTake: a conditional SET with an expiry, key and value the
// caller's. LockExtend and LockRelease watch the key and compare; there is no
// script to be seen. Of all the values that callers choose only a UUID is read
// here: anything else looks like anybody's.
func lockTake() Dialect {
	return Dialect{Name: "StackExchange.Redis", Keys: verbatim, Clients: []string{"SE.Redis"}, Recognise: func(s Shape) Reading {
		if _, ok := uuid(s.Value); s.Type != "string" || s.Endless || !ok {
			return misfit
		}
		return Reading{
			Fit: evidence.Possible, Because: []string{"the value is a UUID, which callers of LockTake often choose, and the key expires"},
			Dialect: evidence.Dialect{
				Form: "lock", Renews: evidence.ByCall,
				Holders: []evidence.Locker{{Text: s.Value}},
				Release: "The value is the program's choice and may be one for its whole life: compare it before the delete, and know that the same program may have taken the lock anew.",
			},
		}
	}}
}
