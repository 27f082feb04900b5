package kernel_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/lockscene/lockscene/inspect/kernel"
)

// What is masked must not have mattered: every sample gives the same events,
// the same reach and the same gaps after masking.
func TestMaskKeepsWhatMatters(t *testing.T) {
	files, err := filepath.Glob("../../testdata/host/[01]*")
	if err != nil || len(files) < 10 {
		t.Fatalf("samples: %v, %d files", err, len(files))
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		before, format := kernel.Parse(raw)
		if format != kernel.Kmsg && format != kernel.Dmesg {
			continue // what is read live is one of these two
		}
		after, _ := kernel.Parse(kernel.Mask(raw))
		want, got := kernel.Summarise(before, "x"), kernel.Summarise(after, "x")
		if !reflect.DeepEqual(want.Events, got.Events) {
			t.Errorf("%s: events differ after masking:\n%+v\n%+v", file, want.Events, got.Events)
		}
		if format == kernel.Kmsg && (want.Lost != got.Lost || want.Oldest != got.Oldest || want.Records != got.Records) {
			t.Errorf("%s: reach differs after masking: %+v %+v", file, want, got)
		}
	}
}

func TestMaskDropsStrangers(t *testing.T) {
	raw := []byte("6,1,10,-;Command line: root=/dev/x password=swordfish\n6,2,20,-;usb 1-1: new device\n SUBSYSTEM=usb\n")
	got := kernel.Mask(raw)
	if bytes.Contains(got, []byte("swordfish")) || bytes.Contains(got, []byte("SUBSYSTEM")) {
		t.Errorf("masked log still says %q", got)
	}
}
