package classify_test

import (
	"fmt"
	"os"
	"slices"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
)

// Judge needs nothing but a snapshot. The five answers say what the label rests on.
func ExampleJudge() {
	b, err := opened("../testdata/incidents/sidecar-outlives-worker.tar.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	v := classify.Judge(b.Snapshot)
	fmt.Println(v.Label)
	fmt.Println("lease", v.Answers.Lease.Value, "· owner", v.Answers.Owner.Value, "· state", v.State)
	// Output:
	// renewal-after-lost-liveness
	// lease renewing · owner gone · state stale-holder
}

// Less evidence never changes a verdict into another: it leaves more open.
func ExampleJudge_lessEvidence() {
	b, err := opened("../testdata/incidents/sigkill-idle.tar.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(classify.Judge(b.Snapshot).Label)
	b.Snapshot.Processes, b.Snapshot.Node.Clients = nil, nil
	b.Snapshot.Host = evidence.Host{}
	v := classify.Judge(b.Snapshot)
	fmt.Println(v.Label)
	fmt.Println("crash is still open:", slices.Contains(v.Open, evidence.Crash))
	// Output:
	// crash
	// inconclusive
	// crash is still open: true
}

// Timeline puts what the snapshot dates in one order, on the coordinator's clock. Each
// event has an interval: where two overlap, which came first is not known.
func ExampleTimeline() {
	b, err := opened("../testdata/incidents/oom-kill.tar.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range classify.Timeline(b.Snapshot, classify.Judge(b.Snapshot)) {
		if e.Lane == evidence.LaneLease || e.What == "disappeared" {
			fmt.Println(e.What)
		}
	}
	// Output:
	// renewed
	// disappeared
	// missed
	// ends
}

func opened(path string) (evidence.Bundle, error) {
	f, err := os.Open(path)
	if err != nil {
		return evidence.Bundle{}, err
	}
	defer f.Close()
	return evidence.Open(f)
}
