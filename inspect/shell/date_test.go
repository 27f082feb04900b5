package shell_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/inspect/shell"
)

// typed splits a command as the tests write it: blanks separate, and a word in
// single quotes is kept together.
func typed(command string) []string {
	var out []string
	for i, piece := range strings.Split(command, "'") {
		if i%2 == 1 {
			out = append(out, piece)
		} else {
			out = append(out, strings.Fields(piece)...)
		}
	}
	return out
}

const moment = "2026-10-05T09:31:24"

func TestDate(t *testing.T) {
	for _, c := range []struct {
		command, output string
		want            string // RFC 3339; without Z when the zone is not known
		precision       time.Duration
		abbrev          string
	}{
		{"date -u +%FT%TZ", moment + "Z", moment + "Z", time.Second, ""},
		{"date -u +%FT%T.%3NZ", moment + ".402Z", moment + ".402Z", time.Millisecond, ""},
		{"date -u +%FT%T.%3NZ", moment + ".%3NZ", moment + "Z", time.Second, ""},
		{"date -u +%FT%T.%3NZ", moment + ".3NZ", moment + "Z", time.Second, ""},
		{"date +%FT%T%z", moment + "+0200", "2026-10-05T07:31:24Z", time.Second, ""},
		{"date +%FT%T%:z", moment + "+02:00", "2026-10-05T07:31:24Z", time.Second, ""},
		{"date +%FT%TZ", moment + "Z", moment + "Z", time.Second, "Z"},
		{"date '+%F %T'", "2026-10-05 09:31:24", moment, time.Second, ""},
		{"date -u '+%Y/%m/%d %H:%M:%S now'", "2026/10/05 09:31:24 now", moment + "Z", time.Second, ""},
		{"date '+%d.%m.%Y %I:%M:%S %p %Z'", "05.10.2026 09:31:24 AM UTC", moment + "Z", time.Second, ""},
		{"date '+%a %b %e %H:%M:%S %Z %Y'", "Mon Oct  5 09:31:24 CEST 2026", moment, time.Second, "CEST"},
		{"date +%s", "1791192684", moment + "Z", time.Second, ""},
		{"date +%s.%N", "1791192684.402118203", moment + ".402118203Z", 1, ""},
		{"date +%s%3N", "1791192684402", moment + ".402Z", time.Millisecond, ""},
		{"date +%s%N", "1791192684402118203", moment + ".402118203Z", 1, ""},
		{"date -Ins", moment + ",402118203+02:00", "2026-10-05T07:31:24.402118203Z", 1, ""},
		{"date -Iseconds", moment + "+00:00", moment + "Z", time.Second, ""},
		{"date -u -Iminutes", "2026-10-05T09:31+00:00", "2026-10-05T09:31:00Z", time.Minute, ""},
		{"date --iso-8601=seconds", moment + "-05:30", "2026-10-05T15:01:24Z", time.Second, ""},
		{"date --rfc-3339=ns", "2026-10-05 09:31:24.402118203+00:00", moment + ".402118203Z", 1, ""},
		{"date -R", "Mon, 05 Oct 2026 09:31:24 +0000", moment + "Z", time.Second, ""},
		{"date -R", "Mon, 05 Oct 2026 09:31:24 +0200", "2026-10-05T07:31:24Z", time.Second, ""},
		{"date", "Mon Oct  5 09:31:24 UTC 2026", moment + "Z", time.Second, ""},
		{"date", "Mon 05 Oct 2026 09:31:24 AM UTC", moment + "Z", time.Second, ""},
		{"date", "Mon Oct  5 09:31:24 PM UTC 2026", "2026-10-05T21:31:24Z", time.Second, ""},
		{"date", "Mon Oct  5 12:05:00 AM UTC 2026", "2026-10-05T00:05:00Z", time.Second, ""},
		{"date", "Mon  5 Oct 09:31:24 BST 2026", moment, time.Second, "BST"},
		{"date", "Mo 5. Okt 09:31:24 CEST 2026", moment, time.Second, "CEST"},
		{"date", "lun. 05 oct. 2026 09:31:24 UTC", moment + "Z", time.Second, ""},
		{"date", "mar. 06 oct. 2026 09:31:24 CEST", "2026-10-06T09:31:24", time.Second, "CEST"},
		{"date", "2026年 10月  5日 月曜日 09:31:24 JST", moment, time.Second, "JST"},
		{"date", "Mon Oct  5 12:31:24 +03 2026", moment + "Z", time.Second, ""},
		{"TZ=UTC date '+%F %T'", "2026-10-05 09:31:24", moment + "Z", time.Second, ""},
		{"TZ=Europe/Berlin date '+%F %T'", "2026-10-05 09:31:24", moment, time.Second, "Europe/Berlin"},
		{"sudo -n /bin/date --utc", "Mon Oct  5 09:31:24 UTC 2026", moment + "Z", time.Second, ""},
		{"busybox date -u", "Mon Oct  5 09:31:24 UTC 2026", moment + "Z", time.Second, ""},
		{"date -d now -u +%FT%TZ", moment + "Z", moment + "Z", time.Second, ""},
		{"date -u +%F", "2026-10-05", "2026-10-05T00:00:00Z", 24 * time.Hour, ""},
	} {
		s, err := shell.Date(typed(c.command), []byte(c.output+"\n"))
		if err != nil {
			t.Errorf("%s → %q: %v", c.command, c.output, err)
			continue
		}
		got := s.Time.Format("2006-01-02T15:04:05.999999999")
		if s.Zoned {
			got += "Z"
		}
		if c.precision == 24*time.Hour {
			c.want, _ = strings.CutSuffix(c.want, "Z")
			got, _ = strings.CutSuffix(got, "Z")
		}
		if got != c.want || s.Precision != c.precision || s.Abbrev != c.abbrev {
			t.Errorf("%s → %q: %s ±%v %q; want %s ±%v %q", c.command, c.output, got, s.Precision, s.Abbrev, c.want, c.precision, c.abbrev)
		}
	}
}

