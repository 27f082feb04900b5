package classify

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// The lease's course as its holders wrote it down. A record of an acquire or a
// renewal tells what the coordinator agreed to; that none was recorded tells less:
// the log may end, and many libraries never mention a renewal.

// eventSteps are acquires, renewals and releases as steps. When a lease ends its
// holder does not write down, so that its length must be known.
func (c *incident) eventSteps() []step {
	if c.s.Contract.Lease == 0 {
		return nil
	}
	var out []step
	now, let := "", "" // who holds it, and who let go of it last
	for _, r := range c.record {
		if !r.Succeeded() || !c.asked(r.on) {
			continue
		}
		deed := r.Event
		switch deed {
		case evidence.DeedAcquire:
			if now == r.party && r.on.From.Before(out[len(out)-1].look.Placed.To.Add(c.s.Contract.Lease)) {
				deed = evidence.DeedRenew // it had the lock, and took it again
			}
		case evidence.DeedRenew:
			if now != "" && now != r.party || now == "" && let == r.party {
				continue
			}
		case evidence.DeedRelease:
			if now == "" || now != r.party {
				continue // it let go of what was not its own
			}
			now, let = "", r.party
			out = append(out, step{deed, pastLook(r.on, "events", "", time.Time{}, false), r.At.Clock})
			continue
		default:
			continue
		}
		now = r.party
		out = append(out, step{deed, c.heldSince(r), r.At.Clock})
	}
	return out
}

// heldSince is the key as an acquire or a renewal left it: the request was made
// before it was written down.
func (c *incident) heldSince(r recorded) evidence.Look {
	at := r.on
	at.From = at.From.Add(-r.Took)
	l := pastLook(at, "events", cmpOr(r.Owner, r.party), time.Time{}, true)
	l.End = evidence.Reading[int64]{}
	l.PTTL = evidence.Saw("events", c.s.Contract.Lease.Milliseconds())
	return l
}

// closeEvents adds what the silence of the holder's log says of the time after its
// last renewal: nothing once the log ends, and nothing where it never mentions a
// renewal at all.
func (c *incident) closeEvents(last step, steps []step, end time.Time) {
	renews := false
	for _, s := range steps {
		renews = renews || s.deed == evidence.DeedRenew
	}
	until := last.look.Placed.To
	for _, r := range c.record {
		if r.on.From.After(until) && r.At.Clock == last.clock {
			until = r.on.From
		}
	}
	if until.After(end) {
		until = end
	}
	if renews && until.After(last.look.Placed.To) {
		if l, ok := unchanged(last.look, until); ok {
			c.s.Looks = append(c.s.Looks, l)
			last.look = l
		}
	}
	if _, there := last.look.PTTL.Get(); there && (until.Before(end) || !renews) && c.overdueBy(steps[len(steps)-1], end) {
		c.s.Looks = append(c.s.Looks, evidence.Look{Placed: evidence.At(end, 0, evidence.Coordinator)})
	}
}
