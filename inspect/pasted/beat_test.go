package pasted_test

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/pasted"
)

// The listing of the folder that the heartbeat file is in dates it as one of the
// file does, and its least age is what counts.
func TestListedHeartbeat(t *testing.T) {
	for _, tt := range []struct {
		typed string
		age   time.Duration // at least, when the text began
	}{
		{"ls -l --time-style=full-iso /run/w/\ntotal 4\n-rw-r--r-- 1 app app 11 2026-10-05 09:17:15.200000000 +0000 hb\n", 13*time.Minute + 44*time.Second},
		{"ls -l /run/w | tail -1\n-rw-r--r-- 1 app app 11 Oct  5 09:17 hb\n", 13 * time.Minute},
		{"ls -l /run/other\n-rw-r--r-- 1 app app 11 Oct  5 09:17 hb\n", -1},
	} {
		s, got := imported(t, session("fig-1$ "+tt.typed), pasted.Options{Subject: evidence.Subject{Key: "lk", Heartbeat: "file:/run/w/hb"}, Zone: time.UTC, ZoneName: "UTC"})
		if tt.age < 0 {
			if len(s.Heartbeat) != 0 {
				t.Errorf("%s: %+v", tt.typed, s.Heartbeat)
			}
			continue
		}
		if len(s.Heartbeat) != 1 || len(got.Unknown) > 0 {
			t.Errorf("%s: %+v, not understood %v", tt.typed, s.Heartbeat, got.Unknown)
			continue
		}
		if age, ok := s.Heartbeat[0].Age.Get(); !ok || age < tt.age || age > tt.age+3*time.Second {
			t.Errorf("%s: %v old, want %v (%+v)", tt.typed, age, tt.age, s.Heartbeat[0].Age)
		}
	}
}
