package kernel

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// The short way finds the same kills as the long one, in every sample, also
// when a long ordinary log surrounds it.
func TestKillsAgreesWithEvents(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(samples, "[012][0-9]_*.*"))
	if err != nil || len(names) < 16 {
		t.Fatalf("%d samples, %v", len(names), err)
	}
	total := 0
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // a folder
		}
		records, _ := Parse(b)
		var want []evidence.KernelEvent
		for _, ev := range Events(records) {
			if ev.Class == OOMKill {
				want = append(want, ev)
			}
		}
		if got := Kills(b); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", filepath.Base(name), got, want)
		}
		total += len(want)
	}
	if total < 15 {
		t.Errorf("%d kills in all samples, want at least 15", total)
	}
}

func TestAnchorsFindEveryWord(t *testing.T) {
	for i, r := range rules {
		found := false
		anchors().each("aaaaaaa"+r.anchor+"bbbbbbb", func(word, at int) bool {
			found = found || word == i && at == 7
			return false
		})
		if !found {
			t.Errorf("anchor %q is not found", r.anchor)
		}
	}
}
