package classify

import (
	"cmp"
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

// A rule looks for one fact worth fixing that is not the label. It returns a
// finding without an ID when there is nothing to say.
type rule struct {
	id     string
	advice string // the runbooks' guidance, in our words
	look   func(*incident, evidence.Verdict) evidence.Finding
}

// rules are all of them, family by family.
func rules() []rule {
	return slices.Concat(leaseRules(), ownerRules(), renewalRules(), serverRules(), nodeRules(), quorumRules(), neighbourRules(), otherLockRules(),
		signRules(), eventRules(), runtimeRules(), networkRules(), clockRules())
}

// FindingIDs lists every finding by its identifier.
func FindingIDs() []string {
	var out []string
	for _, r := range rules() {
		out = append(out, r.id)
	}
	return out
}

// Advice is what to do about a finding; not ok where there is none of that name.
func Advice(id string) (string, bool) {
	for _, r := range rules() {
		if r.id == id {
			return r.advice, true
		}
	}
	return "", false
}

// findings applies every rule, the weightiest first.
func (c *incident) findings(v evidence.Verdict) []evidence.Finding {
	out := []evidence.Finding{}
	for _, r := range rules() {
		f := r.look(c, v)
		if f.Severity == "" {
			continue
		}
		f.ID, f.Advice = r.id, r.advice
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(a, b evidence.Finding) int { return cmp.Compare(weight(b.Severity), weight(a.Severity)) })
	return out
}

func weight(s evidence.Severity) int {
	return slices.Index([]evidence.Severity{evidence.Notice, evidence.Warning, evidence.Critical}, s)
}

// found is a finding with one citation; more are added with and.
func found(severity evidence.Severity, reading, text string) evidence.Finding {
	return evidence.Finding{Severity: severity, Text: text, Because: []evidence.Citation{{Reading: reading, Text: text}}}
}

// nothing is what a rule returns when it does not apply.
func nothing() evidence.Finding { return evidence.Finding{} }
