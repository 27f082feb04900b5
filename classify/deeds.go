package classify

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What only the application knows: its heartbeats, its renewals, and the writes
// that the protected resource took or refused. An event proves that it was
// written down, on the clock of whoever wrote it; two events are compared only
// where one clock dates both, or both are placed on the coordinator's.

// near is how far an application's clock is presumed to be from the coordinator's
// when nothing was measured: what unmonitored NTP leaves at worst. Nothing is proven
// across it.
const near = time.Second

// placed is when an event happened, on the coordinator's clock.
func (c *incident) placed(e evidence.AppEvent) evidence.Interval {
	switch {
	case e.At.Clock == evidence.Coordinator:
		return e.At
	case len(c.s.Vantages) > 0 && e.At.Clock == c.s.Vantages[0].HostClock():
		if at := c.wall(e.At); at.Clock == evidence.Coordinator {
			return at
		}
	}
	if c.recalled == "events" {
		return e.At.On(evidence.Coordinator) // its clock is all there is
	}
	return e.At.Shift(-near, near).On(evidence.Coordinator)
}

// ofHolder says whether an event is the holder's own: it names the lock's value,
// its token, or the process that the value names. An event that names nobody is
// the holder's when only one party writes at all.
func (c *incident) ofHolder(e evidence.AppEvent) bool {
	h := c.first.Holder
	switch {
	case h == "":
		return true
	case e.Owner != "" && (e.Owner == h || contains(h, e.Owner) || contains(e.Owner, h)):
		return true
	case e.Actor != "" && (e.Actor == h || len(e.Actor) > 3 && contains(h, e.Actor)):
		return true
	case e.Token != "" && e.Token == h:
		return true
	}
	if e.Owner != "" || e.Token != "" {
		return false
	}
	return c.soleActor(e)
}

// soleActor says whether whoever wrote an event also acquired or renewed as the
// holder.
func (c *incident) soleActor(e evidence.AppEvent) bool {
	actors := map[string]bool{}
	for _, o := range c.s.Events {
		if o.Event != evidence.DeedWrite && o.Event != evidence.DeedReject {
			actors[o.Actor] = true
		}
	}
	return len(actors) == 1 && actors[e.Actor]
}

// deeds are the holder's events of some kinds, oldest first, up to the moment that
// is asked about.
func (c *incident) deeds(kinds ...evidence.Deed) []evidence.AppEvent {
	var out []evidence.AppEvent
	for _, e := range ordered(c.s.Events) {
		if slices.Contains(kinds, e.Event) && e.At.Closed() && c.ofHolder(e) && !past(c.placed(e), c.s.At) {
			out = append(out, e)
		}
	}
	return out
}

// ownerByEvents judges the owner by what it wrote down itself. A process that was
// looked at is judged by that first.
func (c *incident) ownerByEvents(x *exam) bool {
	return c.exitedByEvents(x) || c.pausedByEvents(x) || c.heartbeatEvents(x)
}

// exitedByEvents: it recorded its end, before or when the renewal was due.
func (c *incident) exitedByEvents(x *exam) bool {
	exits := c.deeds(evidence.DeedExit)
	if len(exits) == 0 {
		return false
	}
	e := exits[len(exits)-1]
	at := c.placed(e)
	starts := c.deeds(evidence.DeedStart)
	if n := len(starts); n > 0 && starts[n-1].At.After(e.At) || c.missedOne() && at.After(c.when) {
		return false
	}
	x.only(gone)
	x.source("events")
	x.cite(e.Source, "it recorded its exit at %s", clockTime(at))
	x.says = "recorded its exit at " + moment(at)
	c.death, c.cause = at, "gone"
	return true
}

// pausedByEvents: a pause that it recorded covers T*.
func (c *incident) pausedByEvents(x *exam) bool {
	if !c.missedOne() {
		return false
	}
	var open *evidence.AppEvent
	for _, e := range c.deeds(evidence.DeedPause, evidence.DeedResume) {
		switch at := c.placed(e); {
		case e.Event == evidence.DeedPause && at.Before(c.when.Shift(0, c.grace())):
			open = &e
		case e.Event == evidence.DeedResume && open != nil && at.Before(c.when):
			open = nil
		}
	}
	if open == nil {
		return false
	}
	x.only(stalled)
	x.source("events")
	x.cite(open.Source, "it recorded a pause from %s on, over the renewal that was due", clockTime(c.placed(*open)))
	x.says = "paused from " + moment(c.placed(*open)) + " on, by its own record"
	c.cause = "paused"
	return true
}

