package proof

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What is asserted of the lease itself.

const goneMistake = "That the key is gone proves only that a lease ended: somebody must hold it next, with a greater token."

func leaseAssertions() []assertion {
	return []assertion{
		{id: "lease-explicit", asserts: "every acquire carries an expiry", every: true, look: leaseExplicit,
			mistake: "A key without an expiry outlives its owner; a lease shorter than the slowest renewal is none either."},
		{id: "lease-covers-stall", asserts: "the lease covers the worst stall and the slowest renewal, with the margin", look: func(*course) word { return none() }, all: leaseCovers,
			mistake: "A longer lease \"to be safe\" only widens the window in which a paused holder races its successor: size it by what was measured."},
		{id: "released-after-lease", asserts: "within the lease and the skew of clocks the key is gone, or another's", every: true, look: releasedAfterLease, mistake: goneMistake},
		{id: "not-before-expiry", asserts: "nobody acquired before the lease ended on the coordinator's clock", every: true, look: notBeforeExpiry,
			mistake: "Clocks of clients decide nothing: only the coordinator's says when a lease is over."},
	}
}

func leaseExplicit(k *course) word {
	if told := k.run.told.Lease; told > 0 && k.contract.Lease > 0 && told != k.contract.Lease {
		return fail("capture", fmt.Sprintf("captured under a lease of %s, the contract says %s", told, k.contract.Lease))
	}
	for _, f := range k.run.verdict.Findings {
		if f.ID == "no-lease" {
			return fail("finding no-lease", f.Text)
		}
	}
	for _, w := range k.run.writes {
		took := w.Deed == evidence.DeedAcquire || w.Deed == evidence.DeedReplace
		if took && w.Ends.IsZero() && w.Value != "" {
			return fail("aof", w.Command+" took the lock without an expiry")
		}
	}
	n := 0
	for _, sight := range k.run.looks {
		switch {
		case sight.Here && sight.Endless:
			return fail("pttl", "the key has no expiry")
		case sight.Here && sight.Ends.Known():
			n++
		}
	}
	switch {
	case n > 0:
		return pass("pttl", fmt.Sprintf("an expiry at each of %d looks", n))
	case len(k.run.writes) > 0:
		return pass("aof", "an expiry at every acquire")
	}
	return lacks("nobody looked at the key while it was held")
}

// leaseCovers is about the contract alone: runs that inject a stall longer than the
// lease say nothing of what is usual.
func leaseCovers(courses []*course, _ word) word {
	if len(courses) == 0 {
		return lacks("no run was given")
	}
	c := courses[0].contract
	var missing []string
	for _, m := range []struct {
		name string
		time.Duration
	}{{"lease", c.Lease}, {"renew_every", c.RenewEvery}, {"worst_stall", c.WorstStall}, {"worst_renewal", c.WorstRenew}} {
		if m.Duration == 0 {
			missing = append(missing, m.name)
		}
	}
	if len(missing) > 0 {
		return lacks("the contract does not state " + strings.Join(missing, ", "))
	}
	margin, note := marginOf(c), ""
	if c.Margin == 0 {
		note = " (the default margin)"
	}
	least := time.Duration(margin * float64(c.RenewEvery+c.WorstStall+c.WorstRenew))
	text := fmt.Sprintf("lease %s, %.2g × (%s + %s + %s) = %s%s", c.Lease, margin, c.RenewEvery, c.WorstStall, c.WorstRenew, least.Round(time.Millisecond), note)
	switch {
	case c.Lease < least:
		return fail("contract", text)
	case c.LeaseMax > 0 && c.Lease > c.LeaseMax:
		return fail("contract", text+"; longer than lease_max "+c.LeaseMax.String())
	}
	return pass("contract", text)
}

func releasedAfterLease(k *course) word {
	if k.contract.Lease == 0 {
		return lacks("the contract does not state the lease")
	}
	limit := k.contract.Lease + k.skew()
	took, by := k.toRelease(), "the key was gone"
	if t := k.toTransfer(); took == nil || t != nil && t.Most < took.Most {
		took, by = t, "it was another's"
	}
	switch {
	case k.released():
		return none()
	case k.run.verdict.Label == evidence.RenewalAfterLoss:
		return fail("verdict", "the lease was renewed although its owner was "+k.run.verdict.Answers.Owner.Value)
	case took == nil:
		return lacks("nobody saw the key after the lease's end, or the disappearance is not dated")
	case took.Least > limit:
		return fail("times", fmt.Sprintf("%s, but %s after the owner disappeared; at most %s were promised", by, round(took.Least), limit))
	case took.Most <= limit:
		return pass("times", fmt.Sprintf("%s at most %s after the owner disappeared; %s are allowed", by, round(took.Most), limit))
	}
	return lacks(fmt.Sprintf("%s between %s and %s after the owner disappeared; %s are allowed", by, round(took.Least), round(took.Most), limit))
}

func notBeforeExpiry(k *course) word {
	t := k.run.verdict.Times
	at := evidence.Interval{}
	switch {
	case k.released():
		return none()
	case k.taken != nil && (k.mode() != evidence.ModeClock || t.SafeTransfer == nil):
		at = k.taken.On
	case t.SafeTransfer != nil: // by the coordinator's clock, which decides, wherever it went
		at = *t.SafeTransfer
		if exact := k.takenByLooks(); exact.Known() {
			at = exact
		}
	default:
		return lacks("nobody took the lock over")
	}
	if t.LeaseEnds == nil || !t.LeaseEnds.Closed() || !at.Closed() {
		return lacks("when the lease ended, or when it was taken over, is not known")
	}
	ends := *t.LeaseEnds
	early := ends.From.Sub(at.To)
	switch {
	case early > 0:
		return fail("times", fmt.Sprintf("taken over %s before the lease ended", round(early)))
	case !at.From.Before(ends.From):
		return pass("times", fmt.Sprintf("taken over at %s, the lease ended at %s", evidence.FormatTime(at.Mid()), evidence.FormatTime(ends.Mid())))
	case at.To.Sub(at.From) <= k.skew():
		return pass("times", fmt.Sprintf("taken over at %s, as the lease ended, within the skew of clocks", evidence.FormatTime(at.Mid())))
	}
	return lacks("whether it was taken over before the lease's end is not certain")
}

func round(d time.Duration) time.Duration {
	switch {
	case d >= 10*time.Second:
		return d.Round(100 * time.Millisecond)
	case d >= time.Second:
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}
