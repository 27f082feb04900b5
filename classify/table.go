package classify

import (
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

// The answers, as JSON and text print them.
const (
	renewing = "renewing"
	held     = "held"
	lapsing  = "lapsing"
	lapsed   = "lapsed"
	lost     = "lost"
	released = "released"
	endless  = "endless"

	running = "running"
	stalled = "stalled"
	gone    = "gone"

	up     = "up"
	broken = "broken"

	steady = "steady"
	off    = "off"

	kept  = "kept"
	broke = "broke"
)

// A cell is one combination of answers.
type cell struct{ lease, owner, path, clock, coordinator string }

// A row names a label and when it holds. turns lists the questions it turned
// on: the verdict's grade is the lowest of theirs.
type row struct {
	label evidence.Label
	holds func(cell) bool
	turns []string
}

// table is the policy, in order. The clock comes first because a clock that
// moved makes every other answer about time doubtful; the coordinator next,
// because a server that broke its promise needs no fault of the owner. A
// release ends the incident before anybody's fate matters. Then what renews
// without a living owner is told from what does not renew, and among those the
// owner's fate is told from the path's.
func table() []row {
	missed := func(c cell) bool { return c.lease == lapsing || c.lease == lapsed || c.lease == lost }
	idle := func(c cell) bool { return c.lease == held || c.lease == endless }
	return []row{
		{evidence.ClockAnomaly, func(c cell) bool { return c.clock == off }, []string{"clock"}},
		{evidence.CoordinatorFault, func(c cell) bool { return c.coordinator == broke }, []string{"coordinator"}},
		{evidence.NoFailure, func(c cell) bool { return c.lease == released }, []string{"lease"}},
		{evidence.RenewalAfterLoss, func(c cell) bool { return c.lease == renewing && c.owner != running }, []string{"lease", "owner"}},
		{evidence.Crash, func(c cell) bool { return c.lease != renewing && c.owner == gone }, []string{"lease", "owner"}},
		{evidence.Stall, func(c cell) bool { return c.lease != renewing && c.owner == stalled }, []string{"lease", "owner"}},
		{evidence.Partition, func(c cell) bool { return c.lease != renewing && c.owner == running && c.path == broken }, []string{"lease", "owner", "path"}},
		{evidence.ContractFault, func(c cell) bool { return missed(c) && c.owner == running && c.path == up }, []string{"lease", "owner", "path"}},
		{evidence.NoFailure, func(c cell) bool { return c.lease == renewing || idle(c) }, []string{"lease", "owner"}},
	}
}

// read looks one combination up.
func read(c cell) row {
	for _, r := range table() {
		if r.holds(c) {
			return r
		}
	}
	return row{label: evidence.Inconclusive} // not reached: the last rows cover what is left
}

// cells lists every combination that the answers leave possible.
func (c *incident) cells(a evidence.Answers) []cell {
	coordinator := presumed(a.Coordinator, kept)
	if c.unpresumed || c.refused() {
		coordinator = a.Coordinator.Possible
	}
	var out []cell
	for _, lease := range a.Lease.Possible {
		for _, owner := range a.Owner.Possible {
			for _, path := range a.Path.Possible {
				for _, clock := range presumed(a.Clock, steady) {
					for _, coord := range coordinator {
						out = append(out, cell{lease, owner, path, clock, coord})
					}
				}
			}
		}
	}
	return out
}

// presumed is an answer that counts as innocent while it is unknown. Clocks and
// servers are right far more often than not, and without this no verdict could
// be reached on an ordinary incident; what is presumed is never ruled out.
func presumed(a evidence.Answer, innocent string) []string {
	if a.Value == evidence.Unknown {
		return []string{innocent}
	}
	return a.Possible
}

// eliminate sets label, grade, open, also and what is not ruled out.
func (c *incident) eliminate(v *evidence.Verdict) {
	var rows []row
	for _, combination := range c.cells(v.Answers) {
		r := read(combination)
		if !slices.ContainsFunc(rows, func(o row) bool { return o.label == r.label }) {
			rows = append(rows, r)
		}
		if d, _ := c.dialect(); d.RunsOut && r.label == evidence.ContractFault && combination.lease == lapsed {
			// Whether the run was over when its lease ended does not show.
			rows = append(rows, row{label: evidence.NoFailure})
		}
	}
	v.Open = []evidence.Label{}
	for _, r := range table() {
		if slices.ContainsFunc(rows, func(o row) bool { return o.label == r.label }) && !slices.Contains(v.Open, r.label) {
			v.Open = append(v.Open, r.label)
		}
	}
	v.Label = evidence.Inconclusive
	if len(v.Open) == 1 {
		v.Label = v.Open[0]
		v.Grade = grade(v.Answers, rows[0])
		if v.Label == evidence.ContractFault && !c.covered {
			v.Grade = evidence.Likely // a step before the first look is its first rival
		}
	}
	v.NotRuledOut = c.doubts(*v)
	if v.Grade == evidence.Proven && v.Label != evidence.ClockAnomaly && rivalled(v.NotRuledOut) {
		v.Grade = evidence.Likely
	}
	if v.Label == evidence.NoFailure {
		v.Grade = ""
	}
	v.Also = c.also(*v)
}

// grade is the lowest grade among the answers a row turned on; presuming the
// clock or the coordinator innocent, or resting on a lease whose renewal was
// not due yet, allows likely at most.
func grade(a evidence.Answers, r row) evidence.Grade {
	by := map[string]evidence.Answer{"lease": a.Lease, "owner": a.Owner, "path": a.Path, "clock": a.Clock, "coordinator": a.Coordinator}
	g := evidence.Proven
	for _, q := range r.turns {
		if by[q].Grade != evidence.Proven {
			g = evidence.Likely
		}
	}
	presumes := r.label != evidence.ClockAnomaly && a.Clock.Value == evidence.Unknown ||
		r.label != evidence.CoordinatorFault && r.label != evidence.ClockAnomaly && a.Coordinator.Value == evidence.Unknown
	if presumes || a.Lease.Value == held {
		g = evidence.Likely
	}
	return g
}

// also lists the lower rows that hold as well, when the answers are certain
// enough to say so: a second cause that would have lost the lock by itself.
func (c *incident) also(v evidence.Verdict) []evidence.Label {
	out := []evidence.Label{}
	a := v.Answers
	if v.Label == evidence.Inconclusive || v.Label == evidence.NoFailure && a.Lease.Value == released {
		return out // a release ends the incident: what became of anybody after it lost nothing
	}
	for _, r := range table() {
		if r.label == v.Label || r.label == evidence.NoFailure || slices.Contains(out, r.label) {
			continue
		}
		all := true
		for _, combination := range c.cells(a) {
			all = all && r.holds(combination)
		}
		if all && sound(r, a) {
			out = append(out, r.label)
		}
	}
	return out
}

// sound says whether a row's own questions were really answered.
func sound(r row, a evidence.Answers) bool {
	by := map[string]evidence.Answer{"lease": a.Lease, "owner": a.Owner, "path": a.Path, "clock": a.Clock, "coordinator": a.Coordinator}
	for _, q := range r.turns {
		if by[q].Value == evidence.Unknown {
			return false
		}
	}
	return true
}

// rivalled says whether a label stands behind the verdict that more than the
// standing presumptions keeps there. Nothing with such a rival is proven.
func rivalled(labels []evidence.Label) bool {
	return slices.ContainsFunc(labels, func(l evidence.Label) bool {
		return l != evidence.ClockAnomaly && l != evidence.CoordinatorFault
	})
}
