package evidence_test

import (
	"fmt"
	"os"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
)

// Open reads a bundle and believes nothing in it; what it says of itself is in Verdict,
// what was read is in Snapshot, each part with how the read went.
func ExampleOpen() {
	f, err := os.Open("../testdata/incidents/oom-kill.tar.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	b, err := evidence.Open(f)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(b.Verdict.Label, b.Verdict.Cause, b.Verdict.Grade)
	fmt.Println("looks at the key:", len(b.Snapshot.Looks) > 1)
	fmt.Println("kernel log:", b.Snapshot.Host.Kernel.State)
	// Output:
	// crash oom-kill proven
	// looks at the key: true
	// kernel log: seen
}

// OpenChecked says in the same reading whether the bytes are those that were frozen.
// A problem does not keep the bundle from being read; it keeps it from being evidence.
func ExampleOpenChecked() {
	f, err := os.Open("../testdata/incidents/sigkill-idle.tar.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	b, problems, err := evidence.OpenChecked(f)
	for _, p := range problems {
		fmt.Println(p.Kind, p.Path, p.Text)
	}
	fmt.Println(b.Verdict.Label, len(problems), err)
	// Output:
	// crash 0 <nil>
}

// Verify repeats the reasoning, from the raw bytes to the verdict. A verdict that does
// not follow from them is found, whatever the hashes say.
func ExampleVerify() {
	b, err := opened("../testdata/incidents/partition.tar.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("as it was frozen:", len(evidence.Verify(b, inspect.Parse, classify.Judge)), "problems")
	b.Verdict.Label = evidence.Crash
	for _, p := range evidence.Verify(b, inspect.Parse, classify.Judge) {
		fmt.Println(p.Kind+":", p.Text)
	}
	// Output:
	// as it was frozen: 0 problems
	// verdict-differs: label: the file says "crash", deriving it again gives "partition"
}

// Rederive is Verify for a harness that goes on with the bundle: what comes back is
// what today's parsers and rules make of the raw bytes.
func ExampleRederive() {
	b, err := opened("../testdata/incidents/partition.tar.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	b.Snapshot.Looks = nil // somebody left something out
	fresh, problems := evidence.Rederive(b, inspect.Parse, classify.Judge)
	fmt.Println(problems[0].Kind)
	fmt.Println("looks are back:", len(fresh.Snapshot.Looks) > 1)
	// Output:
	// snapshot-differs
	// looks are back: true
}

func opened(path string) (evidence.Bundle, error) {
	f, err := os.Open(path)
	if err != nil {
		return evidence.Bundle{}, err
	}
	defer f.Close()
	return evidence.Open(f)
}
