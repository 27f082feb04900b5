package dialect

import "github.com/lockscene/lockscene/evidence"

// mike-marcacci/node-redlock, the npm package redlock: 16 random bytes in
// hexadecimal under one or several keys, on every server of the set. Only using()
// extends, shortly before the end.
func nodeRedlock() Dialect {
	return Dialect{Name: "redlock", Keys: verbatim, Scripts: []string{"node-redlock"}, Clients: []string{"ioredis"}, Recognise: func(s Shape) Reading {
		if s.Type != "string" || s.Endless || !of(s.Value, 32, lowerHex) {
			return misfit // value and expiry are set by one command
		}
		if _, _, python := redisPyToken(s); python {
			return misfit // one of its own in thousands looks so, redis-py's always do
		}
		return Reading{
			Fit: evidence.Possible, Because: []string{"the value is 32 hexadecimal digits, and the key expires"},
			Dialect: evidence.Dialect{
				Form: "lock", Renews: evidence.ByCall, Holders: []evidence.Locker{{Text: s.Value}},
				Notes: []string{"inside using() the library extends it by itself, when 500 ms are left by default: a lease that falls that low is normal there"},
				Release: "One value stands in every key that was locked together, and on every server of the set: compare it on each, and delete only where it is the same. " +
					"The holder is not told: its next extend or release fails for want of a quorum.",
			},
		}
	}}
}
