package kernel

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// check holds for every event of any log.
func check(t *testing.T, ev evidence.KernelEvent) {
	t.Helper()
	if ev.Class == "" || len(ev.Text) > 3*considered {
		t.Errorf("event without class or with endless text: %+v", ev)
	}
	if ev.Class == OOMKill && (ev.Kill == nil || ev.Kill.Victim < 0 || ev.Kill.UID < Unknown) {
		t.Errorf("kill without a victim: %+v", ev)
	}
	if ev.Wall.Closed() && ev.Wall.To.Before(ev.Wall.From) {
		t.Errorf("interval ends before it begins: %+v", ev.Wall)
	}
	DetailOf(ev)
	Place(&ev, Now{Wall: time.Unix(1772504047, 0), Boot: 2 * time.Hour, Mono: time.Hour})
	if ev.Wall.Closed() && ev.Wall.To.Before(ev.Wall.From) {
		t.Errorf("placed interval ends before it begins: %+v", ev.Wall)
	}
	if _, err := json.Marshal(ev); err != nil {
		t.Errorf("event cannot be frozen: %v", err)
	}
}

// FuzzEvents takes one message after another through the classifier, without
// any carrier around them.
func FuzzEvents(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		var records []Record
		eachLine(string(b), func(line, raw string) {
			i := len(records)
			records = append(records, Record{Facility: i%3 - 1, Level: Unknown, Text: line, HasPrintk: i%2 == 0, Printk: time.Duration(i) * time.Microsecond})
		})
		Date(records, time.Unix(1772504047, 0), time.UTC)
		for _, ev := range Events(records) {
			check(t, ev)
		}
	})
}
