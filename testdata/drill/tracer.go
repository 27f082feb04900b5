package drill

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// runTracer attaches to every thread of a process and leaves it stopped, as a
// debugger at its prompt does, until this process's stdin ends. It is a process
// of its own so that its end, however it comes, lets the tracee go.
func runTracer(pid int) error {
	runtime.LockOSThread()
	seen := map[int]bool{}
	// A thread may be born between the listing and the attach; once a whole
	// listing brings nothing new, none runs that could make another.
	for fresh := true; fresh; {
		fresh = false
		dirs, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/[0-9]*", pid))
		if err != nil {
			return fmt.Errorf("list threads: %w", err)
		}
		for _, dir := range dirs {
			tid, _ := strconv.Atoi(filepath.Base(dir))
			if seen[tid] {
				continue
			}
			if err := stopThread(tid); err != nil {
				return err
			}
			seen[tid], fresh = true, true
		}
	}
	fmt.Printf("traced %d\n", len(seen))
	one := make([]byte, 1)
	_, _ = os.Stdin.Read(one)
	return nil
}

func stopThread(tid int) error {
	if err := unix.PtraceAttach(tid); err != nil {
		return fmt.Errorf("attach to %d: %w", tid, err)
	}
	var status unix.WaitStatus
	if _, err := unix.Wait4(tid, &status, unix.WALL, nil); err != nil {
		return fmt.Errorf("wait for %d: %w", tid, err)
	}
	return nil
}
