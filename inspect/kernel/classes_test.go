package kernel

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// A wantEvent is one line of a sample as expected.json describes it.
type wantEvent struct {
	Class   string  `json:"class"`
	Kind    string  `json:"kind"`
	Pid     int     `json:"pid"`
	Comm    string  `json:"comm"`
	Seconds float64 `json:"seconds"`
	CPU     *int    `json:"cpu"`
	Address string  `json:"addr"`
	IOWait  bool    `json:"io_wait"`
	Owner   int     `json:"owner_pid"`
	Ticks   int64   `json:"t_jiffies"`
	Starved int64   `json:"jiffies"`
	Nanos   int64   `json:"ns"`
	IF      string  `json:"if"`
	Up      *bool   `json:"up"`
	Via     string  `json:"via"`
	Millis  int64   `json:"ms"`
	Netns   any     `json:"netns"`
	Count   int64   `json:"n"`
	Port    int     `json:"port"`
	Drops   bool    `json:"dropping"`
	Dev     string  `json:"dev"`
}

// classOf maps the words of expected.json to the classes of this package.
func (w wantEvent) classOf() string {
	switch key := w.Class + "/" + w.Kind; key {
	case "process_crash/segfault":
		return Segfault
	case "process_crash/general_protection", "process_crash/general_protection(old text)":
		return Protection
	case "host_crash_risk/kernel_bug", "host_crash_risk/kernel_bug(old text)":
		return KernelBug
	case "host_crash_risk/oops":
		return Oops
	case "host_crash/panic":
		return Panic
	case "host_crash/panic_end":
		return PanicEnd
	case "task_stall/":
		return HungTask
	case "task_stall_owner/":
		return HungOwner
	case "cpu_stall/":
		return SoftLockup
	}
	if w.Class == "process_killed" {
		return PoisonKill
	}
	return strings.ReplaceAll(w.Class, "_", "-")
}

func (w wantEvent) differs(ev evidence.KernelEvent) (diffs []string) {
	d := DetailOf(ev)
	is := func(what string, got, want any) {
		if got != want {
			diffs = append(diffs, fmt.Sprintf("%s %v, want %v", what, got, want))
		}
	}
	is("class", ev.Class, w.classOf())
	is("forged", ev.Forged, false)
	if w.Pid != 0 || w.Class != "host_crash_risk" {
		is("pid", ev.Pid, w.Pid)
	}
	if w.Comm != "" {
		is("comm", ev.Comm, w.Comm)
	}
	is("seconds", ev.Seconds, w.Seconds+float64(w.Nanos)/1e9+float64(w.Millis)/1e3)
	cpu := ""
	if w.CPU != nil {
		cpu = fmt.Sprint(*w.CPU)
	}
	is("cpu", d.CPU, cpu)
	if w.Class == "syn_flood" {
		is("address", d.Addr, w.Address)
	} else {
		is("address", d.Address, strings.TrimPrefix(w.Address, "0x"))
	}
	is("I/O wait", d.IOWait, w.IOWait)
	is("owner", d.Owner, w.Owner)
	is("jiffies", d.Jiffies, w.Ticks+w.Starved)
	is("device", ev.Device, w.IF+w.Dev)
	is("via", d.Via, w.Via)
	switch ns := w.Netns.(type) {
	case float64:
		is("netns", d.Netns, fmt.Sprintf("%.0f", ns))
	default:
		is("netns", d.Netns, "")
	}
	is("count", d.Count, w.Count)
	is("port", d.Port, w.Port)
	is("dropping", d.Dropping, w.Drops)
	is("link state told", ev.Up != nil, w.Up != nil)
	if ev.Up != nil && w.Up != nil {
		is("up", *ev.Up, *w.Up)
	}
	return diffs
}

func TestClasses(t *testing.T) {
	for _, name := range []string{"13_kern_crash_dmesg.log", "14_kern_stall_dmesg.log", "15_kern_net_dmesg.log", "17_kern_io_dmesg.log"} {
		t.Run(name, func(t *testing.T) {
			want, got := expected[[]wantEvent](t, name), eventsOf(t, name)
			if len(got) != len(want) {
				for _, ev := range got {
					t.Logf("%s %q", ev.Class, ev.Text)
				}
				t.Fatalf("%d events, want %d", len(got), len(want))
			}
			for i, w := range want {
				for _, diff := range w.differs(got[i]) {
					t.Errorf("%q: %s", got[i].Text, diff)
				}
			}
		})
	}
}

