package inspect

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A server's log has no zone; its pid and its uptime in INFO tell it, or nothing does.
func TestPlaceNotices(t *testing.T) {
	began := time.Date(2026, 11, 30, 9, 24, 56, 0, time.UTC)
	read := began.Add(100 * time.Second)
	for name, tt := range map[string]struct {
		east    time.Duration // of the log's clock
		pid     int64
		up      int64
		written time.Time // in the log, where not when it began
		known   bool
	}{
		"UTC":                         {0, 7, 100, began, true},
		"east by a quarter":           {5*time.Hour + 45*time.Minute, 7, 100, began, true},
		"west":                        {-9*time.Hour - 30*time.Minute, 7, 100, began, true},
		"the farthest east":           {14 * time.Hour, 7, 100, began, true},
		"another pid":                 {0, 8, 100, began, false},
		"no quarter of an hour":       {0, 7, 100, began.Add(6 * time.Minute), false},
		"a day ago, farther than any": {0, 7, 100, began.Add(-25 * time.Hour), false},
	} {
		local := tt.written.Add(tt.east)
		spread := evidence.Interval{From: local.Add(-14 * time.Hour), To: local.Add(12*time.Hour + time.Millisecond), Clock: evidence.Coordinator}
		p := newParser(evidence.Capture{Vantages: []evidence.Vantage{{Name: "a", Reckoned: &evidence.Reckoning{Coordinator: read}}}}, nil)
		p.snap.Node.Infos = []evidence.Info{{ProcessID: evidence.Saw("i", tt.pid), Uptime: evidence.Saw("i", tt.up)}}
		p.snap.Notices = []evidence.ServerNotice{
			{At: spread, Class: evidence.NoticeStarted, Pid: 7, Source: "r.log:1"},
			{At: spread.Shift(time.Second, time.Second), Class: evidence.NoticeLinkLost, Pid: 7, Source: "r.log:9"},
			{At: spread, Class: evidence.NoticeSDown, Pid: 3, Source: "other.log:1"},
		}
		p.placeNotices()
		got := p.snap.Notices[1].At
		if known := got.To.Sub(got.From) < time.Second; known != tt.known {
			t.Errorf("%s: placed %v, want %v: %v", name, known, tt.known, got)
		}
		if tt.known && !got.From.Equal(tt.written.Add(time.Second)) {
			t.Errorf("%s: placed at %v, want %v", name, got.From, tt.written.Add(time.Second))
		}
		if p.snap.Notices[2].At != spread {
			t.Errorf("%s: another log was moved", name)
		}
	}
}
