package kernel

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

const samples = "../../testdata/host"

func sample(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(samples, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// expected decodes what expected.json says of one sample.
func expected[T any](t *testing.T, name string) T {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal(sample(t, "expected.json"), &all); err != nil {
		t.Fatal(err)
	}
	var v T
	raw, ok := all[name]
	if !ok {
		t.Fatalf("expected.json has no entry %q", name)
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// eventsOf parses a sample in whatever format it is and finds its events.
func eventsOf(t *testing.T, name string) []evidence.KernelEvent {
	t.Helper()
	records, _ := Parse(sample(t, name))
	if len(records) == 0 {
		t.Fatalf("%s: no records", name)
	}
	return Events(records)
}

// near says whether a duration is the given seconds, to the microsecond.
func near(d time.Duration, seconds float64) bool {
	diff := d.Seconds() - seconds
	return diff < 1e-6 && diff > -1e-6
}

func TestSniff(t *testing.T) {
	for name, want := range map[string]Format{
		"07_oom_5.15_raw_kmsg.txt":                   Kmsg,
		"19_dmesg.json":                              DmesgJSON,
		"21_journal_k.json":                          JournalJSON,
		"35_pstore_dmesg-efi_pstore-177250404701001": Pstore,
		"18_dmesg_forms.txt":                         Dmesg,
		"01_oom_el6_2.6.32_syslog.log":               Dmesg,
	} {
		if _, got := Parse(sample(t, name)); got != want {
			t.Errorf("%s: format %s, want %s", name, got, want)
		}
	}
}

// Every style of dmesg has its own prefix; each line of the sample is one.
func TestDmesgForms(t *testing.T) {
	type form struct {
		Seconds   *float64 `json:"ts_s"`
		Facility  any      `json:"fac"`
		Priority  *int     `json:"prio"`
		Level     string   `json:"level"`
		Caller    string   `json:"caller"`
		Wall      string   `json:"wall"`
		Local     string   `json:"wall_local"`
		Zone      string   `json:"zone"`
		Precision string   `json:"precision"`
		Delta     *float64 `json:"delta_s"`
		Kernel    *bool    `json:"kernel"`
	}
	want := expected[[]form](t, "18_dmesg_forms.txt")
	got := ParseDmesg(sample(t, "18_dmesg_forms.txt"))
	if len(got) != len(want) {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
	texts := []string{"plain seconds", "raw with level", "decoded facility and level", "decoded with caller id", "caller is cpu 1",
		"iso with comma microseconds and zone", "ctime, local zone, no fraction", "human, first of a minute",
		"human, delta to the previous line", "seconds with delta", "ctime with delta", "not a kernel facility"}
	for i, w := range want {
		r := got[i]
		if r.Text != texts[i] {
			t.Errorf("line %d: text %q, want %q", i+1, r.Text, texts[i])
		}
		if w.Seconds != nil && (!r.HasPrintk || !near(r.Printk, *w.Seconds)) {
			t.Errorf("line %d: printk %v, want %v s", i+1, r.Printk, *w.Seconds)
		}
		if w.Seconds == nil && r.HasPrintk {
			t.Errorf("line %d: printk %v, want none", i+1, r.Printk)
		}
		switch f := w.Facility.(type) {
		case string:
			if r.Facility != facility(f) {
				t.Errorf("line %d: facility %d, want %s", i+1, r.Facility, f)
			}
		case float64:
			if r.Facility != int(f) {
				t.Errorf("line %d: facility %d, want %v", i+1, r.Facility, f)
			}
		default:
			if r.Facility != Unknown {
				t.Errorf("line %d: facility %d, want unknown", i+1, r.Facility)
			}
		}
		if w.Priority != nil && r.Level != *w.Priority || w.Level != "" && r.Level != level(w.Level) {
			t.Errorf("line %d: level %d, want %v%s", i+1, r.Level, w.Priority, w.Level)
		}
		if r.Caller != w.Caller {
			t.Errorf("line %d: caller %q, want %q", i+1, r.Caller, w.Caller)
		}
		if w.Wall != "" && (!r.Wall.Zone || !r.Wall.Time.Equal(mustTime(t, w.Wall))) {
			t.Errorf("line %d: wall %+v, want %s", i+1, r.Wall, w.Wall)
		}
		if w.Local != "" && (r.Wall.Zone || !strings.Contains(r.Wall.Time.Format("2006-01-02 15:04:05 / Jan 02 15:04"), w.Local)) {
			t.Errorf("line %d: wall %+v, want local %s", i+1, r.Wall, w.Local)
		}
		if w.Precision == "minute" && r.Wall.Precision != time.Minute {
			t.Errorf("line %d: precision %v, want a minute", i+1, r.Wall.Precision)
		}
		if w.Delta != nil && !near(r.Delta, *w.Delta) {
			t.Errorf("line %d: delta %v, want %v", i+1, r.Delta, *w.Delta)
		}
		if w.Kernel != nil && r.fromKernel() != *w.Kernel {
			t.Errorf("line %d: from kernel %v, want %v", i+1, r.fromKernel(), *w.Kernel)
		}
	}
}

func mustTime(t *testing.T, s string) time.Time {
	t.Helper()
	v, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDmesgJSON(t *testing.T) {
	want := expected[struct {
		First struct {
			Priority int     `json:"pri"`
			Seconds  float64 `json:"ts_s"`
			RSS      int64   `json:"anon_rss_kb"`
			Victim   int     `json:"victim_pid"`
		} `json:"first"`
		Records int `json:"records"`
	}](t, "19_dmesg.json")
	got := ParseDmesgJSON(sample(t, "19_dmesg.json"))
	if len(got) != want.Records {
		t.Fatalf("%d records, want %d", len(got), want.Records)
	}
	if r := got[0]; r.Level != want.First.Priority || r.Facility != 0 || !near(r.Printk, want.First.Seconds) {
		t.Errorf("first record %+v, want %+v", r, want.First)
	}
	if got[1].Caller != "T7499" {
		t.Errorf("caller %q, want T7499", got[1].Caller)
	}
	events := Events(got)
	if len(events) != 1 || events[0].Kill.Victim != want.First.Victim || events[0].Kill.AnonRSSKB != want.First.RSS {
		t.Errorf("events %+v, want one kill of %d", events, want.First.Victim)
	}
}

// Output that was cut off keeps the messages before the cut.
func TestDmesgJSONCutOff(t *testing.T) {
	b := sample(t, "19_dmesg.json")
	cut := b[:strings.Index(string(b), "T7499")]
	if got := ParseDmesgJSON(cut); len(got) != 1 {
		t.Errorf("%d records from a cut file, want 1", len(got))
	}
}

func TestKmsgRecords(t *testing.T) {
	want := expected[struct {
		Records int            `json:"records"`
		Lost    map[string]int `json:"lost_records_between"`
	}](t, "07_oom_5.15_raw_kmsg.txt")
	got := ParseKmsg(sample(t, "07_oom_5.15_raw_kmsg.txt"))
	if len(got) != want.Records {
		t.Fatalf("%d records, want %d", len(got), want.Records)
	}
	log := Summarise(got, "/dev/kmsg")
	if log.Lost != want.Lost["1894->1897"] || log.Records != want.Records || log.Oldest != 8811220145*time.Microsecond {
		t.Errorf("summary %+v, want %d records, %d lost", log, want.Records, want.Lost["1894->1897"])
	}
	if r := got[1]; !strings.HasSuffix(r.Raw, " DEVICE=+acpi:PNP0C0D:00\n") || strings.Contains(r.Text, "DEVICE") {
		t.Errorf("dictionary lines belong to Raw, not to the text: %+v", r)
	}
	if r := got[0]; r.Caller != "T9120" || r.Level != 4 || r.Facility != 0 || !strings.HasPrefix(r.Text, "lock\u00e9r\n2 invoked") {
		t.Errorf("first record %+v", r)
	}
}

func TestKmsgOddities(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"continued by the same caller", "6,1,5,-,caller=T1;hello \n6,2,6,-,caller=T2;other\n6,3,7,c,caller=T1;world\n", "hello world|other"},
		{"unknown further fields", "6,1,5,-,caller=T1,future=9;text; with semicolon\n", "text; with semicolon"},
		{"escapes", `6,1,5,-;a\x5cb\x0ac\xzz\x` + "\n", "a\\b\nc\\xzz\\x"},
		{"no final newline", "6,1,5,-;cut", "cut"},
		{"malformed between good ones", "6,1,5,-;a\ngarbage\n6,x,5,-;b\n6,2,5,-;c\n", "a|!garbage|!6,x,5,-;b|c"},
		{"dictionary without a record", " SUBSYSTEM=acpi\n6,1,5,-;a\n", "! SUBSYSTEM=acpi|a"},
		{"number too long", "6,1,99999999999999999999,-;a\n", "!6,1,99999999999999999999,-;a"},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var texts []string
			for _, r := range ParseKmsg([]byte(c.in)) {
				mark := ""
				if r.Malformed {
					mark = "!"
				}
				texts = append(texts, mark+r.Text)
			}
			if got := strings.Join(texts, "|"); got != c.want {
				t.Errorf("texts %q, want %q", got, c.want)
			}
		})
	}
}

func TestPrefixes(t *testing.T) {
	for _, c := range []struct {
		line, host, tag, text string
		pid                   int
		printk                bool
	}{
		{"2026-03-03T02:14:00+0000 n1 kernel: hello", "n1", "kernel", "hello", 0, false},
		{"2026-03-03T02:14:00.123456+01:00 n1 kernel: [    1.000000] hello", "n1", "kernel", "hello", 0, true},
		{"[812349.001000] n1 kernel: hello", "n1", "kernel", "hello", 0, true},
		{"Mar 03 02:20:01.123456 n1 systemd[1]: hello", "n1", "systemd", "hello", 1, false},
		{"Mar  3 02:20:01 n1 my prog: hello", "", "", "n1 my prog: hello", 0, false},
		{"[ 4127]   502  4127  1203311", "", "", "[ 4127]   502  4127  1203311", 0, false},
		{"\x1b[32m[    1.000000] \x1b[0mhello", "", "", "hello", 0, true},
		{"[    1.000000] [T500] not a caller unless padded or not: hello", "", "", "not a caller unless padded or not: hello", 0, true},
		{"hello", "", "", "hello", 0, false},
	} {
		r := ParseDmesg([]byte(c.line))[0]
		if r.Host != c.host || r.Tag != c.tag || r.Text != c.text || r.TagPid != c.pid || r.HasPrintk != c.printk {
			t.Errorf("%q: %+v", c.line, r)
		}
	}
}

func TestPstore(t *testing.T) {
	const name = "35_pstore_dmesg-efi_pstore-177250404701001"
	want := expected[struct {
		Count   int     `json:"count"`
		Part    int     `json:"part"`
		Reason  string  `json:"reason"`
		Seconds float64 `json:"panic_ts_s"`
	}](t, name)
	b := sample(t, name)
	first, _, _ := strings.Cut(string(b), "\n")
	if p, ok := ParsePart(first); !ok || p != (Part{want.Reason, want.Count, want.Part}) {
		t.Errorf("heading %+v %v, want %+v", p, ok, want)
	}
	if at, ok := PstoreTime(name); !ok || at.Unix() != 1772504047 {
		t.Errorf("time of the name %v %v, want 1772504047", at, ok)
	}
	events := Events(ParsePstore(b))
	if len(events) != 1 || events[0].Class != Panic || !near(events[0].Printk, want.Seconds) || events[0].Pid != 24811 || events[0].Comm != "java" {
		t.Errorf("events %+v, want the panic at %v in java", events, want.Seconds)
	}
}

// The kernel stores the newest piece first.
func TestPstorePiecesInOrder(t *testing.T) {
	got := ParsePstore([]byte("Panic#1 Part1\n<6>[    3.000000] c\nPanic#1 Part2\n<6>[    1.000000] a\n<6>[    2.000000] b\n"))
	var texts string
	for _, r := range got {
		texts += r.Text
	}
	if texts != "abc" {
		t.Errorf("texts %q, want abc", texts)
	}
}
