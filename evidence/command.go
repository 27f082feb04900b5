package evidence

import "strings"

// A Verb is what a Redis command may mean for a lock.
type Verb string

const (
	Renews   Verb = "renew"   // can extend an expiry or take the lock
	Releases Verb = "release" // can remove the key
	Either   Verb = "either"  // a script or transaction: its body decides
	NoVerb   Verb = ""        // cannot touch a lock
)

// VerbOf classes a command as CLIENT LIST and SLOWLOG name it: from Redis 7.0
// with its subcommand behind a bar.
func VerbOf(cmd string) Verb {
	cmd, _, _ = strings.Cut(strings.ToLower(cmd), "|")
	switch cmd {
	case "set", "setex", "psetex", "setnx", "getset", "getex", "msetnx", "persist",
		"expire", "pexpire", "expireat", "pexpireat", "hset", "hincrby", "hexpire", "hpexpire":
		return Renews
	case "del", "unlink", "getdel", "hdel", "delex":
		return Releases
	case "eval", "evalsha", "fcall", "exec":
		return Either
	}
	return NoVerb
}
