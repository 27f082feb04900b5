package classify

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What the owner wrote down of itself: its heartbeats, its pauses, its end. An
// event proves that it was written, on the clock of whoever wrote it; a silence
// proves something only while the same log goes on.

// ownerByEvents judges the owner by its own record, and by what others wrote down of
// what held it up. A process that was looked at is judged by that first. What held
// it up over the renewal that was due beats a beat before it and one after it; that
// it was heard again says only that it was not gone.
func (c *incident) ownerByEvents(x *exam) bool {
	return c.exitedByEvents(x) || c.pausedByEvents(x) || c.missedOne() && c.heldUpByRecord(x) ||
		c.heartbeatEvents(x) || !c.missedOne() && c.heldUpByRecord(x) || c.heardLater(x)
}

// ownExit is the last end that the owner recorded and that no later life of it
// takes back.
func (c *incident) ownExit() (recorded, bool) {
	exits := c.deeds(evidence.DeedExit)
	if len(exits) == 0 {
		return recorded{}, false
	}
	e := exits[len(exits)-1]
	// A renewal after it may be another process's; these only the worker itself does.
	for _, r := range c.deeds(evidence.DeedStart, evidence.DeedAcquire, evidence.DeedHeartbeat, evidence.DeedResume) {
		if before(e, r) {
			return recorded{}, false
		}
	}
	return e, true
}

// exitedByEvents: it recorded its end, before the renewal was missed or not
// provably after.
func (c *incident) exitedByEvents(x *exam) bool {
	e, ok := c.ownExit()
	if !ok || c.missedOne() && e.on.After(c.lateBy()) {
		return false
	}
	x.only(gone)
	x.source("events")
	x.cap = x.cap || !e.sure
	x.cite(e.Source, "it recorded its exit at %s", clockTime(e.on))
	x.says = "recorded its exit at " + moment(e.on)
	c.death, c.cause, c.recorded = e.on, "gone", true
	c.undated = c.missedOne() && !c.beforeMiss()
	return true
}

// exitBeside adds the recorded exit to a death that other evidence shows, where the
// two may be one.
func (c *incident) exitBeside(x *exam) {
	e, ok := c.ownExit()
	if !ok || x.sources["events"] || e.on.Before(c.death) || e.on.After(c.death) {
		return
	}
	x.source("events")
	x.cite(e.Source, "it recorded its exit at %s", clockTime(e.on))
	if e.sure {
		c.death = narrowed(c.death, e.on)
	}
}

// pausedByEvents: a pause that it recorded covers T*, or, while renewals go on,
// has lasted for longer than the worst stall and is not over.
func (c *incident) pausedByEvents(x *exam) bool {
	var open *recorded
	for _, r := range c.deeds(evidence.DeedPause, evidence.DeedResume, evidence.DeedHeartbeat) {
		switch {
		case r.Event == evidence.DeedPause && (!c.missedOne() || r.on.Before(c.when.Shift(0, c.grace()))):
			open = &r
		case r.Event != evidence.DeedPause && open != nil && before(*open, r) && (!c.missedOne() || r.on.Before(c.when)):
			open = nil
		}
	}
	if open == nil {
		return false
	}
	if !c.missedOne() {
		lasted, source, sure := c.renewedSince(*open)
		if limit := c.worstStall(); limit == 0 || lasted <= limit {
			return false
		}
		x.source(source)
		x.cap = x.cap || !sure
	}
	x.only(stalled)
	x.source("events")
	x.cap = x.cap || !open.sure
	x.cite(open.Source, "it recorded a pause at %s and no end of it by the renewal that was due", clockTime(open.on))
	x.says = "paused from " + moment(open.on) + " on, by its own record"
	c.cause, c.fell = "paused", open.on
	c.later = c.missedOne() && !open.on.Before(c.when)
	return true
}

// worstStall is how long a worker may be silent: as the contract says, else the
// lease; zero when neither is known.
func (c *incident) worstStall() time.Duration {
	if c.s.Contract.WorstStall > 0 {
		return c.s.Contract.WorstStall
	}
	return c.leaseHi
}

// heartbeatEvents holds the worker's heartbeats against the renewals. Beats on one
// clock are compared with renewals on that clock where the application records
// both, so that no offset between clocks is needed.
func (c *incident) heartbeatEvents(x *exam) bool {
	beats := c.deeds(evidence.DeedHeartbeat)
	limit := c.worstStall()
	if len(beats) == 0 || limit == 0 {
		return false
	}
	last := beats[len(beats)-1]
	silent, source, sure := c.renewedSince(last)
	switch {
	case silent > limit:
		x.source("events")
		x.source(source)
		x.cap = x.cap || !sure
		if end, ok := c.goesOn(last.At.Clock); !ok || end.At.From.Sub(last.At.To) <= limit {
			x.cap, c.cutShort = true, true // the log ends there: that it beat no more is not told
		}
		if c.leaseIs.Value == renewing {
			x.only(stalled)
		} else {
			x.exclude(running) // who does not beat may be dead as well
		}
		x.cite(last.Source, "the last heartbeat is of %s; renewals went on for %s after it", clockTime(last.At), round(silent))
		x.says = "its heartbeat stopped at " + moment(last.on) + "; renewals went on for " + round(silent).String()
		c.cause, c.fell = "heartbeat-stale", fellSilent(beats)
		return true
	case c.beatsAround(x, limit):
		x.only(running)
		x.source("events")
		x.source("heartbeats")
		if c.missedOne() {
			x.cite(last.Source, "it was heard on both sides of that moment, never silent for longer than %s; last beat at %s", round(limit), clockTime(last.At))
		} else {
			x.cite(last.Source, "it was heard at %s, and nothing was missed by then", clockTime(last.At))
		}
		x.says = "beats; last at " + moment(last.on)
		return true
	}
	return false
}

