package classify

import (
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Moments that several sources tell. An interval is what all of them allow
// together; whoever contradicts the others is left out and not named.

// An account is what one source says of when something happened. One that rests on
// a presumed clock agrees or does not, and makes nothing narrower.
type account struct {
	by   string
	at   evidence.Interval
	sure bool
}

// byRecords says whether anything tells of this incident beside the looks of a
// live capture: those date the owner's end by its process alone, and the owner's
// answer cites what else bears it out.
func (c *incident) byRecords() bool {
	h := c.s.Host
	return c.reckoned() != nil || len(c.record) > 0 || c.s.History.State == evidence.Seen || len(h.Units)+len(h.Containers)+len(h.Cluster) > 0
}

// disappeared is when the owner was lost, and who says so.
func (c *incident) disappeared(v evidence.Verdict) (at evidence.Interval, by []string) {
	switch {
	case v.Answers.Owner.Value == stalled && c.fell.Known():
		return c.fell, []string{"events"}
	case v.Answers.Owner.Value != gone:
		return evidence.Interval{}, nil
	}
	at = c.death
	if at.From.IsZero() && c.renewed.Known() && c.owner != nil && c.renewsAlone() {
		at.From = c.renewed.From // it was alive to renew
	}
	if !c.byRecords() {
		return at, nil
	}
	for _, a := range c.accounts() {
		if !a.at.Known() || a.at.Before(at) || a.at.After(at) {
			continue
		}
		if !slices.Contains(by, a.by) {
			by = append(by, a.by)
		}
		if a.sure {
			clock := a.at.Clock
			at = narrowed(at, a.at)
			at.Clock = clock
		}
	}
	return at, by
}

// accounts are what dates the owner's end: to one side, or to both.
func (c *incident) accounts() []account {
	var out []account
	if c.kill != nil {
		out = append(out, account{killSource(*c.kill), c.kernelTime(*c.kill), true})
	}
	for _, s := range c.supervisors() {
		if run, ok := c.holdersRun(s); ok && run.over {
			out = append(out, account{s.name, run.ended, !s.rough})
		}
	}
	if e, ok := c.ownExit(); ok {
		out = append(out, account{"events", e.on, e.sure})
	}
	if c.owner != nil && len(c.owner.proc.Looks) > 0 {
		if dead, _ := c.firstDead(); dead >= 0 {
			out = append(out, account{"process table", c.deathWindow(dead), true})
		}
	}
	if at, ok := c.booted(); ok {
		out = append(out, account{"boot", evidence.Interval{To: at.To, Clock: evidence.Coordinator}, true})
	}
	for _, d := range c.s.Host.Deaths {
		if at, rough := c.around(d.At); at.Closed() && c.ownWords(d, at) && at.Before(c.death.Shift(0, time.Second)) {
			out = append(out, account{"last words", at.Shift(0, wordsToEnd), !rough})
		}
	}
	out = append(out, c.connectionsEnd()...)
	for _, r := range slices.Backward(c.deeds(evidence.DeedHeartbeat, evidence.DeedAcquire, evidence.DeedResume)) {
		if r.sure {
			out = append(out, account{"events", evidence.Interval{From: r.on.From, Clock: evidence.Coordinator}, true})
			break
		}
	}
	return out
}

// connectionsEnd is when the owner's connections left the coordinator's list.
func (c *incident) connectionsEnd() []account {
	lists := c.s.Node.Clients
	for i := 1; i < len(lists); i++ {
		a, b := lists[i-1], lists[i]
		if b.Partial || b.Clients.State != evidence.Seen || len(c.connections(a)) == 0 || len(c.connections(b)) > 0 {
			continue
		}
		at := evidence.Interval{From: c.span(a.Span).From, To: c.span(b.Span).To, Clock: evidence.Coordinator}
		return []account{{"client list", at, true}}
	}
	return nil
}

// acquired is when the holder took the lock: by the coordinator's file, and by the
// holder's own record.
func (c *incident) acquired() evidence.Interval {
	at := c.begun
	for _, r := range slices.Backward(c.deeds(evidence.DeedAcquire)) {
		own := r.on.Shift(-r.Took, 0)
		switch {
		case !r.Succeeded() || c.renewed.Known() && own.After(c.renewed) || c.first.Now.Known() && len(c.renewals) == 0 && own.After(c.first.Now):
			continue
		case !at.Known():
			return own
		case r.sure && !own.Before(at) && !own.After(at):
			return narrowed(at, own)
		}
		return at
	}
	return at
}

// left is when the key was first free, or another's. Where nobody looked, a lease
// that ran out freed it at its end, and a write at its own moment.
func (c *incident) left() evidence.Interval {
	switch {
	case c.recalled != "" && c.lost.late && c.lost.before.Ends.Closed():
		return c.lost.before.Ends
	case c.recalled != "" && c.lost.after.Now.Closed():
		return c.lost.after.Now
	}
	return c.lost.at
}

// apart is how long after one moment another came; nil where either is open to a
// side, or both stand on different clocks.
func apart(a, b *evidence.Interval) *evidence.Range {
	if a == nil || b == nil || !a.Closed() || !b.Closed() || a.Clock != b.Clock || b.Before(*a) {
		return nil
	}
	return &evidence.Range{Least: max(b.From.Sub(a.To), 0), Most: b.To.Sub(a.From)}
}
