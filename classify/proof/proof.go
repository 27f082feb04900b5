// Package proof checks runs of a lock against its contract: whether the lock was not
// merely gone but safely taken over, by a greater token, with stale writes refused, in
// every way its owner can disappear, inside the time that was promised.
//
// # From a ticket to a test
//
// A bundle from an incident's ticket becomes a regression test in three lines: today's
// rules must still give it this label.
//
//	func TestIncident41(t *testing.T) {
//		proof.Judged(t, os.DirFS("testdata"), "incident41.tar.gz", evidence.Crash)
//	}
//
// # From drills to a proof
//
// A drill breaks the lock and records it: a capture of the coordinator, and what the
// worker, its successor and the protected resource did, as events. [Holds] holds a
// folder of such bundles against the contract that lies beside them, and fails the test
// for whatever they do not show.
//
//	func TestLockRecovers(t *testing.T) {
//		proof.Holds(t, os.DirFS("drills"), "lease.yaml", "*.tar.gz")
//	}
//
// # By hand
//
// A harness that makes its own runs goes step by step: [ReadContract]; evidence.OpenChecked
// and evidence.Rederive for each bundle; [Under] to judge it under the contract; [Of] to
// keep what a proof asks for; [Check] over all of them. The example of this package does
// so.
//
// Each of the [Assertions] passes, fails or is not evidenced; with anything not evidenced
// there is no proof. [Explain] says what one asserts, and what people take for evidence
// of it. Where they come from: the list of things to prove, and of common mistakes, in
// the two runbooks that lockscene follows. Every threshold is the contract's, or a named
// default, and stands among the proof's Limits.
package proof

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
)

// A Run is what one bundle shows that a proof asks for. It is small: a proof over a
// thousand bundles does not hold their snapshots.
type Run struct {
	Name    string // what it is cited by
	key     string
	verdict evidence.Verdict
	told    evidence.Contract // what the capture was told of the lease
	record  []classify.Placed
	looks   []seen
	writes  []evidence.KeyWrite // what the append-only file holds of the key
}

// A seen is one look at the key, and when it was taken by the observer's own clock.
type seen struct {
	evidence.Sight
	start, end time.Duration
}

// Of is a bundle as a run, with the verdict that it carries: [Under] a contract it is
// today's.
func Of(name string, b evidence.Bundle) Run {
	s := b.Snapshot
	r := Run{Name: name, key: s.Subject.Key, verdict: b.Verdict, told: b.Capture.Contract, record: classify.Record(s), writes: s.History.Value.Writes}
	for _, sight := range s.Sights() {
		span := s.Looks[sight.Look].Span
		r.looks = append(r.looks, seen{sight, span.Start.Boot, span.End.Boot})
	}
	return r
}

// Under is a bundle judged under a contract. What the contract leaves open stands as
// the capture was told.
func Under(b evidence.Bundle, c evidence.Contract) evidence.Bundle {
	told := b.Capture.Contract
	if c.Lease == 0 {
		c.Lease = told.Lease
	}
	if c.RenewEvery == 0 {
		c.RenewEvery = told.RenewEvery
	}
	b.Snapshot.Contract = c
	b.Verdict = classify.Judge(b.Snapshot)
	return b
}

// An assertion is one sentence about recovery.
type assertion struct {
	id      string
	asserts string
	mistake string                     // what people take for evidence of it
	every   bool                       // each run it applies to must show it; else one will do
	look    func(*course) word         // of one run
	all     func([]*course, word) word // over all runs, where that is more than their sum; nil: it is not
}

// A word is what one run says of an assertion.
type word struct {
	outcome evidence.ProofOutcome // empty: it does not apply to this run
	text    string
	reading string // what shows it
}

func pass(reading, text string) word { return word{evidence.Pass, text, reading} }
func fail(reading, text string) word { return word{evidence.Fail, text, reading} }
func lacks(text string) word         { return word{evidence.NotEvidenced, text, ""} }
func none() word                     { return word{} }

// Assertions lists their identifiers in the order they are checked.
func Assertions() []string {
	var out []string
	for _, a := range assertions() {
		out = append(out, a.id)
	}
	return out
}

