package classify

import (
	"fmt"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func eventRules() []rule {
	return []rule{
		{"stale-write-accepted", "Gate every guarded write on a token that only grows, and refuse a smaller one: a holder that lost its lease does not know it.", staleWriteRule},
		{"duplicate-effect", "Make the effect of one logical request happen once: an idempotency key beside the token.", duplicateEffect},
		{"slow-acquire", "Look at the holder's pauses before the network: a renewal thread held up by a collection looks like a slow lock.", slowAcquire},
		{"renewing-absent-key", "A renewal must fail when the key is gone, and the work must stop with it.", renewingAbsent},
		{"gc-pause", "Size the lease above the longest pause observed, or shorten the pauses.", gcPause},
		{"waiter-starved", "Let waiters queue, or back off at random: whoever asks at fixed times loses to whoever asks more often.", waiterStarved},
	}
}

func staleWriteRule(c *incident, _ evidence.Verdict) evidence.Finding {
	w, newer, ok := c.staleWrite()
	if !ok {
		return nothing()
	}
	severity, presuming := presumably(w)
	f := found(severity, w.Source, fmt.Sprintf("a write by %s (token %s) was accepted at %s, after %s by %s (token %s) at %s",
		quote(cmpOr(w.party, "somebody")), quote(cmpOr(w.Token, "none")), clockTime(w.At), newer.Event, quote(cmpOr(newer.party, "somebody")), quote(cmpOr(newer.Token, "none")), clockTime(newer.At))+presuming)
	f.Because = append(f.Because, evidence.Citation{Reading: newer.Source, Text: fmt.Sprintf("%s at %s", newer.Event, clockTime(newer.At))})
	return f
}

// presumably weighs what rests on clocks that nobody measured.
func presumably(r recorded) (evidence.Severity, string) {
	if r.sure {
		return evidence.Critical, ""
	}
	return evidence.Warning, ", if their clocks are kept within a second"
}

func duplicateEffect(c *incident, _ evidence.Verdict) evidence.Finding {
	a, b, ok := c.twiceTaken()
	if !ok {
		return nothing()
	}
	f := found(evidence.Critical, b.Source, fmt.Sprintf("request %s was accepted twice: at %s and at %s", quote(b.Request), clockTime(a.At), clockTime(b.At)))
	f.Because = append(f.Because, evidence.Citation{Reading: a.Source, Text: "accepted at " + clockTime(a.At)})
	return f
}

// slowAcquire: an acquire or renewal took longer than a third of the lease; the
// slowest is told, and what fell into it.
func slowAcquire(c *incident, _ evidence.Verdict) evidence.Finding {
	if c.leaseLo == 0 {
		return nothing()
	}
	var worst recorded
	n := 0
	for _, r := range c.record {
		if (r.Event == evidence.DeedAcquire || r.Event == evidence.DeedRenew) && r.Took > c.leaseLo/3 && c.asked(r.on) {
			n++
			if r.Took > worst.Took {
				worst = r
			}
		}
	}
	if n == 0 {
		return nothing()
	}
	text := fmt.Sprintf("%s took %s of a lease of %s", worst.Event, round(worst.Took), round(c.leaseLo))
	if n > 1 {
		text += fmt.Sprintf(", the slowest of %d such", n)
	}
	return found(evidence.Warning, worst.Source, text+c.heldUp(worst))
}

// heldUp names what fell into the time that a request took: a pause of the runtime
// or of the worker, or trouble of the network.
func (c *incident) heldUp(r recorded) string {
	during := r.on.Shift(-r.Took, 0)
	falls := func(at evidence.Interval, took time.Duration) bool {
		on, _ := c.onAxis(at)
		return on.Closed() && !on.Shift(0, took).Before(during) && !on.After(during)
	}
	for _, p := range c.s.Host.Pauses {
		if falls(p.At, p.Took) {
			return fmt.Sprintf("; a pause of %s (%s) falls into it", round(p.Took), quote(p.Kind))
		}
	}
	for _, o := range c.record {
		if o.Event == evidence.DeedPause && o.party == r.party && falls(o.At, o.Took) {
			return "; a pause that it recorded at " + clockTime(o.At) + " falls into it"
		}
	}
	for _, n := range c.s.Host.Network {
		if falls(n.At, 0) {
			return "; the network said " + quote(n.Class) + " meanwhile"
		}
	}
	return ""
}

// renewingAbsent: the holder goes on renewing a key that is gone or another's: by
// its own record, or by the last command on its connection.
func renewingAbsent(c *incident, v evidence.Verdict) evidence.Finding {
	n, first := 0, recorded{}
	for _, r := range c.deeds(evidence.DeedRenew) {
		late := c.lost.yes && r.sure && r.on.From.After(c.lost.at.To)
		switch {
		case ofLoss(r), late && r.OK == nil:
		case r.Succeeded():
			n = 0 // it had the lock, of whichever node it asked
			continue
		default:
			continue // no answer, or one that says nothing of the key
		}
		if n++; n == 1 {
			first = r
		}
	}
	const certain = 2 // one refusal is how a holder learns of its loss
	switch {
	case n >= certain:
		return found(evidence.Warning, first.Source, fmt.Sprintf("%s in vain since %s: the key was not there, or not its own", plural(n, "renewal"), clockTime(first.At)))
	case c.lost.yes && c.byCommand && v.Answers.Lease.Value == lost, c.renewsNothing():
		return found(evidence.Warning, c.read("client-list"), "the holder goes on renewing a key that is gone")
	}
	return nothing()
}

// renewsNothing says whether a connection of the holder last sent a renewal, after
// the key had gone and while it was still absent.
func (c *incident) renewsNothing() bool {
	last, ok := c.last()
	if !ok || last.Here || !c.lost.yes {
		return false
	}
	list, ok := c.newestList()
	if !ok {
		return false
	}
	for _, k := range c.connections(list) {
		said := c.lastCommand(list, k)
		if evidence.VerbOf(k.Cmd) == evidence.Renews && said.Known() && said.From.After(c.lost.at.To) {
			return true
		}
	}
	return false
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
	text := fmt.Sprintf("%s stopped all threads for %s", quote(cmpOr(worst.Runtime, "the runtime")), round(worst.Took))
	if c.leaseLo > 0 {
		text += fmt.Sprintf(" of a lease of %s", round(c.leaseLo))
	}
	return found(evidence.Warning, "gc log", text+": "+line(worst.Text))
}

func waiterStarved(c *incident, _ evidence.Verdict) evidence.Finding {
	w, ok := c.starved()
	if !ok {
		return nothing()
	}
	return found(evidence.Warning, w.last.Source, fmt.Sprintf("%s asked %s from %s to %s and did not get it, while others took it %s",
		quote(w.last.party), times(w.tries), clockTime(w.since.At), clockTime(w.last.At), times(w.passed)))
}
