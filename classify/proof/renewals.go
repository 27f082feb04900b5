package proof

import (
	"fmt"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
)

// What is asserted of renewals: that they end with the owner and with its work.

func renewalAssertions() []assertion {
	return []assertion{
		{id: "no-renewal-after-death", asserts: "no renewal advanced the lease after the owner was killed", look: noRenewalAfterDeath,
			mistake: "A renewer of its own must be shown to stop: look at the lease after the kill, not at the process."},
		{id: "renewal-tied-to-work", asserts: "with the work paused and the renewer alive the lease was not extended", look: renewalTied,
			mistake: "Stopping the whole process stops its renewer too: pause the work alone."},
		{id: "no-reassert", asserts: "after a partition healed the old owner did not take the lock back", look: noReassert,
			mistake: "A partition that never heals shows nothing of what its owner does when it is back."},
		{id: "mid-renewal", asserts: "at least one kill landed inside a renewal", look: midRenewal, all: midRenewals,
			mistake: "Killing at idle leaves the boundary untried at which a renewal was sent and not answered."},
	}
}

func noRenewalAfterDeath(k *course) word {
	v := k.run.verdict
	gone := v.Answers.Owner.Value == "gone"
	switch {
	case v.Label == evidence.RenewalAfterLoss && gone:
		return fail("verdict", v.Headline)
	case k.mode() != evidence.ModeCrash || !gone:
		return none()
	}
	for _, e := range k.of(k.lost, renews) {
		if e.Succeeded() && k.afterDeath(e) {
			return fail(e.Source, "renewed at "+evidence.FormatTime(e.On.Mid())+", after the owner had died")
		}
	}
	switch lease := v.Answers.Lease.Value; lease {
	case "lapsing", "lapsed":
		return pass("verdict", "the lease was "+lease+" after the kill: "+v.Answers.Lease.Says)
	}
	return lacks("the lease was not watched after the kill")
}

// afterDeath says whether an event certainly came after the owner's end: by the one
// clock that dated both, where its end was recorded, since the coordinator's may have
// been moved in between.
func (k *course) afterDeath(e classify.Placed) bool {
	for _, x := range k.of(k.lost, evidence.DeedExit) {
		if x.At.Clock == e.At.Clock {
			return e.At.After(x.At)
		}
	}
	died := k.disappeared()
	return died.Closed() && e.On.After(died)
}

// renewalTied needs a run in which the work alone was paused, which only the harness
// can say: an event pause of the worker whose text speaks of its work.
func renewalTied(k *course) word {
	for _, p := range k.of(k.lost, evidence.DeedPause) {
		if !mentions(p, "work") || k.lost == "" {
			continue
		}
		for _, e := range k.of(k.lost, renews) {
			limit := p.On.Shift(0, k.contract.RenewEvery+k.contract.WorstStall)
			if e.Succeeded() && e.On.After(limit) {
				return fail(e.Source, "renewed at "+evidence.FormatTime(e.On.Mid())+", though the work had been paused since "+evidence.FormatTime(p.On.Mid()))
			}
		}
		switch k.run.verdict.Answers.Lease.Value {
		case "lapsing", "lapsed":
			return pass(p.Source, "the lease ran out after the work was paused at "+evidence.FormatTime(p.On.Mid()))
		}
		if k.taken != nil {
			return pass(p.Source, "it was taken over after the work was paused at "+evidence.FormatTime(p.On.Mid()))
		}
		return lacks("the lease's end was not seen")
	}
	if v := k.run.verdict; v.Label == evidence.RenewalAfterLoss && v.Answers.Owner.Value == "stalled" {
		return fail("verdict", v.Headline)
	}
	return none()
}

func noReassert(k *course) word {
	switch {
	case k.mode() != evidence.ModePartition:
		return none()
	case k.taken == nil:
		return lacks("nobody took the lock over")
	}
	back := false
	for _, e := range k.of(k.lost, acquires, renews, writes, rejects) {
		if !e.On.After(k.taken.On) {
			continue
		}
		if (e.Event == acquires || e.Event == renews) && e.Succeeded() && !k.letGoBefore(e) {
			return fail(e.Source, "the old owner took it back at "+evidence.FormatTime(e.On.Mid()))
		}
		back = true
	}
	if !back {
		return lacks("the old owner was not heard of after the transfer: whether it came back is not recorded")
	}
	return pass("events", "the old owner came back and was turned away")
}

// letGoBefore says whether the taker had released the lock before an event.
func (k *course) letGoBefore(e classify.Placed) bool {
	for _, r := range k.of(k.taken.Party, evidence.DeedRelease) {
		if r.On.Before(e.On) {
			return true
		}
	}
	return false
}

// midRenewal: the owner's record ends with a renewal that was sent, or one that took
// until its death.
func midRenewal(k *course) word {
	if !k.killed() {
		return none()
	}
	all := k.of(k.lost, renews, evidence.DeedRenewSent)
	if k.lost == "" || len(all) == 0 {
		return lacks("the owner's renewals were not recorded")
	}
	last, died := all[len(all)-1], k.disappeared()
	under := died.Closed() && last.Took > 0 && !last.On.Shift(-last.Took, 0).After(died) && !last.On.Before(died)
	switch {
	case last.Event == evidence.DeedRenewSent || under:
		return pass(last.Source, "the renewal that was sent at "+evidence.FormatTime(last.On.Mid())+" never ended")
	case k.atIdle():
		return lacks("the kill came at idle: the renewal of " + evidence.FormatTime(last.On.Mid()) + " had ended, and none was due")
	}
	return lacks("whether the kill came inside a renewal was not recorded")
}

// atIdle says whether the owner was certainly killed between two renewals: it wrote
// down each that it sent, the last of them had ended, and the next was not yet due
// when it died. A record that stops an interval before the death may lack a renewal.
func (k *course) atIdle() bool {
	all, died := k.of(k.lost, renews, evidence.DeedRenewSent), k.disappeared()
	if k.lost == "" || !k.killed() || len(all) == 0 || len(k.of(k.lost, evidence.DeedRenewSent)) == 0 {
		return false
	}
	last := all[len(all)-1]
	return last.Event == renews && died.Closed() && !died.Before(last.On) && died.To.Sub(last.On.From) < k.contract.RenewEvery
}

// midRenewals: one kill inside a renewal will do. Where each is shown to have come at
// idle, that is no gap in the record but the contrary of what is asserted.
func midRenewals(courses []*course, w word) word {
	kills, idle := 0, 0
	for _, k := range courses {
		if k.killed() {
			kills++
		}
		if k.atIdle() {
			idle++
		}
	}
	if w.outcome == evidence.NotEvidenced && kills > 0 && idle == kills {
		return fail("", fmt.Sprintf("each kill came at idle, between two renewals (%d of %d)", idle, kills))
	}
	return w
}
