package host

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Sched is one schedstat file. The file of a process folder counts its first
// thread only; a process is the sum over its task folder. A kernel without
// scheduler statistics prints three zeros for everybody.
type Sched struct {
	Run    time.Duration // on a CPU since the thread began
	Delay  time.Duration // runnable and waiting for one
	Slices uint64        // times it was put on a CPU
}

// ParseSchedstat reads /proc/PID/schedstat or /proc/PID/task/TID/schedstat.
func ParseSchedstat(b []byte) (Sched, error) {
	var s Sched
	if err := bounded("schedstat", b); err != nil {
		return s, err
	}
	words := strings.Fields(string(b))
	if len(words) < 3 {
		return s, fmt.Errorf("parse schedstat: %d numbers instead of 3", len(words))
	}
	run, err := duration(words[0], time.Nanosecond)
	if err != nil {
		return s, fmt.Errorf("parse schedstat: run time: %w", err)
	}
	delay, err := duration(words[1], time.Nanosecond)
	if err != nil {
		return s, fmt.Errorf("parse schedstat: delay: %w", err)
	}
	slices, err := strconv.ParseUint(words[2], 10, 64)
	if err != nil {
		return s, fmt.Errorf("parse schedstat: slices: %w", err)
	}
	return Sched{Run: run, Delay: delay, Slices: slices}, nil
}
