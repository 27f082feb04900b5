package proof

import (
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
)

// A course is one run as far as a proof is concerned: who lost the lock, who took it
// over, and everything that was recorded of both.
type course struct {
	run      Run
	contract evidence.Contract
	tokenIn  *regexp.Regexp // the contract's pattern; nil: it has none that can be read
	record   []classify.Placed
	lost     string           // the party that held the lock and lost it; empty: nobody is known
	taken    *classify.Placed // the acquire of whoever held it next; nil: nobody did
	failed   bool             // an assertion failed in this run
}

// parties finds who lost the lock and who took it over.
func (k *course) parties() {
	for i, e := range k.record {
		if e.Event != evidence.DeedAcquire && e.Event != evidence.DeedRenew || !e.Succeeded() {
			continue
		}
		switch {
		case k.lost == "" && (e.Holder || e.Event == evidence.DeedAcquire):
			k.lost = e.Party
		case e.Event == evidence.DeedAcquire && k.lost != "" && e.Party != k.lost && k.taken == nil,
			k.taken != nil && k.taken.Seen && !e.Seen && e.Event == evidence.DeedAcquire && e.Party == k.taken.Party:
			k.taken = &k.record[i] // what its taker wrote down dates it better than a look
		}
	}
}

// byOwnClocks orders events by the clocks that dated them. Where the coordinator's
// clock moved, what it says of before and after cannot be laid on one axis: what its
// own looks show is left out where anybody wrote down more.
func (k *course) byOwnClocks() {
	told := slices.DeleteFunc(slices.Clone(k.record), func(e classify.Placed) bool { return e.Seen })
	if len(told) == 0 {
		return
	}
	for i := range told {
		told[i].On = told[i].At
	}
	slices.SortStableFunc(told, func(a, b classify.Placed) int { return a.On.From.Compare(b.On.From) })
	k.record = told
}

// untilTaken is from the lost owner's last renewal to the takeover, by their own
// clocks.
func (k *course) untilTaken() *evidence.Range {
	var last *classify.Placed
	for _, e := range k.of(k.lost, evidence.DeedAcquire, evidence.DeedRenew) {
		if e.Succeeded() && k.lost != "" && (k.taken == nil || e.On.Before(k.taken.On)) {
			last = &e
		}
	}
	if last == nil || k.taken == nil {
		return nil
	}
	return apart(evidence.Interval{From: last.On.From, To: k.taken.On.From}, k.taken.On)
}

// takenByLooks is when the next holder took the lock by the end of its lease, on the
// coordinator's clock: of two looks that lie closer together than two renewals, the
// second shows a lease as it was taken.
func (k *course) takenByLooks() evidence.Interval {
	var last *seen
	for _, sight := range k.run.looks {
		if last != nil && sight.Here && sight.Ends.Known() && sight.Holder != "" && sight.Holder != k.run.verdict.Holder.Value {
			apart := sight.end - last.start
			if k.contract.Lease > 0 && apart >= 0 && apart < k.contract.RenewEvery {
				return evidence.RenewedAt(sight.Ends, k.contract.Lease)
			}
			return evidence.Interval{}
		}
		last = &sight
	}
	return evidence.Interval{}
}

// of are the events of some kinds by one party, in order; by anybody where the party
// is empty.
func (k *course) of(party string, kinds ...evidence.Deed) []classify.Placed {
	var out []classify.Placed
	for _, e := range k.record {
		for _, kind := range kinds {
			if e.Event == kind && (party == "" || e.Party == party) {
				out = append(out, e)
			}
		}
	}
	return out
}

