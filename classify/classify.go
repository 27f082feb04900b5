// Package classify turns a snapshot into a verdict, and does nothing else: no
// clock, no file, no network.
//
// Five questions are answered from the evidence, each with the set of answers
// it leaves possible: is the lease still being extended, was its owner alive
// and working, could the owner reach the coordinator, did the clocks behave,
// did the coordinator keep its promise. A table reads the label off the five.
// Every combination the evidence leaves possible is looked up: when one label
// remains it is the verdict, when several do the verdict is inconclusive and
// says which. Less evidence can therefore only widen what is open.
//
// All questions are about one moment, T*: the first renewal that should have
// come and did not. What happened to anybody after that moment did not lose
// the lock.
//
// # For a test harness
//
// [Judge] gives the verdict: Label is the answer in a word, Open the labels that are
// left where it is inconclusive, Answers the five questions with what they rest on.
// It is a pure function, so a bundle gives the same verdict on any machine, and another
// one only when the rules change (evidence.Rules). [Timeline] puts what the snapshot
// dates in one order, [Record] what the applications wrote down, with whose doing it was
// on the coordinator's clock. What a run of a drill proves is for classify/proof.
package classify

import "github.com/lockscene/lockscene/evidence"

// Judge concludes what one snapshot shows.
func Judge(s evidence.Snapshot) evidence.Verdict {
	c := open(s)
	answers := evidence.Answers{Lease: c.lease(), Owner: c.ownerAnswer()}
	answers.Lease = c.outlived(answers.Lease)
	answers.Path = c.path()
	answers.Clock = c.clock()
	answers.Coordinator = c.coordinator()
	c.disputed(&answers)
	v := evidence.Verdict{
		Schema: evidence.VerdictSchema, Rules: evidence.Rules, Key: s.Subject.Key,
		Answers: answers, Also: []evidence.Label{}, NotRuledOut: []evidence.Label{},
	}
	c.eliminate(&v)
	v.State = c.state(v)
	v.Holder, v.Parties = c.holder(), c.parties()
	v.Times = c.times(v)
	v.Cause, v.Headline = c.headline(v)
	v.Findings = c.findings(v)
	v.Decision = c.decide(v)
	v.Next = c.next(v)
	v.Thresholds = c.thresholds()
	return v
}
