package drill

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// How the work thread spends its time: 2 ms of CPU in every 50 ms is 4 % of a
// core, plainly work and yet no load for the machine.
const (
	workBurst  = 2 * time.Millisecond
	workPeriod = 50 * time.Millisecond
	beatEvery  = 200 * time.Millisecond
)

// balloonMax ends a balloon that no limit stopped, well below any machine's memory.
const balloonMax = 512 << 20

// work is the guarded work of a lock holder, on a thread of its own.
type work struct {
	idle       atomic.Bool
	jam        atomic.Bool
	ledger     sync.Mutex // always before index, except in the bug
	index      sync.Mutex
	beat       *os.File
	ballast    [][]byte
	deadlocked chan struct{}
}

func startWork(heartbeat string) *work {
	w := &work{deadlocked: make(chan struct{})}
	if heartbeat != "" {
		if f, err := os.OpenFile(heartbeat, os.O_CREATE|os.O_RDWR, 0o644); err == nil {
			w.beat = f
		}
	}
	go w.loop()
	return w
}

func (w *work) loop() {
	nameThread("worker")
	last := time.Time{}
	for {
		if w.jam.Load() {
			w.deadlock()
		}
		if w.beat != nil && time.Since(last) >= beatEvery {
			last = time.Now()
			// Same width every time, so that a reader never sees half a number.
			_, _ = w.beat.WriteAt([]byte(strconv.FormatInt(last.Unix(), 10)+"\n"), 0)
		}
		if !w.idle.Load() {
			spin(workBurst)
		}
		time.Sleep(workPeriod - workBurst)
	}
}

// deadlock is the classic: two threads take two locks in opposite order. It
// never returns.
func (w *work) deadlock() {
	w.ledger.Lock()
	other := make(chan struct{})
	go func() {
		nameThread("indexer")
		w.index.Lock()
		close(other)
		w.ledger.Lock()
	}()
	<-other
	close(w.deadlocked)
	w.index.Lock()
}

// do carries out one command of the drill and returns the line to print.
func (w *work) do(command string) string {
	name, arg, _ := strings.Cut(command, " ")
	n, _ := strconv.Atoi(arg)
	if w == nil {
		return "unknown " + name
	}
	switch name {
	case "deadlock":
		w.jam.Store(true)
		<-w.deadlocked
		return "deadlocked"
	case "idle":
		w.idle.Store(true)
		return "idle"
	case "burn":
		for range min(n, 16) {
			go burn()
		}
		return "burning"
	case "balloon":
		return w.balloon()
	case "segfault":
		segfault()
	}
	return "unknown " + name
}

func burn() {
	nameThread("burner")
	spin(time.Minute)
}

// balloon takes memory until a limit kills the process.
func (w *work) balloon() string {
	for size := 0; size < balloonMax; size += 4 << 20 {
		b := make([]byte, 4<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		w.ballast = append(w.ballast, b)
	}
	return fmt.Sprintf("no limit within %d bytes", balloonMax)
}

// segfault dies of a bad address, by the kernel's hand: the language runtime
// would catch the signal and end in an orderly way.
func segfault() {
	var byDefault [32]byte
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGSEGV), uintptr(unsafe.Pointer(&byDefault)), 0, 8, 0, 0)
	var nowhere *int
	*nowhere = 1
}

func spin(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}
