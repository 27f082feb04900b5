package dialect

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// ShedLock's Redis providers: job-lock:ENVIRONMENT:NAME, as the value when and where
// the task began, since 6.7.0 with a random UUID behind. The lease is the task's
// lockAtMostFor. After a short run the key is kept until lockAtLeastFor, so that no
// other host runs the task again.
func shedlock() Dialect {
	keys := func(name string) []string {
		return []string{"job-lock:default:" + name, "job-lock:" + name, name}
	}
	return Dialect{Name: "shedlock", Keys: keys, Recognise: func(s Shape) Reading {
		l, id, ok := shedlockValue(s.Value)
		if s.Type != "string" || !ok {
			return misfit
		}
		r := Reading{
			Fit: evidence.Certain, Because: []string{"the value says ADDED, when and by which host"},
			Dialect: evidence.Dialect{
				Form: "task lock", Renews: evidence.ByCall, RunsOut: true,
				Holders: []evidence.Locker{l},
				Notes: []string{
					"the key may be there while nobody runs: after a short run it is kept until lockAtLeastFor is over, and runs out by design",
					"with a KeepAliveLockProvider, which is not the default, it is extended every half of the lease",
				},
				Release: "Compare the whole value with its time: the next run on the same host differs in nothing else. " +
					"A task that has ended leaves the key on purpose until lockAtLeastFor is over, and without it may run again at once. " +
					"A holder without safeUpdate deletes the key at its end without looking whose it has become.",
			},
		}
		if id {
			r.Because = append(r.Because, "a UUID is behind it, as since 6.7.0")
		} else {
			r.Because = append(r.Because, "no UUID is behind it, as before 6.7.0")
		}
		if strings.HasPrefix(s.Key, "job-lock:") {
			r.Because = append(r.Because, "its prefix is job-lock")
		}
		return r
	}}
}

// shedlockValue reads ADDED:TIME@HOST and ADDED:TIME@HOST:UUID.
func shedlockValue(s string) (l evidence.Locker, id, ok bool) {
	rest, ok1 := strings.CutPrefix(s, "ADDED:")
	at, host, ok2 := strings.Cut(rest, "@")
	since, err := time.Parse("2006-01-02T15:04:05Z", at) // takes a fraction, too
	if !ok1 || !ok2 || err != nil || strings.Contains(at, ",") || len(at) > len("2006-01-02T15:04:05.999999999Z") {
		return l, false, false
	}
	if i := len(host) - 37; i > 0 && host[i] == ':' {
		if _, isUUID := uuid(host[i+1:]); isUUID {
			host, id = host[:i], true
		}
	}
	if host == "" || len(host) > 255 || strings.Contains(host, "@") || evidence.Printable(host) != host {
		return l, false, false
	}
	return evidence.Locker{Text: s, Host: host, Since: since.UTC()}, id, true
}
