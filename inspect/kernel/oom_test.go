package kernel

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// A wantKill is one victim as expected.json describes it; what a sample does not
// speak of is nil or empty.
type wantKill struct {
	Victim     int      `json:"victim_pid"`
	Comm       string   `json:"comm"`
	UID        *int     `json:"uid"`
	Anon       int64    `json:"anon_rss_kb"`
	Total      int64    `json:"total_vm_kb"`
	Scope      string   `json:"scope"`
	Constraint *string  `json:"constraint"`
	Invoker    string   `json:"invoker"`
	TaskMemcg  string   `json:"task_memcg"`
	OOMMemcg   string   `json:"oom_memcg"`
	Seconds    *float64 `json:"t_boot_s"`
	Kind       string   `json:"kind"`
}

func (w wantKill) check(t *testing.T, ev evidence.KernelEvent) {
	t.Helper()
	k := ev.Kill
	if k == nil || ev.Class != OOMKill || ev.Forged {
		t.Fatalf("event %+v, want a kill by the kernel", ev)
	}
	constraint := ""
	if w.Constraint != nil {
		constraint, _, _ = strings.Cut(*w.Constraint, " ")
	}
	uid := Unknown
	if w.UID != nil {
		uid = *w.UID
	}
	got := wantKill{Victim: k.Victim, Comm: k.Comm, Anon: k.AnonRSSKB, Total: k.TotalVMKB, Scope: k.Scope, Invoker: k.Invoker,
		TaskMemcg: k.TaskMemcg, OOMMemcg: k.OOMMemcg, Kind: strings.ReplaceAll(k.Kind, "-", "_")}
	want := w
	want.UID, want.Constraint, want.Seconds = nil, nil, nil
	if want.Total == 0 {
		got.Total = 0
	}
	if got != want {
		t.Errorf("kill\n got %+v\nwant %+v", got, want)
	}
	if k.UID != uid || k.Constraint != constraint {
		t.Errorf("uid %d constraint %q, want %d %q", k.UID, k.Constraint, uid, constraint)
	}
	if w.Seconds != nil && !near(ev.Printk, *w.Seconds) {
		t.Errorf("printk %v, want %v s", ev.Printk, *w.Seconds)
	}
}

// One kill a report, from kernels 2.6.32 to 5.0.
func TestSingleKills(t *testing.T) {
	for _, name := range []string{
		"01_oom_el6_2.6.32_syslog.log", "02_oom_el7_3.10_memcg_dmesg.log",
		"03_oom_4.4_global_dmesgT.log", "05_oom_5.0_split_summary_dmesg.log",
	} {
		t.Run(name, func(t *testing.T) {
			want, got := expected[[]wantKill](t, name), eventsOf(t, name)
			if len(got) != len(want) {
				t.Fatalf("%d events, want %d: %+v", len(got), len(want), got)
			}
			for i := range want {
				want[i].check(t, got[i])
			}
		})
	}
}

// memory.oom.group: the first victim is named twice, its group's members once.
func TestGroupKill(t *testing.T) {
	const name = "04_oom_4.19_group_dmesg.log"
	want := expected[struct {
		Invoker   string `json:"invoker"`
		Group     string `json:"oom_group"`
		OOMMemcg  string `json:"oom_memcg"`
		Scope     string `json:"scope"`
		TaskMemcg string `json:"task_memcg"`
		Victims   []struct {
			Anon int64  `json:"anon_rss_kb"`
			Comm string `json:"comm"`
			Pid  int    `json:"pid"`
		} `json:"victims"`
	}](t, name)
	got := eventsOf(t, name)
	if len(got) != len(want.Victims) {
		t.Fatalf("%d events, want one for each of %d victims", len(got), len(want.Victims))
	}
	for i, v := range want.Victims {
		k := got[i].Kill
		if k.Victim != v.Pid || k.Comm != v.Comm || k.AnonRSSKB != v.Anon || k.Scope != want.Scope ||
			k.OOMMemcg != want.OOMMemcg || k.Invoker != want.Invoker || k.UID != 1001 {
			t.Errorf("victim %d: %+v, want %+v in %s", i, k, v, want.OOMMemcg)
		}
	}
	if got[0].Kill.TaskMemcg != want.TaskMemcg || got[0].Kill.Kind != "" || got[1].Kill.Kind != "group" {
		t.Errorf("first %+v, second %+v", got[0].Kill, got[1].Kill)
	}
}

