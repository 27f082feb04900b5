package classify

import (
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// A decision never says more than the evidence: nobody is told to release a lock
// whose owner is not proven gone, and no step ever writes.
func TestDecisions(t *testing.T) {
	for name, c := range map[string]struct {
		scene  *scene
		action evidence.Action
	}{
		"killed, the lease stands":        {ownerStories["killed for memory"].scene(), evidence.Wait},
		"stopped, then replaced":          {cases["stopped, then replaced"].scene(), evidence.FailClosed},
		"a forked child killed, endless":  {cases["a forked child killed"].scene(), evidence.FailClosed},
		"a container frozen":              {cases["a frozen container"].scene(), evidence.Wait},
		"two masters":                     {nodeStories["promoted beside its old master"].scene(), evidence.FailClosed},
		"healthy: there is none to make":  {cases["healthy renewal"].scene(), ""},
		"renewed for a worker that hangs": {ownerStories["renewed by a thread while the worker beats no more"].scene(), evidence.Wait},
	} {
		v := c.scene.judge()
		var got evidence.Action
		if v.Decision != nil {
			got = v.Decision.Action
		}
		if got != c.action {
			t.Errorf("%s: %q, want %q: %+v", name, got, c.action, v.Decision)
		}
	}
}

func TestNoStepWrites(t *testing.T) {
	for _, v := range told(t) {
		if d := v.Decision; d != nil && d.Action == evidence.ReleaseByHand && (v.Answers.Owner.Value != gone || v.Grade != evidence.Proven) {
			t.Errorf("%s %s: release by hand without proof", v.Key, v.Label)
		}
		for _, s := range v.Next {
			for _, word := range []string{" DEL ", "UNLINK", "EVAL", " SET ", "redis-cli"} {
				if strings.Contains(s.Command, word) {
					t.Errorf("a step writes: %s", s.Command)
				}
			}
		}
	}
}

// Advice does not deny what the verdict above it says: of an owner that is known to be
// gone nobody is told that its fate is open.
func TestDecisionsKnowTheOwnersFate(t *testing.T) {
	open := 0
	for _, v := range told(t) {
		d := v.Decision
		if d == nil || v.Answers.Owner.Value != gone {
			continue
		}
		if strings.Contains(d.Why, "what became of the owner") {
			t.Errorf("%s: the owner is gone, and %s", v.Key, d.Why)
		}
		if strings.Contains(d.Why, "renews in its place is not known") {
			open++
		}
	}
	if open == 0 {
		t.Error("no story has an owner that is gone and a lease that may be renewed")
	}
}
