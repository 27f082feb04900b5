package classify

import (
	"fmt"
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What the coordinator's append-only file tells: every write of the key since the
// last rewrite, and from Redis 7 every expiry as an absolute time, so that the
// lease's length dates each write to the millisecond. It shows what became of the
// key, and not who meant it.

// historySteps are the writes as steps, up to the moment that is asked about.
func (c *incident) historySteps(h evidence.History) []step {
	var out []step
	var last evidence.Interval
	for _, w := range h.Writes {
		at := c.writtenAt(w)
		if !at.Known() {
			at = evidence.Interval{From: last.From, Clock: evidence.Coordinator}
		}
		if past(at, c.s.At) {
			break
		}
		s := step{deed: w.Deed, clock: evidence.Coordinator}
		s.look = pastLook(at, "aof", w.Value, w.Ends, s.there())
		out = append(out, s)
		last = at
	}
	return out
}

// closeHistory adds what the file's silence says of a moment after its last write
// of this tenure. A server writes down that a key expired, within seconds: only a
// file that goes on past the moment shows that nothing was done until then. Behind
// the file's end the applications' own record goes on, and until the next renewal
// is overdue nothing is owed.
func (c *incident) closeHistory(last step, end time.Time) {
	writes := c.s.History.Value.Writes
	covers := len(writes) > 0 && !c.writtenAt(writes[len(writes)-1]).From.Before(end)
	if l, ok := unchanged(last.look, end); ok && covers {
		c.s.Looks = append(c.s.Looks, l)
		return
	}
	if !c.overdueBy(last, end) {
		return
	}
	if later := c.eventsBehind(last); len(later) > 0 {
		c.s.Looks, c.joined = append(c.s.Looks, looksOf(later)...), "events"
		last = later[len(later)-1]
		if last.there() && end.After(last.look.Placed.To) {
			c.closeEvents(last, later, end)
		}
		return
	}
	c.s.Looks = append(c.s.Looks, evidence.Look{Placed: evidence.At(end, 0, evidence.Coordinator)})
}

// overdueBy says whether the renewal after a step would be overdue at a moment.
// Where nobody said how often the holder renews, any silence may be one too many.
func (c *incident) overdueBy(last step, at time.Time) bool {
	lease, every := c.s.Contract.Lease, c.s.Contract.RenewEvery
	if lease == 0 || every == 0 {
		return true
	}
	return at.After(last.look.Placed.To.Add(graceOf(every, lease)))
}

// eventsBehind are the steps that events tell of the time behind the file's last
// write: the same holder's, from its own next renewal on.
func (c *incident) eventsBehind(last step) []step {
	var out []step
	for _, s := range c.eventSteps() {
		if s.look.Placed.After(last.look.Placed) {
			out = append(out, s)
		}
	}
	mine := evidence.Sight{Holder: last.look.Holder()}
	if len(out) == 0 || out[0].deed != evidence.DeedRenew || mine.Holder == "" || !mine.SameHolder(evidence.Sight{Holder: out[0].look.Holder()}) {
		return nil
	}
	return out
}

// writtenAt is when a write was made: by its annotation to the second, by the end
// it gave the lease to the millisecond, where the two agree.
func (c *incident) writtenAt(w evidence.KeyWrite) evidence.Interval {
	at := w.At
	if lease := c.s.Contract.Lease; lease > 0 && !w.Ends.IsZero() {
		exact := evidence.RenewedAt(evidence.At(w.Ends, 0, evidence.Coordinator), lease)
		if !at.Known() || !exact.Before(at) && !exact.After(at) {
			return exact
		}
	}
	return at
}

// replaced finds the write that put another holder's value over the first one's
// before its end: no release and no expiry stands between the two.
func (c *incident) replaced() (evidence.KeyWrite, bool) {
	h, ok := c.s.History.Get()
	if !ok || !c.lost.yes || !c.lost.early || !c.lost.after.Here {
		return evidence.KeyWrite{}, false
	}
	i := slices.IndexFunc(h.Writes, func(w evidence.KeyWrite) bool {
		at := c.writtenAt(w)
		return w.Deed == evidence.DeedReplace && w.Value == c.lost.after.Holder && at.Known() && !at.Before(c.lost.at) && !at.After(c.lost.at)
	})
	if i < 0 {
		return evidence.KeyWrite{}, false
	}
	return h.Writes[i], true
}

// byHistory excludes a release where the file shows the key overwritten.
func (c *incident) byHistory(x *exam) bool {
	w, ok := c.replaced()
	if !ok {
		return false
	}
	x.exclude(released)
	x.source("aof")
	x.cite("aof", "%s put another value over it at %s: it was not released first", quote(w.Command), clockTime(c.writtenAt(w)))
	x.says = "overwritten by another holder at " + moment(c.writtenAt(w)) + ", before its end"
	return true
}

// reach cites how far back each record of the past goes. Before that its silence
// says nothing.
func (c *incident) reach(x *exam) {
	if h, ok := c.s.History.Get(); ok && len(h.Writes) == 0 {
		x.cite("aof", "holds no write of this key: it is empty of it, or the lock is kept elsewhere")
	} else if ok && (c.recalled == "aof" || c.joined == "aof" || !c.s.At.IsZero()) {
		text := "goes back to its last rewrite"
		if h.Since.Known() {
			text = "goes back to " + evidence.FormatTime(h.Since.Mid())
		} else if len(h.Writes) > 0 && c.writtenAt(h.Writes[0]).Known() {
			text = "its first write of this key is of " + evidence.FormatTime(c.writtenAt(h.Writes[0]).Mid())
		}
		if h.Omitted > 0 {
			text += fmt.Sprintf("; %s of the middle left out", plural(h.Omitted, "write"))
		}
		if h.Cut != "" {
			text += "; cut: " + line(h.Cut)
		}
		x.cite("aof", "%s", text)
	}
	if n := len(c.record); n > 0 && (c.recalled == "events" || c.joined == "events" || !c.s.At.IsZero()) {
		x.cite("events", "%s, from %s to %s", plural(n, "event"), evidence.FormatTime(c.record[0].on.Mid()), evidence.FormatTime(c.record[n-1].on.Mid()))
	}
	if from, to := c.reaches(); !c.s.At.IsZero() && !from.IsZero() && (c.s.At.Before(from) || c.s.At.After(to)) {
		x.cite("--at", "%s lies outside of what was recorded of the lock, from %s to %s", evidence.FormatTime(c.s.At), evidence.FormatTime(from), evidence.FormatTime(to))
	}
	if k, ok := c.s.Host.Kernel.Get(); ok && !c.s.At.IsZero() && k.Oldest > 0 {
		if at := c.sinceBoot(k.Oldest); at.Known() {
			x.cite("kernel log", "goes back to %s", evidence.FormatTime(at.Mid()))
		}
	}
}

// reaches is from when to when anybody recorded anything of the lock; zero where
// nobody did.
func (c *incident) reaches() (from, to time.Time) {
	take := func(i evidence.Interval) {
		if i.Closed() && (from.IsZero() || i.From.Before(from)) {
			from = i.From
		}
		if i.Closed() && i.To.After(to) {
			to = i.To
		}
	}
	for _, w := range c.s.History.Value.Writes {
		take(c.writtenAt(w))
	}
	for _, r := range c.record {
		take(r.on)
	}
	for _, l := range c.stamped {
		take(l.Now())
	}
	return from, to
}

// keptByHistory: the coordinator's own file shows that it served the renewals to
// the end. Whether it could have served one that never came the file does not tell.
func (c *incident) keptByHistory(x *exam) bool {
	if c.recalled != "aof" || c.leaseIs.Value != renewing {
		return false
	}
	x.only(kept)
	x.source("aof")
	x.cite("aof", "it served %s of this lease, the last at %s", plural(len(c.renewals), "renewal"), clockTime(c.renewed))
	x.says = "served every renewal that came, by its own file"
	return true
}
