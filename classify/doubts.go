package classify

import (
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

// doubts lists the labels that the verdict does not name and that presumption,
// or evidence without a date, leaves standing behind it.
func (c *incident) doubts(v evidence.Verdict) []evidence.Label {
	out := []evidence.Label{}
	add := func(labels ...evidence.Label) {
		for _, l := range labels {
			if l != v.Label && !slices.Contains(out, l) && !(v.Label == evidence.Inconclusive && slices.Contains(v.Open, l)) {
				out = append(out, l)
			}
		}
	}
	a := v.Answers
	// A clock watched from now on may have stepped before.
	if a.Clock.Value == evidence.Unknown || a.Clock.Value == steady && !c.covered {
		add(evidence.ClockAnomaly)
	}
	if a.Coordinator.Value == evidence.Unknown || c.neverThere() || a.Coordinator.Value == kept && c.lost.yes && !c.lost.late {
		add(evidence.CoordinatorFault)
	}
	// Somebody may have killed or stopped a worker that already hung, or that
	// could not reach the coordinator.
	if c.undated {
		add(evidence.Crash, evidence.Stall, evidence.Partition, evidence.ContractFault)
	}
	add(c.laterDoubts(v)...)
	// Of a process that was only told, and dead at every look, nothing shows that
	// this lock is its and not a later holder's.
	if v.Label == evidence.RenewalAfterLoss && a.Owner.Value == gone && c.owner != nil && c.owner.way == "flag" && lastAlive(c.owner.proc) == nil && c.kill == nil {
		add(evidence.NoFailure)
	}
	// That this process took the lock was presumed: the one that did may be gone.
	if c.presumed {
		if slices.Contains(a.Lease.Possible, renewing) {
			add(evidence.RenewalAfterLoss)
		}
		if a.Lease.Value != renewing {
			add(evidence.Crash)
		}
	}
	// CPU time is not proof of work on this lock.
	if c.byCPU && !slices.Contains(a.Owner.Possible, stalled) {
		if slices.Contains(a.Lease.Possible, renewing) {
			add(evidence.RenewalAfterLoss)
		}
		if a.Lease.Value != renewing {
			add(evidence.Stall)
		}
	}
	if v.Label == evidence.Inconclusive {
		return out
	}
	// A renewal seen from the coordinator may be another process's.
	if a.Owner.Value == stalled && a.Owner.Grade != evidence.Proven && a.Lease.Value == renewing {
		add(evidence.NoFailure)
	}
	if v.Label == evidence.NoFailure && a.Lease.Value == released && a.Lease.Grade != evidence.Proven {
		add(evidence.ContractFault)
	}
	return out
}

// laterDoubts are those of readings that came too late, or that may speak of
// something else.
func (c *incident) laterDoubts(v evidence.Verdict) []evidence.Label {
	out := []evidence.Label{}
	add := func(labels ...evidence.Label) { out = append(out, labels...) }
	a := v.Answers
	// One that is known to have been busy may be why, where what became of the
	// lease is not known.
	if a.Lease.Value == evidence.Unknown && redisStall(c, v).Severity != "" {
		add(evidence.CoordinatorFault)
	}
	// A server that was busy leaves its only trace in SLOWLOG.
	if a.Lease.Value != renewing && a.Lease.Value != released && c.s.Node.Slowlog.State == evidence.Unread && a.Owner.Value != gone {
		add(evidence.CoordinatorFault)
	}
	// Something else may have lost the renewal before that.
	if c.later {
		add(evidence.Stall, evidence.Partition, evidence.ContractFault)
	}
	// It may have released the lock and gone on with another.
	if c.byCommand || c.byOffset || v.Label == evidence.CoordinatorFault && slices.Contains(a.Lease.Possible, released) {
		add(evidence.NoFailure)
	}
	// What a log does not mention may have happened all the same.
	if (c.recalled == "events" || c.joined == "events") && a.Lease.Value != renewing && a.Lease.Value != released {
		add(evidence.RenewalAfterLoss, evidence.NoFailure)
	}
	if c.cutShort {
		add(evidence.NoFailure)
	}
	// The interval was only observed, not promised.
	if c.s.Contract.RenewEvery == 0 && a.Lease.Value == lapsing && a.Owner.Value != gone {
		add(evidence.NoFailure)
	}
	return out
}
