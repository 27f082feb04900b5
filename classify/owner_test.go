package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Was the worker that holds the lock alive and working?

var ownerStories = stories{

	"killed for memory": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			working(s, 0).missing(5).missing(19)
			return s.kernel(3, oomKill(pidOne)).clients(1, client(7, ownAddr, "evalsha", 2)).clients(19, client(9, "10.0.0.77:4000", "get", 0))
		},
		want{label: evidence.Crash, cause: "oom-kill", grade: evidence.Proven, owner: "gone", gone: []float64{2.99, 3.01}, state: evidence.StaleHolder},
	},
	"killed for memory by earlyoom": {
		"the kernel counts no such kill",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			working(s, 0).missing(5).missing(19)
			return s.kernel(3, evidence.KernelEvent{Class: "earlyoom-kill", Pid: pidOne, Text: "sending SIGKILL to process"})
		},
		want{label: evidence.Crash, cause: "earlyoom-kill", grade: evidence.Proven, gone: []float64{2.99, 3.01}},
	},
	"earlyoom killed a neighbour": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			working(s, 0).missing(5).missing(19)
			return s.kernel(3, evidence.KernelEvent{Class: "earlyoom-kill", Pid: 4120, Text: "sending SIGKILL to process"})
		},
		want{label: evidence.Crash, cause: "gone"},
	},
	"killed for memory by systemd-oomd": {
		"with its control group, of which it is a part",
		oomdStory("/kube.slice/ledger"),
		want{label: evidence.Crash, cause: "oomd-kill", grade: evidence.Proven, gone: []float64{2.99, 3.01}},
	},
	"systemd-oomd killed a sibling": {
		"whose name begins like the owner's group",
		oomdStory("/kube.slice/ledg"),
		want{label: evidence.Crash, cause: "gone"},
	},
	"a neighbour killed for memory": {
		"4120 is a beginning of 41207 and another process",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			working(s, 0, 9)
			return s.kernel(3, oomKill(4120))
		},
		want{label: evidence.NoFailure, owner: "running"},
	},
	"a forged kill": {
		"user space may write into the kernel's log",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			working(s, 0).missing(5).missing(19)
			e := oomKill(pidOne)
			e.Forged = true
			return s.kernel(3, e)
		},
		want{label: evidence.Crash, cause: "gone"},
	},
	"a segmentation fault in a worker thread": {
		"the kernel logs the thread's number",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			working(s, 0).missing(5).missing(19)
			return s.kernel(3, evidence.KernelEvent{Class: "segfault", Pid: pidOne + 1, Text: "segfault"})
		},
		want{label: evidence.Crash, cause: "segfault"},
	},
	"a general protection fault": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			working(s, 0).missing(5).missing(19)
			return s.kernel(3, evidence.KernelEvent{Class: "general-protection", Pid: pidOne, Text: "general protection fault"})
		},
		want{label: evidence.Crash, cause: "general-protection"},
	},
	"a zombie": {
		"its folder is still there",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			dead := func(l *evidence.ProcLook) {
				l.Stat.Value.Exit, l.Tasks, l.Inodes, l.Sockets = 9, none[[]evidence.Task](), none[[]uint64](), none[[]evidence.Socket]()
			}
			working(s, 0).look(5, "Z", 0, dead).look(19, "Z", 0, dead)
			return s
		},
		want{label: evidence.Crash, cause: "killed", owner: "gone"},
	},
	"a zombie of which only the threads were listed": {
		"one is listed still, and it is dead",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			dead := func(l *evidence.ProcLook) {
				l.Stat, l.Status, l.Inodes, l.Sockets = denied[evidence.ProcStat](), denied[evidence.ProcStatus](), none[[]uint64](), none[[]evidence.Socket]()
				l.Tasks.Value = []evidence.Task{{Tid: pidOne, Comm: "ledgerd", State: "Z"}}
			}
			working(s, 0).look(5, "Z", 0, dead).look(19, "Z", 0, dead)
			return s
		},
		want{label: evidence.Crash, cause: "gone", owner: "gone"},
	},
	"only the first thread has ended": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			half := func(l *evidence.ProcLook) { l.Tasks.Value[1].State = "S" }
			s.process(pidOne, "value").look(0, "Z", 0, half).look(19, "Z", 0.02, half)
			return s
		},
		want{owner: "running|stalled", notOpen: []evidence.Label{evidence.Crash}},
	},
	"hidden from us": {
		"what hidepid hides may live",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			s.process(pidOne, "value").hidden(0).hidden(19)
			return s
		},
		want{label: evidence.Inconclusive, owner: "running|stalled|gone"},
	},
	"seen once, then refused": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			working(s, 0).hidden(5).hidden(19)
			return s
		},
		want{label: evidence.Inconclusive, owner: "running|stalled|gone"},
	},
	"stopped before the renewal was due": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			working(s, 0).look(5, "T", 0).look(19, "T", 0)
			return s
		},
		want{label: evidence.Stall, cause: "stopped", owner: "stalled", state: evidence.StaleHolder, doubts: []evidence.Label{evidence.ClockAnomaly}},
	},
	"frozen, which looks like sleep": {
		"a freezer shows state S",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			working(s, 0).look(5, "S", 0, frozen).look(19, "S", 0, frozen)
			return s
		},
		want{label: evidence.Stall, cause: "frozen", owner: "stalled"},
	},
	"held by a debugger, until after the end": {
		"",
		func() *scene {
			s := newScene().looks(0, 9, 1, heldBy(holder, 10)).looks(11, 16, 1, noKey).info(0).info(16)
			debugged := func(l *evidence.ProcLook) { l.Status.Value.TracerPid = 52011 }
			s.process(pidOne, "value").look(0, "t", 0, debugged).look(16, "t", 0, debugged)
			return s
		},
		want{label: evidence.Stall, cause: "traced", grade: evidence.Likely, with: []string{"traced", "lease-shorter-than-stall"}},
	},
	"traced and running": {
		"a tracer alone is a finding",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			debugged := func(l *evidence.ProcLook) { l.Status.Value.TracerPid = 52011 }
			s.process(pidOne, "value").look(0, "S", 0, debugged).look(9, "S", 3, debugged)
			return s
		},
		want{label: evidence.NoFailure, with: []string{"traced"}},
	},
	"starved of a CPU": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			waited := func(d float64) procSight {
				return func(l *evidence.ProcLook) { l.Tasks.Value[0].Delay = secs(d) }
			}
			s.process(pidOne, "value").look(0, "R", 0, waited(0)).look(19, "R", 0.05, waited(18))
			return s
		},
		want{label: evidence.Stall, cause: "starved"},
	},
	"blocked in the kernel": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			s.process(pidOne, "value").look(0, "D", 0).look(19, "D", 0)
			return s
		},
		want{label: evidence.Stall, cause: "blocked"},
	},
	"renewed by a thread while the worker beats no more": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			s.process(pidOne, "value").look(0, "S", 0).look(9, "S", 0)
			s.Heartbeat = []evidence.Beat{{Span: span(0), Value: saw("x"), Age: saw(30 * time.Minute)}, {Span: span(9), Value: saw("x"), Age: saw(30*time.Minute + 9*time.Second)}}
			return s
		},
		want{label: evidence.RenewalAfterLoss, cause: "heartbeat-stale", owner: "stalled", with: []string{"renewer-outlives-worker"}},
	},
	"a worker that waits": {
		"without a heartbeat nobody can tell waiting from hanging",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			s.process(pidOne, "value").look(0, "S", 0).look(9, "S", 0)
			return s
		},
		want{label: evidence.Inconclusive, owner: "running|stalled", open: []evidence.Label{evidence.NoFailure, evidence.RenewalAfterLoss}},
	},
	"exits after the lease ran out": {
		"a death proven later than T* did not lose the lock",
		func() *scene {
			s := newScene().looks(0, 24, 1, heldBy(holder, 25)).looks(26, 31, 1, noKey).info(0).info(31)
			working(s, 0, 12, 29).missing(30)
			return s
		},
		want{owner: "running", notOpen: []evidence.Label{evidence.Crash}},
	},
	"idle for a moment, long after the miss": {
		"a third of a second without a running thread is no stall",
		func() *scene {
			s := newScene().looks(15, 15.5, 0.1, heldBy(holder, 25)).info(15).info(15.5)
			s.process(pidOne, "value").look(15, "S", 0).look(15.5, "S", 0)
			return s
		},
		want{label: evidence.Inconclusive, owner: "running|stalled"},
	},
	"throttled for a moment": {
		"one period of a quota is not a renewal interval",
		func() *scene {
			s := newScene().looks(15, 15.5, 0.1, heldBy(holder, 25)).info(15).info(15.5)
			used := func(d time.Duration) procSight {
				return func(l *evidence.ProcLook) { l.Cgroup.Throttled = saw(d) }
			}
			s.process(pidOne, "value").look(15, "S", 0, used(0)).look(15.5, "S", 0.05, used(300*time.Millisecond))
			return s
		},
		want{label: evidence.Inconclusive, owner: "running|stalled"},
	},
	"in a disk wait at both looks, and working": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 24)).info(0).info(19)
			s.process(pidOne, "value").look(0, "D", 0).look(12, "D", 4).look(19, "D", 8)
			return s
		},
		want{owner: "running", notOpen: []evidence.Label{evidence.Stall}},
	},
	"a heartbeat from the future": {
		"a clock that is ahead makes an old beat look young",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			s.process(pidOne, "value").look(0, "S", 0).look(9, "S", 0)
			s.Heartbeat = []evidence.Beat{{Span: span(9), Value: saw("x"), Age: saw(-time.Hour)}}
			return s
		},
		want{label: evidence.Inconclusive, owner: "running|stalled"},
	},
	"a heartbeat that looks old and moves": {
		"a clock that is behind makes a young beat look old",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			s.process(pidOne, "value").look(0, "S", 0).look(9, "S", 0)
			s.Heartbeat = []evidence.Beat{{Span: span(0), Value: saw("1764417000"), Age: saw(10 * time.Minute)}, {Span: span(9), Value: saw("1764417009"), Age: saw(10 * time.Minute)}}
			return s
		},
		want{label: evidence.NoFailure, owner: "running"},
	},
	"its last heartbeat came after the miss": {
		"what stopped later was working at T*",
		func() *scene {
			s := newScene().looks(0, 29, 1, heldBy(holder, 30)).looks(31, 60, 1, noKey).info(0).info(60)
			s.process(pidOne, "value").look(0, "S", 0).look(60, "S", 0.1)
			s.Heartbeat = []evidence.Beat{{Span: span(60), Value: saw("x"), Age: saw(40 * time.Second)}}
			return s
		},
		want{owner: "running", notOpen: []evidence.Label{evidence.Stall}},
	},
	"an OOM kill of the same number in another namespace": {
		"the kernel counts pids of the first namespace",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
			s.Vantages[0].PidNS = "pid:[4026532999]"
			p := s.process(pidOne, "value", "flag").look(0, "S", 0)
			p.missing(1).missing(19)
			return s.kernel(0.5, oomKill(pidOne))
		},
		want{label: evidence.Crash, cause: "gone"},
	},
	"an OOM kill of the same number, before it was seen alive": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 29.5)).info(0).info(19)
			s.process(pidOne, "value").look(5, "S", 0).missing(6).missing(19)
			return s.kernel(2, oomKill(pidOne))
		},
		want{label: evidence.Crash, cause: "gone"},
	},
}

func TestOwner(t *testing.T) { ownerStories.tell(t) }

// oomdStory is a worker in /kube.slice/ledger/main that is gone after systemd-oomd
// killed a group.
func oomdStory(group string) func() *scene {
	return func() *scene {
		s := newScene().looks(0, 19, 1, heldBy(holder, 29)).info(0).info(19)
		in := func(l *evidence.ProcLook) {
			l.Groups = saw([]evidence.CgroupPath{{Path: "/kube.slice/ledger/main"}})
		}
		s.process(pidOne, "value").look(0, "S", 0, in).missing(5).missing(19)
		return s.kernel(3, evidence.KernelEvent{Class: "oomd-kill", Group: group, Text: "Killed " + group + " due to memory pressure"})
	}
}
