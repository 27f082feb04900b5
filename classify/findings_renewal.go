package classify

import (
	"fmt"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func renewalRules() []rule {
	return []rule{
		{"renewer-outlives-worker", "Tie renewal to the work's own sign of life: a renewer that outlives its worker keeps a lock for nobody.", renewerOutlives},
		{"renewer-shares-process", "Renewal and work live in one process: a crash ends both, a hung worker neither; let the renewer check the worker's progress.", renewerShares},
		{"non-owner-renewal", "Find out who else knows the token and why it renews.", nonOwnerRenewal},
		{"released-by-non-owner", "Release with compare-and-delete on the token, never with a plain DEL.", releasedByOther},
		{"never-renewed", "Start the renewal with the acquire, or take a lease that covers the work.", neverRenewed},
		{"renewer-dead", "Supervise the renewer, and stop the work when it stops.", renewerDead},
		{"lease-shorter-than-work", "Make the lease longer than the work between renewals, or renew.", shorterThanWork},
		{"renewal-gap", "Alert when the gap between renewals exceeds a fraction of the lease, before it ends.", renewalGap},
	}
}

func renewerOutlives(c *incident, v evidence.Verdict) evidence.Finding {
	if v.Label != evidence.RenewalAfterLoss {
		return nothing()
	}
	who := "something"
	if c.renewedBy != nil {
		who = c.connection(*c.renewedBy)
	}
	return found(evidence.Critical, c.read("client-list"), who+" renews for an owner that is "+inWords(v.Answers.Owner))
}

func renewerShares(c *incident, v evidence.Verdict) evidence.Finding {
	if v.Answers.Lease.Value != renewing || c.renewedBy == nil || !c.ofOwner(*c.renewedBy) {
		return nothing()
	}
	severity := evidence.Notice
	if v.Label == evidence.RenewalAfterLoss {
		severity = evidence.Warning
	}
	return found(severity, c.read("client-list"), "the renewals come from the owner's own process: "+c.connection(*c.renewedBy))
}

func nonOwnerRenewal(c *incident, v evidence.Verdict) evidence.Finding {
	if v.Answers.Lease.Value != renewing || c.renewedBy == nil || !c.notOwners(*c.renewedBy) {
		return nothing()
	}
	if c.s.Subject.Renewer > 0 {
		if p, ok := c.peer(c.renewedBy.Addr); ok && p.Pid == c.s.Subject.Renewer {
			return nothing() // the responder named it as the renewer
		}
	}
	return found(evidence.Warning, c.read("client-list"), "renewed by "+c.connection(*c.renewedBy)+", not by the owner's process")
}

func releasedByOther(c *incident, v evidence.Verdict) evidence.Finding {
	if v.Answers.Lease.Value != lost || v.Answers.Coordinator.Value == broke {
		return nothing()
	}
	return found(evidence.Critical, c.read("pttl"), "the key was taken away "+moment(c.lost.at)+", before its end, and not by its holder")
}

// neverRenewed: the lease ended exactly one lease after it was taken, and a
// renewal was promised. Only watching from the acquire on can show it.
func neverRenewed(c *incident, v evidence.Verdict) evidence.Finding {
	if v.Label != evidence.ContractFault || len(c.renewals) > 0 || v.Answers.Lease.Value == lost {
		return nothing()
	}
	return found(evidence.Warning, c.read("pexpiretime"), "no renewal was seen while watched")
}

func renewerDead(c *incident, v evidence.Verdict) evidence.Finding {
	if v.Label != evidence.ContractFault || c.s.Contract.RenewEvery == 0 || v.Answers.Lease.Value == lost {
		return nothing()
	}
	return found(evidence.Warning, c.read("pexpiretime"), fmt.Sprintf("a renewal was due every %s; the owner works and sends none", c.every))
}

func shorterThanWork(c *incident, v evidence.Verdict) evidence.Finding {
	if v.Label != evidence.ContractFault || v.Answers.Lease.Value != lapsed {
		return nothing()
	}
	return found(evidence.Critical, c.read("pexpiretime"), "the lease ended while its owner was still working")
}

// renewalGap: two renewals that were seen lay further apart than two thirds of
// the lease: one more miss and it is lost.
func renewalGap(c *incident, _ evidence.Verdict) evidence.Finding {
	var worst time.Duration
	for i := 1; i < len(c.renewals); i++ {
		worst = max(worst, c.renewals[i].At.From.Sub(c.renewals[i-1].At.To))
	}
	if c.leaseLo == 0 || worst < 2*c.leaseLo/3 {
		return nothing()
	}
	return found(evidence.Warning, c.read("pexpiretime"), fmt.Sprintf("two renewals lay %s apart, of a lease of %s", round(worst), round(c.leaseLo)))
}
