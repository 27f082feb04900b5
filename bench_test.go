package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkWholeCapture compares one whole capture, from process start to frozen
// bundle, with the runbook's nine commands run one after another on the same
// machine. The metric that counts is the ratio; DESIGN's budget is 0.7.
//
//	go test -run xxx -bench WholeCapture -benchtime 50x .
func BenchmarkWholeCapture(b *testing.B) {
	bin := filepath.Join(b.TempDir(), "lockscene")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	server := startRedis(b)
	key, pid := "lock:bench", fmt.Sprint(os.Getpid())
	cli := func(args ...string) []string {
		return append([]string{"redis-cli", "-p", server.port()}, args...)
	}
	host, _ := os.Hostname()
	mustRun(b, cli("SET", key, host+":"+pid+":bench", "PX", "3600000"))
	runbook := [][]string{
		{"ps", "-o", "pid,stat,etime,cmd", "-p", pid},
		cli("PTTL", key), cli("GET", key), cli("TIME"), cli("CLIENT", "LIST"), cli("SLOWLOG", "GET", "128"),
		{"date", "-u", "+%FT%TZ"},
		{"sh", "-c", "dmesg | grep -Ei 'oom|killed process' || true"},
		{"sh", "-c", "chronyc tracking || true"},
	}
	out := filepath.Join(b.TempDir(), "bench.tar.gz")
	capture := []string{bin, "inspect", key, "--redis", server.addr, "--pid", pid, "--watch", "0", "--out", out}

	var ours, theirs stopwatch
	for b.Loop() {
		// Side by side in every round, so that a busy moment hits both.
		ours.time(func() { run1(b, capture) })
		theirs.time(func() {
			for _, c := range runbook {
				run1(b, c)
			}
		})
	}
	b.ReportMetric(ours.ms(), "ms/capture")
	b.ReportMetric(theirs.ms(), "ms/runbook")
	b.ReportMetric(ours.ms()/theirs.ms(), "ratio")
}

// A stopwatch sums up several stretches of time.
type stopwatch struct {
	total time.Duration
	runs  int
}

func (s *stopwatch) time(f func()) {
	start := time.Now()
	f()
	s.total += time.Since(start)
	s.runs++
}

func (s *stopwatch) ms() float64 { return float64(s.total.Microseconds()) / 1000 / float64(s.runs) }

func mustRun(b *testing.B, args []string) {
	b.Helper()
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		b.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// run1 runs a command whose exit code is its verdict.
func run1(b *testing.B, args []string) {
	b.Helper()
	err := exec.Command(args[0], args[1:]...).Run()
	if _, verdict := err.(*exec.ExitError); err != nil && !verdict {
		b.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
}
