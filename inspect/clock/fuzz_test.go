package clock_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/inspect/clock"
)

// fuzz starts from every clock sample, whichever parser it is meant for. What
// parses must be storable, since a bundle keeps it as JSON.
func fuzz[T any](f *testing.F, parse func([]byte) (T, error)) {
	err := filepath.WalkDir(samples, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(path, "30_") && !strings.Contains(path, "31_") {
			return err
		}
		b, err := os.ReadFile(path)
		f.Add(b)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := parse(b)
		if err != nil {
			return
		}
		if _, err := json.Marshal(v); err != nil {
			t.Fatalf("%+v cannot be frozen: %v", v, err)
		}
	})
}

func FuzzTrackingText(f *testing.F) { fuzz(f, clock.ParseTrackingText) }
func FuzzTrackingCSV(f *testing.F)  { fuzz(f, clock.ParseTrackingCSV) }
func FuzzNtpqRV(f *testing.F)       { fuzz(f, clock.ParseNtpqRV) }
func FuzzTimesync(f *testing.F)     { fuzz(f, clock.ParseTimesync) }
func FuzzW32tm(f *testing.F)        { fuzz(f, clock.ParseW32tm) }
func FuzzAdjtimex(f *testing.F)     { fuzz(f, clock.DecodeAdjtimex) }

func FuzzDecodeTracking(f *testing.F) {
	f.Add(reply(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := clock.DecodeTracking(b)
		if err != nil {
			return
		}
		if v.Bound() < 0 {
			t.Fatalf("negative bound of %+v", v)
		}
		if _, err := json.Marshal(v); err != nil {
			t.Fatalf("%+v cannot be frozen: %v", v, err)
		}
	})
}

func FuzzChronydLine(f *testing.F) {
	f.Add("chronyd[590]: System clock wrong by 41.218833 seconds")
	f.Add("chronyd[590]: Can't synchronise: no selectable sources")
	f.Fuzz(func(t *testing.T, line string) {
		if n, ok := clock.ParseChronydLine(line); ok && (n.Kind == "" || !strings.Contains(line, n.Text)) {
			t.Fatalf("%q gives %+v", line, n)
		}
	})
}