// A task may call itself whatever it likes, up to 15 bytes.
func TestNamesThatLookLikeEvents(t *testing.T) {
	for line, want := range map[string]string{
		"eth0: Link down[44]: segfault at 18 ip 0 sp 0 error 4":                        Segfault,
		"eth0: Link down invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0":      "",
		"CPU: 0 PID: 77 Comm: eth0: Link down Not tainted 6.1":                         "",
		"INFO: task eth0: Link down:77 blocked for more than 122 seconds.":             HungTask,
		"Out of memory: Killed process 5 (Link is Down) total-vm:1kB, anon-rss:1kB, ":  OOMKill,
		"ata1: SATA link down (SStatus 0 SControl 300)":                                "",
		"ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)":                       "",
		"IPv6: ADDRCONF(NETDEV_CHANGE): eth0: link becomes ready":                      "",
		"pcieport 0000:00:1c.0: pciehp: Slot(0): Link Down":                            "",
		"bond0: link status definitely down for interface eno1, disabling it":          Link,
		"clocksource: Switched to clocksource tsc":                                     "",
		"clocksource: Switched to clocksource hpet":                                    Clocksource,
		"clocksource: timekeeping watchdog on CPU1: Marking clocksource 'tsc' as unst": Clocksource,
		"EDAC MC0: Giving out device to module skx_edac":                               "",
		"OOM killer disabled.": "",
		"Freezing with imperfect legacy cgroup freezer. See cgroup.freeze":             FreezerLegacy,
		"Clock: inserting leap second 23:59:60 UTC":                                    Leap,
		"traps: app[7] trap invalid opcode ip:1 sp:2 error:0 in app[1+2]":              Trap,
		"general protection fault, probably for non-canonical address 0x1: 0000 [#1] ": Oops,
		"random: crng reseeded due to virtual machine fork":                            VMHint,
		"printk: 5 messages dropped":                                                   "",
	} {
		var got []string
		for _, ev := range Events(ParseDmesg([]byte("[    1.000000] " + line))) {
			got = append(got, ev.Class)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: class %q, want %q", line, s, want)
		}
	}
}

// The line that names the task comes behind the one that names the fault.
func TestOopsNamesItsTask(t *testing.T) {
	events := Events(ParseDmesg([]byte(`[    1.000000] BUG: kernel NULL pointer dereference, address: 0000000000000078
[    1.000010] Oops: 0000 [#1] SMP PTI
[    1.000020] CPU: 3 PID: 24811 Comm: lock worker Not tainted 6.1.0 #1
[    9.000000] Kernel panic - not syncing: x
`)))
	if len(events) != 3 {
		t.Fatalf("%d events, want 3", len(events))
	}
	for i, want := range []int{24811, 24811, 0} {
		if events[i].Pid != want {
			t.Errorf("%s: pid %d, want %d", events[i].Class, events[i].Pid, want)
		}
	}
}

// watchers is what expected.json says of the user-space killers' lines.
type watchers struct {
	Earlyoom []struct {
		Comm   string  `json:"comm"`
		Pid    int     `json:"pid"`
		Signal *string `json:"signal"`
		RSS    int64   `json:"rss_mib"`
		Score  *int    `json:"oom_score"`
	} `json:"earlyoom"`
	Kubelet []struct {
		Resource string `json:"resource"`
		Pod      string `json:"pod"`
	} `json:"kubelet"`
	Oomd []struct {
		Cgroup   string  `json:"cgroup"`
		For      string  `json:"for"`
		Limit    float64 `json:"limit_pct"`
		Value    float64 `json:"value_pct"`
		MemTotal int64   `json:"mem_total"`
		SwapUsed int64   `json:"swap_used"`
		Trigger  string  `json:"trigger"`
	} `json:"oomd"`
	Systemd struct {
		Killed  int64  `json:"oomd_killed"`
		Counter int64  `json:"restart_counter"`
		Result  string `json:"result"`
		Unit    string `json:"unit"`
		Main    struct {
			Code   string `json:"code"`
			Signal int    `json:"signal"`
		} `json:"main"`
	} `json:"systemd"`
}

