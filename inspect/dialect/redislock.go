package dialect

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// bsm/redislock: a key of the caller's, a token of 16 random bytes as its value,
// and right behind the token whatever the caller calls metadata. Nothing extends
// the lease but Refresh.
func redislock() Dialect {
	return Dialect{Name: "redislock", Keys: verbatim, Scripts: []string{"bsm/redislock"}, Clients: []string{"go-redis"}, Recognise: func(s Shape) Reading {
		token, metadata, ok := redislockToken(s.Value)
		if s.Type != "string" || !ok || caddyLock(s.Key, s.Value) {
			return misfit // Caddy's locks are redislock's too, but whoever asks wants to read of Caddy
		}
		r := Reading{
			Fit: evidence.Possible, Because: []string{"the value begins with 16 random bytes in base64 for addresses"},
			Dialect: evidence.Dialect{
				Form: "lock", Renews: evidence.ByCall,
				Holders: []evidence.Locker{{Text: token, Worker: evidence.Printable(evidence.Clip(metadata, 80))}},
				Release: "The first 22 characters name the holder, the rest is its metadata: compare the whole value. A lock over several keys carries one value in all of them, and is free when none has it.",
			},
		}
		switch {
		case metadata == "" && strings.ContainsAny(token, "-_"):
			r.Fit, r.Because = evidence.FitsWell, []string{"the value is 16 random bytes in base64 for addresses"}
		case metadata == "":
			// Nearly half of the tokens have neither - nor _: redlock-py's look alike.
			r.Because = []string{"the value is 22 letters and digits, which 16 random bytes may be"}
		case strings.ContainsAny(token, "0123456789") && strings.Trim(metadata, alnum+"+/-_=") != "":
			// Text of another alphabet follows: the token ends where it ends.
			r.Fit, r.Because = evidence.FitsWell, append(r.Because, "text follows right behind them")
		}
		return r
	}}
}

// redislockToken parts a value into token and metadata. A token without both
// capital and small letters is not to be expected in a hundred thousand: that
// keeps host names, paths and hexadecimal digits out.
func redislockToken(value string) (token, metadata string, ok bool) {
	const length = 22
	if len(value) < length {
		return "", "", false
	}
	token, metadata = value[:length], value[length:]
	if strings.HasSuffix(metadata, "=") {
		return "", "", false // padded base64 that is longer, or redsync's of the same 16 bytes
	}
	ok = urlBase64(token, 16) && strings.ToLower(token) != token && strings.ToUpper(token) != token
	return token, metadata, ok
}

// pberkel/caddy-storage-redis: Caddy's storage locks through redislock, under
// caddy/locks/NAME. A goroutine of the server that holds one refreshes it.
func caddyStorage() Dialect {
	keys := func(name string) []string { return []string{caddyLocks + name} }
	// No scripts: those of redislock would pass its versions off as this module's.
	return Dialect{Name: "caddy-storage-redis", Keys: keys, Clients: []string{"go-redis"}, Recognise: func(s Shape) Reading {
		if s.Type != "string" || !caddyLock(s.Key, s.Value) {
			return misfit
		}
		return Reading{
			Fit: evidence.Certain, Because: []string{"the key is in Caddy's folder of locks, the value a token of redislock"},
			Dialect: evidence.Dialect{
				Form: "lock of Caddy's storage", Lease: 5 * time.Second, RenewEvery: 3 * time.Second, Renews: evidence.ByItself,
				Holders: []evidence.Locker{{Text: s.Value}},
				Release: "Within 5 s of its holder's end it frees itself; a lease that keeps moving belongs to a Caddy that lives. Delete it only while it has this token: the refresh gives up for good when it finds another, while its Caddy works on.",
			},
		}
	}}
}

// caddyLocks is where the module keeps locks unless its key_prefix is set.
const caddyLocks = "caddy/locks/"

func caddyLock(key, value string) bool {
	_, metadata, ok := redislockToken(value)
	return ok && metadata == "" && strings.HasPrefix(key, caddyLocks) && len(key) > len(caddyLocks)
}
