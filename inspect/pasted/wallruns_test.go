package pasted_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/pasted"
)

// twice is a terminal in which the dates go back by 37 s between two looks, with
// what was typed beside the dates.
func twice(before, between, after string) string {
	return "fig-1$ date -u +%FT%T.%3NZ\n2026-10-05T09:31:47.000Z\n" + before +
		"fig-1$ redis-cli -h 10.0.0.5 TIME\n1) \"1791192660\"\n2) \"100000\"\n" +
		"fig-1$ redis-cli -h 10.0.0.5 PEXPIRETIME lk\n(integer) 1791192680000\n" + between +
		"fig-1$ date -u +%FT%T.%3NZ\n2026-10-05T09:31:10.000Z\n" + after +
		"fig-1$ redis-cli -h 10.0.0.5 TIME\n1) \"1791192670\"\n2) \"100000\"\n" +
		"fig-1$ redis-cli -h 10.0.0.5 PEXPIRETIME lk\n(integer) 1791192690000\n"
}

func uptime(s string) string { return "fig-1$ cat /proc/uptime\n" + s + " 900.00\n" }

// Dates that go back are a second terminal's, or a clock's that was set.
func TestDatesThatGoBack(t *testing.T) {
	journal := "fig-1$ journalctl -u chronyd -n 1 --no-pager\nOct 05 09:31:08 fig-1 chronyd[5]: System clock was stepped by -47.213204 seconds\n"
	for name, tt := range map[string]struct {
		text      string
		terminals int
	}{
		"nothing explains it":          {twice("", "", ""), 2},
		"the count since boot":         {twice(uptime("5000.00"), "", uptime("5010.40")), 1},
		"the count goes back too":      {twice(uptime("5000.00"), "", uptime("4963.00")), 2},
		"its clock daemon":             {twice("", journal, ""), 1},
		"a daemon that set too little": {twice("", strings.ReplaceAll(journal, "-47.2", "-0.2"), ""), 2},
	} {
		s, _ := imported(t, tt.text, pasted.Options{})
		if got := s.Vantages[0].Reckoned.Terminals; got != tt.terminals {
			t.Errorf("%s: %d terminals, want %d", name, got, tt.terminals)
		}
		if tt.terminals != 1 {
			continue
		}
		if len(s.Looks) != 2 || s.Looks[1].End.Value != 1791192690000 {
			t.Errorf("%s: the looks are not in their order: %v", name, s.Looks)
		}
		// One date may be of before or after: logs are placed as widely as that.
		if r := s.Vantages[0].Reckoned; !r.WallFrom.IsZero() && r.WallTo.Sub(r.WallFrom) < 46*time.Second {
			t.Errorf("%s: the wall clock is known to ±%s", name, r.WallTo.Sub(r.WallFrom)/2)
		}
	}
}

// A PTTL between two stamped prompts is dated by these, also where the next TIME
// is far.
func TestAskedBetweenStamps(t *testing.T) {
	s, _ := imported(t, `[2026-10-05T09:31:00.050Z] fig-1$ redis-cli -h 10.0.0.5 TIME
1) "1791192660"
2) "100000"
[2026-10-05T09:31:00.200Z] fig-1$ redis-cli -h 10.0.0.5 PTTL lk
(integer) 6664
[2026-10-05T09:31:00.400Z] fig-1$ redis-cli -h 10.0.0.5 GET lk
"fig-1:771:e0"
[2026-10-05T09:31:11.050Z] fig-1$ redis-cli -h 10.0.0.5 TIME
1) "1791192671"
2) "100000"
[2026-10-05T09:31:11.200Z] fig-1$ redis-cli -h 10.0.0.5 PTTL lk
(integer) -2
[2026-10-05T09:31:11.400Z] fig-1$ true
`, pasted.Options{})
	sights := s.Sights()
	if len(sights) != 2 {
		t.Fatalf("%d looks", len(sights))
	}
	ends := sights[0].Ends
	want := evidence.Interval{From: time.UnixMilli(1791192666764).UTC(), To: time.UnixMilli(1791192667164).UTC(), Clock: evidence.Coordinator}
	if ends.Bound() > 300*time.Millisecond || ends.Before(want) || ends.After(want) {
		t.Errorf("it ends %v ±%s", ends.Mid(), ends.Bound())
	}
	if sights[0].Now.To.Before(time.Unix(1791192671, 0).Add(-time.Second)) {
		t.Errorf("the value may have been read until the next prompt, not until %v", sights[0].Now.To)
	}
}
