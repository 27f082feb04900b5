package dialect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Keys that lock libraries keep for themselves and that look like locks to whoever
// searches for one. (Redisson's are in redisson_keys.go.)
func notALock() Dialect {
	return Dialect{Name: "not a lock", Keys: verbatim, Scripts: []string{"bullmq", "bull", "python-redis-lock"}, Recognise: func(s Shape) Reading {
		if r := stalledCheck(s); r.Fit > evidence.Misfit {
			return r
		}
		return lockSignal(s)
	}}
}

// Bull and BullMQ: whoever sets PREFIX:QUEUE:stalled-check looks for jobs that lost
// their locks, and the others leave it to him until the key runs out.
func stalledCheck(s Shape) Reading {
	queue, ok := strings.CutSuffix(s.Key, ":stalled-check")
	ms, err := strconv.ParseInt(s.Value, 10, 64)
	if !ok || s.Type != "string" || len(s.Value) != 13 || err != nil || ms < 1e12 || !strings.Contains(queue, ":") {
		return misfit
	}
	_, name, _ := strings.Cut(queue, ":")
	began := time.UnixMilli(ms).UTC()
	version := []string{"HGET", queue + ":meta", "version"}
	active, stalled := []string{"LLEN", queue + ":active"}, []string{"SCARD", queue + ":stalled"}
	return Reading{
		Fit: evidence.Certain, Because: []string{"its key ends in stalled-check, its value is a time in ms"},
		Dialect: evidence.Dialect{
			Form:   fmt.Sprintf("not a lock: when Bull or BullMQ last looked for stalled jobs in the queue %s", notALockShown(name)),
			Renews: evidence.NeverRenews,
			Alive:  []evidence.Alive{{Key: evidence.Printable(evidence.Clip(s.Key, 160)), Who: "a worker of the queue", Beat: began, Text: "it looked for stalled jobs, every 30 s by default"}},
			Release: "Nothing is released here. A job's own lock is PREFIX:QUEUE:JOB:lock; " +
				"as long as this key is there, jobs that lost their locks are not taken back.",
		},
		Ask: [][]string{version, active, stalled},
		Learn: func(r *Reading, a Answers) {
			if v, ok := a.Get(version...); ok && v.Str != "" {
				r.Because = append(r.Because, "its queue says "+notALockShown(v.Str))
			}
			now, ok1 := a.Get(active...)
			then, ok2 := a.Get(stalled...)
			if ok1 && ok2 {
				r.Dialect.Notes = append(r.Dialect.Notes, fmt.Sprintf("%d jobs are active; %d of an earlier look count as stalled if their locks are gone at the next", now.Int, then.Int))
			}
		},
	}
}

// python-redis-lock: a release pushes one element to lock-signal:NAME, for which the
// waiters block; it is there for a second where nobody waits.
func lockSignal(s Shape) Reading {
	name, ok := strings.CutPrefix(s.Key, "lock-signal:")
	if !ok || name == "" || s.Type != "list" || slices.ContainsFunc(s.Members, func(m string) bool { return m != "1" }) {
		return misfit
	}
	lock := "lock:" + name
	exists, left := []string{"EXISTS", lock}, []string{"PTTL", lock}
	r := Reading{
		Fit: evidence.Certain, Because: []string{"a list under lock-signal"},
		Dialect: evidence.Dialect{
			Form:   fmt.Sprintf("not a lock: python-redis-lock's signal that %s was released", notALockShown(lock)),
			Renews: evidence.NeverRenews,
			Release: "Nothing is released here: the list wakes one waiter, or goes by itself. " +
				"Whoever releases the lock itself by hand must push one element here, or those who block for it sleep until their timeouts.",
		},
		Ask: [][]string{exists, left},
		Learn: func(r *Reading, a Answers) {
			v, ok := a.Get(exists...)
			if !ok {
				return
			}
			said := notALockShown(lock) + " is not there: it is free, or was never taken"
			if v.Int > 0 {
				said = notALockShown(lock) + " is held"
				if v, ok := a.Get(left...); ok && v.Int == -1 {
					said += ", without an expiry"
				} else if ok && v.Int > 0 && v.Int < 1e12 {
					said += fmt.Sprintf(", %v left", (time.Duration(v.Int) * time.Millisecond).Round(100*time.Millisecond))
				}
			}
			r.Dialect.Notes = append(r.Dialect.Notes, said)
		},
	}
	if s.Endless {
		r.Fit = evidence.FitsWell
		r.Dialect.Notes = append(r.Dialect.Notes, "it has no expiry, where a signal is kept for a second by default: early versions left it so, or something else wrote it")
	}
	return r
}

func notALockShown(s string) string { return evidence.Printable(evidence.Clip(s, 80)) }
