package classify

import (
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// ownerAnswer answers: was the worker that holds the lock alive and working at
// T*? Death is looked for first, because the dead leave no other trace; then
// what can hold a living process up; only then proof that it worked. A process
// that merely exists is running or stalled.
func (c *incident) ownerAnswer() evidence.Answer {
	x := ask(running, stalled, gone)
	x.at = c.moment()
	switch {
	case (c.owner == nil || len(c.owner.proc.Looks) == 0) && (c.goneByRecord(x) || x.says == "" && c.goneByBoot(x)):
		c.exitBeside(x)
	case c.owner == nil && c.ownerByEvents(x):
	case c.owner == nil && x.says == "" && c.ownerBySign(x):
	case c.owner == nil && x.says == "":
		c.ownerUnknown(x)
	case c.owner == nil: // a supervisor says that it lived
	case len(c.owner.proc.Looks) == 0 && c.ownerByEvents(x):
	case len(c.owner.proc.Looks) == 0:
		x.miss("/proc", "unread", "nobody could look at pid "+itoa(c.owner.proc.Pid))
	default:
		c.ownerSeen(x)
	}
	c.misdated(x)
	if _, ok := c.presumedWall(0); ok && len(c.s.Processes) > 0 {
		x.cap = true
	}
	c.ownerIs = x.answer()
	return c.ownerIs
}

func (c *incident) ownerUnknown(x *exam) {
	n := evidence.NamedIn(c.first.Holder)
	switch {
	case c.elsewhere(n):
		x.miss("/proc", string(evidence.Skipped), "the value names pid "+itoa(n.Pid)+" on "+quote(n.Host)+", and this is "+quote(c.localHost()))
		x.says = "runs on " + quote(n.Host) + ", which was not looked at"
	case len(c.s.Processes) > 1:
		x.miss("/proc", string(evidence.Skipped), "several local processes may be the owner; name one with --pid")
		x.says = "several local processes may be it"
	default:
		x.miss("/proc", string(evidence.Skipped), "nothing names the owner's process; give --pid, --unit, --cgroup or --container")
		x.says = "no process is known; nothing names it"
	}
}

// ownerSeen judges the looks that were taken at the owner.
func (c *incident) ownerSeen(x *exam) {
	p := c.owner
	x.cite("/proc/"+itoa(p.proc.Pid), "taken for the owner because %s", p.how)
	needFile(c, x, "/proc/"+itoa(p.proc.Pid)+"/stat", func(l evidence.ProcLook) evidence.Reading[evidence.ProcStat] { return l.Stat })
	needFile(c, x, "/proc/"+itoa(p.proc.Pid)+"/status", func(l evidence.ProcLook) evidence.Reading[evidence.ProcStatus] { return l.Status })
	if c.ownerGone(x) || x.says == "" && c.goneByBoot(x) {
		return
	}
	alive := lastAlive(p.proc)
	if alive == nil {
		return // every look was refused: nothing is excluded
	}
	switch {
	case !c.aliveAt(alive):
		x.cite("/proc/"+itoa(p.proc.Pid), "it was there, but later looks could not be taken")
	case p.same == theSame || p.same == unsure && c.renewsItself():
		x.exclude(gone)
	case c.presumedSame(), c.onlyTold():
		c.presumed, x.cap = true, true
		x.exclude(gone)
		x.cite("/proc/"+itoa(p.proc.Pid)+"/fd", "it holds a connection to the coordinator; that it took the lock is presumed")
	default:
		x.cite("/proc/"+itoa(p.proc.Pid)+"/stat", "whether this is the process that took the lock is not certain: when the lock was taken is not known")
	}
	switch {
	case c.stuckRunning(x):
	case c.ownerStalled(x):
	case c.heldUpByRecord(x):
	case c.heartbeat(x):
	case c.heartbeatEvents(x):
	case c.ownerWorks(x):
	default:
		if x.says == "" {
			x.says = "pid " + itoa(p.proc.Pid) + " exists; whether it works is not shown"
		}
	}
}

// needFile notes that a file of the owner's could not be read. Of text a look may
// hold one file only, and what another look holds is not missing.
func needFile[T any](c *incident, x *exam, name string, of func(evidence.ProcLook) evidence.Reading[T]) {
	looks := c.owner.proc.Looks
	if c.reckoned() != nil && slices.ContainsFunc(looks, func(l evidence.ProcLook) bool { return of(l).State != evidence.Unread }) {
		return
	}
	for _, l := range looks {
		need(x, of(l), name)
	}
}

// presumedSame says whether a process may be taken for the holder although
// nothing proves it: its pid was never another's while we looked, pids of the
// first namespace come round only after thousands, and it is a client of this
// very coordinator. Inside a container the same pid comes back at every restart,
// so nothing is presumed there.
func (c *incident) presumedSame() bool {
	p := c.owner
	if p.same != unsure || p.group || len(c.s.Vantages) == 0 || c.s.Vantages[0].PidNS != initialPidNS {
		return false
	}
	if start, ok := c.started(p.proc); !ok || start.From.IsZero() {
		return false
	}
	for _, l := range p.proc.Looks {
		st, ok := l.Status.Get()
		if ok && len(st.NSpid) == 1 && l.Inodes.State == evidence.Seen && len(c.sockets(l)) > 0 {
			return true
		}
	}
	return false
}

// onlyTold says whether the responder's word is all there is: the lock cannot be
// read from here, the process was named, and waits for the coordinator's answer.
func (c *incident) onlyTold() bool {
	k, _ := c.stuck()
	return len(c.sights) == 0 && c.owner.way == "flag" && c.owner.same == unsure && k != nil
}

// renewsItself says whether the owner's own connection, and no other, sent the
// last renewal, and the owner had begun before it: then it had its pid when the
// holder renewed, and a pid has one process at a time.
func (c *incident) renewsItself() bool {
	start, ok := c.started(c.owner.proc)
	if c.renewedBy == nil || !ok || !start.Before(c.renewed) {
		return false
	}
	for _, l := range c.s.Node.Clients {
		for _, k := range c.connections(l) {
			if k.ID == c.renewedBy.ID {
				return true
			}
		}
	}
	return false
}

// aliveAt says whether a look that found the owner there reaches T*: it is the
// newest look that was tried, or it came after the missed renewal.
func (c *incident) aliveAt(alive *evidence.ProcLook) bool {
	looks := c.owner.proc.Looks
	return alive.Look == looks[len(looks)-1].Look || c.missedOne() && c.span(alive.Span).After(c.when)
}

// lastAlive is the newest look with the process there.
func lastAlive(p evidence.Process) *evidence.ProcLook {
	for i := len(p.Looks) - 1; i >= 0; i-- {
		if there(p.Looks[i]) {
			return &p.Looks[i]
		}
	}
	return nil
}

// there says whether a look found the process: whichever of its files could be
// read. A live look always reads stat; of text any of them may be all there is.
func there(l evidence.ProcLook) bool {
	return l.Stat.State == evidence.Seen || l.Status.State == evidence.Seen || l.Stat.State == evidence.Unread && !onlyDead(l) &&
		(l.Tasks.State == evidence.Seen && len(l.Tasks.Value) > 0 || l.Sockets.State == evidence.Seen || l.Wchan.State == evidence.Seen)
}

// onlyDead says whether the threads that a look found are all dead: a zombie is
// listed with one, too.
func onlyDead(l evidence.ProcLook) bool {
	dead := func(t evidence.Task) bool { return t.State == "Z" || t.State == "X" }
	tasks := l.Tasks.Or(nil)
	return !l.TasksPart && len(tasks) > 0 && all(tasks, dead)
}

// aroundWith finds the looks on both sides of T*: the last that ended before it
// and the first that began after it. While nothing was missed T* is now, and the
// two newest looks stand for both sides. They are asked to have something in them:
// of text a look may hold one file only, and those that lack what is asked for are
// passed over.
func (c *incident) aroundWith(has func(evidence.ProcLook) bool) (before, after *evidence.ProcLook) {
	var looks []*evidence.ProcLook
	for i := range c.owner.proc.Looks {
		if l := &c.owner.proc.Looks[i]; c.reckoned() == nil || has(*l) {
			looks = append(looks, l)
		}
	}
	if !c.missedOne() {
		for i := len(looks) - 1; i > 0; i-- {
			// Of pasted text only the order is known: somebody typed both commands.
			if c.reckoned() != nil || c.narrow(*looks[i-1], *looks[len(looks)-1]) >= minWatched {
				return looks[i-1], looks[len(looks)-1]
			}
		}
		if n := len(looks); n > 0 {
			after = looks[n-1]
		}
		return nil, after
	}
	for _, l := range looks {
		at := c.span(l.Span)
		if at.Before(c.when) {
			before = l
		}
		if after == nil && at.After(c.when) {
			after = l
		}
	}
	return before, after
}

// missedOne says whether a renewal was missed, or the lock went: otherwise T*
// is now.
func (c *incident) missedOne() bool {
	v := c.leaseIs.Value
	return v == lapsing || v == lapsed || v == lost || len(c.sights) > 0 && c.when != c.now
}

// state is a process's one-letter state, from whichever file could be read.
func state(l evidence.ProcLook) (string, bool) {
	if st, ok := l.Status.Get(); ok && st.Has("State") {
		return st.State, true
	}
	st, ok := l.Stat.Get()
	return st.State, ok
}

// progress is how much CPU the threads that neither renew nor keep the runtime
// used between two looks, and how much all threads did.
func progress(a, b evidence.ProcLook) (work, all time.Duration, known bool) {
	before, ok1 := a.Tasks.Get()
	after, ok2 := b.Tasks.Get()
	if !ok1 || !ok2 {
		return 0, 0, false
	}
	run := map[int]time.Duration{}
	for _, t := range before {
		if !a.TasksPart || clocked(t) {
			run[t.Tid] = t.Run
		}
	}
	for _, t := range after {
		d := t.Run - run[t.Tid]
		if _, had := run[t.Tid]; !had || d < 0 || b.TasksPart && !clocked(t) {
			d = 0 // a thread that is new tells nothing about the time before
		}
		all += d
		if !keeper(t.Comm) {
			work += d
		}
	}
	return work, all, true
}

// clocked says whether a thread's CPU clock was read: no thread lives without
// ever having been scheduled.
func clocked(t evidence.Task) bool { return t.Run > 0 || t.Slices > 0 }

// keeper says whether a thread renews the lock or keeps a runtime going, by the
// name it was given. Their CPU time is no sign of work.
func keeper(comm string) bool {
	comm = strings.ToLower(comm)
	for _, word := range []string{
		"renew", "watchdog", "heartbeat", "lease", "keepalive", "keep-alive", "extend", "refresh", "lock-",
		"gc thread", "g1 ", "vm thread", "vm periodic", "c1 compiler", "c2 compiler", "compilerthre", "sweeper",
		"signal dispatch", "finalizer", "reference handl", "redisson-timer", "hashedwheel", "gmain", "gdbus",
	} {
		if strings.Contains(comm, word) {
			return true
		}
	}
	return false
}
