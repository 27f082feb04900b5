package transcript

import (
	"testing"
	"time"
)

// A date in front of a prompt, in every form that prompts and loggers write.
func TestStamps(t *testing.T) {
	day := time.Date(2026, 10, 5, 9, 31, 24, 0, time.UTC)
	clock := time.Date(0, 1, 1, 9, 31, 24, 0, time.UTC)
	for _, c := range []struct {
		prompt    string
		want      time.Time
		precision time.Duration
		zoned     bool
	}{
		{"[2026-10-05T09:31:24Z] q-3$ ", day, time.Second, true},
		{"[2026-10-05T09:31:24.120Z] ops@q:~$ ", day.Add(120 * time.Millisecond), time.Millisecond, true},
		{"2026-10-05T09:31:24Z q-3$ ", day, time.Second, true},
		{"2026-10-05T11:31:24+02:00 q-3$ ", day, time.Second, true},
		{"2026-10-05 09:31:24 q-3$ ", day, time.Second, false},
		{"2026-10-05 09:31:24 UTC ops@q:~$ ", day, time.Second, true},
		{"(2026-10-05T09:31:24Z) q-3# ", day, time.Second, true},
		{"[2026-10-05T09:31:24Z]q-3$ ", day, time.Second, true},
		{"[2026-10-05 09:31] q-3$ ", day.Add(-24 * time.Second), time.Minute, false},
		{"[Mon Oct  5 09:31:24 UTC 2026] q-3$ ", day, time.Second, true},
		{"[1791192684] q-3$ ", day, time.Second, true},
		{"[2026-10-05T09:31:24Z] 10.0.0.5:6379> ", day, time.Second, true},
		{"[2026-10-05T09:31:24Z] $ ", day, time.Second, true},
		{"[09:31:24] q-3$ ", clock, time.Second, false},
		{"09:31:24 ops@q:~$ ", clock, time.Second, false},
		{"09:31:24.5 ops@q:~$ ", clock.Add(500 * time.Millisecond), 100 * time.Millisecond, false},
		{"[09:31] q-3$ ", clock.Add(-24 * time.Second), time.Minute, false},
		{"[ops@q 09:31:24 ~]$ ", clock, time.Second, false},
		{"[09:31:24 ops@q ~]$ ", clock, time.Second, false},
		{"[09:31 ops@q ~]# ", clock.Add(-24 * time.Second), time.Minute, false},
		{"[2026-10-05 09:31:24 ops@q ~]$ ", day, time.Second, false},
		{"[09:31:24 q-3 ~]$ ", clock, time.Second, false},
		{"ops@q [2026-10-05T09:31:24Z] ~ $ ", day, time.Second, true},
		{"q-3$ ", time.Time{}, 0, false},
	} {
		entries := scan(t, c.prompt+"date\nMon\n")
		if len(entries) != 1 || entries[0].Loose {
			t.Errorf("%q opens no entry: %q", c.prompt, brief(entries[0]))
			continue
		}
		e := entries[0]
		if !e.Stamp.Equal(c.want) || e.Precision != c.precision || e.Zoned != c.zoned {
			t.Errorf("%q: %v ±%v zoned %v", c.prompt, e.Stamp, e.Precision, e.Zoned)
		}
	}
}

// Two terminals pasted one after the other make the stamps run backwards.
func TestTerminals(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		last int
	}{
		"one": {
			"[09:31:24] a$ date\n[09:31:24] a$ date\n[09:31:25] a$ date\n", 0,
		},
		"one host twice": {
			"[09:31:24] a$ date\n[09:40:00] a$ date\n[09:31:30] a$ date\n[09:41:00] a$ date\n", 1,
		},
		"two hosts": {
			"[2026-10-05T09:31:24Z] a$ date\n[2026-10-05T09:40:00Z] a$ date\n[2026-10-05T09:31:30Z] b$ date\n", 1,
		},
		"a slow clock behind ssh": {
			"[09:31:24] a$ ssh b\n[09:31:20] b$ date\n[09:31:22] b$ exit\n[09:31:30] a$ date\n", 0,
		},
		"midnight": {
			"[23:59:59] a$ date\n[00:00:01] a$ date\n", 0,
		},
		"a coarse digit": {
			"[2026-10-05 09:31] a$ date\n[2026-10-05 09:31] a$ date\n", 0,
		},
		"kinds that cannot be compared": {
			"[2026-10-05T09:31:24Z] a$ date\n[2026-10-05 08:31:30] a$ date\n", 0,
		},
		"three": {
			"[09:31:24] a$ date\n[09:30:00] a$ date\n[09:29:00] a$ date\n", 2,
		},
	} {
		entries := scan(t, c.text)
		if got := entries[len(entries)-1].Terminal; got != c.last {
			t.Errorf("%s: the last terminal is %d, want %d", name, got, c.last)
		}
	}
}
