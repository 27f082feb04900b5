package evidence

import (
	"strings"
	"testing"
	"time"
)

// lines is a comparison as a reader might write it down.
func lines(changes []Change) map[string]string {
	out := map[string]string{}
	for _, c := range changes {
		out[c.Where] = c.Before + " → " + c.After + " | " + c.Note
	}
	return out
}

func TestDiffOfTheSame(t *testing.T) {
	if got := Diff(sample(), sample()); len(got) != 0 {
		t.Errorf("a bundle differs from itself: %+v", got)
	}
}

func TestDiff(t *testing.T) {
	at := func(s int) *Interval {
		i := At(testEnd.Add(time.Duration(s)*time.Second), time.Millisecond, Coordinator)
		return &i
	}
	client := func(id, age, idle int64) Client {
		return Client{ID: id, Addr: "10.0.0.9:4411", Age: age, Idle: idle, Cmd: "get"}
	}
	process := func(start uint64, oom int64) []Process {
		return []Process{{Pid: 7, Looks: []ProcLook{{Stat: Saw("stat", ProcStat{Comm: "ledgerd", State: "S", Start: start}), Cgroup: Cgroup{OOMKills: Saw("events", oom)}}}}}
	}
	a, b := sample(), sample()
	a.Snapshot.Vantages, b.Snapshot.Vantages = a.Capture.Vantages, b.Capture.Vantages
	a.Snapshot.Node = Node{
		Infos:   []Info{{RunID: Saw("info", "aa"), Evicted: Saw("info", int64(3))}},
		Clients: []ClientList{{Clients: Saw("list", []Client{client(1, 100, 5), client(2, 50, 40), client(3, 9, 1)})}},
	}
	b.Snapshot.Node = Node{
		Infos:   []Info{{RunID: Saw("info", "aa"), Evicted: Saw("info", int64(10))}},
		Clients: []ClientList{{Clients: Saw("list", []Client{client(1, 160, 2), client(2, 110, 100), client(4, 1, 0)})}},
	}
	a.Snapshot.Processes, b.Snapshot.Processes = process(500, 0), process(500, 1)
	b.Snapshot.Sources = map[string]Outcome{"redis/sample": {Status: OK}, "kernel/kmsg": {Status: Denied, Why: "permission denied"}}
	b.Verdict.Label, b.Verdict.State = Partition, Free
	b.Verdict.Answers.Owner = sampleAnswer("running")
	a.Verdict.Times, b.Verdict.Times = Times{LastRenewal: at(1), LeaseEnds: at(10)}, Times{LastRenewal: at(1), LeaseEnds: at(40), SafeRelease: at(41)}
	a.Verdict.Times.AfterRenewal, b.Verdict.Times.AfterRenewal = &Range{Least: time.Second, Most: 3 * time.Second}, &Range{Least: 2 * time.Second, Most: 2 * time.Second}
	a.Verdict.Times.ToSafeRelease, b.Verdict.Times.ToSafeRelease = &Range{Least: time.Second, Most: 3 * time.Second}, &Range{Least: 9 * time.Second, Most: 9 * time.Second}
	b.Verdict.Findings = []Finding{{ID: "evicted", Severity: Warning, Text: "seven keys"}}
	got := lines(Diff(a, b))
	for where, want := range map[string]string{
		"verdict/label":         "crash → partition",
		"state":                 " → free",
		"answers/owner":         "gone",
		"times/lease_ends":      "30s later",
		"times/to_safe_release": "1s to 3s → 9s",
		"times/safe_release":    " → 2026-11-29T03:12:52",
		"server/evicted_keys":   "3 → 10 | +7",
		"client 1":              "used in between",
		"client 2":              "not used in between",
		"client 3":              "| gone",
		"client 4":              "| appeared",
		"process 7/oom_kill":    "0 → 1 | +1",
		"finding evicted":       " → warning | seven keys",
		"read kernel/kmsg":      " → denied | permission denied",
	} {
		if line, there := got[where]; !there || !strings.Contains(line, want) {
			t.Errorf("%s: %q, want %q in it", where, line, want)
		}
	}
	// What was measured twice has not changed.
	for _, where := range []string{"times/last_renewal", "times/after_renewal", "server/run_id", "key", "process 7/state", "read redis/sample"} {
		if line, there := got[where]; there {
			t.Errorf("%s did not change: %s", where, line)
		}
	}
}

// Another server begins its numbers anew; another boot its processes.
func TestDiffOfOtherThings(t *testing.T) {
	a, b := sample(), sample()
	a.Snapshot.Node.Infos, b.Snapshot.Node.Infos = []Info{{RunID: Saw("info", "aa"), Expired: Saw("info", int64(9))}}, []Info{{RunID: Saw("info", "bb"), Expired: Saw("info", int64(1))}}
	a.Snapshot.Node.Clients = []ClientList{{Clients: Saw("list", []Client{{ID: 1}})}}
	b.Snapshot.Node.Clients = []ClientList{{Clients: Saw("list", []Client{{ID: 1, Idle: 3}})}}
	b.Capture.Subject.Key = "lock:other"
	got := lines(Diff(a, b))
	if _, there := got["client 1"]; there {
		t.Error("a connection of another server was taken for the same")
	}
	if line := got["server/expired_keys"]; !strings.HasSuffix(line, "| ") {
		t.Errorf("the difference of two servers' counters is nothing: %q", line)
	}
	if !strings.Contains(got["key"], "two locks") {
		t.Errorf("%q", got["key"])
	}
}