// Raw records: escapes in the name, a container, and a line user space forged.
func TestKmsgKill(t *testing.T) {
	const name = "07_oom_5.15_raw_kmsg.txt"
	want := expected[struct {
		Events []struct {
			Anon       int64  `json:"anon_rss_kb"`
			Comm       string `json:"comm_bytes_hex"`
			Constraint string `json:"constraint"`
			Container  string `json:"container_id"`
			Scope      string `json:"scope"`
			TaskMemcg  string `json:"task_memcg"`
			Micros     int64  `json:"ts_us"`
			UID        int    `json:"uid"`
			Victim     int    `json:"victim_pid"`
		} `json:"events"`
	}](t, name).Events[0]
	got := eventsOf(t, name)
	if len(got) != 2 {
		t.Fatalf("%d events, want the kill and the forgery: %+v", len(got), got)
	}
	k := got[0].Kill
	if hex.EncodeToString([]byte(k.Comm)) != want.Comm || k.Victim != want.Victim || k.UID != want.UID || k.AnonRSSKB != want.Anon ||
		k.Constraint != want.Constraint || k.Container != want.Container || k.Scope != want.Scope || k.TaskMemcg != want.TaskMemcg {
		t.Errorf("kill %+v, want %+v", k, want)
	}
	if got[0].Printk.Microseconds() != want.Micros || got[0].Forged {
		t.Errorf("event %+v, want the kernel's at %d µs", got[0], want.Micros)
	}
	if !got[1].Forged || got[1].Kill.Victim != 1 {
		t.Errorf("second event %+v, want a forged kill of 1", got[1])
	}
}

// User space may write to the ring, but never as the kernel. Without a facility
// nobody can tell.
func TestForged(t *testing.T) {
	for _, c := range []struct {
		line   string
		forged bool
	}{
		{"30,1,5,-;Out of memory: Killed process 5 (x) total-vm:1kB, anon-rss:1kB", true},
		{"3,1,5,-;Out of memory: Killed process 5 (x) total-vm:1kB, anon-rss:1kB", false},
		{"12,1,5,-;e1000: eth0 NIC Link is Down", true},
		{"4,1,5,-;e1000: eth0 NIC Link is Down", false},
		{"12,1,5,-;Kernel panic - not syncing: boo", true},
		{"user  :err   : [    1.000000] Kernel panic - not syncing: boo", true},
		{"kern  :err   : [    1.000000] Kernel panic - not syncing: boo", false},
		{"[    1.000000] Kernel panic - not syncing: boo", false},
	} {
		records, _ := Parse([]byte(c.line))
		if got := Events(records); len(got) != 1 || got[0].Forged != c.forged {
			t.Errorf("%q: %+v, want one event, forged %v", c.line, got, c.forged)
		}
	}
}

// A forged report explains no kill of the kernel's.
func TestForgedReportExplainsNothing(t *testing.T) {
	records := ParseKmsg([]byte(`12,1,5,-;evil invoked oom-killer: gfp_mask=0x0, order=0, oom_score_adj=0
12,2,6,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/evil,task_memcg=/evil,task=x,pid=5,uid=0
3,3,7,-;Memory cgroup out of memory: Killed process 5 (x) total-vm:1kB, anon-rss:1kB
`))
	events := Events(records)
	if len(events) != 1 || events[0].Kill.Invoker != "" || events[0].Kill.OOMMemcg != "" {
		t.Errorf("events %+v, want the bare kill", events)
	}
}

func TestKillVariants(t *testing.T) {
	const name = "09_oom_variants_dmesg.log"
	want := expected[struct {
		Kills []wantKill `json:"kills"`
		Not   []string   `json:"not_kills"`
	}](t, name)
	byClass := map[string][]evidence.KernelEvent{}
	for _, ev := range eventsOf(t, name) {
		byClass[ev.Class] = append(byClass[ev.Class], ev)
	}
	kills := byClass[OOMKill]
	if len(kills) != len(want.Kills) {
		t.Fatalf("%d kills, want %d", len(kills), len(want.Kills))
	}
	for i, w := range want.Kills {
		k := kills[i].Kill
		if k.Victim != w.Victim || k.AnonRSSKB != w.Anon || k.UID != *w.UID || strings.ReplaceAll(k.Kind, "-", "_") != w.Kind || k.Invoker != w.Invoker {
			t.Errorf("kill %+v, want %+v", k, w)
		}
	}
	for class, pid := range map[string]int{OOMExiting: 2300, OOMNone: 0, ReaperFailed: 2310, SysrqOOM: 0, Suspend: 0} {
		if len(byClass[class]) != 1 || byClass[class][0].Pid != pid {
			t.Errorf("%s: %+v, want one of pid %d", class, byClass[class], pid)
		}
	}
}

// The report is rate-limited, the kill line is not.
func TestRateLimitedKills(t *testing.T) {
	const name = "10_oom_ratelimited_journal_short_iso.log"
	want := expected[struct {
		Pids []int `json:"pids"`
	}](t, name)
	got := eventsOf(t, name)
	if len(got) != len(want.Pids) {
		t.Fatalf("%d events, want %d", len(got), len(want.Pids))
	}
	for i, pid := range want.Pids {
		k := got[i].Kill
		if k.Victim != pid || k.Scope != "memcg" || k.Constraint != "" || k.TaskMemcg != "" || k.Invoker != "" || k.UID != 1000 || k.Kind != "" {
			t.Errorf("kill %d: %+v, want pid %d and nothing the line does not say", i, k, pid)
		}
	}
	if at := got[0].Wall; !at.From.Equal(mustTime(t, "2026-03-03T02:14:00Z")) {
		t.Errorf("wall %v, want the journal's date", at)
	}
}

