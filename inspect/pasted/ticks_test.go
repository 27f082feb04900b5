package pasted_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/pasted"
)

const threadStat = "4125 (job (1)) S 1 4120 4120 0 -1 1077936192 9011 0 0 0 318022 4410 0 0 20 0 61 0 90221 6012330112 210331\n"

// A thread's ticks stand for its CPU clock where schedstat was not read, and never
// say that it did not run.
func TestTicksOfThreads(t *testing.T) {
	stat := "fig-1$ cat /proc/4120/task/4125/stat\n" + threadStat
	sched := "fig-1$ cat /proc/4120/task/4125/schedstat\n171204118331 910331204 88120\n"
	for name, tt := range map[string]struct {
		text string
		run  time.Duration
		part bool
	}{
		"stat alone":         {stat, 322432 * 10 * time.Millisecond, true},
		"of every thread":    {strings.Replace(stat, "4125/stat", "*/stat", 1), 322432 * 10 * time.Millisecond, true},
		"schedstat is finer": {strings.Replace(stat, "4125/stat", "*/stat", 1) + strings.Replace(sched, "cat /proc/4120/task/4125/schedstat", "grep '' /proc/4120/task/*/schedstat", 1), 171204118331, false},
	} {
		text := strings.Replace(tt.text, "\n1712", "\n/proc/4120/task/4125/schedstat:1712", 1)
		s, _ := imported(t, session(text), pasted.Options{Subject: evidence.Subject{Key: "lk", Pid: 4120}})
		looks := s.Processes[0].Looks
		if len(looks) != 1 || len(looks[0].Tasks.Value) != 1 {
			t.Errorf("%s: %+v", name, looks)
			continue
		}
		if task := looks[0].Tasks.Value[0]; task.Run != tt.run || task.Comm != "job (1)" || looks[0].TasksPart != tt.part {
			t.Errorf("%s: %+v, part %v", name, task, looks[0].TasksPart)
		}
	}
}

// The start that ps prints is kept, on the host's clock.
func TestStartOfPS(t *testing.T) {
	text := session("fig-1$ ps aux | grep worker\napp         4120  0.1  0.2  30112  9012 ?        Ssl  07:02   0:11 /opt/worker\n")
	zone := time.FixedZone("", 7200)
	s, _ := imported(t, text, pasted.Options{Subject: evidence.Subject{Key: "lk", Pid: 4120}, Zone: zone, ZoneName: "+02:00"})
	at, ok := s.Processes[0].Looks[0].Began.Get()
	if !ok || at.From.Format("15:04:05") != "05:01:59" || at.Clock != "host:fig-1" {
		t.Errorf("%v %v", at, ok)
	}
}
