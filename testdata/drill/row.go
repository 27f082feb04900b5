package drill

import (
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

// A Row is one drill: what happened, how it is made to happen, and what is
// right to say about it.
type Row struct {
	Slug  string
	Story string       // one paragraph for whoever reads the recorded bundle
	Drill func(*Scene) // injects, proves the injection, inspects once
	Want  Want

	Untold bool // the inspection is not told how long the lease is
}

// Untold is the same drill, inspected by somebody who cannot say how long the
// lease is or how often it is renewed.
func Untold(rows []Row, slugs ...string) []Row {
	var out []Row
	for _, r := range rows {
		if slices.Contains(slugs, r.Slug) {
			r.Slug += "-untold"
			r.Story += " Nobody can say how long the lease is or how often it is renewed."
			r.Untold = true
			out = append(out, r)
		}
	}
	return out
}

// A Want is what the verdict must say. Empty fields ask nothing.
type Want struct {
	Label evidence.Label
	Cause string
	Grade evidence.Grade

	// The five answers; alternatives are separated by a bar.
	Lease, Owner, Path, Clock, Coordinator string

	State       string           // alternatives separated by a bar
	Findings    []string         // each must be there
	Absent      []string         // findings that must not be there
	Open        []evidence.Label // each must be in open
	Also        []evidence.Label
	NotRuledOut []evidence.Label
	FindsOwner  bool // the holder's pid on this machine is named
}

// likewise is what a verdict from a transcript must say: the same label, open
// where the label is open. It may be less sure, and know fewer particulars.
func (w Want) likewise() Want {
	return Want{Label: w.Label, Open: w.Open, FindsOwner: w.FindsOwner}
}

// exit is the code that belongs to a label.
func (w Want) exit() int {
	switch w.Label {
	case evidence.NoFailure:
		return 0
	case evidence.Inconclusive:
		return 4
	}
	return 3
}