// What looks like a kill and is none, and what hides one.
func TestKillTraps(t *testing.T) {
	const tail = " total-vm:9kB, anon-rss:8kB, file-rss:0kB, shmem-rss:0kB, UID:7 pgtables:4kB oom_score_adj:0"
	for _, c := range []struct {
		name, in string
		want     string // comm of the victims, a ! in front of forged ones
	}{
		{"brackets in the comm", "Killed process 5 (a) total-vm:1kB, (b))" + tail, "a) total-vm:1kB, (b)"},
		{"a newline in the comm", "[    1.000000] Out of memory: Killed process 5 (lock\n[    1.000000] 2)" + tail, "lock\n2"},
		{"a newline, and another message in between", "[    1.000000] Out of memory: Killed process 5 (lock\n[    1.000000] eth0: renamed)", ""},
		{"2.6.18", "Out of memory: Killed process 5 (old).", "old"},
		{"2.6.35", "Killed process 5 (old) vsz:9kB, anon-rss:8kB, file-rss:0kB", "old"},
		{"a simulated kill", "Would have killed process 5 (x). But continuing instead.", ""},
		{"the scored process only", "Out of memory: Kill process 5 (x) score 9 or sacrifice child", ""},
		{"a process sharing the memory", "Kill process 5 (x) sharing same memory", "x"},
		{"a quotation", "monitor: saw Out of memory: Killed process 5 (x)" + tail, "!x"},
		{"another program's log", "Mar  3 02:14:07 h app[3]: Out of memory: Killed process 5 (x)" + tail, "!x"},
		{"a raw line of facility daemon", "<30>[    1.000000] Out of memory: Killed process 5 (x)" + tail, "!x"},
		{"a reaped process", "oom_reaper: reaped process 5 (x), now anon-rss:0kB", ""},
		{"no pid", "Killed process (x)" + tail, ""},
		{"pid and comm as the same line a second later", "[    1.000000] Killed process 5 (x)" + tail + "\n[    9.000000] Killed process 5 (x)" + tail, "x|x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, ev := range Events(ParseDmesg([]byte(c.in))) {
				mark := ""
				if ev.Forged {
					mark = "!"
				}
				got = append(got, mark+ev.Comm)
			}
			if s := strings.Join(got, "|"); s != c.want {
				t.Errorf("victims %q, want %q", s, c.want)
			}
		})
	}
}

// A summary belongs to its own kill and to no later one.
func TestReportServesOneKill(t *testing.T) {
	events := Events(ParseDmesg([]byte(`[    1.000000] a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
[    1.000100] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/limit,task_memcg=/limit/x,task=b,task=,pid=9,pid=5,uid=3
[    1.000200] Memory cgroup out of memory: Killed process 5 (b,task=,pid=9) total-vm:9kB, anon-rss:8kB, file-rss:0kB, shmem-rss:0kB
[    1.000300] Memory cgroup out of memory: Killed process 6 (c) total-vm:9kB, anon-rss:8kB, file-rss:0kB, shmem-rss:0kB
`)))
	if len(events) != 2 {
		t.Fatalf("%d events, want 2", len(events))
	}
	if k := events[0].Kill; k.OOMMemcg != "/limit" || k.TaskMemcg != "/limit/x" || k.UID != 3 || k.Invoker != "a" || k.Constraint != "CONSTRAINT_MEMCG" {
		t.Errorf("first kill %+v", k)
	}
	if k := events[1].Kill; k.OOMMemcg != "" || k.TaskMemcg != "" || k.UID != Unknown || k.Invoker != "" {
		t.Errorf("second kill %+v, want nothing of the first one's report", k)
	}
}

// The victim may be a thread whose leader has gone: the table names the process.
func TestVictimThread(t *testing.T) {
	events := Events(ParseDmesg([]byte(`[    1.000000] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
[    1.000001] [   5501]  1001  5480   201772   120401  1130496        0             0 pool
[    1.000002] Out of memory: Killed process 5501 (pool) total-vm:9kB, anon-rss:8kB, file-rss:0kB, shmem-rss:0kB
`)))
	if len(events) != 1 || events[0].Pid != 5480 || events[0].Kill.Victim != 5501 || events[0].Kill.UID != 1001 {
		t.Errorf("events %+v, want process 5480, task 5501, uid 1001", events)
	}
}

func TestContainerID(t *testing.T) {
	id := strings.Repeat("5d0c7e41", 8)
	for path, want := range map[string]string{
		"/system.slice/docker-" + id + ".scope": id,
		"/kubepods/pod1/" + id:                  id,
		"/a/" + id + "0":                        "",
		"/" + id[1:]:                            "",
		"":                                      "",
	} {
		if got := containerID(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}