// heartbeatEvents holds the worker's heartbeats against the renewals. Beats on one
// clock are compared with renewals on that clock where the application records
// both, so that no offset between clocks is needed.
func (c *incident) heartbeatEvents(x *exam) bool {
	beats := c.deeds(evidence.DeedHeartbeat)
	limit := c.s.Contract.WorstStall
	if limit == 0 {
		limit = c.leaseHi
	}
	if len(beats) == 0 || limit == 0 {
		return false
	}
	last := beats[len(beats)-1]
	silent, source := c.renewedSince(last)
	switch {
	case silent > limit:
		x.only(stalled)
		x.source("events")
		x.source(source)
		x.cite(last.Source, "the last heartbeat is of %s; renewals went on for %s after it", clockTime(last.At), round(silent))
		x.says = "its heartbeat stopped at " + moment(c.placed(last)) + "; renewals went on for " + round(silent).String()
		c.cause = "heartbeat-stale"
		return true
	case c.beatsAround(beats, limit):
		x.only(running)
		x.source("events")
		x.source("heartbeats")
		x.cite(last.Source, "it beats on both sides of that moment; last at %s", clockTime(last.At))
		x.says = "beats; last at " + moment(c.placed(last))
		return true
	}
	return false
}

// renewedSince is for how long at least the lease was renewed after a heartbeat.
func (c *incident) renewedSince(beat evidence.AppEvent) (time.Duration, string) {
	var longest time.Duration
	source := "renewals"
	for _, e := range c.s.Events {
		if e.Event == evidence.DeedRenew && e.Succeeded() && e.At.Clock == beat.At.Clock && e.At.Closed() && !past(c.placed(e), c.s.At) {
			longest = max(longest, e.At.From.Sub(beat.At.To))
		}
	}
	at := c.placed(beat)
	for _, r := range c.renewals {
		if at.Closed() && r.At.Closed() && r.At.From.Sub(at.To) > longest {
			longest, source = r.At.From.Sub(at.To), "coordinator"
		}
	}
	return longest, source
}

// beatsAround says whether beats came on both sides of T*, close enough together
// that no stall fits in between; while nothing was missed a fresh one will do.
func (c *incident) beatsAround(beats []evidence.AppEvent, limit time.Duration) bool {
	if !c.missedOne() {
		last := c.placed(beats[len(beats)-1])
		return c.now.Closed() && c.now.To.Sub(last.From) <= limit
	}
	for i := 1; i < len(beats); i++ {
		a, b := c.placed(beats[i-1]), c.placed(beats[i])
		if !a.After(c.when) && b.After(c.when) && b.To.Sub(a.From) <= limit {
			return true
		}
	}
	return false
}

// twice finds two acquires of one lock by two parties inside one lease, with no
// release in between. They must be dated by one clock.
func (c *incident) twice() (a, b evidence.AppEvent, found bool) {
	lease := c.leaseLo
	if lease == 0 {
		return a, b, false
	}
	held := map[evidence.Clock]*evidence.AppEvent{}
	for _, e := range ordered(c.s.Events) {
		before := held[e.At.Clock]
		switch {
		case !e.At.Closed() || !e.Succeeded():
		case e.Event == evidence.DeedRelease && before != nil && who(*before) == who(e):
			held[e.At.Clock] = nil
		case e.Event == evidence.DeedRenew && before != nil && who(*before) == who(e):
			held[e.At.Clock] = &e
		case e.Event == evidence.DeedAcquire:
			if before != nil && who(*before) != who(e) && e.At.To.Before(before.At.From.Add(lease)) {
				return *before, e, true
			}
			held[e.At.Clock] = &e
		}
	}
	return a, b, false
}

// staleWrite finds a write that the resource accepted although a newer token, or
// another owner's takeover, had come before it on the same clock.
func (c *incident) staleWrite() (w, newer evidence.AppEvent, found bool) {
	events := ordered(c.s.Events)
	for i, e := range events {
		if e.Event != evidence.DeedWrite || !e.Succeeded() || !e.At.Closed() {
			continue
		}
		for _, o := range events[:i] {
			if o.At.Clock != e.At.Clock || !o.At.Before(e.At) || !o.Succeeded() || o.Event != evidence.DeedWrite && o.Event != evidence.DeedAcquire {
				continue
			}
			old, ok1 := strconv.ParseInt(e.Token, 10, 64)
			now, ok2 := strconv.ParseInt(o.Token, 10, 64)
			if ok1 == nil && ok2 == nil && now > old {
				return e, o, true
			}
			if (ok1 != nil || ok2 != nil) && o.Event == evidence.DeedAcquire && e.Owner != "" && o.Owner != "" && o.Owner != e.Owner && !tookLater(events[:i], o, e.Owner) {
				return e, o, true
			}
		}
	}
	return w, newer, false
}

