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
	if a.Coordinator.Value == evidence.Unknown || a.Coordinator.Value == kept && c.hurt() {
		add(evidence.CoordinatorFault)
	}
	// Somebody may have killed or stopped a worker that already hung, or that
	// could not reach the coordinator.
	if c.undated {
		add(evidence.Crash, evidence.Stall, evidence.Partition, evidence.ContractFault)
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
