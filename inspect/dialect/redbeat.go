package dialect

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// sibson/redbeat: the lock that lets one Celery beat work, PREFIX:lock with a token
// of redis-py. The beat itself extends it at each of its ticks, and keeps its tasks
// in the sorted set PREFIX:schedule by the second in which each is due.
func redbeat() Dialect {
	keys := func(name string) []string { return []string{redbeatLock, name + ":lock", name} }
	return Dialect{Name: "redbeat", Keys: keys, Clients: []string{"redis-py", "valkey-py"}, Recognise: func(s Shape) Reading {
		prefix, named := strings.CutSuffix(s.Key, ":lock")
		l, notes, ok := redisPyToken(s)
		if s.Type != "string" || !named || !ok || !strings.Contains(prefix, "redbeat") {
			return misfit
		}
		r := Reading{
			Fit: evidence.FitsWell, Because: []string{"the key names redbeat, the value is a token of redis-py's"},
			Dialect: evidence.Dialect{
				Form: "lock of a scheduler", Lease: 5 * redbeatTick, RenewEvery: redbeatTick, Renews: evidence.ByItself,
				Holders: []evidence.Locker{l}, Notes: notes,
				Release: "Make sure that the beat that holds it is gone and not merely late, or tasks are sent twice; then compare the whole value before the delete. " +
					"A beat that lives ends with an error at its next tick. One that starts anew waits without a word until the lease ends, 25 minutes by default.",
			},
			Ask:   [][]string{{"ZRANGE", prefix + ":schedule", "0", "99", "WITHSCORES"}},
			Learn: learnRedbeat,
		}
		if strings.HasSuffix(s.Key, redbeatLock) {
			r.Fit, r.Because = evidence.Certain, []string{"the key is redbeat's, the value a token of redis-py's"}
		}
		if s.Endless {
			r.Dialect.Notes = append(r.Dialect.Notes, "it has no expiry, which redbeat always sets")
		}
		return r
	}}
}

const (
	redbeatLock = "redbeat::lock"
	redbeatTick = 300 * time.Second // the longest that a beat sleeps by default
)

// learnRedbeat: a beat that lives sends what is due. A task that has been due for
// longer than a beat may sleep says that none does.
func learnRedbeat(r *Reading, a Answers) {
	ask := r.Ask[0]
	v, ok := a.Get(ask...)
	if !ok {
		return
	}
	tasks := scored(v)
	if len(tasks) == 0 {
		r.Dialect.Notes = append(r.Dialect.Notes, "nothing is scheduled")
		return
	}
	due := epochOf(tasks[0].Score)
	if due.IsZero() || r.Shape.Now.IsZero() {
		return
	}
	sign := evidence.Alive{Key: evidence.Printable(evidence.Clip(ask[1], 160)), Who: "beat"}
	late := r.Shape.Now.Sub(due).Round(time.Second)
	switch {
	case late > redbeatTick:
		sign.Dead, sign.Text = true, fmt.Sprintf("a task has been due for %v, longer than a beat sleeps", late)
	case late > 0:
		sign.Text = fmt.Sprintf("a task has been due for %v", late)
	default:
		sign.Text = fmt.Sprintf("the next task is due in %v, none is overdue", -late)
	}
	r.Dialect.Alive = append(r.Dialect.Alive, sign)
}
