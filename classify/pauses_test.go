package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What runtimes and machines tell of stops that may be over.

// pause adds a stop of all threads that began at a moment.
func (s *scene) pause(t, took float64) *scene {
	s.Host.Pauses = append(s.Host.Pauses, evidence.Pause{At: evidence.At(at(t), time.Millisecond, "host:b1"), Took: secs(took), Kind: "gc", Runtime: "jvm", Text: "Pause Full (Allocation Failure)"})
	return s
}

func (s *scene) jstat(t float64, full int64, took float64) *scene {
	s.Host.Collectors = append(s.Host.Collectors, evidence.GCTotals{Span: span(t), Pid: pidOne, Full: full, Took: secs(took)})
	return s
}

// dump adds a thread dump in which two workers wait for each other.
func (s *scene) dump(t float64, dead bool, others ...evidence.DumpThread) *scene {
	worker := func(n string) evidence.DumpThread {
		return evidence.DumpThread{Name: "worker-" + n, Tid: 40 + len(n), State: "blocked", Top: "ledger.Book.lock", Lock: "0x" + n}
	}
	d := evidence.ThreadDump{Span: span(t), Runtime: "jvm", Pid: pidOne, Dead: dead, Threads: append([]evidence.DumpThread{worker("a"), worker("bb")}, others...)}
	s.Host.Dumps = append(s.Host.Dumps, d)
	return s
}

// renewedLock goes on being renewed.
func renewedLock() *scene {
	return newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 14, 1, heldBy(holder, 35)).looks(15, 24, 1, heldBy(holder, 45)).info(0).info(24)
}

// atWork adds the owner, using a CPU on both sides of whatever happened.
func atWork(s *scene, until float64) *scene {
	working(s, 0, until)
	return s
}

// asleep adds the owner, which uses none.
func asleep(s *scene) *scene {
	s.process(pidOne, "value").look(0, "S", 0).look(24, "S", 0)
	return s
}

