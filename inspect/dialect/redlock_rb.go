package dialect

import "github.com/lockscene/lockscene/evidence"

// leandromoreira/redlock-rb: a random UUID under a key of the caller's, on every
// server of the set. Locking anew with the same value extends.
func redlockRb() Dialect {
	// Ruby's clients give no name to the server: one with another name is not theirs.
	return Dialect{Name: "redlock-rb", Keys: verbatim, Clients: []string{"redis-client", "redis-rb"}, Recognise: func(s Shape) Reading {
		version, ok := uuid(s.Value)
		if s.Type != "string" || s.Endless || !ok || version != 4 {
			return misfit // value and expiry are set by one command
		}
		return Reading{
			Fit: evidence.Possible, Because: []string{"the value is a random UUID, and the key expires"},
			Dialect: evidence.Dialect{
				Form: "lock", Renews: evidence.ByCall, Holders: []evidence.Locker{{Text: s.Value}},
				Release: "Compare the value on every server of the set, and delete only where it is the same. A holder that lives may set it again when it extends: by default its extension also takes a lock that is gone.",
			},
		}
	}}
}
