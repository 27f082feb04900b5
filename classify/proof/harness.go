package proof

import (
	"io/fs"
	"path"
	"strings"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
)

// A T is what [testing.T] gives to these helpers.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Judged fails a test unless today's rules still give a bundle this label: an
// incident from a ticket as a regression test.
//
//	func TestIncident41(t *testing.T) {
//		proof.Judged(t, os.DirFS("testdata"), "incident41.tar.gz", evidence.Crash)
//	}
func Judged(t T, dir fs.FS, bundle string, want evidence.Label) evidence.Verdict {
	t.Helper()
	v := classify.Judge(opened(t, dir, bundle).Snapshot)
	if v.Label != want {
		t.Errorf("%s: judged %s (%s), want %s", bundle, v.Label, v.Headline, want)
	}
	return v
}

// Holds fails a test for every assertion that the bundles do not prove of the contract
// in the same folder.
//
//	func TestLockRecovers(t *testing.T) {
//		proof.Holds(t, os.DirFS("drills"), "lease.yaml", "*.tar.gz")
//	}
func Holds(t T, dir fs.FS, contract, bundles string) evidence.Proof {
	t.Helper()
	b, err := fs.ReadFile(dir, contract)
	if err != nil {
		t.Fatalf("read the contract: %v", err)
	}
	c, err := ReadContract(b)
	if err != nil {
		t.Fatalf("read %s: %v", contract, err)
	}
	names, err := fs.Glob(dir, bundles)
	if err != nil || len(names) == 0 {
		t.Fatalf("no bundle is named %s: %v", bundles, err)
	}
	var runs []Run
	for _, name := range names {
		runs = append(runs, Of(strings.TrimSuffix(path.Base(name), ".tar.gz"), Under(opened(t, dir, name), c)))
	}
	p := Check(runs, c)
	for _, r := range p.Results {
		if r.Outcome != evidence.Pass {
			t.Errorf("%s: %s: %s", r.ID, r.Outcome, r.Text)
		}
	}
	return p
}

// opened opens a bundle whose bytes are what they were when it was frozen. That its
// snapshot is what the raw bytes give is for evidence verify to say.
func opened(t T, dir fs.FS, name string) evidence.Bundle {
	t.Helper()
	f, err := dir.Open(name)
	if err != nil {
		t.Fatalf("open the bundle: %v", err)
	}
	defer f.Close()
	b, problems, err := evidence.OpenChecked(f)
	for _, p := range problems {
		t.Fatalf("%s proves nothing: %s: %s", name, p.Kind, evidence.Printable(p.Text))
	}
	if err != nil {
		t.Fatalf("open %s: %v", name, err)
	}
	return b
}
