package kernel

import (
	"strings"
	"testing"
	"time"
)

func TestJournalJSON(t *testing.T) {
	want := expected[struct {
		Boot     string `json:"boot_id"`
		Wall     int64  `json:"event_wall_us"`
		Bytes    string `json:"msg2_bytes_hex"`
		Records  int    `json:"records"`
		RealMono int64  `json:"rt_minus_mono_us"`
	}](t, "21_journal_k.json")
	got := ParseJournalJSON(sample(t, "21_journal_k.json"))
	if len(got) != want.Records {
		t.Fatalf("%d records, want %d", len(got), want.Records)
	}
	if got[0].Boot != strings.ReplaceAll(want.Boot, "-", "") {
		t.Errorf("boot %q, want %q", got[0].Boot, want.Boot)
	}
	if us := got[0].Wall.Time.UnixMicro(); us != want.Wall {
		t.Errorf("wall %d, want %d: the journal's delay is to be taken off", us, want.Wall)
	}
	if d := got[0].Journal.Real.UnixMicro() - got[0].Journal.Mono.Microseconds(); d != want.RealMono {
		t.Errorf("real - mono %d, want %d", d, want.RealMono)
	}
	if got[1].Text != "oom: \u00e9\n" {
		t.Errorf("second message %q, want the bytes %s", got[1].Text, want.Bytes)
	}
	if events := Events(got); len(events) != 1 || events[0].Forged || events[0].Kill.Victim != 611 {
		t.Errorf("events %+v, want one kill of 611", events)
	}
}

// The syslog socket takes any facility; only the transport is the journal's word.
func TestJournalForgedFacility(t *testing.T) {
	line := `{"_TRANSPORT":"syslog","SYSLOG_FACILITY":"0","SYSLOG_IDENTIFIER":"kernel","MESSAGE":"Out of memory: Killed process 1 (init) total-vm:1kB, anon-rss:1kB"}`
	events := Events(ParseJournalJSON([]byte(line)))
	if len(events) != 1 || !events[0].Forged {
		t.Errorf("events %+v, want one, forged", events)
	}
}

// Every field may come in several shapes, and from any program.
func TestJournalOddities(t *testing.T) {
	for _, c := range []struct {
		name, line, text string
		level            int
	}{
		{"message too long for the journal", `{"MESSAGE":null,"PRIORITY":"3"}`, "", 3},
		{"several values", `{"MESSAGE":["first","second"],"PRIORITY":["4","3"]}`, "first", 4},
		{"bytes with blanks", `{"MESSAGE":[ 104, 105 ]}`, "hi", Unknown},
		{"no byte", `{"MESSAGE":[104,300]}`, "h", Unknown},
		{"a number", `{"MESSAGE":7,"PRIORITY":6}`, "7", 6},
		{"a level that is none", `{"MESSAGE":"x","PRIORITY":"10"}`, "x", Unknown},
		{"an object", `{"MESSAGE":{"a":1}}`, "", Unknown},
		{"not JSON", `-- No entries --`, "-- No entries --", Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ParseJournalJSON([]byte(c.line))
			if len(got) != 1 || got[0].Text != c.text || got[0].Level != c.level {
				t.Errorf("%+v, want text %q, level %d", got, c.text, c.level)
			}
		})
	}
}

func TestSyslogYearRoll(t *testing.T) {
	want := expected[struct {
		Line4  string `json:"line4_wall"`
		Repeat struct {
			N int `json:"n"`
		} `json:"repeat"`
	}](t, "20_kern.log_rfc3164_year_roll.log")
	got := ParseDmesg(sample(t, "20_kern.log_rfc3164_year_roll.log"))
	if len(got) != 4 {
		t.Fatalf("%d records, want 4", len(got))
	}
	if got[0].Wall.Known() {
		t.Errorf("the first line is dated %v before anybody told the year", got[0].Wall.Time)
	}
	Date(got, mustTime(t, "2026-06-01T00:00:00Z"), nil)
	for i, year := range []int{2025, 2026, 2026} {
		if y := got[i].Wall.Time.Year(); y != year {
			t.Errorf("line %d: year %d, want %d", i+1, y, year)
		}
		if got[i].Wall.Zone {
			t.Errorf("line %d: zone known, though no line tells it", i+1)
		}
	}
	if !got[3].Wall.Time.Equal(mustTime(t, want.Line4)) || !got[3].Wall.Zone {
		t.Errorf("line 4: wall %+v, want %s", got[3].Wall, want.Line4)
	}
	if r := got[2]; r.Repeat != want.Repeat.N || r.Text != "nf_conntrack: nf_conntrack: table full, dropping packet" || !near(r.Printk, 812349.002) {
		t.Errorf("repeated line %+v, want %d times, with its own seconds", r, want.Repeat.N)
	}
	if events := Events(got); len(events) != 2 || events[0].Kill.Victim != 611 || events[0].Kill.UID != 7 || events[1].Class != ConntrackFull {
		t.Errorf("events %+v, want the kill of 611 and a full table", events)
	}
}

func TestDateFindsYears(t *testing.T) {
	for _, c := range []struct{ name, lines, ref, want string }{
		{"same year", "Mar  3 02:14:07 h kernel: x", "2026-03-03T03:00:00Z", "2026"},
		{"last year", "Mar  3 02:14:07 h kernel: x", "2026-03-01T03:00:00Z", "2025"},
		{"leap day", "Feb 29 02:14:07 h kernel: x", "2026-03-03T03:00:00Z", "2024"},
		{"two rolls", "Nov  1 00:00:00 h kernel: x\nMar  3 02:14:07 h kernel: x\nJan  3 02:14:07 h kernel: x", "2026-03-03T03:00:00Z", "2024 2025 2026"},
		{"out of order at new year", "Jan  1 00:00:01 h kernel: x\nDec 31 23:59:59 h kernel: x\nJan  1 00:00:02 h kernel: x", "2026-03-03T03:00:00Z", "2026 2025 2026"},
	} {
		t.Run(c.name, func(t *testing.T) {
			records := ParseDmesg([]byte(c.lines))
			Date(records, mustTime(t, c.ref), time.UTC)
			var years []string
			for _, r := range records {
				years = append(years, r.Wall.Time.Format("2006"))
			}
			if got := strings.Join(years, " "); got != c.want {
				t.Errorf("years %s, want %s", got, c.want)
			}
		})
	}
}

// A local time without its zone may be any of 26 hours; told the zone, it is
// one second.
func TestWallInterval(t *testing.T) {
	records := ParseDmesg([]byte("[Tue Mar  3 02:14:07 2026] x"))
	i := records[0].Wall.Interval()
	if got := i.To.Sub(i.From); got != 26*time.Hour+time.Second {
		t.Errorf("without a zone the interval is %v wide, want 26 h 1 s", got)
	}
	Date(records, time.Time{}, time.FixedZone("", 3600))
	i = records[0].Wall.Interval()
	if !i.From.Equal(mustTime(t, "2026-03-03T01:14:07Z")) || i.To.Sub(i.From) != time.Second {
		t.Errorf("with the zone: %v, want 01:14:07Z and one second", i)
	}
}
