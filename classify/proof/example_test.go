package proof_test

import (
	"fmt"
	"os"

	"github.com/lockscene/lockscene/classify/proof"
	"github.com/lockscene/lockscene/evidence"
)

// A bundle from a ticket becomes a regression test: open it, hold it against the
// lock's contract, and ask for what must never happen again.
func Example() {
	f, err := os.Open("../../testdata/proofs/unfenced-paused.tar.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	bundle, err := evidence.Open(f)
	if err != nil {
		fmt.Println(err)
		return
	}
	contract, err := proof.ReadContract([]byte("lease: 4s\nrenew_every: 1s\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	p := proof.Check([]proof.Run{proof.Of("incident 41", bundle)}, contract)
	for _, r := range p.Results {
		if r.Outcome == evidence.Fail {
			fmt.Println(r.ID)
		}
	}
	// Output:
	// stale-write-rejected
	// one-writer
	// one-effect
}
