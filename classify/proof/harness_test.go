package proof

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// A failing is a test that notes what it is told.
type failing struct{ said []string }

func (*failing) Helper()                          {}
func (f *failing) Errorf(format string, a ...any) { f.said = append(f.said, fmt.Sprintf(format, a...)) }
func (f *failing) Fatalf(format string, a ...any) { panic(fmt.Sprintf(format, a...)) }

func TestHarness(t *testing.T) {
	recorded := os.DirFS("../../testdata/proofs")
	if p := Holds(t, recorded, "lease.yaml", "fenced-*.tar.gz"); !p.Proven {
		t.Error("not proven")
	}
	Judged(t, recorded, "fenced-killed-idle-0.tar.gz", evidence.Crash)
	f := &failing{}
	Holds(f, recorded, "lease.yaml", "unfenced-*.tar.gz")
	if text := strings.Join(f.said, "\n"); !strings.Contains(text, "stale-write-rejected: fail") || !strings.Contains(text, "no-reassert: not-evidenced") {
		t.Errorf("said %s", text)
	}
	f = &failing{}
	Judged(f, recorded, "fenced-killed-idle-0.tar.gz", evidence.Partition)
	if len(f.said) != 1 || !strings.Contains(f.said[0], "judged crash") {
		t.Errorf("said %v", f.said)
	}
}
