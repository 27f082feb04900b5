package dialect

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Laravel's Cache::lock: 16 random letters and digits behind the connection's prefix
// and the cache's. Without seconds it has no expiry. The framework itself locks
// unique jobs, jobs that must not overlap, and scheduled commands. Nothing extends
// but refresh().
func laravel() Dialect {
	return Dialect{Name: "laravel", Keys: laravelKeys, Clients: phpClients(), Recognise: func(s Shape) Reading {
		if s.Type != "string" {
			return misfit
		}
		owner, wrapped := laravelOwner(s.Value)
		use := laravelUse(s.Key)
		prefix := laravelPrefix(s.Key)
		if owner == "" {
			return laravelFunnel(s, prefix)
		}
		r := Reading{
			Fit: evidence.Possible, Because: []string{"the value is 16 letters and digits"},
			Dialect: evidence.Dialect{
				Form: "lock", Renews: evidence.ByCall, Endless: true, Holders: []evidence.Locker{{Text: owner}},
				Release: "Compare the whole value, as it is in Redis, before the delete; Laravel's forceRelease does not compare. " +
					"A unique job holds its lock from the dispatch on: it may be waiting in a queue or for a retry, and no process need be at work.",
			},
		}
		if prefix != "" {
			r.Fit, r.Because = evidence.FitsWell, append(r.Because, prefix)
		}
		if wrapped {
			// The cache serializes what it keeps, but not the locks: the client may.
			r.Fit = evidence.Possible
			r.Dialect.Notes = append(r.Dialect.Notes, "a serializer has wrapped the value: a cached text of 16 letters and digits looks the same")
		}
		if use.form != "" {
			d := &r.Dialect
			r.Fit, r.Because = evidence.Certain, append(r.Because, "the name is the framework's own for a "+use.form)
			d.Form, d.Lease, d.Renews, d.Notes = use.form, use.lease, evidence.NeverRenews, []string{use.note}
		}
		return r
	}}
}

// laravelKeys: the prefixes are made of the application's name, here the default.
func laravelKeys(name string) []string {
	return []string{
		"laravel-database-laravel-cache-" + name, "laravel_database_laravel_cache_" + name,
		"laravel_database_laravel_cache:" + name, name,
	}
}

// laravelPrefix says which prefix a key has, of any application; empty: none.
func laravelPrefix(key string) string {
	for _, p := range []struct{ database, cache, since string }{
		{"-database-", "-cache-", ", as by default since version 13"},
		{"_database_", "_cache", ", as by default before version 13"},
	} {
		head, rest, ok := strings.Cut(key, p.database)
		if ok && (head == "laravel" || head != "" && strings.Contains(rest, p.cache)) {
			return "the key has the prefixes of Laravel's connection and cache" + p.since
		}
	}
	for _, p := range []string{"laravel-cache-", "laravel_cache"} {
		if strings.HasPrefix(key, p) {
			return "the key has the prefix of Laravel's cache"
		}
	}
	return ""
}

// laravelOwner takes the owner out of a value, and out of what the serializers of
// phpredis make of it. Empty: it is none.
func laravelOwner(value string) (owner string, wrapped bool) {
	for _, w := range []struct{ head, tail string }{
		{"s:16:\"", "\";"},               // PHP's own
		{"\x00\x00\x00\x02\x11\x10", ""}, // igbinary
		{"\xb0", ""},                     // MessagePack
		{"\"", "\""},                     // JSON
	} {
		rest, ok1 := strings.CutPrefix(value, w.head)
		bare, ok2 := strings.CutSuffix(rest, w.tail)
		if ok1 && ok2 && of(bare, 16, alnum) {
			return bare, true
		}
	}
	if of(value, 16, alnum) {
		return value, false
	}
	return "", false
}

// A laravelLock is what the framework itself uses a lock for.
type laravelLock struct {
	form  string
	lease time.Duration
	note  string
}

// laravelUse reads a name that the framework makes.
func laravelUse(key string) laravelLock {
	const schedule = "framework/schedule-"
	switch {
	case strings.Contains(key, "laravel_unique_job:"):
		return laravelLock{form: "unique job", note: "it is held from the dispatch until the job is done, has failed or begins: the job may only be waiting"}
	case strings.Contains(key, "laravel-queue-overlap:"):
		return laravelLock{form: "job that must not overlap", note: "a job that finds it held goes back to its queue: waiters are not counted"}
	}
	_, rest, ok := strings.Cut(key, schedule)
	if !ok || len(rest) < 40 || !of(rest[:40], 40, lowerHex) {
		return laravelLock{}
	}
	switch tail := rest[40:]; {
	case tail == "":
		return laravelLock{"scheduled command", 24 * time.Hour, "it is held while the command runs; after a crash the command does not run until the lease ends"}
	case of(tail, 4, "0123456789"):
		return laravelLock{"scheduled command on one server", time.Hour, "it is left to expire on purpose, so that one server runs the command of this minute: nobody need hold it"}
	}
	return laravelLock{}
}

// laravelFunnel is one slot of a funnel: NAME and its number, a value of 20 letters
// and digits.
func laravelFunnel(s Shape, prefix string) Reading {
	if prefix == "" || !of(s.Value, 20, alnum) || strings.TrimRight(s.Key, "0123456789") == s.Key {
		return misfit
	}
	return Reading{
		Fit: evidence.FitsWell, Because: []string{"the value is 20 letters and digits, the key ends in a number", prefix},
		Dialect: evidence.Dialect{
			Form: "slot of a funnel", Renews: evidence.NeverRenews, Holders: []evidence.Locker{{Text: s.Value}},
			Release: "This is one slot of several, NAME and its number. Compare the whole value before the delete; a slot also comes free when its lease ends.",
		},
	}
}
