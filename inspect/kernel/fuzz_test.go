package kernel

import (
	"os"
	"path/filepath"
	"testing"
)

// seed feeds every log sample to a fuzz target: what is one parser's food is
// another's garbage.
func seed(f *testing.F) {
	f.Helper()
	for _, pattern := range []string{"[012][0-9]_*.*", "35_*", "30_chrony/*.log"} {
		names, err := filepath.Glob(filepath.Join(samples, pattern))
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			if b, err := os.ReadFile(name); err == nil {
				f.Add(b)
			}
		}
	}
	f.Add([]byte("<6>[\x1b[Nov29 23:12] <>[+0.1] 6,1,5,c;\\x"))
}

// fuzz checks what holds for any bytes: no panic, no more records than lines,
// and every stamp in range.
func fuzz(f *testing.F, parse func([]byte) []Record, oneALine bool) {
	seed(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		records := parse(b)
		lines := 1
		for _, c := range b {
			if c == '\n' {
				lines++
			}
		}
		if oneALine && len(records) > lines {
			t.Errorf("%d records of %d lines", len(records), lines)
		}
		for _, r := range records {
			if r.Printk < 0 || r.Facility < Unknown || r.Level < Unknown || r.Level > 7 {
				t.Errorf("record out of range: %+v", r)
			}
		}
		for _, ev := range Summarise(records, "fuzz").Events {
			check(t, ev)
		}
	})
}

func FuzzParseKmsg(f *testing.F)        { fuzz(f, ParseKmsg, true) }
func FuzzParseDmesg(f *testing.F)       { fuzz(f, ParseDmesg, true) }
func FuzzParseDmesgJSON(f *testing.F)   { fuzz(f, ParseDmesgJSON, false) }
func FuzzParseJournalJSON(f *testing.F) { fuzz(f, ParseJournalJSON, true) }
func FuzzParsePstore(f *testing.F)      { fuzz(f, ParsePstore, true) }
