package inspect

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/shell"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// ps dates the start of a process in several ways, each as coarse as its text.
func TestBegan(t *testing.T) {
	chicago := time.FixedZone("", -6*3600)
	now := time.Date(2026, 11, 26, 12, 15, 30, 0, time.UTC) // 06:15:30 there
	f := stamp.Frame{Clock: "host:b", Zone: chicago, Now: evidence.Interval{From: now, To: now.Add(20 * time.Second)}}
	for _, tt := range []struct {
		name string
		row  shell.Row
		zone *time.Location
		from string // the earliest, less a second that ps may be off; empty: not told
		wide time.Duration
	}{
		{"this morning", shell.Row{Start: "05:20"}, chicago, "2026-11-26T11:20:00Z", time.Minute},
		{"yesterday, since it is not yet so late", shell.Row{Start: "09:31"}, chicago, "2026-11-25T15:31:00Z", time.Minute},
		{"with seconds", shell.Row{Start: "05:20:01"}, chicago, "2026-11-26T11:20:01Z", time.Second},
		{"between the two ends of the reading", shell.Row{Start: "06:15:40"}, chicago, "2026-11-25T12:15:40Z", 24*time.Hour + time.Second},
		{"a time of a zone that nobody knows", shell.Row{Start: "05:20"}, nil, "", 0},
		{"a day", shell.Row{Start: "Nov24"}, chicago, "2026-11-24T06:00:00Z", 24 * time.Hour},
		{"a day in two words", shell.Row{Start: "Nov 24"}, chicago, "2026-11-24T06:00:00Z", 24 * time.Hour},
		{"a day of last year", shell.Row{Start: "Dec31"}, chicago, "2025-12-31T06:00:00Z", 24 * time.Hour},
		{"a day of a zone that nobody knows", shell.Row{Start: "Nov24"}, nil, "2026-11-23T10:00:00Z", 50 * time.Hour},
		{"a year", shell.Row{Start: "2025"}, chicago, "2025-01-01T06:00:00Z", 366 * 24 * time.Hour},
		{"nothing", shell.Row{}, chicago, "", 0},
		{"nonsense", shell.Row{Start: "25:61"}, chicago, "", 0},
	} {
		f.Zone = tt.zone
		at, ok := began(tt.row, f)
		if tt.from == "" {
			if ok {
				t.Errorf("%s: %v", tt.name, at)
			}
			continue
		}
		if from := at.From.Add(psLag).Format(time.RFC3339); from != tt.from || at.To.Sub(at.From) != tt.wide+2*psLag || at.Clock != "host:b" {
			t.Errorf("%s: from %s, %s wide, want %s and %s", tt.name, from, at.To.Sub(at.From)-2*psLag, tt.from, tt.wide)
		}
	}
	// A day that is not over does not reach beyond the reading, and lstart is exact.
	f.Zone = chicago
	if at, _ := began(shell.Row{Start: "Nov26"}, f); !at.To.Equal(f.Now.To) {
		t.Errorf("today: %v", at)
	}
	s, err := shell.ParseStamp("Thu Nov 26 05:20:01 2026")
	if at, ok := began(shell.Row{Started: s, Start: "05:00"}, f); err != nil || !ok || at.From.Add(psLag).Format(time.RFC3339) != "2026-11-26T11:20:01Z" {
		t.Errorf("lstart: %v %v", at, err)
	}
}
