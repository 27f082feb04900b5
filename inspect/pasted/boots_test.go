package pasted_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/pasted"
)

// When a host began to run is known from whatever it wrote down of it, unless the
// kernel itself tells.
func TestBootDates(t *testing.T) {
	const boots = " -1 0a1b2c3d4e5f60718293a4b5c6d7e8f9 Tue 2026-03-03 10:22:51 UTC—Mon 2026-10-05 09:27:10 UTC\n  0 1122334455667788990011aabbccddee Mon 2026-10-05 09:28:42 UTC—Mon 2026-10-05 09:31:01 UTC\n"
	for _, tt := range []struct {
		name, text string
		from       string // the earliest and how wide; empty: not known
		wide       time.Duration
	}{
		{"uptime -s", "fig-1$ uptime -s\n2026-10-05 09:28:40\n", "09:28:39", 2 * time.Second},
		{"who -b", "fig-1$ who -b\n         system boot  2026-10-05 09:28\n", "09:27:00", 2 * time.Minute},
		{"who, which names no boot", "fig-1$ who\nops      pts/0        2026-10-05 09:11 (10.8.0.4)\n", "", 0},
		{"last -x", "fig-1$ last -x -n 3\nrunlevel (to lvl 3)   4.18.0-553.el8_1 Mon Oct  5 09:29   still running\nreboot   system boot  4.18.0-553.el8_1 Mon Oct  5 09:28   still running\nops      pts/0        10.8.0.4         Sun Oct  4 09:11 - 09:30  (00:19)\n\nwtmp begins Tue Mar  3 10:22:51 2026\n", "09:28:00", time.Minute},
		{"last -xF", "fig-1$ last -xF reboot\nreboot   system boot  6.8.0-45-generic Mon Oct  5 09:28:42 2026   still running\n", "09:28:42", time.Second},
		{"last of a boot that ended", "fig-1$ last -x reboot\nreboot   system boot  6.8.0-45-generic Mon Oct  5 09:28 - 09:30  (00:02)\n", "", 0},
		{"the journal's list", "fig-1$ journalctl --list-boots | tail -2\n" + boots, "09:28:12", 31 * time.Second},
		{"the list in columns", "fig-1$ journalctl --list-boots\n" + strings.ReplaceAll(boots, "—", " "), "09:28:12", 31 * time.Second},
		{"the finest of them", "fig-1$ who -b\n         system boot  2026-10-05 09:28\nfig-1$ uptime -s\n2026-10-05 09:28:40\n", "09:28:39", 2 * time.Second},
		{"btime says it better", "fig-1$ who -b\n         system boot  2026-10-05 07:00\nfig-1$ grep btime /proc/stat\nbtime 1791192521\n", "09:28:41", time.Second},
	} {
		_, got := imported(t, session(tt.text), pasted.Options{Subject: evidence.Subject{Key: "lk"}, Zone: time.UTC, ZoneName: "UTC"})
		r := got.Capture.Vantages[0].Reckoned
		if tt.from == "" {
			if r.Booted {
				t.Errorf("%s: booted", tt.name)
			}
			continue
		}
		// The axis is Redis's clock, which this text ties to the host's within a few seconds.
		const slack = 4 * time.Second
		from, to := r.Coordinator.Add(r.BootFrom), r.Coordinator.Add(r.BootTo)
		want, err := time.Parse(time.RFC3339, "2026-10-05T"+tt.from+"Z")
		if err != nil || !r.Booted || from.Before(want.Add(-slack)) || from.After(want.Add(slack)) || to.Sub(from)-tt.wide > 2*slack || to.Sub(from) < tt.wide {
			t.Errorf("%s: booted %v, from %s to %s", tt.name, r.Booted, from, to)
		}
		if len(got.Unknown) > 0 {
			t.Errorf("%s: not understood: %v", tt.name, got.Unknown)
		}
	}
}
