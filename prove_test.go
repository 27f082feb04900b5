package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/classify/proof"
	"github.com/lockscene/lockscene/evidence"
)

// Recorded runs of guarded workers, in every mode, against a table that compares
// tokens: together they are a proof, and none of them can be left out of its mode.
// Two more, against a table that does not, are none.
func TestRecordedProofs(t *testing.T) {
	b, err := os.ReadFile("testdata/proofs/lease.yaml")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := proof.ReadContract(b)
	if err != nil {
		t.Fatal(err)
	}
	fenced := recordedRuns(t, contract, "fenced-*")
	p := proof.Check(fenced, contract)
	for _, r := range p.Results {
		if r.Outcome != evidence.Pass {
			t.Errorf("%s: %s, %s", r.ID, r.Outcome, r.Text)
		}
	}
	for _, sole := range []string{"fenced-partition-healed", "fenced-clock-forward", "fenced-killed-mid-renewal", "fenced-work-paused"} {
		left := slices.DeleteFunc(slices.Clone(fenced), func(r proof.Run) bool { return strings.HasPrefix(r.Name, sole) })
		if p := proof.Check(left, contract); p.Proven || len(left) != len(fenced)-1 {
			t.Errorf("proven without %s", sole)
		}
	}
	for _, r := range proof.Check(recordedRuns(t, contract, "unfenced-*"), contract).Results {
		if slices.Contains([]string{"stale-write-rejected", "one-effect"}, r.ID) && r.Outcome != evidence.Fail {
			t.Errorf("unfenced, %s: %s", r.ID, r.Outcome)
		}
	}
}

func recordedRuns(t *testing.T, c evidence.Contract, pattern string) []proof.Run {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata/proofs", pattern+".tar.gz"))
	if err != nil || len(paths) < 2 {
		t.Fatalf("no recorded runs: %v", err)
	}
	var out []proof.Run
	for _, path := range paths {
		b, err := openBundle(path)
		if err != nil {
			t.Fatal(err)
		}
		if b, err = rejudge(b, under(b, c)); err != nil {
			t.Fatal(err)
		}
		out = append(out, proof.Of(strings.TrimSuffix(filepath.Base(path), ".tar.gz"), b))
	}
	return out
}