// tookLater says whether an owner acquired again after another's takeover.
func tookLater(events []evidence.AppEvent, after evidence.AppEvent, owner string) bool {
	return slices.ContainsFunc(events, func(e evidence.AppEvent) bool {
		return e.Event == evidence.DeedAcquire && e.Succeeded() && e.Owner == owner && e.At.After(after.At)
	})
}

func eventRules() []rule {
	return []rule{
		{"stale-write-accepted", "Gate every guarded write on a token that only grows, and refuse a smaller one: a holder that lost its lease does not know it.", staleWriteRule},
		{"duplicate-effect", "Make the effect of one logical request happen once: an idempotency key beside the token.", duplicateEffect},
		{"slow-acquire", "Look at the holder's pauses before the network: a renewal thread held up by a collection looks like a slow lock.", slowAcquire},
		{"renewing-absent-key", "A renewal must fail when the key is gone, and the work must stop with it.", renewingAbsent},
		{"gc-pause", "Size the lease above the longest pause observed, or shorten the pauses.", gcPause},
	}
}

func staleWriteRule(c *incident, _ evidence.Verdict) evidence.Finding {
	w, newer, ok := c.staleWrite()
	if !ok {
		return nothing()
	}
	return found(evidence.Critical, w.Source, fmt.Sprintf("a write by %s (token %s) was accepted at %s, after %s by %s (token %s) at %s",
		quote(cmpOr(who(w), "somebody")), quote(cmpOr(w.Token, "none")), clockTime(w.At), newer.Event, quote(cmpOr(who(newer), "somebody")), quote(cmpOr(newer.Token, "none")), clockTime(newer.At)))
}

func duplicateEffect(c *incident, _ evidence.Verdict) evidence.Finding {
	first := map[string]evidence.AppEvent{}
	for _, e := range ordered(c.s.Events) {
		if e.Event != evidence.DeedWrite || !e.Succeeded() || e.Request == "" {
			continue
		}
		if o, twice := first[e.Request]; twice && o.Source != e.Source {
			return found(evidence.Critical, e.Source, fmt.Sprintf("request %s was accepted twice: at %s and at %s", quote(e.Request), clockTime(o.At), clockTime(e.At)))
		}
		first[e.Request] = e
	}
	return nothing()
}

// slowAcquire: an acquire or renewal took longer than a third of the lease.
func slowAcquire(c *incident, _ evidence.Verdict) evidence.Finding {
	if c.leaseLo == 0 {
		return nothing()
	}
	for _, e := range c.s.Events {
		if (e.Event == evidence.DeedAcquire || e.Event == evidence.DeedRenew) && e.Took > c.leaseLo/3 {
			text := fmt.Sprintf("%s took %s of a lease of %s", e.Event, round(e.Took), round(c.leaseLo))
			for _, p := range c.s.Host.Pauses {
				if at := c.wall(p.At); at.Clock == evidence.Coordinator && !at.Before(c.placed(e).Shift(-e.Took, 0)) && !at.After(c.placed(e)) {
					text += fmt.Sprintf("; a pause of %s (%s) falls into it", round(p.Took), quote(p.Kind))
					break
				}
			}
			return found(evidence.Warning, e.Source, text)
		}
	}
	return nothing()
}

// renewingAbsent: somebody goes on renewing a key that is not there.
func renewingAbsent(c *incident, v evidence.Verdict) evidence.Finding {
	for _, e := range c.deeds(evidence.DeedRenew) {
		if !e.Succeeded() {
			return found(evidence.Warning, e.Source, "a renewal failed at "+clockTime(e.At)+": its key was not there, or not its own")
		}
	}
	if v.Answers.Lease.Value == lost && c.byCommand {
		return found(evidence.Warning, c.read("client-list"), "the holder goes on renewing a key that is gone")
	}
	return nothing()
}

// gcPause: a pause longer than half a renewal interval, or than a third of the
// lease.
func gcPause(c *incident, _ evidence.Verdict) evidence.Finding {
	limit := c.every / 2
	if limit == 0 {
		limit = c.leaseLo / 3
	}
	var worst *evidence.Pause
	for i, p := range c.s.Host.Pauses {
		if limit > 0 && p.Took >= limit && (worst == nil || p.Took > worst.Took) {
			worst = &c.s.Host.Pauses[i]
		}
	}
	if worst == nil {
		return nothing()
	}
	return found(evidence.Warning, "gc log", fmt.Sprintf("%s stopped all threads for %s: %s", quote(cmpOr(worst.Runtime, "the runtime")), round(worst.Took), line(worst.Text)))
}
