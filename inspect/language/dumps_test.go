package language

import (
	"encoding/json"
	"testing"
	"time"
)

const javaDump = `4711:
2026-11-09 18:22:06
Full thread dump OpenJDK 64-Bit Server VM (21.0.1+12 mixed mode, sharing):

Threads class SMR info:
_java_thread_list=0x00007f01, length=3, elements={
0x00007f02
}

"renewer" #31 [4735] daemon prio=5 os_prio=0 cpu=1.20ms elapsed=60.10s tid=0x00007f03 nid=4735 waiting for monitor entry  [0x00007f04]
   java.lang.Thread.State: BLOCKED (on object monitor)
	at org.example.Ledger.flush(Ledger.java:41)
	- waiting to lock <0x00000000e0a1b2c3> (a org.example.Ledger)
	at org.example.Ledger.run(Ledger.java:12)

"worker "7" #32 prio=5 os_prio=0 tid=0x00007f05 nid=0x1280 runnable [0x00007f06]
   java.lang.Thread.State: RUNNABLE
	at java.net.SocketInputStream.socketRead0(Native Method)
	at java.net.SocketInputStream.read(SocketInputStream.java:150)

"Reference Handler" #2 daemon prio=10 os_prio=0 cpu=0.1ms elapsed=60.1s tid=0x00007f07 nid=0x1281 waiting on condition  [0x00007f08]
   java.lang.Thread.State: RUNNABLE

"VM Thread" os_prio=0 cpu=8.1ms elapsed=60.1s tid=0x00007f09 nid=0x1282 runnable

JNI global refs: 12, weak refs: 0

Found one Java-level deadlock:
=============================
"renewer":
  waiting to lock monitor 0x00007f10 (object 0x00000000e0a1b2c3, a org.example.Ledger),
  which is held by "worker"
`

const goDump = `SIGQUIT: quit
PC=0x46c2a1 m=0 sigcode=0

goroutine 1 [chan receive, 14 minutes]:
main.main()
	/app/main.go:12 +0x1a

goroutine 18 gp=0xc000102380 m=nil [IO wait, 2 minutes, locked to thread]:
internal/poll.runtime_pollWait(0x7f01, 0x72)
	/usr/lib/go/src/runtime/netpoll.go:343 +0x85
created by main.main in goroutine 1
	/app/main.go:9 +0x4f

goroutine 19 [sync.Mutex.Lock]:
sync.runtime_SemacquireMutex(0xc0001, 0x0, 0x1)

goroutine 2 [force gc (idle)]:
runtime.gopark(0x1)
goroutine 20 [running]:
main.work()
`

const pyDump = `Process 4711: python worker.py
Python v3.11.4 (/usr/bin/python3.11)

Thread 4711 (idle): "MainThread"
    wait (threading.py:320)
    main (worker.py:12)
Thread 4720 (active+gil): "renewer"
    renew (lock.py:41)
`

func TestDumps(t *testing.T) {
	type thread struct {
		name, state, top, lock string
		tid                    int
		waits                  time.Duration
	}
	tests := []struct {
		name, text, runtime, at string
		pid                     int
		dead                    bool
		threads                 []thread
	}{
		{"java", javaDump, "jvm", "18:22:06.000", 4711, true, []thread{
			{"renewer", "blocked", "org.example.Ledger.flush(Ledger.java:41)", "<0x00000000e0a1b2c3> (a org.example.Ledger)", 4735, 0},
			{`worker "7`, "io", "java.net.SocketInputStream.socketRead0(Native Method)", "", 4736, 0},
		}},
		{"go", goDump, "go", "", 0, false, []thread{
			{"goroutine 1", "waiting", "main.main()", "chan receive", 0, 14 * time.Minute},
			{"goroutine 18", "io", "internal/poll.runtime_pollWait(0x7f01, 0x72)", "IO wait", 0, 2 * time.Minute},
			{"goroutine 19", "blocked", "sync.runtime_SemacquireMutex(0xc0001, 0x0, 0x1)", "sync.Mutex.Lock", 0, 0},
			{"goroutine 20", "runnable", "main.work()", "", 0, 0},
		}},
		{"python", pyDump, "python", "", 4711, false, []thread{
			{"MainThread", "waiting", "wait (threading.py:320)", "", 4711, 0},
			{"renewer", "runnable", "renew (lock.py:41)", "", 4720, 0},
		}},
		{"go, from a log", "2026-11-09T18:22:06.120Z fatal error: all goroutines are asleep - deadlock!\n2026-11-09T18:22:06.120Z \n2026-11-09T18:22:06.121Z goroutine 1 [select (no cases)]:\n2026-11-09T18:22:06.121Z main.main()\n", "go", "18:22:06.121", 0, true, []thread{
			{"goroutine 1", "waiting", "main.main()", "select (no cases)", 0, 0},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list, err := Dumps([]byte(tt.text), frame())
			if err != nil || len(list) != 1 {
				t.Fatalf("%+v, %v", list, err)
			}
			d := list[0]
			equal(t, "runtime", d.Runtime, tt.runtime)
			equal(t, "at", begins(d.At), tt.at)
			equal(t, "pid", d.Pid, tt.pid)
			equal(t, "deadlock", d.Dead, tt.dead)
			if len(d.Threads) != len(tt.threads) {
				t.Fatalf("%d threads: %+v", len(d.Threads), d.Threads)
			}
			for i, want := range tt.threads {
				g := d.Threads[i]
				equal(t, want.name, thread{g.Name, g.State, g.Top, g.Lock, g.Tid, g.Waits}, want)
			}
		})
	}
}

func TestSeveralDumps(t *testing.T) {
	for _, text := range []string{javaDump + javaDump, goDump + goDump, pyDump + goDump} {
		list, err := Dumps([]byte(text), frame())
		if err != nil || len(list) != 2 || len(list[1].Threads) < 2 {
			t.Errorf("got %d dumps, %v", len(list), err)
		}
	}
	if list, err := Dumps([]byte("4711: Unable to open socket file\n"), frame()); err == nil {
		t.Errorf("an error was taken for a dump: %+v", list)
	}
}

// Whatever a text holds, the parsers return, and what they return can be frozen.
func FuzzParse(f *testing.F) {
	for _, s := range []string{javaDump, goDump, pyDump, "YGC FGC GCT\n1 2 3.0\n", "[4711:0x5]  4 ms: Scavenge 2.1 (3.2) -> 1.0 (3.0) MB, 1.5 / 0.0 ms",
		"[2026-11-09T18:22:14.243+0000][1.2s] GC(1) Pause Full (x) 1M->2M(3M) 8.0ms", "12.3: [Full GC (x), 0.1 secs]", "panic: x"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, _ := ParseJstat(b)
		pauses, _ := Pauses(b, frame())
		dumps, _ := Dumps(b, frame())
		if _, err := json.Marshal([]any{rows, pauses, dumps, Deaths(b, frame())}); err != nil {
			t.Fatal(err)
		}
		for _, p := range pauses {
			if p.Took < 0 || p.At.Closed() && p.At.To.Before(p.At.From) {
				t.Fatalf("%+v", p)
			}
		}
	})
}