// Explain says what an assertion asserts, and what people take for evidence of it.
func Explain(id string) (asserts, mistake string, ok bool) {
	for _, a := range assertions() {
		if a.id == id {
			return a.asserts, a.mistake, true
		}
	}
	return "", "", false
}

func assertions() []assertion {
	return slices.Concat(leaseAssertions(), tokenAssertions(), writeAssertions(), renewalAssertions(), runAssertions())
}

// Check holds the runs against a contract. Without runs nothing is evidenced.
func Check(runs []Run, c evidence.Contract) evidence.Proof {
	p := evidence.Proof{Schema: evidence.ProofSchema, Key: c.Key, Contract: c, Limits: limits(c), Notes: notes(c), Proven: true, Runs: []evidence.ProofRun{}}
	var courses []*course
	for _, r := range runs {
		courses = append(courses, follow(r, c))
		if p.Key == "" {
			p.Key = r.key
		}
	}
	for _, a := range assertions() {
		r := a.check(courses)
		p.Results = append(p.Results, r)
		p.Proven = p.Proven && r.Outcome == evidence.Pass
	}
	for _, k := range courses {
		p.Runs = append(p.Runs, k.summary())
	}
	p.Release, p.Transfer = spread(courses, (*course).toRelease), spread(courses, (*course).toTransfer)
	p.Gap = spread(courses, (*course).gap)
	for _, k := range courses {
		p.Rejected += k.refused()
	}
	if need := c.RenewEvery + c.WorstStall + c.WorstRenew; c.Lease > 0 && c.WorstStall > 0 && c.WorstRenew > 0 {
		p.Margin = float64(c.Lease) / float64(need)
	}
	return p
}

// mostCited bounds the runs that one result cites.
const mostCited = 5

// check asks every run. One that fails decides; then what is not shown; then what is.
func (a assertion) check(courses []*course) evidence.Result {
	r := evidence.Result{ID: a.id, Asserts: a.asserts, Because: []evidence.Citation{}}
	said := map[evidence.ProofOutcome][]evidence.Citation{}
	for _, k := range courses {
		w := a.look(k)
		switch w.outcome {
		case evidence.Pass:
			r.Passed++
		case evidence.Fail:
			r.Failed++
			k.failed = true
		case evidence.NotEvidenced:
			r.Silent++
		default:
			continue
		}
		said[w.outcome] = append(said[w.outcome], evidence.Citation{Reading: strings.TrimSuffix(k.run.Name+": "+w.reading, ": "), Text: w.text})
	}
	r.Outcome = a.overall(r)
	if cited := said[r.Outcome]; len(cited) > 0 {
		r.Text, r.Because = cited[0].Text, cited[:min(len(cited), mostCited)]
	}
	if a.all != nil {
		w := a.all(courses, word{outcome: r.Outcome, text: r.Text})
		r.Outcome, r.Text = w.outcome, w.text
	}
	if r.Text == "" {
		r.Text = unshown(courses)
	}
	if r.Outcome != evidence.Pass {
		r.Mistake = a.mistake
	}
	return r
}

// unshown is why no run has anything to say of an assertion.
func unshown(courses []*course) string {
	if len(courses) > 0 && !slices.ContainsFunc(courses, func(k *course) bool { return !k.released() }) {
		return "no run shows it: each owner let go of the lock itself"
	}
	return "no run shows it"
}

func (a assertion) overall(r evidence.Result) evidence.ProofOutcome {
	switch {
	case r.Failed > 0:
		return evidence.Fail
	case r.Passed == 0, a.every && r.Silent > 0:
		return evidence.NotEvidenced
	}
	return evidence.Pass
}

// follow prepares one run.
func follow(r Run, c evidence.Contract) *course {
	k := &course{run: r, contract: c, record: r.record}
	k.tokenIn, _ = regexp.Compile(c.TokenIn) // a contract that was not read by ReadContract may hold anything
	if k.mode() == evidence.ModeClock {
		k.byOwnClocks()
	}
	k.parties()
	return k
}
