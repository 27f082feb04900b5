package drill

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

//go:embed csrc/clock.c
var clockSource []byte

// A Clock is the wall clock of one redis-server, to be set while it runs.
type Clock struct {
	shim, control string
	word          *[3]int64 // offset, frozen, frozen at; nanoseconds, mapped from control
}

// Clock makes a wall clock that runs with the machine's until it is told not to.
func (s *Scene) Clock() *Clock {
	s.T.Helper()
	c := &Clock{shim: filepath.Join(s.Dir, "clock.so"), control: filepath.Join(s.Dir, "clock.ctl")}
	s.compile(clockSource, "-shared", "-fPIC", "-o", c.shim)
	s.check(os.WriteFile(c.control, make([]byte, 24), 0o644), "make the clock's control file")
	f, err := os.OpenFile(c.control, os.O_RDWR, 0)
	s.check(err, "open the clock's control file")
	defer f.Close()
	page, err := unix.Mmap(int(f.Fd()), 0, 24, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	s.check(err, "map the clock's control file")
	s.T.Cleanup(func() { _ = unix.Munmap(page) })
	c.word = (*[3]int64)(unsafe.Pointer(&page[0]))
	return c
}

func (c *Clock) environ() []string {
	return append(os.Environ(), "LD_PRELOAD="+c.shim, "LOCKSCENE_DRILL_CLOCK="+c.control)
}

// Step moves the clock; negative is back.
func (c *Clock) Step(by time.Duration) { atomic.AddInt64(&c.word[0], int64(by)) }

// Freeze stops the clock where it is.
func (c *Clock) Freeze() {
	atomic.StoreInt64(&c.word[2], time.Now().UnixNano()+atomic.LoadInt64(&c.word[0]))
	atomic.StoreInt64(&c.word[1], 1)
}

// Offset is how far the server's clock is from the machine's, as TIME tells it.
func (s *Scene) Offset(r *Redis) time.Duration {
	s.T.Helper()
	at, err := r.Admin.Time(s.Ctx).Result()
	s.check(err, "ask for the time")
	return time.Until(at)
}

// compile builds a C source of this package.
func (s *Scene) compile(source []byte, flags ...string) {
	s.T.Helper()
	s.needs("gcc")
	path := filepath.Join(s.T.TempDir(), "source.c")
	s.check(os.WriteFile(path, source, 0o644), "write C source")
	out, err := exec.Command("gcc", append([]string{"-O1", "-Wall", "-Werror", path}, flags...)...).CombinedOutput()
	if err != nil {
		s.T.Fatalf("compile C source: %v\n%s", err, out)
	}
}
