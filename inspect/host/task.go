package host

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// ParseTask joins the files of one /proc/PID/task/TID folder. CPU time comes
// from schedstat and never from the ticks in stat: a thread that only renews a
// lease uses less than one tick in a minute. An empty wchan is fine, an empty
// schedstat is not, since zero run time would read as no progress.
func ParseTask(tid int, stat, schedstat, wchan []byte) (evidence.Task, error) {
	st, err := ParseStat(stat)
	if err != nil {
		return evidence.Task{}, fmt.Errorf("parse task %d: %w", tid, err)
	}
	sched, err := ParseSchedstat(schedstat)
	if err != nil {
		return evidence.Task{}, fmt.Errorf("parse task %d: %w", tid, err)
	}
	t := evidence.Task{Tid: tid, Comm: st.Comm, State: st.State, Run: sched.Run, Delay: sched.Delay, Slices: sched.Slices}
	t.Wchan, _ = ParseWchan(wchan)
	return t, nil
}

// An Advance is what one thread did between two looks.
type Advance struct {
	Tid    int
	Comm   string        // as of the later look
	State  string        // as of the later look
	Run    time.Duration // on a CPU in between
	Delay  time.Duration // waiting for a CPU in between
	Slices uint64        // times scheduled in between
	Fresh  bool          // not there at the first look: the counters are since its birth
}

// Progress compares two looks at the threads of one process, by thread id.
// Threads that ended in between are left out. One whose counters ran
// backwards is another thread under a reused id, and so it is fresh.
func Progress(a, b []evidence.Task) []Advance {
	before := make(map[int]evidence.Task, len(a))
	for _, t := range a {
		before[t.Tid] = t
	}
	out := make([]Advance, 0, len(b))
	for _, t := range b {
		was, known := before[t.Tid]
		if !known || t.Run < was.Run || t.Slices < was.Slices || t.Delay < was.Delay {
			known, was = false, evidence.Task{}
		}
		out = append(out, Advance{
			Tid: t.Tid, Comm: t.Comm, State: t.State,
			Run: t.Run - was.Run, Delay: t.Delay - was.Delay, Slices: t.Slices - was.Slices,
			Fresh: !known,
		})
	}
	slices.SortFunc(out, func(x, y Advance) int { return cmp.Compare(x.Tid, y.Tid) })
	return out
}