func TestUserSpaceWatchers(t *testing.T) {
	const name = "12_userland_oom_journal.log"
	want := expected[watchers](t, name)
	got := eventsOf(t, name)
	classes := []string{OomdKill, OomdKill, OomdMark, UnitOomd, UnitOOM, UnitExit, UnitFailed, UnitRestart,
		EarlyoomKill, EarlyoomKill, EarlyoomKill, KubeletEvict, KubeletEvicted}
	if len(got) != len(classes) {
		t.Fatalf("%d events, want %d", len(got), len(classes))
	}
	details := make([]Detail, len(got))
	for i, ev := range got {
		details[i] = DetailOf(ev)
		if ev.Class != classes[i] || ev.Forged {
			t.Errorf("%q: class %s forged %v, want %s", ev.Text, ev.Class, ev.Forged, classes[i])
		}
	}
	for i, w := range want.Oomd {
		d := details[i]
		if d.Cgroup != w.Cgroup || d.Limit != w.Limit || d.Percent != w.Value || d.MemTotal != w.MemTotal || d.SwapUsed != w.SwapUsed {
			t.Errorf("oomd %d: %+v, want %+v", i, d, w)
		}
		if w.For != "" && d.For.String() != w.For || w.Trigger != "" && d.Trigger != w.Trigger {
			t.Errorf("oomd %d: for %v under %q, want %s under %q", i, d.For, d.Trigger, w.For, w.Trigger)
		}
	}
	s := want.Systemd
	if details[3].Count != s.Killed || details[7].Count != s.Counter || details[6].Result != s.Result ||
		details[5].Code != s.Main.Code || details[5].Signal != fmt.Sprint(s.Main.Signal) {
		t.Errorf("unit lines %+v, want %+v", details[3:8], s)
	}
	for i := 3; i < 8; i++ {
		if details[i].Unit != s.Unit {
			t.Errorf("%q: unit %q, want %q", got[i].Text, details[i].Unit, s.Unit)
		}
	}
	for i, w := range want.Earlyoom {
		ev, d := got[8+i], details[8+i]
		signal := ""
		if w.Signal != nil {
			signal = *w.Signal
		}
		if ev.Pid != w.Pid || ev.Comm != w.Comm || d.Signal != signal || d.RSSMiB != w.RSS || w.Score != nil && d.Score != fmt.Sprint(*w.Score) {
			t.Errorf("earlyoom %d: %+v %+v, want %+v", i, ev, d, w)
		}
	}
	if details[11].Resource != want.Kubelet[0].Resource || details[12].Pod != want.Kubelet[1].Pod {
		t.Errorf("kubelet %+v, want %+v", details[11:], want.Kubelet)
	}
}

func TestChronyd(t *testing.T) {
	want := expected[struct {
		Step float64 `json:"step_s"`
	}](t, "30_chrony/chronyd_journal.log")
	got := eventsOf(t, "30_chrony/chronyd_journal.log")
	if len(got) != 3 || got[0].Class != ClockWrong || got[1].Class != ClockStep || got[2].Class != TimeJump {
		t.Fatalf("events %+v, want wrong, step, jump", got)
	}
	if got[0].Seconds != want.Step || got[1].Seconds != want.Step {
		t.Errorf("step %v and %v, want %v", got[0].Seconds, got[1].Seconds, want.Step)
	}
}

// A program's word counts only from that program.
func TestOthersWordDoesNotCount(t *testing.T) {
	for line, want := range map[string]int{
		"Mar 03 02:10:01 h chronyd[590]: System clock was stepped by -1.5 seconds":         1,
		"Mar 03 02:10:01 h app[590]: System clock was stepped by -1.5 seconds":             0,
		"Mar 03 02:10:01 h app[590]: eth0: Link is Down":                                   0,
		"<45>[   30.000000] systemd-journald[312]: Time jumped backwards, rotating.":       1,
		"[   30.000000] systemd-journald[312]: Time jumped backwards, rotating.":           1,
		"<6>[   30.000000] systemd-journald[312]: Time jumped backwards, rotating.":        0,
		"<45>[   30.000000] systemd-journald-x[312]: Time jumped backwards, rotating.":     0,
		"Mar 03 02:10:01 h systemd-oomd[1]: Killed /a due to memory used (1) / total (2) ": 1,
	} {
		if got := Events(ParseDmesg([]byte(line))); len(got) != want {
			t.Errorf("%q: %d events, want %d", line, len(got), want)
		}
	}
}

// Anchors are kept when wall clock and printk clock moved against each other.
func TestClockAnchors(t *testing.T) {
	events := Events(ParseDmesg([]byte(`[    1.000000] rtc_cmos 00:00: setting system clock to 2026-03-03T02:14:07 UTC (1772504047)
[    5.000000] audit: type=1400 audit(1772504051.200:1): apparmor="STATUS"
[    9.000000] audit: type=1400 audit(1772504155.000:2): apparmor="STATUS"
[   10.000000] audit: type=1400 audit(1772504156.000:3): apparmor="STATUS"
`)))
	if len(events) != 2 {
		t.Fatalf("%d anchors, want 2: %+v", len(events), events)
	}
	if at := events[1].Wall.From; at.Unix() != 1772504155 || events[1].Printk.Seconds() != 9 {
		t.Errorf("second anchor %+v, want 1772504155 at 9 s", events[1])
	}
}