func TestDateRefuses(t *testing.T) {
	for _, c := range []struct{ command, output string }{
		{"date -d @1791192684", "Mon Oct  5 09:31:24 UTC 2026"},
		{"date -ud @1791192684 +%FT%TZ", moment + "Z"},
		{"date --date=yesterday", "Sun Oct  4 09:31:24 UTC 2026"},
		{"date -r /etc/passwd", "Mon Oct  5 09:31:24 UTC 2026"},
		{"date -s 12:00", "Mon Oct  5 12:00:00 UTC 2026"},
		{"date 100509312026", "Mon Oct  5 09:31:00 UTC 2026"},
		{"date -q", "date: invalid option -- 'q'"},
		{"date", ""},
		{"date", "Mon Feb 30 09:31:24 UTC 2026"},
		{"date", "Mon Oct  5 25:31:24 UTC 2026"},
		{"date '+%F %I:%M'", "2026-10-05 09:31"},
		{"echo date", "2026-10-05"},
	} {
		if s, err := shell.Date(typed(c.command), []byte(c.output)); err == nil {
			t.Errorf("%s → %q was read as %+v", c.command, c.output, s)
		}
	}
}

func TestCutStamp(t *testing.T) {
	for text, want := range map[string]struct {
		unix  int64
		rest  string
		zoned bool
	}{
		"2026-10-05T09:31:24.120Z $ ps":        {1791192684, " $ ps", true},
		"2026-10-05 09:31:24,120 INFO renewed": {1791192684, " INFO renewed", false},
		"2026-10-05 09:31:24 UTC lost":         {1791192684, " lost", true},
		"2026-10-05T11:31:24+02:00] x":         {1791192684, "] x", true},
		"2026-10-05 11:31:24 +0200 x":          {1791192684, " x", true},
		"2026/10/05 09:31:24 x":                {1791192684, " x", false},
		"20261005T093124Z x":                   {1791192684, " x", true},
		"2026-10-05 09:31:24 -1 left":          {1791192684, " -1 left", false},
	} {
		s, rest, ok := shell.CutStamp(text)
		if !ok || s.Time.Unix() != want.unix || rest != want.rest || s.Zoned != want.zoned {
			t.Errorf("%q: %+v, rest %q, %v", text, s, rest, ok)
		}
	}
	for _, text := range []string{"", "2026", "2026-10-05 lock", "10.0.0.5 09:31:24", "2026-13-05T09:31:24Z", "20261005 093124"} {
		if s, _, ok := shell.CutStamp(text); ok {
			t.Errorf("%q was read as %+v", text, s)
		}
	}
}

func TestStampIn(t *testing.T) {
	s, err := shell.ParseStamp("2026-10-05 11:31:24")
	if err != nil {
		t.Fatal(err)
	}
	placed := s.In(time.FixedZone("east", 7200))
	if !placed.Zoned || placed.Time.Unix() != 1791192684 {
		t.Errorf("placed at %+v", placed)
	}
	if again := placed.In(time.FixedZone("west", -7200)); again != placed {
		t.Errorf("a stamp with a zone moved to %+v", again)
	}
}
