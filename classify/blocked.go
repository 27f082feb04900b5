package classify

import (
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// blocked: every thread sits in an uninterruptible wait at both looks and none
// ran in between. A process that works a disk hard is found waiting as well, but
// runs.
func (c *incident) blocked(a, b evidence.ProcLook, least time.Duration) (string, string) {
	before, ok1 := a.Tasks.Get()
	after, ok2 := b.Tasks.Get()
	if !ok1 || !ok2 || len(after) == 0 || c.narrow(a, b) < least || a.TasksPart || b.TasksPart {
		return "", ""
	}
	deep := func(tasks []evidence.Task) bool {
		return !slices.ContainsFunc(tasks, func(t evidence.Task) bool { return t.State != "D" })
	}
	if _, ran, known := progress(a, b); deep(before) && deep(after) && known && ran == 0 {
		return "blocked", deepText
	}
	return "", ""
}

const deepText = "sits in an uninterruptible wait (state D)"

// blockedInText: of text the state and the counters may stand in looks of their own.
// Every look that tells the state says D, and the counters of all threads are the
// same on both ends of a stretch that reaches T*. Nobody waits for Redis like that:
// whoever waits for a socket can be interrupted.
func (c *incident) blockedInText(a, b evidence.ProcLook, least time.Duration) (string, string) {
	_, still := stoodStill(a, b)
	if c.reckoned() == nil || !still && !c.aloneStill(a, b) || c.narrow(a, b) < least || c.span(b.Span).Before(c.when) {
		return "", ""
	}
	var first, last *evidence.ProcLook
	where := ""
	for i := range c.owner.proc.Looks {
		l := &c.owner.proc.Looks[i]
		where = cmpOr(l.Wchan.Or(""), where)
		letter, known := state(*l)
		switch {
		case !known:
			continue
		case letter != "D":
			return "", ""
		case first == nil:
			first = l
		}
		last = l
	}
	if first == nil || c.narrow(*first, *last) < least || ofSocket(where) {
		return "", ""
	}
	if where != "" {
		return "blocked", deepText + " at " + quote(where)
	}
	return "blocked", deepText
}

// aloneStill is stoodStill where another look tells that there is one thread only.
func (c *incident) aloneStill(a, b evidence.ProcLook) bool {
	alone := false
	for _, l := range c.owner.proc.Looks {
		st, ok1 := l.Stat.Get()
		sts, ok2 := l.Status.Get()
		ok2 = ok2 && sts.Has("Threads")
		if ok1 && st.Threads > 1 || ok2 && sts.Threads > 1 {
			return false
		}
		alone = alone || ok1 && st.Threads == 1 || ok2 && sts.Threads == 1
	}
	before, after := a.Tasks.Or(nil), b.Tasks.Or(nil)
	return alone && len(before) == 1 && len(after) == 1 && clocked(before[0]) &&
		before[0].Tid == after[0].Tid && before[0].Run == after[0].Run && before[0].Slices == after[0].Slices
}

// ofSocket says whether a place in the kernel is one where socket calls sleep.
func ofSocket(wchan string) bool {
	return slices.ContainsFunc([]string{"sk_", "tcp", "inet_", "unix_", "poll", "select"}, func(part string) bool { return contains(wchan, part) })
}
