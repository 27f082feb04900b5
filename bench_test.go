package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// BenchmarkWholeCapture compares one whole capture, from process start to frozen
// bundle, with the runbook's nine commands run one after another on the same
// machine. The metric that counts is the ratio; DESIGN's budget is 0.7.
//
//	go test -run xxx -bench WholeCapture -benchtime 50x .
func BenchmarkWholeCapture(b *testing.B) {
	bin := filepath.Join(b.TempDir(), "lockscene")
	if out, err := buildCommand(bin).CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	server := startRedis(b)
	// The owner is this process, with a connection like any holder's.
	owner, err := net.Dial("tcp", server.addr)
	if err != nil {
		b.Fatal(err)
	}
	defer owner.Close()
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

// BenchmarkSampleCost is what one sample of the lock costs the server, by its
// own account (INFO commandstats). DESIGN's budget is 10 µs.
//
//	go test -run xxx -bench SampleCost -benchtime 1x .
func BenchmarkSampleCost(b *testing.B) {
	server := startRedis(b)
	rdb := goredis.NewClient(&goredis.Options{Addr: server.addr, Protocol: 2, DisableIdentity: true})
	defer rdb.Close()
	ctx := context.Background()
	if err := rdb.Do(ctx, "SET", "lk", "host:1:token", "PX", 3600000).Err(); err != nil {
		b.Fatal(err)
	}
	measure := func(name string) {
		if err := rdb.ConfigResetStat(ctx).Err(); err != nil {
			b.Fatal(err)
		}
		run(ctx, []string{"inspect", "lk", "--redis", server.addr, "--lease", "1s", "--watch", "10s", "--no-bundle"}, io.Discard, io.Discard)
		text, err := rdb.Info(ctx, "commandstats").Result()
		if err != nil {
			b.Fatal(err)
		}
		usec, samples := sampleCost(text)
		b.ReportMetric(usec/samples, "µs/sample-"+name)
	}
	for b.Loop() {
		// A server that does nothing else runs every command with cold caches;
		// one that serves two thousand commands a second is still nearly idle.
		measure("idle")
		busy, stop := context.WithCancel(ctx)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for busy.Err() == nil {
				rdb.Set(busy, "other", "x", 0)
				time.Sleep(500 * time.Microsecond)
			}
		}()
		measure("serving")
		stop()
		<-done
	}
}

// sampleCost sums up the commands of a sample; each holds one PEXPIRETIME.
func sampleCost(commandstats string) (usec, samples float64) {
	for line := range strings.Lines(commandstats) {
		var calls, us float64
		name, rest, _ := strings.Cut(strings.TrimPrefix(line, "cmdstat_"), ":")
		fmt.Sscanf(rest, "calls=%f,usec=%f", &calls, &us)
		switch name {
		case "time", "memory|usage", "object|idletime", "type", "pttl", "pexpiretime", "strlen", "getrange":
			usec += us
		}
		if name == "pexpiretime" {
			samples = calls
		}
	}
	return usec, samples
}

// BenchmarkTenThousandClients is the peak memory of a whole capture of a server
// with 10 000 connections. DESIGN's budget is 64 MiB.
//
//	go test -run xxx -bench TenThousand -benchtime 1x .
func BenchmarkTenThousandClients(b *testing.B) {
	const clients = 10_000
	bin := filepath.Join(b.TempDir(), "lockscene")
	if out, err := buildCommand(bin).CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	server := startRedis(b, "--maxclients", "10100")
	conns := make([]net.Conn, 0, clients)
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	for range clients {
		c, err := net.Dial("tcp", server.addr)
		if err != nil {
			b.Skipf("NOT RUN: %d connections could not be opened here: %v", clients, err)
		}
		conns = append(conns, c)
	}
	for b.Loop() {
		cmd := exec.Command(bin, "inspect", "lk", "--redis", server.addr, "--watch", "0", "--out", filepath.Join(b.TempDir(), "b.tar.gz"))
		_ = cmd.Run() // its exit code is a verdict
		usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok {
			b.Fatal("no resource usage on this system")
		}
		b.ReportMetric(float64(usage.Maxrss)/1024, "MiB-peak")
	}
}

// BenchmarkProve is what a proof costs for each bundle: reading it, checking its
// bytes, deriving again all it says, and holding it against the contract. The recorded
// drills watched for some fifteen seconds, and hold up to 1 500 reads each; a harness
// that captures with --watch 0 before, during and after a failure has bundles of one
// look. DESIGN's budget is 2 s for a thousand of those.
//
//	go test -run xxx -bench Prove .
func BenchmarkProve(b *testing.B) {
	any := filepath.Join(b.TempDir(), "lease.yaml")
	if err := os.WriteFile(any, []byte("lease: 4s\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	for name, args := range map[string][]string{
		"watched":  append(recordedProofs(b), "--contract", "testdata/proofs/lease.yaml"),
		"one-look": append(oneLook(b), "--contract", any),
	} {
		b.Run(name, func(b *testing.B) {
			proved := 0
			for b.Loop() {
				// A proof that fails is as much work as one that holds.
				if code := run(context.Background(), append([]string{"prove"}, args...), io.Discard, os.Stderr); code != exitNone && code != exitAssertion {
					b.Fatalf("exit %d", code)
				}
				proved += len(args) - 2
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(proved), "s/1000-bundles")
		})
	}
}

func recordedProofs(b *testing.B) []string {
	paths, err := filepath.Glob("testdata/proofs/fenced-*.tar.gz")
	if err != nil || len(paths) == 0 {
		b.Fatalf("no recorded runs: %v", err)
	}
	return paths
}

// oneLook captures a lock whose owner is this process, once, and names the bundle as
// often as there are recorded ones.
func oneLook(b *testing.B) []string {
	server, path := startRedis(b), filepath.Join(b.TempDir(), "one.tar.gz")
	mustRun(b, []string{"redis-cli", "-p", server.port(), "SET", "lk", "host:1:token", "PX", "3600000"})
	run(context.Background(), []string{"inspect", "lk", "--redis", server.addr, "--pid", fmt.Sprint(os.Getpid()), "--watch", "0", "--out", path}, io.Discard, io.Discard)
	if _, err := os.Stat(path); err != nil {
		b.Fatal(err)
	}
	return slices.Repeat([]string{path}, 100)
}

// buildCommand builds the binary as make build does.
func buildCommand(bin string) *exec.Cmd {
	cmd := exec.Command("go", "build", "-trimpath", "-o", bin, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	return cmd
}