var pauseStories = stories{
	"a collection over the renewal": {
		"it is over, and the process looks well",
		func() *scene { return atWork(unrenewed(holder).pause(7, 9), 19) },
		want{label: evidence.Stall, cause: "gc-pause", grade: evidence.Likely, owner: "stalled", with: []string{"gc-pause"}},
	},
	"a collection in log and totals": {
		"",
		func() *scene { return atWork(unrenewed(holder).pause(7, 9).jstat(1, 3, 10).jstat(18, 4, 19.1), 19) },
		want{label: evidence.Stall, cause: "gc-pause", grade: evidence.Proven, owner: "stalled"},
	},
	"a collection that ended in time": {
		"the renewal was due at 9 s and could still have been sent",
		func() *scene { return atWork(unrenewed(holder).pause(4, 4), 19) },
		want{owner: "running"},
	},
	"another process's collection": {
		"",
		func() *scene {
			s := unrenewed(holder).pause(7, 9)
			s.Host.Pauses[0].Pid = 991
			return atWork(s, 19)
		},
		want{owner: "running"},
	},
	"one thread that was blocked": {
		"not all of them stood still",
		func() *scene {
			s := unrenewed(holder).pause(7, 9)
			s.Host.Pauses[0].Kind = "blocked-thread"
			return atWork(s, 19)
		},
		want{owner: "running"},
	},
	"one collection after the other": {
		"none is long; together they leave less than half of the time",
		func() *scene {
			s := unrenewed(holder)
			for t := 8.0; t < 19; t += 1.5 {
				s.pause(t, 1.2)
			}
			return atWork(s, 19)
		},
		want{label: evidence.Stall, cause: "gc-pause", owner: "stalled"},
	},
	"totals alone": {
		"",
		func() *scene { return atWork(unrenewed(holder).jstat(1, 3, 10).jstat(18, 12, 24), 19) },
		want{label: evidence.Stall, cause: "gc-pause", grade: evidence.Likely},
	},
	"totals of the process's whole life": {
		"what a counter holds is no news; only its growth is",
		func() *scene { return atWork(unrenewed(holder).jstat(1, 300, 2400).jstat(18, 300, 2400.2), 19) },
		want{owner: "running"},
	},
	"deadlocked while renewed": {
		"the renewal thread knows nothing of the workers",
		func() *scene { return asleep(renewedLock().dump(2, true).dump(20, true)) },
		want{label: evidence.RenewalAfterLoss, cause: "deadlock", grade: evidence.Likely, owner: "stalled", with: []string{"thread-deadlock"}},
	},
	"a deadlock beside other work": {
		"who of the threads holds the lock is not known",
		func() *scene {
			busy := evidence.DumpThread{Name: "worker-c", Tid: 77, State: "runnable", Top: "ledger.Post.sum"}
			return asleep(renewedLock().dump(2, true, busy).dump(20, true, busy))
		},
		want{owner: "running|stalled", with: []string{"thread-deadlock"}},
	},
	"one dump": {
		"a moment shows no standstill",
		func() *scene { return asleep(renewedLock().dump(2, true)) },
		want{owner: "running|stalled", with: []string{"thread-deadlock"}},
	},
	"blocked twice without a deadlock": {
		"a busy monitor looks so at any two moments",
		func() *scene { return asleep(renewedLock().dump(2, false).dump(20, false)) },
		want{owner: "running|stalled", without: []string{"thread-deadlock"}},
	},
	"a goroutine that waits for a lock for long": {
		"",
		func() *scene {
			s := renewedLock()
			s.Host.Dumps = []evidence.ThreadDump{{Span: span(20), Runtime: "go", Threads: []evidence.DumpThread{
				{Name: "goroutine 41", State: "blocked", Top: "sync.(*Mutex).Lock", Waits: 14 * time.Minute},
				{Name: "goroutine 1", State: "waiting", Top: "main.main", Waits: 200 * time.Minute},
				{Name: "goroutine 12", State: "timed-waiting", Top: "main.renewLoop"},
			}}}
			return asleep(s)
		},
		want{label: evidence.RenewalAfterLoss, cause: "deadlock", owner: "stalled"},
	},
	"a goroutine that waits for work": {
		"main waits on a channel all its life",
		func() *scene {
			s := renewedLock()
			s.Host.Dumps = []evidence.ThreadDump{{Span: span(20), Runtime: "go", Threads: []evidence.DumpThread{
				{Name: "goroutine 1", State: "waiting", Top: "main.main", Waits: 200 * time.Minute},
			}}}
			return asleep(s)
		},
		want{owner: "running|stalled", without: []string{"thread-deadlock"}},
	},
	"a machine that slept": {
		"the kernel's seconds stop in sleep; what the steady clocks differ by lies in it",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 29)).look(18, heldBy(holder, 29)).look(19, heldBy(holder, 29)).info(0).info(19)
			s.Vantages[0].Slept = 12 * time.Second
			s.kernel(4, evidence.KernelEvent{Class: "suspend", Text: "PM: suspend entry (deep)"})
			return atWork(s.kernel(4.1, evidence.KernelEvent{Class: "resume", Text: "PM: suspend exit"}), 19)
		},
		want{label: evidence.Stall, cause: "suspended", grade: evidence.Proven, owner: "stalled", with: []string{"vm-suspended"}},
	},
	"a machine that slept the day before": {
		"",
		func() *scene {
			s := unrenewed(holder)
			s.Vantages[0].Slept = 9 * time.Hour
			s.kernel(-100000, evidence.KernelEvent{Class: "suspend", Text: "PM: suspend entry (deep)"})
			return atWork(s.kernel(-99999, evidence.KernelEvent{Class: "resume", Text: "PM: suspend exit"}), 19)
		},
		want{owner: "running"},
	},
	"in swap": {
		"",
		func() *scene {
			s := unrenewed(holder)
			s.process(pidOne, "value").look(0, "S", 0, inSwap).look(19, "S", 4, inSwap)
			return s
		},
		want{with: []string{"swap-storm"}},
	},
}

func inSwap(l *evidence.ProcLook) {
	st := l.Status.Value
	st.VmSwapKB, st.VmRSSKB = 900<<10, 100<<10
	l.Status = saw(st)
	l.Cgroup.Mem = saw(evidence.Pressure{Some: &evidence.PressureLine{Avg10: 61}})
}

func TestPauses(t *testing.T) { pauseStories.tell(t) }
