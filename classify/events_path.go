package classify

import (
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// The path to the coordinator as the owner's own program met it. A request that ran
// into a timeout tells that no answer came; several in a row, with no answer between
// them, over the renewal that was due, that none got through. One that was refused,
// or cut off, was stopped by somebody, and who is not told.

// pathByEvents: the coordinator answered the owner after T*, by the owner's own
// record. That the lock is not its own any more is an answer as well.
func (c *incident) pathByEvents(x *exam) bool {
	if !c.missedOne() {
		return false
	}
	for _, r := range c.deeds(evidence.DeedAcquire, evidence.DeedRenew, evidence.DeedRelease) {
		o := outcomeOf(r)
		if (o == agreed || o == notYours || o == refusedAll) && r.sure && r.on.After(c.when) {
			x.only(up)
			x.source("events")
			x.cite(r.Source, "its %s at %s was answered", r.Event, clockTime(r.on))
			x.says = "the coordinator answered it at " + moment(r.on)
			return true
		}
	}
	return false
}

// A try is one request of the owner's, or one line of its client, and whether it
// was answered.
type try struct {
	on       evidence.Interval // from when it was sent to when the owner wrote it down
	answered bool
	source   string
	text     string
}

// pathTimedOut: the owner's requests ran into timeouts over the renewal that was
// due. That its host lost the way is likely then; where nobody else was served
// meanwhile, that the coordinator was dead to all is as possible.
func (c *incident) pathTimedOut(x *exam) bool {
	const enough = 2 // one may be a moment's congestion
	if !c.missedOne() || !c.when.Closed() || c.ownerIs.Value == gone {
		return false
	}
	late := c.when
	if c.every > 0 {
		late = c.when.Shift(c.grace()-c.every, c.grace()-c.every)
	}
	var run []try
	for _, t := range c.tries() {
		if !t.answered {
			run = append(run, t)
			continue
		}
		if len(run) > 0 && !run[len(run)-1].on.Before(c.when) {
			break // it was answered again only after T*
		}
		run = nil
	}
	if len(run) < enough || run[0].on.After(late) || run[len(run)-1].on.Before(c.when) {
		return false
	}
	x.only(broken)
	x.source("events")
	x.cap = true
	for _, t := range run[:enough] {
		x.cite(t.source, "%s (%s)", line(t.text), clockTime(t.on))
	}
	x.says = plural(len(run), "request") + " of its in a row ran into timeouts, the first at " + clockTime(run[0].on)
	if !c.servedOthers(run[0].on) {
		c.unpresumed = true
		x.says += "; that the coordinator answered anybody then is not shown"
	}
	return true
}

// tries are the owner's requests in their order.
func (c *incident) tries() []try {
	var out []try
	for _, r := range c.deeds(evidence.DeedAcquire, evidence.DeedRenew, evidence.DeedRelease) {
		switch o := outcomeOf(r); {
		case o == agreed, o == notYours, o == refusedAll:
			out = append(out, try{on: r.on, answered: true})
		case o == noAnswer && r.Event != evidence.DeedAcquire: // one may wait for a lock in vain, and call that a timeout
			out = append(out, try{r.on.Shift(-r.Took, 0), false, r.Source, cmpOr(r.Text, string(r.Event))})
		}
	}
	for _, n := range c.s.Host.Network {
		at, _ := c.around(n.At)
		if n.Class == "timeout" && at.Closed() && c.asked(at) && c.ofOwnersClient(n) {
			out = append(out, try{at, false, "network log", n.Text})
		}
	}
	slices.SortStableFunc(out, func(a, b try) int { return a.on.Mid().Compare(b.on.Mid()) })
	return out
}

// ofOwnersClient says whether a line about a connection is the owner's: it names the
// owner's host or the name the owner writes under, or nobody else works at all; and
// it leads to the coordinator as far as it names the other end.
func (c *incident) ofOwnersClient(n evidence.NetworkNotice) bool {
	if n.Peer != "" && c.s.Subject.Redis != "" && !c.isCoordinator(n.Peer) && !strings.HasSuffix(n.Peer, portOf(c.s.Subject.Redis)) {
		return false
	}
	if len(c.workers) == 1 {
		return true
	}
	names := []string{evidence.NamedIn(c.first.Holder).Host}
	for _, r := range c.deeds(evidence.DeedAcquire, evidence.DeedRenew, evidence.DeedHeartbeat) {
		names = append(names, r.Actor)
	}
	return slices.ContainsFunc(slices.Compact(names), func(name string) bool {
		return len(name) >= 3 && wordOf(n.Text, name)
	})
}

// servedOthers says whether the coordinator answered somebody else from a moment on,
// or whoever looked at it.
func (c *incident) servedOthers(since evidence.Interval) bool {
	later := func(at evidence.Interval) bool {
		return at.Closed() && c.asked(at) && at.From.After(since.From.Add(time.Millisecond))
	}
	for _, r := range c.record {
		if asks(r) && r.OK != nil && outcomeOf(r) != noAnswer && outcomeOf(r) != brokenOff && !c.ofHolder(r) && later(r.on) {
			return true
		}
	}
	for _, w := range c.s.History.Value.Writes {
		if later(c.writtenAt(w)) {
			return true
		}
	}
	return slices.ContainsFunc(c.stamped, func(l evidence.Look) bool { return later(l.Now()) })
}
