package classify

import (
	"fmt"
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// stuck is the owner's socket to the coordinator that waits for an answer which
// does not come, in its newest look, and for how long at least. A look that shows it
// answered after the renewal was overdue does not undo that it waited when that was
// due: what was cut then has healed since.
func (c *incident) stuck() (*evidence.Socket, time.Duration) {
	looks := c.owner.proc.Looks
	healed := false
	for i := len(looks) - 1; i >= 0; i-- {
		for _, k := range c.sockets(looks[i]) {
			switch {
			case !waits(k):
			case healed && !(c.span(looks[i].Span).After(c.when) && c.waitedByThen()):
				return nil, 0
			default:
				return &k, backoff(k)
			}
		}
		if looks[i].Sockets.State != evidence.Seen {
			continue
		}
		if !c.missedOne() || !c.span(looks[i].Span).After(c.lateBy()) {
			break
		}
		healed = true
	}
	return nil, 0
}

// waitedByThen says whether the waiting certainly began before the renewal that was
// missed was overdue.
func (c *incident) waitedByThen() bool {
	since, late := c.stuckSince(), c.lateBy()
	return !since.To.IsZero() && !late.To.IsZero() && !since.To.After(late.To)
}

// waits says whether a socket waits for an answer that does not come: data or a
// greeting sent again after a timeout, or probes that nobody answers. A busy
// healthy socket shows unsent bytes and a running timer now and then, but never
// a timeout; one probe may be under way, two in a row were not answered.
func waits(k evidence.Socket) bool {
	resends := k.Retrans >= 1 && (k.TxQueue > 0 || k.State == "SYN_SENT")
	probes := k.Probes >= 2 && (k.Timer == "keepalive" || k.Timer == "zero-window" && k.TxQueue > 0)
	return resends || probes
}

// backoff is the least time the oldest unanswered data has waited: each timeout
// doubles the next, so those behind it sum to less than the present one. A
// firewall on the host itself keeps data from ever counting as sent; then the
// window probes are what backs off, from a timeout that stays as it is. Keepalive
// intervals are not in the table.
func backoff(k evidence.Socket) time.Duration {
	const longest = 120 * time.Second // TCP_RTO_MAX
	rto := min(max(k.RTO, 0), longest)
	if rto == 0 && k.Timer == "retransmit" {
		// ss leaves it out. It starts at 200 ms or above, and a timer is never
		// further away than its whole length.
		const least = 200 * time.Millisecond // TCP_RTO_MIN
		rto = min(max(least<<min(max(k.Retrans, 0), 10), k.Expires), longest)
	}
	var sum time.Duration
	present := rto
	switch k.Timer {
	case "keepalive":
		return 0
	case "zero-window":
		for range min(max(k.Probes, 0), 30) {
			sum += present
			present = min(2*present, longest)
		}
	default:
		for i := 1; i <= min(k.Retrans, 30); i++ {
			sum += rto >> i
		}
	}
	if spent := present - k.Expires; spent > 0 {
		sum += spent
	}
	return sum
}

// stuckRunning: a process that has sent something and waits for the answer is
// running, unless it is stopped: the waiting is the partition's doing. Two
// looks must show it, and its back-off must reach T*.
func (c *incident) stuckRunning(x *exam) bool {
	n := 0
	var newest *evidence.ProcLook
	for i, l := range c.owner.proc.Looks {
		if !slices.ContainsFunc(c.sockets(l), waits) {
			continue
		}
		st, ok := state(l)
		if !ok && !c.ranAlong(l) || st == "T" || st == "t" || l.Cgroup.Frozen.Or(false) {
			return false
		}
		n, newest = n+1, &c.owner.proc.Looks[i]
	}
	if n < 2 || !c.notFrozen(*newest) {
		return false
	}
	k, age := c.stuck()
	if k == nil || c.owner.same == another || c.brokeLater() {
		return false
	}
	x.exclude(stalled) // gone stays where who this process is stayed open
	x.source("/proc")
	x.source("socket")
	how := "not stopped"
	if letter, ok := state(*newest); ok {
		how = "state " + letter + ", not stopped"
	}
	x.cite("/proc/"+itoa(c.owner.proc.Pid)+"/net/tcp", "it sent %d bytes that wait for an answer since at least %s; %s", k.TxQueue, round(age), how)
	x.says = fmt.Sprintf("pid %d alive, waiting on its own unanswered request", c.owner.proc.Pid)
	return true
}

// ranAlong: of text a look at the sockets need not tell the state. No look shows the
// process stopped, and it used a CPU over a stretch in which this look lies.
func (c *incident) ranAlong(l evidence.ProcLook) bool {
	a, b, ok := c.widest(hasTasks)
	if c.reckoned() == nil || !ok || c.after(a.Span, l.Span) || c.after(l.Span, b.Span) {
		return false
	}
	for _, o := range c.owner.proc.Looks {
		if st, _ := state(o); st == "T" || st == "t" {
			return false
		}
	}
	_, all, known := progress(a, b)
	return known && all > 0
}

// notFrozen wants a positive sign that no freezer holds the process: a freezer
// shows state S like any sleep. Either the group says so, or the threads ran.
func (c *incident) notFrozen(l evidence.ProcLook) bool {
	if f, ok := l.Cgroup.Frozen.Get(); ok {
		return !f
	}
	_, all, known := c.watchedProgress()
	return known && all > 0 || c.ranByCounters()
}

// ranByCounters says whether anything but the threads' clocks shows that the
// process ran between the first and the last look: its control group used a CPU,
// or its first thread was switched.
func (c *incident) ranByCounters() bool {
	a, b, _ := c.widest(func(l evidence.ProcLook) bool { return l.Cgroup.Usage.State == evidence.Seen })
	u1, ok1 := a.Cgroup.Usage.Get()
	u2, ok2 := b.Cgroup.Usage.Get()
	a, b, _ = c.widest(func(l evidence.ProcLook) bool { return l.Status.State == evidence.Seen })
	s1, ok3 := a.Status.Get()
	s2, ok4 := b.Status.Get()
	return ok1 && ok2 && u2 > u1 || ok3 && ok4 && s1.Voluntary > 0 && s2.Voluntary > s1.Voluntary
}

// heartbeat judges the worker's own sign of life. It is the only thing that
// proves work; one that is too old proves there is none.
func (c *incident) heartbeat(x *exam) bool {
	limit := c.s.Contract.WorstStall
	if limit == 0 {
		limit = c.leaseHi
	}
	beat, span, ok := c.newestBeat(x)
	if !ok || limit == 0 {
		return false
	}
	at := c.place(span.End.Boot - beat)
	reaches := !c.missedOne() || at.Known() && !at.Before(c.when)
	switch {
	case c.beats():
		beat = min(beat, limit) // its clock is off, not its life
		reaches = true
	case beat < -c.skew():
		x.miss("heartbeat", string(evidence.Failed), "the beat is dated "+round(-beat).String()+" ahead: two clocks disagree, so its age is not known")
		return false
	}
	if !c.missedOne() && beat <= limit && beat+c.watchedOn(span) > limit {
		x.miss("heartbeat", "unread", "not read since "+moment(c.span(span)))
		return false
	}
	switch {
	case beat > limit && !(c.missedOne() && reaches):
		c.inactive = span.End.Boot - beat
		x.exclude(running)
		x.source("heartbeat")
		x.cite("heartbeat", "the last beat is %s old; more than %s is no life", round(beat), round(limit))
		if c.byProgress(x) {
			x.source("/proc")
		}
		x.says = fmt.Sprintf("pid %d exists, but its last heartbeat is %s old", c.owner.proc.Pid, round(beat))
		c.cause = "heartbeat-stale"
		return true
	case reaches:
		x.only(running)
		x.source("heartbeat")
		x.source("/proc")
		x.cite("heartbeat", "the last beat is %s old", round(beat))
		x.says = fmt.Sprintf("pid %d beats; last %s before the look", c.owner.proc.Pid, round(beat))
		return true
	}
	return false
}

// aroundInText finds looks on both sides of a moment that does as well as T* when
// text does not enclose that. Where several renewals were missed in one lease,
// work at any of them, or at its end, shows a worker that could have had it
// renewed then. And where somebody else took the lock away, no stall of its holder
// is why, so that looks before and after the one that showed it gone will do.
func (c *incident) aroundInText() (before, after *evidence.ProcLook) {
	if _, ok := c.slowRemoval(); ok && c.leaseIs.Value == lost {
		gone := c.s.Looks[c.lost.after.Look].Span
		return c.split(func(l evidence.Span) int {
			if c.after(l, gone) {
				return 1
			}
			return -1
		})
	}
	ends := c.leaseEnds()
	if !c.missedOne() || c.every == 0 || !ends.Closed() || !c.renewed.Known() {
		return nil, nil
	}
	const most = 64
	moments := []evidence.Interval{ends}
	for i, due := 0, c.renewed.Shift(c.every, c.every); i < most && due.Before(ends); i++ {
		moments = append(moments, due)
		due = due.Shift(c.every, c.every)
	}
	for _, at := range moments {
		before, after = c.split(func(l evidence.Span) int {
			switch s := c.span(l); {
			case s.Before(at):
				return -1
			case s.After(at):
				return 1
			}
			return 0
		})
		if before != nil && after != nil {
			return before, after
		}
	}
	return nil, nil
}

func hasTasks(l evidence.ProcLook) bool { return l.Tasks.State == evidence.Seen }

// split finds the last of the owner's looks on one side and the first on the
// other.
func (c *incident) split(side func(evidence.Span) int) (before, after *evidence.ProcLook) {
	looks := c.owner.proc.Looks
	for i := range looks {
		if !hasTasks(looks[i]) {
			continue
		}
		switch s := side(looks[i].Span); {
		case s < 0:
			before = &looks[i]
		case s > 0 && after == nil:
			after = &looks[i]
		}
	}
	return before, after
}

// beats says whether the heartbeat moved between two looks, on both sides of T*
// where a renewal was missed: whatever its clock says, somebody beats.
func (c *incident) beats() bool {
	var first *evidence.Beat
	for i := range c.s.Heartbeat {
		b := &c.s.Heartbeat[i]
		if b.Value.State != evidence.Seen {
			continue
		}
		if first == nil {
			first = b
			continue
		}
		if b.Value.Value != first.Value.Value && (!c.missedOne() || c.span(first.Span).After(c.when)) {
			return true
		}
	}
	return false
}

// byProgress says whether the threads that do the work also stood still.
func (c *incident) byProgress(x *exam) bool {
	a, b, ok := c.widest(func(l evidence.ProcLook) bool { return l.Tasks.State == evidence.Seen })
	if !ok {
		return false
	}
	work, _, known := c.watchedProgress()
	span := c.narrow(a, b)
	if !known || a.TasksPart || b.TasksPart || span < minWatched || float64(work) >= busyShare*float64(span) {
		return false
	}
	x.cite("/proc/"+itoa(c.owner.proc.Pid)+"/task", "threads that do not renew used %s of CPU in %s", round(work), round(span))
	return true
}

func (c *incident) newestBeat(x *exam) (time.Duration, evidence.Span, bool) {
	for _, b := range slices.Backward(c.s.Heartbeat) {
		if age, ok := need(x, b.Age, "heartbeat"); ok {
			return age, b.Span, true
		}
	}
	return 0, evidence.Span{}, false
}

// watchedOn is how long the lock was looked at after a reading.
func (c *incident) watchedOn(span evidence.Span) time.Duration {
	if len(c.s.Looks) == 0 || span.Step > 0 {
		return 0
	}
	return max(c.s.Looks[len(c.s.Looks)-1].Span.End.Boot-span.End.Boot, 0)
}

// ownerWorks: threads that neither renew nor keep the runtime used a CPU
// between a look before T* and one after it. That makes work likely; it cannot
// prove that the work is this lock's.
func (c *incident) ownerWorks(x *exam) bool {
	before, after := c.aroundWith(hasTasks)
	if c.reckoned() != nil && (before == nil || after == nil) {
		before, after = c.aroundInText()
	}
	if before == nil || after == nil {
		return false
	}
	a, okA := state(*before)
	b, okB := state(*after)
	work, _, known := progress(*before, *after)
	span := wide(*before, *after)
	if (!okA || !okB) && (c.reckoned() == nil || work == 0) || a == "T" || b == "T" || a == "t" || b == "t" || !known || span < minWatched {
		return false
	}
	if float64(work) < busyShare*float64(span) {
		x.says = fmt.Sprintf("pid %d exists, but used %s of CPU in %s", c.owner.proc.Pid, round(work), round(span))
		return false
	}
	x.only(running, gone) // gone only stays when who this process is stayed open
	x.source("/proc")
	x.cite("/proc/"+itoa(c.owner.proc.Pid)+"/task", "threads that do not renew used %s of CPU in %s", round(work), round(span))
	x.says = fmt.Sprintf("pid %d works: %s of CPU in %s", c.owner.proc.Pid, round(work), round(span))
	c.byCPU = true
	return true
}
