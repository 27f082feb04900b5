package proof_test

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/classify/proof"
	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
)

// A t stands for the testing.T of a real test.
type t struct{}

func (t) Helper()                           {}
func (t) Errorf(format string, args ...any) { fmt.Printf("FAIL "+format+"\n", args...) }
func (t) Fatalf(format string, args ...any) { fmt.Printf("STOP "+format+"\n", args...) }

// The whole way of a harness: open, derive again, judge under the contract, check.
func Example() {
	lease, err := os.ReadFile("../../testdata/proofs/lease.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	contract, err := proof.ReadContract(lease)
	if err != nil {
		fmt.Println(err)
		return
	}
	var runs []proof.Run
	for _, name := range []string{"unfenced-killed-idle", "unfenced-paused"} {
		bundle, problems, err := opened("../../testdata/proofs/" + name + ".tar.gz")
		if err != nil || len(problems) > 0 {
			fmt.Println(err, problems)
			return
		}
		bundle, problems = evidence.Rederive(bundle, inspect.Parse, classify.Judge)
		if len(problems) > 0 {
			fmt.Println(problems)
			return
		}
		runs = append(runs, proof.Of(name, proof.Under(bundle, contract)))
	}
	p := proof.Check(runs, contract)
	fmt.Println("proven:", p.Proven)
	for _, r := range p.Results {
		if r.Outcome == evidence.Fail {
			fmt.Println(r.ID)
		}
	}
	// Output:
	// proven: false
	// stale-write-rejected
	// one-writer
	// one-effect
	// mid-renewal
	// modes-covered
}

func ExampleReadContract() {
	c, err := proof.ReadContract([]byte("key: lock:orders\nlease: 30s\nrenew_every: 10s\nfencing: {required: true, from: events}\n"))
	fmt.Println(c.Key, c.Lease, c.RenewEvery, c.NeedsToken, err)
	_, err = proof.ReadContract([]byte("lease: 30s\nrenew_every: 30s\n"))
	fmt.Println(err)
	// Output:
	// lock:orders 30s 10s true <nil>
	// renew_every must be shorter than lease
}

// What was not evidenced is told with what people take for evidence of it.
func ExampleCheck() {
	bundle, _, err := opened("../../testdata/proofs/fenced-killed-idle-0.tar.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	contract := evidence.Contract{Key: "lock:ledger", NeedsToken: true}
	p := proof.Check([]proof.Run{proof.Of("night 41", proof.Under(bundle, contract))}, contract)
	for _, r := range p.Results {
		if r.ID == "higher-token" || r.ID == "no-reassert" {
			fmt.Println(r.Outcome, r.ID+":", r.Text)
		}
	}
	for _, l := range p.Limits {
		if l.Name == "max_clock_skew" || l.Name == "lease" {
			fmt.Println(l.Name, l.Value, l.From)
		}
	}
	// Output:
	// pass higher-token: token 2 after 1
	// not-evidenced no-reassert: no run shows it
	// lease  not-stated
	// max_clock_skew 250ms default
}

// A bundle from an incident's ticket becomes a regression test in three lines:
//
//	func TestIncident41(t *testing.T) {
//		proof.Judged(t, os.DirFS("testdata"), "incident41.tar.gz", evidence.Crash)
//	}
func ExampleJudged() {
	incidents := os.DirFS("../../testdata/incidents")
	proof.Judged(t{}, incidents, "oom-kill.tar.gz", evidence.Crash)
	proof.Judged(t{}, incidents, "partition.tar.gz", evidence.Partition)
	// Output:
}

// The drills of a night against their contract, as a test:
//
//	func TestLockRecovers(t *testing.T) {
//		proof.Holds(t, os.DirFS("drills"), "lease.yaml", "*.tar.gz")
//	}
func ExampleHolds() {
	drills := os.DirFS("../../testdata/proofs")
	fmt.Println("proven:", proof.Holds(t{}, drills, "lease.yaml", "fenced-*.tar.gz").Proven)
	// Without the run that was cut off there is no proof of a partition.
	proof.Holds(t{}, without(drills, "fenced-partition-healed-0.tar.gz"), "lease.yaml", "fenced-*.tar.gz")
	// Output:
	// proven: true
	// FAIL no-reassert: not-evidenced: no run shows it
	// FAIL modes-covered: not-evidenced: no run of partition
}

// without is a folder with one file less.
func without(dir fs.FS, name string) fs.FS { return lessFS{dir, name} }

type lessFS struct {
	fs.FS
	less string
}

func (l lessFS) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(l.FS, name)
	var out []fs.DirEntry
	for _, e := range all {
		if e.Name() != l.less {
			out = append(out, e)
		}
	}
	return out, err
}

func opened(path string) (evidence.Bundle, []evidence.Problem, error) {
	f, err := os.Open(path)
	if err != nil {
		return evidence.Bundle{}, nil, err
	}
	defer f.Close()
	return evidence.OpenChecked(f)
}
