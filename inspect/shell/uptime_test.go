package shell_test

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/shell"
)

func TestUptime(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		command, output string
		clock           string
		up, unit        time.Duration
		load            float64
	}{
		{"uptime", " 05:13:32 up 5 days, 21:45,  2 users,  load average: 0.04, 0.06, 0.05", "05:13:32", 5*day + 21*time.Hour + 45*time.Minute, time.Minute, 0.04},
		{"uptime", " 05:13:32 up 12 min,  1 user,  load average: 1,25, 0,50, 0,10", "05:13:32", 12 * time.Minute, time.Minute, 1.25},
		{"uptime", " 05:13:32 up  1:02,  0 users,  load average: 0.00, 0.00, 0.00", "05:13:32", 62 * time.Minute, time.Minute, 0},
		{"uptime", " 05:13:32 up 1 day, 3 min,  load average: 0.10, 0.00, 0.00", "05:13:32", day + 3*time.Minute, time.Minute, 0.1},
		{"uptime", "9:31  up 5 days, 21:45, 2 users, load averages: 1.20 3.40 5.60", "09:31:00", 5*day + 21*time.Hour + 45*time.Minute, time.Minute, 1.2},
		{"uptime", " 9:31PM  up 45 secs, 2 users, load averages: 1.20, 3.40, 5.60", "21:31:00", 45 * time.Second, time.Second, 1.2},
		{"uptime -p", "up 1 week, 2 days, 3 hours, 4 minutes", "", 9*day + 3*time.Hour + 4*time.Minute, time.Minute, -1},
		{"w", " 05:13:32 up 10 days, 10:05,  3 users,  load average: 11.84, 10.92, 9.20\nUSER  TTY  FROM", "05:13:32", 10*day + 10*time.Hour + 5*time.Minute, time.Minute, 11.84},
		{"top -b -n1", "top - 05:13:32 up 5 days, 21:45,  2 users,  load average: 0.04, 0.06, 0.05\nTasks: 200 total", "05:13:32", 5*day + 21*time.Hour + 45*time.Minute, time.Minute, 0.04},
	} {
		u, err := shell.ParseUptime(typed(c.command), []byte(c.output))
		if err != nil {
			t.Errorf("%q: %v", c.output, err)
			continue
		}
		clock := ""
		if u.Day.Known() {
			clock = u.Day.Time.Format("15:04:05")
		}
		if clock != c.clock || u.Lo != c.up || u.Hi-u.Lo != c.unit {
			t.Errorf("%q: at %s up [%v, %v); want %s, %v", c.output, clock, u.Lo, u.Hi, c.clock, c.up)
		}
		if (u.Load != nil) != (c.load >= 0) || u.Load != nil && u.Load.One != c.load {
			t.Errorf("%q: load %+v, want %v", c.output, u.Load, c.load)
		}
	}
	for _, text := range []string{"", "up", "05:13:32 up and away", "bash: uptime: command not found", "up 99999999999999999999 days"} {
		if u, err := shell.ParseUptime([]string{"uptime"}, []byte(text)); err == nil {
			t.Errorf("%q was read as %+v", text, u)
		}
	}
}

func TestUptimeSince(t *testing.T) {
	for command, output := range map[string]string{
		"uptime -s": "2026-10-05 09:31:24",
		"who -b":    "         system boot  2026-10-05 09:31",
	} {
		u, err := shell.ParseUptime(typed(command), []byte(output))
		at := time.Date(2026, 10, 5, 9, 31, 24, 0, time.UTC)
		if err != nil || u.Since.Time.After(at) || u.Since.Time.Add(u.Since.Precision).Before(at) {
			t.Errorf("%s: %+v, %v", command, u, err)
		}
	}
}

func TestSmallProcFiles(t *testing.T) {
	u, err := shell.ProcUptime([]byte("900311.44 3374727.42\n"))
	if want := 900311*time.Second + 440*time.Millisecond; err != nil || u.Lo != want || u.Hi != want+10*time.Millisecond {
		t.Errorf("/proc/uptime: %+v, %v", u, err)
	}
	if _, err := shell.ProcUptime([]byte("x y")); err == nil {
		t.Error("/proc/uptime: words were read as numbers")
	}
	b, ok := shell.BootTime([]byte("ctxt 12\nbtime 1791192684\nprocesses 4\n"))
	if !ok || !b.Zoned || b.Time.Unix() != 1791192684 || b.Precision != time.Second {
		t.Errorf("btime: %+v, %v", b, ok)
	}
	if _, ok := shell.BootTime([]byte("btime\n")); ok {
		t.Error("btime without a number was read")
	}
	l, err := shell.LoadAvg([]byte("0.04 0.06 0.05 1/210 4121\n"))
	if want := (evidence.Load{One: 0.04, Five: 0.06, Fifteen: 0.05}); err != nil || l != want {
		t.Errorf("loadavg: %+v, %v", l, err)
	}
}
