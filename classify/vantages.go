package classify

import (
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

// What several vantages add: a server that answered one and not the other was
// there, and the way to it was not; and where two contradict each other, nothing
// that rests on either is proven.

// unheard lists the looks from the owner's own machine that the coordinator did
// not answer although it answered somebody else then or later.
func (c *incident) unheard() []evidence.Look {
	var out []evidence.Look
	for _, l := range c.s.Unanswered {
		at := slices.IndexFunc(c.s.Vantages, func(v evidence.Vantage) bool { return v.Name == l.Vantage })
		if at >= 0 && evidence.SameProcesses(c.s.Vantages[0], c.s.Vantages[at]) && l.Before.Status == evidence.Timeout {
			out = append(out, l)
		}
	}
	return out
}

// citeUnheard adds that silence to what says the path is broken: it is another
// connection, of another program, that met the same.
func (c *incident) citeUnheard(x *exam) {
	if looks := c.unheard(); len(looks) > 0 {
		x.source("vantages")
		x.cite(c.read("time"), "%s from %s: no answer (%s), while it answered elsewhere",
			plural(len(looks), "look"), quote(looks[0].Vantage), cmpOr(looks[0].Before.Why, string(looks[0].Before.Status)))
	}
}

// pathSplit: the owner's machine gets no answer from a server that answers
// somebody else. Without the owner's own socket it is likely at most, and it
// says nothing of T* unless one of those looks began before it.
func (c *incident) pathSplit(x *exam) bool {
	looks := c.unheard()
	if len(looks) == 0 {
		return false
	}
	x.only(broken)
	c.citeUnheard(x)
	x.cap = true
	c.later = c.missedOne() && !c.span(looks[0].Span).Before(c.when)
	x.says = "the owner's host gets no answer, and others do"
	return true
}

// disputed takes proof back from the answers that vantages contradict each other
// about, and cites the contradiction. Nobody is believed over another.
func (c *incident) disputed(a *evidence.Answers) {
	for _, d := range c.s.Contradictions {
		answer := map[string]*evidence.Answer{"lease": &a.Lease, "owner": &a.Owner, "coordinator": &a.Coordinator}[d.Touches]
		if answer == nil {
			continue
		}
		if answer.Grade == evidence.Proven {
			answer.Grade = evidence.Likely
		}
		answer.Because = append(slices.Clip(answer.Because), evidence.Citation{Reading: d.A.Reading, Text: "contradicted: " + d.Text})
	}
}
