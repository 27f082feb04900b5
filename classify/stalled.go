package classify

import (
	"fmt"
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// ownerStalled looks for what holds a living process up. While the lease is
// renewed only a stop, a freeze or a dead heartbeat counts, because a worker may
// wait for good reason; once renewals are missed, whatever kept the process
// from sending one does.
func (c *incident) ownerStalled(x *exam) bool {
	before, after := c.aroundWith(func(l evidence.ProcLook) bool {
		_, known := state(l)
		return known || l.Cgroup.Frozen.State == evidence.Seen
	})
	if before == nil && after == nil {
		after = c.stoppedThroughout() // T* is as wide as all that was looked at
	}
	if s, l := c.stopped(after, before); s != "" {
		c.stall(x, s, "stopped", l)
		c.inactive = c.stoppedSince(l).Span.End.Boot
		c.undated = c.missedOne() && !c.wasStopped(before)
		x.cap = x.cap || c.undated
		return true
	}
	if !c.missedOne() {
		return false
	}
	for _, held := range []func(a, b evidence.ProcLook, least time.Duration) (string, string){throttled, starved, c.blocked, c.blockedInText, c.noProgress} {
		if cause, text := c.overSpans(held); cause != "" {
			x.exclude(running)
			c.later = before == nil // all looks came after T*
			x.cap = x.cap || c.later
			x.source("/proc")
			x.cite("/proc/"+itoa(c.owner.proc.Pid)+"/task", "%s", text)
			x.says = "pid " + itoa(c.owner.proc.Pid) + " " + text
			c.cause = cause
			return true
		}
	}
	return false
}

// stoppedThroughout is the last look that tells how the process was, when it was
// held at every one that does; nil otherwise.
func (c *incident) stoppedThroughout() *evidence.ProcLook {
	var last *evidence.ProcLook
	for i := range c.owner.proc.Looks {
		l := &c.owner.proc.Looks[i]
		if _, known := state(*l); !known && l.Cgroup.Frozen.State != evidence.Seen {
			continue
		}
		if !c.wasStopped(l) {
			return nil
		}
		last = l
	}
	return last
}

// stall concludes that the owner is held up. The process table is one source;
// its control group, which says by itself that it is frozen or that nothing in
// it used a CPU, is another.
func (c *incident) stall(x *exam, text, cause string, l *evidence.ProcLook) {
	x.exclude(running)
	x.source("/proc")
	pid := itoa(c.owner.proc.Pid)
	if f, ok := l.Cgroup.Frozen.Get(); ok && f || !ok && c.stillFrozen(l) {
		cause = "frozen"
		x.cite(cmpOr(l.Cgroup.Frozen.Source, "cgroup"), "the control group is frozen")
	} else {
		x.cite("/proc/"+pid+"/status", "%s", text)
	}
	if st, ok := state(*l); ok && st == "t" {
		cause = "traced"
	}
	if w, ok := l.Wchan.Get(); ok {
		x.cite(l.Wchan.Source, "%s", quote(w))
	}
	if c.nobodyRan() {
		x.cite("/proc/"+pid+"/task", "no thread ran while watched")
		if cause == "frozen" {
			x.source("cgroup")
		}
	}
	if source, ok := c.groupStoodStill(); ok {
		x.source("cgroup")
		x.cite(source, "the control group used no CPU while watched")
	}
	x.says = "pid " + pid + " " + text
	c.cause = cause
}

// groupStoodStill says whether the owner's control group used no CPU between
// the first and the last look.
func (c *incident) groupStoodStill() (source string, ok bool) {
	a, b, ok := c.ownerSpan()
	if c.reckoned() != nil {
		a, b, ok = c.widest(func(l evidence.ProcLook) bool { return l.Cgroup.Usage.State == evidence.Seen })
	}
	if !ok {
		return "", false
	}
	before, ok1 := a.Cgroup.Usage.Get()
	after, ok2 := b.Cgroup.Usage.Get()
	return b.Cgroup.Usage.Source, ok1 && ok2 && before == after
}

// stopped says how the looks show the process held: the one after T* decides,
// or the newest before it when there is none after.
func (c *incident) stopped(after, before *evidence.ProcLook) (string, *evidence.ProcLook) {
	l := after
	if l == nil {
		l = before
	}
	if l == nil {
		return "", nil
	}
	if f, ok := l.Cgroup.Frozen.Get(); ok && f || !ok && c.stillFrozen(l) {
		return "is frozen by its control group", l
	}
	switch st, _ := state(*l); st {
	case "T":
		return "is stopped (state T)", l
	case "t":
		return fmt.Sprintf("is held by a tracer (state t, TracerPid %d)", l.Status.Value.TracerPid), l
	}
	return "", nil
}

// stillFrozen: of text a later look may not repeat what an earlier one said. The
// group was frozen then, and has used no CPU since.
func (c *incident) stillFrozen(l *evidence.ProcLook) bool {
	if c.reckoned() == nil {
		return false
	}
	for _, o := range slices.Backward(c.owner.proc.Looks) {
		f, ok := o.Cgroup.Frozen.Get()
		if o.Look >= l.Look || !ok {
			continue
		}
		u1, ok1 := o.Cgroup.Usage.Get()
		u2, ok2 := l.Cgroup.Usage.Get()
		return f && ok1 && ok2 && u1 == u2
	}
	return false
}

func (c *incident) wasStopped(l *evidence.ProcLook) bool {
	if l == nil {
		return false
	}
	s, _ := c.stopped(nil, l)
	return s != ""
}

// overSpans asks a cause over the widest span of looks: a burst between two
// looks is no stall, what lasted over all of them may be.
//
// They must span half a renewal interval: whatever lasts less holds no renewal up
// for long enough to be missed, and every idle process sleeps for a moment.
func (c *incident) overSpans(held func(a, b evidence.ProcLook, least time.Duration) (string, string)) (cause, text string) {
	least := c.every / 2
	if c.every == 0 {
		least = c.leaseLo / 3
	}
	looks := c.owner.proc.Looks
	if n := len(looks); n >= 2 && c.reckoned() == nil && c.narrow(looks[0], looks[n-1]) >= max(least, minWatched) {
		return held(looks[0], looks[n-1], max(least, minWatched))
	}
	if c.reckoned() == nil {
		return "", ""
	}
	// Of text a look may hold one file only: the widest pair that tells decides.
	for i := range looks {
		for j := len(looks) - 1; j > i; j-- {
			if cause, text = held(looks[i], looks[j], max(least, minWatched)); cause != "" {
				return cause, text
			}
		}
	}
	return "", ""
}

// widest is the owner's first and last look with something in them: a live look
// always has it, one of text may hold one file only.
func (c *incident) widest(has func(evidence.ProcLook) bool) (a, b evidence.ProcLook, ok bool) {
	if c.owner == nil {
		return a, b, false
	}
	looks := c.owner.proc.Looks
	if c.reckoned() != nil {
		looks = slices.DeleteFunc(slices.Clone(looks), func(l evidence.ProcLook) bool { return !has(l) })
	}
	if len(looks) < 2 {
		return a, b, false
	}
	return looks[0], looks[len(looks)-1], true
}

// stoppedSince is the first of the looks up to l that all show it stopped.
func (c *incident) stoppedSince(l *evidence.ProcLook) *evidence.ProcLook {
	looks := c.owner.proc.Looks
	since := l
	for i := len(looks) - 1; i >= 0; i-- {
		switch _, known := state(looks[i]); {
		case looks[i].Span.Start.Boot > l.Span.Start.Boot:
		case c.wasStopped(&looks[i]):
			since = &looks[i]
		case known:
			return since
		}
	}
	return since
}

// nobodyRan says whether no thread of the owner ran between the first and the
// last look.
func (c *incident) nobodyRan() bool {
	a, b, ok := c.widest(func(l evidence.ProcLook) bool { return l.Tasks.State == evidence.Seen && !l.TasksPart })
	if !ok {
		a, b, ok = c.widest(func(l evidence.ProcLook) bool { return l.Status.State == evidence.Seen })
	}
	_, still := stoodStill(a, b)
	return ok && still
}

func (c *incident) watchedProgress() (work, all time.Duration, known bool) {
	a, b, ok := c.widest(func(l evidence.ProcLook) bool { return l.Tasks.State == evidence.Seen })
	if !ok {
		return 0, 0, false
	}
	return progress(a, b)
}

// wide is the most that can lie between what two looks saw, and narrow the least:
// a share of time that is claimed to be large is taken of the one, what is
// claimed not to have happened is claimed of the other.
func wide(a, b evidence.ProcLook) time.Duration {
	if a.Span.Step > 0 || b.Span.Step > 0 {
		return b.Span.End.Boot - a.Span.Start.Boot // text: somewhere within its span
	}
	return b.Span.Start.Boot - a.Span.Start.Boot // a live look is an instant
}

func (c *incident) narrow(a, b evidence.ProcLook) time.Duration {
	d := max(b.Span.Start.Boot-a.Span.End.Boot, 0)
	if from, to := a.Span.End.Wall, b.Span.Start.Wall; c.reckoned() != nil && !from.IsZero() && !to.IsZero() {
		d = max(d, to.Sub(from)) // its own dates may tell better than the axis
	}
	return d
}

// throttled: the group's CPU quota held it back for most of the time.
func throttled(a, b evidence.ProcLook, least time.Duration) (string, string) {
	before, ok1 := a.Cgroup.Throttled.Get()
	after, ok2 := b.Cgroup.Throttled.Get()
	span := wide(a, b)
	if !ok1 || !ok2 || after-before < least*throttledPercent/100 || float64(after-before) < throttledShare*float64(span) {
		return "", ""
	}
	return "throttled", fmt.Sprintf("was throttled by its CPU quota for %s of %s", round(after-before), round(span))
}

// starved: it waited for a CPU, without a quota to blame.
func starved(a, b evidence.ProcLook, least time.Duration) (string, string) {
	before, ok1 := a.Tasks.Get()
	after, ok2 := b.Tasks.Get()
	span := wide(a, b)
	if !ok1 || !ok2 {
		return "", ""
	}
	delay := map[int]time.Duration{}
	for _, t := range before {
		delay[t.Tid] = t.Delay
	}
	for _, t := range after {
		was, had := delay[t.Tid]
		if had && t.Delay-was >= least*throttledPercent/100 && float64(t.Delay-was) >= throttledShare*float64(span) {
			return "starved", fmt.Sprintf("waited for a CPU for %s of %s (%s)", round(t.Delay-was), round(span), threadName(t, len(after)))
		}
	}
	return "", ""
}

// noProgress: not one thread of the process that renews was scheduled for a
// whole renewal interval. A worker that only waits, for a timer or a message,
// looks the same for shorter, and one that never renews looks so for ever; and a
// lock that was taken away was not lost by its sleeping holder.
func (c *incident) noProgress(a, b evidence.ProcLook, _ time.Duration) (string, string) {
	if c.every == 0 || c.leaseIs.Value == lost || c.narrow(a, b) < c.every-time.Second {
		return "", ""
	}
	threads, still := stoodStill(a, b)
	// One that waits for an answer on a cut socket does not run either: without
	// the sockets it cannot be told from that.
	sockets := b.Sockets
	if c.reckoned() != nil && sockets.State != evidence.Seen {
		sockets = a.Sockets
	}
	if !still || sockets.State != evidence.Seen || slices.ContainsFunc(sockets.Value, waits) {
		return "", ""
	}
	return "no-progress", fmt.Sprintf("did not run on any of its %s for %s", plural(threads, "thread"), round(c.narrow(a, b)))
}

// stoodStill says whether no thread of a process was scheduled between two looks:
// by the CPU clocks of all of them, or of a process with one thread by its
// counters of context switches.
func stoodStill(a, b evidence.ProcLook) (threads int, still bool) {
	if _, all, known := progress(a, b); known && !a.TasksPart && !b.TasksPart {
		return len(b.Tasks.Value), all == 0 && len(a.Tasks.Value) > 0 && len(b.Tasks.Value) > 0
	}
	before, ok1 := a.Status.Get()
	after, ok2 := b.Status.Get()
	alone := ok1 && ok2 && before.Threads == 1 && after.Threads == 1
	return 1, alone && before.Voluntary > 0 && before.Voluntary == after.Voluntary && before.Forced == after.Forced
}
