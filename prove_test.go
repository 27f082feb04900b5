package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/classify/proof"
	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
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
		run, err := openRun(path, c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, run)
	}
	return out
}

// A bundle that was changed and given new hashes is not believed: what it says must
// follow from its raw bytes. One that claims to be judged by other rules may say what it
// likes, and changes nothing: its raw bytes alone count.
func TestResealedBundleProvesNothing(t *testing.T) {
	honest, err := openBundle("testdata/proofs/unfenced-paused.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	honest, _ = evidence.Rederive(honest, inspect.Parse, classify.Judge)
	honest.Verdict = classify.Judge(honest.Snapshot)
	want, _ := proved(t, honest)
	if want != exitAssertion {
		t.Fatalf("the honest bundle: exit %d", want)
	}
	for name, change := range map[string]func(*evidence.Bundle){
		"snapshot": func(b *evidence.Bundle) { b.Snapshot.Events = nil },
		"verdict":  func(b *evidence.Bundle) { b.Verdict.Label = evidence.NoFailure },
	} {
		t.Run(name, func(t *testing.T) {
			b := honest
			change(&b)
			if code, said := proved(t, b); code != exitUnverified || !strings.Contains(said, name+"-differs") {
				t.Errorf("exit %d: %s", code, said)
			}
			b.Verdict.Rules--
			_, told := proved(t, honest)
			if code, said := proved(t, b); code != exitAssertion || said != told {
				t.Errorf("of other rules: exit %d: %s", code, said)
			}
		})
	}
}

// proved freezes a bundle and proves it: the exit code, and all that was said.
func proved(t *testing.T, b evidence.Bundle) (int, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.tar.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = evidence.Freeze(f, b)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	code := run(t.Context(), []string{"prove", path, "--contract", "testdata/proofs/lease.yaml"}, &out, &out)
	return code, out.String()
}
