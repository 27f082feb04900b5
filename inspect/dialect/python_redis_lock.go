package dialect

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// ionelmc/python-redis-lock: lock:NAME with 18 random bytes in base64 (16 raw
// ones up to version 3), by default without an expiry. A thread of the holder
// extends it only if it was asked to. Whoever waits blocks for an element of the list
// lock-signal:NAME, which a release puts there.
func pythonRedisLock() Dialect {
	keys := func(name string) []string { return []string{"lock:" + name, name} }
	return Dialect{Name: "python-redis-lock", Keys: keys, Clients: []string{"redis-py", "valkey-py"}, Recognise: func(s Shape) Reading {
		name, named := strings.CutPrefix(s.Key, "lock:")
		if s.Type != "string" || !named || name == "" {
			return misfit
		}
		r := Reading{
			Fit: evidence.FitsWell, Because: []string{"the value is 18 random bytes in base64, the prefix lock"},
			Dialect: evidence.Dialect{
				Form: "lock", Renews: evidence.ByCall, Endless: true, Holders: []evidence.Locker{{Text: s.Value}},
				Notes: []string{"with auto_renewal a thread of the holder extends it whenever two thirds of the lease have passed, until it fails once"},
				Release: "Compare the whole value before the delete, and let one element follow into the lock's signal list, as the library does: without it whoever blocks there sleeps until its timeout. " +
					"The library's own reset of all locks is not that: it takes every key under lock:, whoever wrote it.",
			},
			Ask:   [][]string{{"TYPE", "lock-signal:" + name}, {"PTTL", "lock-signal:" + name}},
			Learn: learnLockSignal,
		}
		switch {
		case base64Of(s.Value, 18):
		case len(s.Value) == 16 && evidence.Printable(s.Value) != s.Value:
			// Sixteen bytes in which every one is a letter are text.
			r.Because = []string{"the value is 16 raw bytes, as up to version 3, the prefix lock"}
			r.Dialect.Holders[0].Text = evidence.Printable(s.Value)
		default:
			return misfit
		}
		return r
	}}
}

// learnLockSignal: the signal lives for a second after a release, so a lock that is
// there beside it was taken anew.
func learnLockSignal(r *Reading, a Answers) {
	if v, ok := a.Get(r.Ask[0]...); !ok || v.Str != "list" {
		return
	}
	r.Because = append(r.Because, "its signal list is there")
	note := "the lock was released when the signal list was written, and taken again since"
	if v, ok := a.Get(r.Ask[1]...); ok && v.Int > 0 && v.Int <= 1000 {
		note = "the lock was released within the last second, and taken again since"
	}
	r.Dialect.Notes = append(r.Dialect.Notes, note)
}
