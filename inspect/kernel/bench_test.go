package kernel

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// ordinary are lines a healthy machine writes; killing is one OOM report.
var ordinary = []string{
	"eth0: renamed from veth1a2b3c",
	"docker0: port 3(veth9f81c02) entered blocking state",
	"docker0: port 3(veth9f81c02) entered forwarding state",
	"IPv6: ADDRCONF(NETDEV_CHANGE): veth9f81c02: link becomes ready",
	"audit: type=1400 audit(1772504047.331:4411): apparmor=\"ALLOWED\" operation=\"open\" profile=\"snap.x\" name=\"/proc/7/status\" pid=7 comm=\"worker\"",
	"EXT4-fs (dm-3): mounted filesystem 5d0c7e41-b7a9 r/w with ordered data mode. Quota mode: none.",
	"[UFW BLOCK] IN=eth0 OUT= MAC=02:42:ac:11:00:02 SRC=192.0.2.17 DST=198.51.100.9 LEN=60 TTL=63 ID=4411 PROTO=TCP SPT=51844 DPT=6379",
	"systemd[1]: Started Session 4411 of user deploy.",
	"perf: interrupt took too long (2511 > 2500), lowering kernel.perf_event_max_sample_rate to 79500",
	"usb 1-1.4: new high-speed USB device number 7 using xhci_hcd",
}

var killing = []string{
	"order-pool invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
	"CPU: 2 PID: 24811 Comm: order-pool Not tainted 6.1.0-18-amd64 #1",
	"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/system.slice/o.service,task_memcg=/system.slice/o.service,task=order-pool,pid=24811,uid=1001",
	"Memory cgroup out of memory: Killed process 24811 (order-pool) total-vm:807088kB, anon-rss:479604kB, file-rss:2000kB, shmem-rss:0kB, UID:1001 pgtables:44kB oom_score_adj:0",
	"oom_reaper: reaped process 24811 (order-pool), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB",
}

const benchLines = 100_000

// longLog is a hundred thousand lines with a kill in every thousand.
func longLog(line func(i int, text string) string) []byte {
	var b strings.Builder
	for i, next := 0, 0; i < benchLines; {
		texts := ordinary
		if i >= next {
			texts, next = killing, next+1000
		}
		for _, text := range texts {
			stamp := fmt.Sprintf("audit(%d.331:", 1772504047+i/20)
			b.WriteString(line(i, strings.Replace(text, "audit(1772504047.331:", stamp, 1)))
			i++
		}
	}
	return []byte(b.String())
}

func dmesgLine(i int, text string) string {
	return fmt.Sprintf("[%5d.%06d] %s\n", i/20, i%20*50000, text)
}

func kmsgLine(i int, text string) string {
	return fmt.Sprintf("6,%d,%d,-;%s\n", i, i*50000, text)
}

// BenchmarkBesideGrep reads the same log with this package and with what the
// runbook says to type, in turns, and reports how many times as long it takes
// as grep. The budget is 2 for memory kills alone, 6 for all classes.
func BenchmarkBesideGrep(b *testing.B) {
	grep, err := exec.LookPath("grep")
	if err != nil {
		b.Skipf("no grep to stand beside: %v", err)
	}
	kills := func(raw []byte) int { return len(Kills(raw)) }
	all := func(raw []byte) int {
		records, _ := Parse(raw)
		return len(Summarise(records, "").Events)
	}
	for _, c := range []struct {
		name string
		line func(int, string) string
		find func([]byte) int
	}{
		{"dmesg/kills", dmesgLine, kills}, {"kmsg/kills", kmsgLine, kills},
		{"dmesg/all", dmesgLine, all}, {"kmsg/all", kmsgLine, all},
	} {
		b.Run(c.name, func(b *testing.B) { besideGrep(b, grep, longLog(c.line), c.find) })
	}
}

func besideGrep(b *testing.B, grep string, log []byte, find func([]byte) int) {
	file := filepath.Join(b.TempDir(), "log")
	if err := os.WriteFile(file, log, 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(log)))
	var ours, theirs time.Duration
	for b.Loop() {
		start := time.Now()
		// Output, not Run: grep stops at its first match when nobody will
		// read what it finds.
		if _, err := exec.Command(grep, "-Ei", "oom|killed process", file).Output(); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		raw, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		if got := find(raw); got < benchLines/1000 {
			b.Fatalf("%d events", got)
		}
		ours += time.Since(middle)
		theirs += middle.Sub(start)
	}
	b.ReportMetric(float64(ours)/float64(theirs), "×grep")
}

// BenchmarkEvents is the classifier alone.
func BenchmarkEvents(b *testing.B) {
	log := longLog(dmesgLine)
	records := ParseDmesg(log)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		Events(records)
	}
}

// BenchmarkParse is each text carrier alone.
func BenchmarkParse(b *testing.B) {
	for name, line := range map[string]func(int, string) string{"dmesg": dmesgLine, "kmsg": kmsgLine} {
		b.Run(name, func(b *testing.B) {
			log := longLog(line)
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				Parse(log)
			}
		})
	}
}
