package language

import (
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

func utc(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

// frame is a text read at 18:30 on a host that keeps UTC.
func frame() stamp.Frame {
	return stamp.Frame{Clock: "host:b", Zone: time.UTC, Now: evidence.At(utc("2026-11-09T18:30:00Z"), 0, "host:b")}
}

// begins prints when an interval begins, as the tables below spell it.
func begins(i evidence.Interval) string {
	if !i.Closed() {
		return ""
	}
	return i.From.Format("15:04:05.000")
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestPauses(t *testing.T) {
	tests := []struct {
		line, at      string
		took          time.Duration
		kind, runtime string
		cause         string
	}{
		// Java 9 and later: whatever the decorations, dated by the end.
		{"[2026-11-09T18:22:14.243+0000][12.345s][info][gc] GC(12) Pause Full (Allocation Failure) 512M->300M(1024M) 8123.000ms", "18:22:06.120", 8123 * time.Millisecond, "gc", "jvm", "Pause Full (Allocation Failure)"},
		{"[12.345s][info][gc][2026-11-09T18:22:14.243+0000] GC(3) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 243.000ms", "18:22:14.000", 243 * time.Millisecond, "gc", "jvm", "Pause Young (G1 Evacuation Pause)"},
		{"[0.845s][info][gc] GC(0) Pause Young (Concurrent Start) (Metadata GC Threshold) 11M->3M(64M) 4.5ms", "", 4500 * time.Microsecond, "gc", "jvm", "Pause Young (Metadata GC Threshold)"},
		{"[2026-11-09T18:22:14.243+0000][4711][4720][info][gc,phases] GC(7) Y: Pause Mark Start 0.012ms", "18:22:14.242", 12 * time.Microsecond, "gc", "jvm", "Pause Mark Start"},
		{"[2026-11-09T18:22:14.243+0000][info][gc] GC(4) Pause Init Mark (process weakrefs) 1.250ms", "18:22:14.241", 1250 * time.Microsecond, "gc", "jvm", "Pause Init Mark (process weakrefs)"},
		{`[2026-11-09T18:22:14.243+0000][info][safepoint] Safepoint "G1CollectForAllocation", Time since last: 1209 ns, Reaching safepoint: 3000 ns, Cleanup: 5 ns, At safepoint: 4 ns, Leaving safepoint: 9 ns, Total: 8123000000 ns, Threads: 3 runnable, 40 total`, "18:22:06.120", 8123 * time.Millisecond, "safepoint", "jvm", "G1CollectForAllocation"},
		// Java 8 and before: dated by the beginning.
		{"2026-11-09T18:22:06.120+0000: 12.345: [Full GC (Ergonomics) [PSYoungGen: 1K->0K(2K)] [ParOldGen: 3K->2K(4K)] 4K->2K(6K), [Metaspace: 1K->1K(2K)], 8.1234567 secs] [Times: user=9.01 sys=0.02, real=8.12 secs]", "18:22:06.120", 8123456700, "gc", "jvm", "Full GC (Ergonomics)"},
		{"2026-11-09T18:22:06.120+0000: 12.3: [GC pause (G1 Evacuation Pause) (young), 0.0123456 secs]", "18:22:06.120", 12345600, "gc", "jvm", "GC pause (G1 Evacuation Pause) (young)"},
		{"12.345: [GC (Allocation Failure) 512K->300K(1024K), 0,0123000 secs]", "", 12300 * time.Microsecond, "gc", "jvm", "GC (Allocation Failure)"},
		{"2026-11-09T18:22:14.243+0000: 20.4: Total time for which application threads were stopped: 8.1230000 seconds, Stopping threads took: 0.0001 seconds", "18:22:06.120", 8123 * time.Millisecond, "safepoint", "jvm", ""},
		// A collector of logs put its own date in front; the inner one counts.
		{"2026-11-09T18:22:19.000000001Z [2026-11-09T18:22:14.243+0000][info][gc] GC(12) Pause Remark 9M->9M(16M) 8123.000ms", "18:22:06.120", 8123 * time.Millisecond, "gc", "jvm", "Pause Remark"},
		{"2026-11-09T18:22:14.243Z [12.345s][info][gc] GC(12) Pause Cleanup 9M->9M(16M) 8123.000ms", "18:22:06.120", 8123 * time.Millisecond, "gc", "jvm", "Pause Cleanup"},
		{"Nov 09 18:22:14 quince-3 java[4711]: [12.345s][info][gc] GC(12) Pause Full (System.gc()) 9M->9M(16M) 1000.000ms", "18:22:13.000", time.Second, "gc", "jvm", "Pause Full (System.gc())"},
		{"Nov 09 18:22:14 quince-3 daemon.err java[4711]: [12.345s][info][gc] GC(12) Pause Full (System.gc()) 9M->9M(16M) 1000.000ms", "18:22:13.000", time.Second, "gc", "jvm", "Pause Full (System.gc())"},
		// Watchers, and other runtimes.
		{"2026-11-09 18:22:14,243 WARN [JvmPauseMonitor] util.JvmPauseMonitor: Detected pause in JVM or host machine (eg GC): pause of approximately 8123ms", "18:22:06.120", 8123 * time.Millisecond, "safepoint", "jvm", "seen by a pause monitor"},
		{"2026-11-09 18:22:14,243 WARN io.vertx.core.impl.BlockedThreadChecker Thread Thread[vert.x-eventloop-thread-0,5,main] has been blocked for 8123 ms, time limit is 2000 ms", "18:22:06.120", 8123 * time.Millisecond, "blocked-thread", "jvm", "vert.x-eventloop-thread-0"},
		{"2026-11-09T18:22:14Z gc 12 @34.5s 2%: 0.10+2.3+0.05 ms clock, 0.8+0.1/2.2/0+0.4 ms cpu, 4->5->1 MB, 5 MB goal, 8 P", "18:22:14.000", 150 * time.Microsecond, "gc", "go", "collection"},
		{"[4711:0x5581a0]    45678 ms: Mark-sweep 812.3 (1024.1) -> 640.0 (1024.1) MB, 812.5 / 0.0 ms  (average mu = 0.9, current mu = 0.8) allocation failure", "", 812500 * time.Microsecond, "gc", "node", "Mark-sweep"},
		{"[4711:0x5581a0]    45678 ms: Mark-Compact (reduce) 812.3 (1024.1) -> 640.0 (1024.1) MB, pooled: 0 MB, 812.50 / 0.00 ms  (average mu = 0.9) task", "", 812500 * time.Microsecond, "gc", "node", "Mark-Compact"},
	}
	for _, tt := range tests {
		list, err := Pauses([]byte(tt.line+"\r\n"), frame())
		if err != nil || len(list) != 1 {
			t.Errorf("%s: got %+v, %v", tt.line, list, err)
			continue
		}
		p := list[0]
		if begins(p.At) != tt.at || p.Took != tt.took || p.Kind != tt.kind || p.Runtime != tt.runtime || p.Cause != tt.cause || p.Text != tt.line {
			t.Errorf("%s:\ngot %s %v %s %s %q", tt.line, begins(p.At), p.Took, p.Kind, p.Runtime, p.Cause)
		}
	}
}

func TestNoPause(t *testing.T) {
	for _, line := range []string{
		"[12.345s][info][gc,start] GC(12) Pause Full (Allocation Failure)",
		"[12.345s][info][gc] GC(12) Concurrent Mark Cycle 8123.456ms",
		"12.345: [GC concurrent-mark-end, 8.1 secs]",
		"Pause between retries: 300ms",
		"we saw Pause Full 8123.456ms yesterday",
		"[GC(12) Pause Full 99999999999999.0ms",
		"",
	} {
		if list, err := Pauses([]byte(line), frame()); err != nil || len(list) > 0 {
			t.Errorf("%q: got %+v, %v", line, list, err)
		}
	}
}

func TestPauseOfUnknownZone(t *testing.T) {
	list, err := Pauses([]byte("2026-11-09 18:22:14,243 WARN x: pause of approximately 8123ms\n"), stamp.Frame{})
	if err != nil || len(list) != 1 || list[0].At.To.Sub(list[0].At.From) < 26*time.Hour {
		t.Errorf("got %+v, %v", list, err)
	}
}

func TestJstat(t *testing.T) {
	const java8 = ` S0C    S1C    S0U    S1U      EC       EU        OC         OU       MC     MU    CCSC   CCSU   YGC     YGCT    FGC    FGCT     GCT
10752.0 10752.0  0.0   8192.0 65536.0  31457.3  175104.0   157593.6  21296.0 20501.5 2560.0 2361.8      8    0.120   2      8.123    8.243
10752.0 10752.0  0.0   8192.0 65536.0  31457.3  175104.0   157593.6  21296.0 20501.5 2560.0 2361.8      9    0.130   3     16.246   16.376
`
	const java17 = `Timestamp    S0C         S1C         S0U         S1U          EC           EU           OC           OU          MC         MU       CCSC      CCSU     YGC     YGCT     FGC    FGCT     CGC    CGCT       GCT
         61.1        0.0      4096.0         0.0      4096.0      26624.0      10240.0      34816.0       8704.0    20480.0    19968.0    2560.0    2304.0     12     0,081     0     0,000     4     0,005     0,086
`
	const util = `  S0     S1     E      O      M     CCS    YGC     YGCT     FGC    FGCT     CGC    CGCT       GCT
  0.00 100.00  40.00  90.00  97.50  90.00     12     0.081     -         -     4     0.005     0.086
`
	tests := []struct {
		name, text  string
		rows        int
		young, full int64
		took        time.Duration
		old         float64
	}{
		{"8", java8, 2, 9, 3, 16376 * time.Millisecond, 0.9},
		{"17, with -t and a decimal comma", java17, 1, 12, 0, 86 * time.Millisecond, 0.25},
		{"util", util, 1, 12, 0, 86 * time.Millisecond, 0.9},
	}
	for _, tt := range tests {
		rows, err := ParseJstat([]byte(tt.text))
		if err != nil || len(rows) != tt.rows {
			t.Errorf("%s: got %+v, %v", tt.name, rows, err)
			continue
		}
		r := rows[len(rows)-1]
		if r.Young != tt.young || r.Full != tt.full || r.Took.Round(time.Microsecond) != tt.took || r.Old < tt.old-1e-9 || r.Old > tt.old+1e-9 {
			t.Errorf("%s: got %+v", tt.name, r)
		}
	}
	if _, err := ParseJstat([]byte("4711 not found\n")); err == nil {
		t.Error("an error was taken for a sample")
	}
}

func TestDeaths(t *testing.T) {
	tests := []struct{ line, what string }{
		{"2026-11-09T18:22:06.120456789Z Terminating due to java.lang.OutOfMemoryError: Java heap space", "out-of-memory"},
		{"2026-11-09T18:22:06.120456789Z Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space", "heap-exhausted"},
		{"2026-11-09T18:22:06.120456789Z fatal error: all goroutines are asleep - deadlock!", "deadlock"},
		{"2026-11-09T18:22:06.120456789Z panic: runtime error: invalid memory address", "panic"},
		{"2026-11-09T18:22:06.120456789Z stderr F fatal error: concurrent map writes", "fatal"},
		{"2026-11-09T18:22:06.120456789Z thread 'main' panicked at src/main.rs:4:5:", "panic"},
		{"2026-11-09T18:22:06Z FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", "out-of-memory"},
		{"2026-11-09T18:22:06Z [ERROR] Worker (pid:4711) was sent SIGKILL! Perhaps out of memory?", "killed"},
		{"2026-11-09T18:22:06Z run.sh: line 7:  4711 Killed                  ./ledgerd", "killed"},
		{"2026-11-09T18:22:06Z Killed", "killed"},
		{"2026-11-09T18:22:06Z recovered panic: not fatal", ""},
		{"2026-11-09T18:22:06Z 12 jobs Killed yesterday", ""},
	}
	for _, tt := range tests {
		list := Deaths([]byte(tt.line+"\n"), frame())
		if tt.what == "" {
			if len(list) > 0 {
				t.Errorf("%s: got %+v", tt.line, list)
			}
			continue
		}
		if len(list) != 1 || list[0].What != tt.what || !strings.HasPrefix(begins(list[0].At), "18:22:06") || list[0].Text != tt.line {
			t.Errorf("%s: got %+v", tt.line, list)
		}
	}
}
