package classify

import (
	"fmt"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// decide answers the checklist's fifth question: keep the system running with
// degraded safety, or fail closed; and whether anybody may release the lock by
// hand. It names what must be true first and which token to record, and never a
// command that writes: that is a human's to type.
func (c *incident) decide(v evidence.Verdict) *evidence.Decision {
	d := &evidence.Decision{Token: c.previousToken()}
	switch {
	case v.State == evidence.Contested:
		c.decideContested(d)
	case v.Label == evidence.ClockAnomaly:
		d.Action = evidence.FailClosed
		d.Why = "no lease can be trusted while the clock that runs it is wrong"
		d.First = []string{"the coordinator's clock is right and kept again", "every holder that took or renewed a lock meanwhile has seen its loss, or the resource refuses its token"}
	case v.Label == evidence.NoFailure:
		return nil
	case v.Answers.Lease.Value == endless:
		c.decideEndless(d, v)
	case v.Label == evidence.RenewalAfterLoss:
		d.Action = evidence.Wait
		d.Why = "stop what renews it, then the lease ends by itself; a deleted key would only be taken under the renewer's hands"
		d.First = []string{"the renewer is stopped", "the lease has ended since"}
	case v.State == evidence.Free:
		c.decideFree(d, v)
	case v.State == evidence.Held && c.lost.yes && c.succeeded():
		c.decideTaken(d, v)
	case v.Label == evidence.Inconclusive:
		d.Action = evidence.Wait
		d.Why = "what became of the owner is not known: releasing now is a guess"
		if v.Answers.Owner.Value == gone {
			d.Why = "its owner is gone, but whether anybody renews in its place is not known: releasing now is a guess"
		}
		d.First = c.proofs(v)
	default:
		c.decideHeld(d, v)
	}
	return d
}

// previousToken is what the key says of the holder the incident is about: it must
// be written down before anything changes.
func (c *incident) previousToken() string {
	if c.former {
		return ""
	}
	return c.first.Holder
}

func (c *incident) decideContested(d *evidence.Decision) {
	d.Action = evidence.FailClosed
	d.Why = "two parties may write: stop guarded writes, or let only the newest token through, until the first one is out"
	d.First = []string{"the first holder has stopped, exited, or seen its loss", "the resource refuses the first holder's token"}
}

// decideEndless: nothing frees such a key, so somebody will have to; the runbook's
// conditions stand before that.
func (c *incident) decideEndless(d *evidence.Decision, v evidence.Verdict) {
	d.First = c.proofs(v)
	if v.Answers.Owner.Value == gone && v.Grade == evidence.Proven {
		d.Action = evidence.ReleaseByHand
		d.Why = "the key has no expiry and its owner is proven gone: a human may release it, by compare-and-delete on the recorded token"
		return
	}
	d.Action = evidence.FailClosed
	d.Why = "the key has no expiry, and that its owner is gone is not proven: nobody may release it on suspicion"
}

// decideFree: a free key is no release while its former owner may still write.
func (c *incident) decideFree(d *evidence.Decision, v evidence.Verdict) {
	if v.Answers.Owner.Value == gone {
		d.Action = evidence.Wait
		d.Why = "the lease is over and its owner is gone: the next owner may take it"
		return
	}
	d.Action = evidence.FailClosed
	d.Why = "the key is free, but its former owner is not known to have stopped: a new owner would write beside it"
	d.First = []string{"the former owner has stopped or seen its loss", "the resource refuses its token"}
}

// decideTaken: the lease is over and another holds the lock by right.
func (c *incident) decideTaken(d *evidence.Decision, v evidence.Verdict) {
	d.Action = evidence.Wait
	d.Why = "another owner holds the lock by right: nothing is to be released"
	if v.Answers.Owner.Value != gone {
		d.First = []string{"the former owner has stopped or seen its loss", "the resource refuses its token"}
	}
}

// decideHeld: the lease still stands and will end by itself.
func (c *incident) decideHeld(d *evidence.Decision, v evidence.Verdict) {
	ends := c.leaseEnds()
	d.Action = evidence.Wait
	if ends.Known() {
		d.Until = &ends
		d.Why = "the lease ends by itself at " + moment(ends)
	} else {
		d.Why = "the lease ends by itself"
	}
	switch v.Answers.Owner.Value {
	case gone:
		d.Why += "; its owner is gone and cannot write any more"
	case stalled:
		d.Why += "; its owner will write again when it wakes, and still believe that it holds the lock"
		d.First = []string{"the resource refuses the old token before another owner writes", "or the stalled owner is ended for good"}
	default:
		d.Why += "; its owner lives and may write when it is heard again"
		d.First = []string{"the resource refuses the old token before another owner writes", "or the owner has seen its loss"}
	}
}

// proofs are what the runbook demands before a lock is released by hand.
func (c *incident) proofs(v evidence.Verdict) []string {
	out := []string{"no live holder emits heartbeats", "the previous owner's token is recorded"}
	if v.Answers.Owner.Value != gone {
		out = append(out, "two independent sources say that the owner is gone")
	}
	return append(out, "the resource refuses the old token")
}

// sayDecision puts the decision in front of the next steps.
func sayDecision(d *evidence.Decision) []evidence.Step {
	if d == nil || d.Action == "" {
		return nil
	}
	words := map[evidence.Action]string{evidence.Wait: "wait", evidence.FailClosed: "fail closed", evidence.ReleaseByHand: "release by hand is possible"}
	steps := []evidence.Step{{Why: words[d.Action] + ": " + d.Why}}
	if len(d.First) > 0 {
		steps = append(steps, evidence.Step{Why: "before anybody goes on: " + strings.Join(d.First, "; ")})
	}
	if d.Token != "" && d.Action != evidence.Wait {
		steps = append(steps, evidence.Step{Why: fmt.Sprintf("record the previous owner's token before anything changes: %s", quote(d.Token))})
	}
	return steps
}
