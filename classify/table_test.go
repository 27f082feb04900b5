package classify

import (
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// The policy, row by row: lease, owner, path, clock, coordinator, and the label.
var policy = []struct {
	cell
	want evidence.Label
}{
	{cell{renewing, running, up, off, kept}, evidence.ClockAnomaly},
	{cell{released, gone, broken, off, broke}, evidence.ClockAnomaly},
	{cell{lost, gone, up, steady, broke}, evidence.CoordinatorFault},
	{cell{released, running, up, steady, broke}, evidence.CoordinatorFault},
	{cell{released, gone, broken, steady, kept}, evidence.NoFailure},
	{cell{released, stalled, up, steady, kept}, evidence.NoFailure},
	{cell{renewing, gone, up, steady, kept}, evidence.RenewalAfterLoss},
	{cell{renewing, stalled, broken, steady, kept}, evidence.RenewalAfterLoss},
	{cell{held, gone, up, steady, kept}, evidence.Crash},
	{cell{lapsing, gone, broken, steady, kept}, evidence.Crash},
	{cell{lapsed, gone, up, steady, kept}, evidence.Crash},
	{cell{lost, gone, up, steady, kept}, evidence.Crash},
	{cell{endless, gone, up, steady, kept}, evidence.Crash},
	{cell{held, stalled, up, steady, kept}, evidence.Stall},
	{cell{lapsing, stalled, broken, steady, kept}, evidence.Stall},
	{cell{lapsed, stalled, up, steady, kept}, evidence.Stall},
	{cell{lost, stalled, up, steady, kept}, evidence.Stall},
	{cell{endless, stalled, up, steady, kept}, evidence.Stall},
	{cell{held, running, broken, steady, kept}, evidence.Partition},
	{cell{lapsing, running, broken, steady, kept}, evidence.Partition},
	{cell{lapsed, running, broken, steady, kept}, evidence.Partition},
	{cell{lost, running, broken, steady, kept}, evidence.Partition},
	{cell{endless, running, broken, steady, kept}, evidence.Partition},
	{cell{lapsing, running, up, steady, kept}, evidence.ContractFault},
	{cell{lapsed, running, up, steady, kept}, evidence.ContractFault},
	{cell{lost, running, up, steady, kept}, evidence.ContractFault},
	{cell{renewing, running, up, steady, kept}, evidence.NoFailure},
	{cell{renewing, running, broken, steady, kept}, evidence.NoFailure},
	{cell{held, running, up, steady, kept}, evidence.NoFailure},
	{cell{endless, running, up, steady, kept}, evidence.NoFailure},
}

func TestTable(t *testing.T) {
	for _, row := range policy {
		if got := read(row.cell).label; got != row.want {
			t.Errorf("%v is %s, want %s", row.cell, got, row.want)
		}
	}
}

// Every combination of answers has a label, and every row of the table is the
// first that holds for one of them.
func TestTableIsComplete(t *testing.T) {
	reached := map[int]bool{}
	for _, lease := range []string{renewing, held, lapsing, lapsed, lost, released, endless} {
		for _, owner := range []string{running, stalled, gone} {
			for _, path := range []string{up, broken} {
				for _, clock := range []string{steady, off} {
					for _, coordinator := range []string{kept, broke} {
						reached[rowOf(t, cell{lease, owner, path, clock, coordinator})] = true
					}
				}
			}
		}
	}
	for i, r := range table() {
		if !reached[i] {
			t.Errorf("row %d (%s) never holds first", i, r.label)
		}
	}
}

func rowOf(t *testing.T, c cell) int {
	t.Helper()
	for i, r := range table() {
		if r.holds(c) {
			return i
		}
	}
	t.Errorf("no row for %v", c)
	return -1
}

// A grade is the lowest of the answers a row turned on.
func TestGrade(t *testing.T) {
	proven, likely := evidence.Answer{Grade: evidence.Proven}, evidence.Answer{Grade: evidence.Likely}
	unknown := evidence.Answer{Value: evidence.Unknown}
	crash := row{label: evidence.Crash, turns: []string{"lease", "owner"}}
	for name, tt := range map[string]struct {
		a    evidence.Answers
		want evidence.Grade
	}{
		"both proven":            {evidence.Answers{Lease: proven, Owner: proven, Path: likely}, evidence.Proven},
		"one likely":             {evidence.Answers{Lease: proven, Owner: likely}, evidence.Likely},
		"the clock presumed":     {evidence.Answers{Lease: proven, Owner: proven, Clock: unknown}, evidence.Likely},
		"the coordinator, too":   {evidence.Answers{Lease: proven, Owner: proven, Coordinator: unknown}, evidence.Likely},
		"no renewal was due yet": {evidence.Answers{Lease: evidence.Answer{Value: held, Grade: evidence.Proven}, Owner: proven}, evidence.Likely},
	} {
		if got := grade(tt.a, crash); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