// fellSilent is when beats stopped: after the last, and by the time the next would
// have come at the slowest pace that was seen.
func fellSilent(beats []recorded) evidence.Interval {
	var pace time.Duration
	for i := 1; i < len(beats); i++ {
		pace = max(pace, beats[i].on.To.Sub(beats[i-1].on.From))
	}
	out := beats[len(beats)-1].on.Shift(0, pace)
	if pace == 0 {
		out.To = time.Time{}
	}
	return out
}

// renewedSince is for how long at least the lease was renewed after an event, who
// says so, and whether that needs no presumption about clocks.
func (c *incident) renewedSince(since recorded) (longest time.Duration, source string, sure bool) {
	source = "renewals"
	for _, r := range c.deeds(evidence.DeedRenew) {
		if d := r.At.From.Sub(since.At.To); r.Succeeded() && r.At.Clock == since.At.Clock && d > longest {
			longest, sure = d, true
		}
	}
	for _, r := range c.renewals {
		if d := r.At.From.Sub(since.on.To); r.At.Closed() && d > longest {
			longest, source, sure = d, "coordinator", since.sure
		}
	}
	return longest, source, sure
}

// beatsAround says whether beats, and writes that the worker made, came on both
// sides of T*, close enough together that no stall fits in between; while nothing
// was missed a fresh one will do.
func (c *incident) beatsAround(x *exam, limit time.Duration) bool {
	beats := c.deeds(evidence.DeedHeartbeat, evidence.DeedWrite, evidence.DeedReject)
	if !c.missedOne() {
		last := beats[len(beats)-1]
		x.cap = x.cap || !last.sure
		return c.now.Closed() && c.now.To.Sub(last.on.From) <= limit
	}
	for i := 1; i < len(beats); i++ {
		a, b := beats[i-1], beats[i]
		if !a.on.After(c.when) && b.on.After(c.when) && b.on.To.Sub(a.on.From) <= limit {
			x.cap = x.cap || !a.sure || !b.sure
			return true
		}
	}
	return false
}

// heardLater: the worker itself wrote something after T*, so that it was not gone
// then. Whether it worked is another matter.
func (c *incident) heardLater(x *exam) bool {
	if !c.missedOne() {
		return false
	}
	for _, r := range c.deeds(evidence.DeedHeartbeat, evidence.DeedAcquire, evidence.DeedRenew, evidence.DeedRelease, evidence.DeedResume) {
		if r.sure && r.on.After(c.when) && (r.Event != evidence.DeedRenew || c.workers[r.party] && len(c.workers) == 1) {
			x.exclude(gone)
			x.source("events")
			x.cite(r.Source, "it recorded a %s at %s, after that moment", r.Event, clockTime(r.on))
			x.says = "alive at " + moment(r.on) + " by its own record; whether it worked before is not shown"
			return true
		}
	}
	return false
}

// sawLoss says whether the former holder was told that the lock is not its own any
// more, after another had taken it.
func (c *incident) sawLoss() bool {
	if c.taken == nil {
		return false
	}
	taken := c.takenAt()
	for _, r := range c.deeds(evidence.DeedRenew, evidence.DeedRelease, evidence.DeedAcquire) {
		if ofLoss(r) && r.on.After(taken) {
			return true
		}
	}
	return false
}

// ownRelease excludes a loss where the holder recorded a release as the key went,
// and a release where somebody else did.
func (c *incident) ownRelease(x *exam) bool {
	for _, r := range c.record {
		if r.Event != evidence.DeedRelease || !r.Succeeded() || r.on.Before(c.lost.at) || r.on.After(c.lost.at) {
			continue
		}
		if c.ofHolder(r) {
			x.exclude(lost)
			x.source("events")
			x.cite(r.Source, "its holder recorded the release at %s", clockTime(r.on))
			x.says = "released by its holder at " + moment(c.lost.at)
			return true
		}
	}
	for _, r := range c.record {
		if r.Event == evidence.DeedRelease && r.OK != nil && *r.OK && r.sure && r.party != "" && !r.on.Before(c.lost.at) && !r.on.After(c.lost.at) {
			x.exclude(released)
			x.source("events")
			x.cap = true
			x.cite(r.Source, "%s recorded a release at %s, and the holder none", quote(r.party), clockTime(r.on))
			x.says = "released by " + quote(r.party) + ", who did not hold it, at " + moment(c.lost.at)
			return true
		}
	}
	return false
}