// token is an event's fencing token as a number, from where the contract says that it
// stands.
func (k *course) token(e classify.Placed) (int64, bool) {
	text := e.Token
	if tokenFrom(k.contract) == "value" {
		text = ""
		if k.tokenIn == nil {
			return 0, false
		}
		if m := k.tokenIn.FindStringSubmatch(e.Owner); len(m) > 1 {
			text = m[1]
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// tokenOf is the token that a party's acquire was given, or else the one it wrote with.
func (k *course) tokenOf(party string) (int64, bool) {
	for _, e := range k.of(party, evidence.DeedAcquire, evidence.DeedWrite, evidence.DeedReject) {
		if n, ok := k.token(e); ok && party != "" {
			return n, true
		}
	}
	return 0, false
}

// mode is how the owner disappeared, by the run's verdict.
func (k *course) mode() evidence.Mode {
	switch k.run.verdict.Label {
	case evidence.Crash:
		return evidence.ModeCrash
	case evidence.Partition:
		return evidence.ModePartition
	case evidence.ClockAnomaly:
		return evidence.ModeClock
	case evidence.Stall:
		return evidence.ModePause
	}
	return evidence.ModeOther
}

// released says whether the owner let go of the lock itself: a graceful end proves
// nothing about an abrupt one.
func (k *course) released() bool {
	if k.run.verdict.Answers.Lease.Value == "released" {
		return true
	}
	for _, e := range k.of(k.lost, evidence.DeedRelease) {
		if k.lost != "" && e.Succeeded() && (k.taken == nil || e.On.Before(k.taken.On)) {
			return true
		}
	}
	return false
}

const gracefulWords = "each owner let go of the lock itself, and a graceful shutdown proves nothing about an abrupt end"

// asked says whether the owner was asked to end, and could run its unlock code: a
// signal to terminate is no abrupt end, whether it then let go or not.
func (k *course) asked() bool {
	if k.released() || k.run.verdict.Cause == "terminated" {
		return true
	}
	return slices.ContainsFunc(k.of(k.lost, evidence.DeedExit), func(e classify.Placed) bool {
		return k.lost != "" && mentions(e, "sigterm", "signal 15")
	})
}

// killed says whether the owner's end was abrupt.
func (k *course) killed() bool { return k.mode() == evidence.ModeCrash && !k.asked() }

// disappeared is when the owner was lost: as the verdict has it, or else since its last
// renewal, after which it did nothing for the lock.
func (k *course) disappeared() evidence.Interval {
	t := k.run.verdict.Times
	switch {
	case t.Disappeared != nil && t.Disappeared.Known():
		return *t.Disappeared
	case t.LastRenewal != nil && t.LastRenewal.Known():
		out := *t.LastRenewal
		if t.LeaseEnds != nil && t.LeaseEnds.Known() {
			out.To = t.LeaseEnds.To
		}
		return out
	}
	return evidence.Interval{}
}

// toRelease is how long after the disappearance the coordinator counted the lock free.
func (k *course) toRelease() *evidence.Range {
	t := k.run.verdict.Times
	if k.mode() == evidence.ModeClock {
		return k.untilTaken()
	}
	if t.ToSafeRelease != nil {
		return t.ToSafeRelease
	}
	if t.SafeRelease == nil {
		return nil
	}
	return apart(k.disappeared(), *t.SafeRelease)
}

// toTransfer is how long after it somebody else held the lock.
func (k *course) toTransfer() *evidence.Range {
	t := k.run.verdict.Times
	switch {
	case k.mode() == evidence.ModeClock:
		return k.untilTaken()
	case t.ToSafeTransfer != nil:
		return t.ToSafeTransfer
	case k.taken != nil:
		return apart(k.disappeared(), k.taken.On)
	case t.SafeTransfer != nil:
		return apart(k.disappeared(), *t.SafeTransfer)
	}
	return nil
}

// gap is the longest time between two renewals of the lost owner.
func (k *course) gap() *evidence.Range {
	var longest *evidence.Range
	var last *classify.Placed
	for _, e := range k.of(k.lost, acquires, renews) {
		if !e.Succeeded() || k.lost == "" {
			continue
		}
		if last != nil {
			if r := apart(last.On, e.On); r != nil && (longest == nil || r.Most > longest.Most) {
				longest = r
			}
		}
		last = &e
	}
	return longest
}

// refused counts the writes that the resource did not take.
func (k *course) refused() int {
	n := 0
	for _, e := range k.record {
		if e.Event == rejects || e.Event == writes && !e.Succeeded() {
			n++
		}
	}
	return n
}

func apart(from, to evidence.Interval) *evidence.Range {
	if !from.Closed() || !to.Closed() {
		return nil
	}
	least, most := to.From.Sub(from.To), to.To.Sub(from.From)
	if most < 0 {
		return nil
	}
	return &evidence.Range{Least: max(least, 0), Most: most}
}

func (k *course) skew() time.Duration { return skewOf(k.contract) }

func (k *course) summary() evidence.ProofRun {
	return evidence.ProofRun{
		Name: k.run.Name, Mode: k.mode(), Label: k.run.verdict.Label,
		Release: k.toRelease(), Transfer: k.toTransfer(), Sound: !k.failed,
	}
}
