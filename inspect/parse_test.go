package inspect

import (
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func captureOf(candidates ...evidence.Candidate) evidence.Capture {
	return evidence.Capture{
		Schema: evidence.CaptureSchema, Subject: evidence.Subject{Key: "lk", Redis: "r:1"},
		Vantages: []evidence.Vantage{{Name: "owner", BootID: "b", Candidates: candidates}},
	}
}

// Probes come out of a bundle, and a bundle may lie about where its bytes are.
func TestParseRefusesLies(t *testing.T) {
	raw := map[string][]byte{"owner/x": []byte("12345")}
	for name, p := range map[string]evidence.Probe{
		"no such file":      {Name: "host/boot_id", File: "owner/y", Bytes: 1},
		"beyond the end":    {Name: "host/boot_id", File: "owner/x", Offset: 3, Bytes: 3},
		"before the start":  {Name: "host/boot_id", File: "owner/x", Offset: -1, Bytes: 2},
		"a negative length": {Name: "host/boot_id", File: "owner/x", Offset: 2, Bytes: -1},
		"an overflow":       {Name: "host/boot_id", File: "owner/x", Offset: 1<<63 - 1, Bytes: 1<<63 - 1},
	} {
		if _, err := Parse(captureOf(), []evidence.Probe{p}, raw); err == nil {
			t.Errorf("%s was believed", name)
		}
	}
}

// Reads of one look belong together, whatever order they came in.
func TestParseGathersLooks(t *testing.T) {
	stat := "7316 (w) S 1 7316 7316 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 500 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 3 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
	raw := map[string][]byte{"a": []byte(stat + stat)}
	at := func(n int, look int, name string) evidence.Probe {
		return evidence.Probe{Name: name, Source: "/proc/7316/" + name[5:], Pid: 7316, Look: look, Status: evidence.OK,
			Start: evidence.Stamp{Boot: time.Duration(n)}, End: evidence.Stamp{Boot: time.Duration(n + 1)}}
	}
	first, second := at(10, 1, "proc/stat"), at(30, 2, "proc/stat")
	first.File, first.Bytes = "a", int64(len(stat))
	second.File, second.Offset, second.Bytes = "a", int64(len(stat)), int64(len(stat))
	denied := at(12, 1, "proc/oom_score")
	denied.Status, denied.Why = evidence.Denied, "permission denied"
	s, err := Parse(captureOf(evidence.Candidate{Pid: 7316, Way: "flag"}), []evidence.Probe{second, denied, first}, raw)
	if err != nil || len(s.Processes) != 1 || len(s.Processes[0].Looks) != 2 {
		t.Fatalf("%v %+v", err, s.Processes)
	}
	l := s.Processes[0].Looks[0]
	if l.Look != 1 || l.Stat.Value.Start != 500 || l.OOMScore.Status != evidence.Denied || l.Span.End.Boot != 13 {
		t.Errorf("%+v", l)
	}
	if s.Sources["proc/stat"].Reads != 2 || s.Sources["proc/oom_score"].Status != evidence.Denied {
		t.Errorf("%+v", s.Sources)
	}
}

// A candidate nobody could look at is still in the snapshot: somebody named it.
func TestParseKeepsUnseenCandidates(t *testing.T) {
	s, err := Parse(captureOf(evidence.Candidate{Pid: 9, Way: "flag", Detail: "--pid"}), nil, nil)
	if err != nil || len(s.Processes) != 1 || s.Processes[0].Ways[0].Way != "flag" {
		t.Errorf("%v %+v", err, s.Processes)
	}
}

func TestTimeIn(t *testing.T) {
	want := time.Unix(1792449502, 0)
	for _, text := range []string{"1792449502", "1792449502.0", "1792449502000", "1792449502000000", "1792449502000000000", "2026-10-19T22:38:22Z\n", " 1792449502\n"} {
		if got, ok := timeIn(text); !ok || !got.Equal(want) {
			t.Errorf("%q: %v %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "7", "ok", "beat 17", "-1792449502", "NaN", "1e400", "99999999999999999999999"} {
		if got, ok := timeIn(text); ok {
			t.Errorf("%q is no time, but reads as %v", text, got)
		}
	}
}

func TestBeatFile(t *testing.T) {
	p := evidence.Probe{Status: evidence.OK, End: evidence.Stamp{Wall: time.Unix(1000, 0)}}
	old := parseBeatFile(p, []byte("mtime 940000000000\nstill here"), "file:x")
	if d, ok := old.Age.Get(); !ok || d != time.Minute || old.Value.Value != "still here" {
		t.Errorf("%+v", old)
	}
	gone := parseBeatFile(evidence.Probe{Status: evidence.Missing, Why: "no such file"}, nil, "file:x")
	if gone.Age.State != evidence.Absent {
		t.Errorf("%+v", gone.Age)
	}
}

func TestRowsOfPort(t *testing.T) {
	table := "  sl  local_address rem_address\n   0: 0100007F:C3F2 0100007F:18EB 01\n   1: 0100007F:18EB 0100007F:C3F2 01\n   2: 0100007F:0016 0100007F:C3F3 01\n"
	got := string(rowsOfPort([]byte(table), 0x18EB))
	if strings.Count(got, "\n") != 3 || strings.Contains(got, ":0016") {
		t.Errorf("%q", got)
	}
	if rowsOfPort([]byte(table), 0) != nil {
		t.Error("a unix socket has no port")
	}
}

func TestPeersRoundTrip(t *testing.T) {
	got := parsePeers([]byte("127.0.0.1:5 884 41207 \"a b\\n)\"\nbroken line\n1:2 x 3 \"c\"\n"))
	if len(got) != 1 || got[0].Comm != "a b\n)" || got[0].Pid != 41207 {
		t.Errorf("%+v", got)
	}
}

// No name a probe may bear, and no bytes, make parsing panic or disagree with
// itself.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"redis/sample", "redis/info", "redis/clients", "redis/slowlog", "redis/roles", "redis/heartbeat",
		"redis/hash", "redis/get", "beat/file", "proc/stat", "proc/status", "proc/net_tcp", "proc/net_tcp6", "proc/fd", "proc/ns",
		"proc/cgroup", "task/stat", "task/schedstat", "task/wchan", "cgroup/cpu.stat", "cgroup/memory.oom_control", "pressure/cpu",
		"kernel/kmsg", "clock/adjtimex", "clock/chrony", "host/peers", "host/vmstat", "kernel/dmesg", "kernel/journal", "clock/chronyc",
		"clock/ntpq", "clock/ntpstat", "clock/timedatectl", "clock/w32tm", "unit/systemctl", "container/inspect", "container/ps", "container/crictl",
		"container/events", "pod/get", "pod/describe", "runtime/jstat", "runtime/gclog", "runtime/dump", "log/app", "log/mapping", "redis/log", "redis/sentinel",
		"redis/aof", "text/beat", "proc/ps", "proc/ss"} {
		f.Add(name, []byte("1 2 3\n*2\r\n$1\r\n1\r\n$1\r\n2\r\n"))
	}
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		probes := []evidence.Probe{{Name: name, Source: "/proc/7/x", Pid: 7, Tid: 8, Look: 1, Status: evidence.OK, File: "a", Bytes: int64(len(b)),
			Commands: []string{"TIME", "PTTL lk", "PEXPIRETIME lk", "GETRANGE lk 0 1", "TIME"}}}
		raw := map[string][]byte{"a": b}
		c := captureOf(evidence.Candidate{Pid: 7, Way: "flag"})
		one, err1 := Parse(c, probes, raw)
		two, err2 := Parse(c, probes, raw)
		if (err1 == nil) != (err2 == nil) {
			t.Fatal(err1, err2)
		}
		a, errA := evidence.Line(one)
		z, errZ := evidence.Line(two)
		if errA == nil && errZ == nil && string(a) != string(z) {
			t.Fatalf("parsed twice, differs:\n%s%s", a, z)
		}
	})
}
