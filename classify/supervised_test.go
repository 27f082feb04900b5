package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What supervisors tell of an owner, with and without a look at its process.

const (
	podHolder   = "ledger-0:1:9b1e77c4"
	containerID = "9f31c0de9f31c0de9f31c0de9f31c0de9f31c0de9f31c0de9f31c0de9f31c0de"
)

// wallAt is a moment of the host's wall clock as supervisors print it: a second
// wide.
func wallAt(t float64) evidence.Interval {
	return evidence.Interval{From: at(t), To: at(t + 1), Clock: "host:b1"}
}

// away is the same on the clock of a cluster, which nobody measured.
func away(t float64) evidence.Interval { return wallAt(t).On("app:kubernetes") }

// unrenewed is a lock renewed at -1 s whose renewal due at 9 s did not come, as
// seen until 19 s; it was overdue at 14 s.
func unrenewed(value string) *scene {
	return newScene().looks(0, 19, 1, heldBy(value, 29)).info(0).info(19)
}

func (s *scene) unit(t float64, u evidence.Unit) *scene {
	u.Span = span(t)
	s.Host.Units = append(s.Host.Units, u)
	return s
}

func (s *scene) container(t float64, k evidence.Container) *scene {
	k.Span = span(t)
	s.Host.Containers = append(s.Host.Containers, k)
	return s
}

func (s *scene) event(t float64, reason, object, text string) *scene {
	s.Host.Cluster = append(s.Host.Cluster, evidence.ClusterEvent{At: wallAt(t), Reason: reason, Object: object, Text: text})
	return s
}

func (s *scene) lastWords(t float64, what, text string) *scene {
	s.Host.Deaths = append(s.Host.Deaths, evidence.DeathNotice{At: wallAt(t), What: what, Text: text})
	return s
}

// failedUnit is the owner's unit after its only run ended at 4 s.
func failedUnit(more func(*evidence.Unit)) func() *scene {
	return func() *scene {
		s := unrenewed(holder)
		s.Subject.Unit = "ledger.service"
		u := evidence.Unit{Name: "ledger.service", Active: "failed", Result: "signal", Code: 2, Status: 9, Started: wallAt(-7200), Exited: wallAt(4)}
		more(&u)
		return s.unit(19, u)
	}
}

func untold(u *evidence.Unit) { u.Result, u.Code, u.Status = "", 0, 0 }

// restarted is the unit's next run.
func restarted(more func(*evidence.Unit)) *scene {
	s := unrenewed(holder)
	s.Subject.Unit = "ledger"
	u := evidence.Unit{Name: "ledger.service", MainPID: 52011, Active: "active", Result: "success", Restarts: 1, Started: wallAt(6)}
	more(&u)
	return s.unit(19, u)
}

// endedPod is the holder's container, shown alone.
func endedPod(more func(*evidence.Container)) func() *scene {
	return func() *scene {
		s := unrenewed(podHolder)
		k := evidence.Container{ID: containerID, Name: "ledger", Pod: "pay/ledger-0", Node: "node-7", Status: "exited", Exit: saw(137), Reason: "Error", Started: wallAt(-7200), Finished: wallAt(4)}
		more(&k)
		return s.container(19, k)
	}
}

// runsAgain turns its end into that of the run before.
func runsAgain(k *evidence.Container, from, to, since float64) {
	k.Previous = &evidence.Run{Reason: "OOMKilled", Exit: 137, Started: wallAt(from), Finished: wallAt(to)}
	k.Status, k.Restarts, k.Started, k.Finished, k.Exit = "running", 1, wallAt(since), evidence.Interval{}, evidence.Reading[int]{}
}

var supervisedStories = stories{
	"a unit killed": {
		"systemd saw the signal, and nobody looked at the process",
		failedUnit(func(*evidence.Unit) {}),
		want{label: evidence.Crash, cause: "killed", grade: evidence.Likely, owner: "gone", gone: []float64{4, 5}},
	},
	"a unit that exited":           {"", failedUnit(func(u *evidence.Unit) { u.Result, u.Code, u.Status = "exit-code", 1, 3 }), want{label: evidence.Crash, cause: "exited"}},
	"a unit that aborted":          {"", failedUnit(func(u *evidence.Unit) { u.Result, u.Code, u.Status = "core-dump", 3, 6 }), want{label: evidence.Crash, cause: "aborted"}},
	"a unit that was told to end":  {"", failedUnit(func(u *evidence.Unit) { u.Status = 15 }), want{label: evidence.Crash, cause: "terminated"}},
	"a unit ended by a signal":     {"", failedUnit(func(u *evidence.Unit) { u.Status = 24 }), want{label: evidence.Crash, cause: "signalled"}},
	"a unit killed by its guard":   {"", failedUnit(func(u *evidence.Unit) { u.Result, u.Status = "watchdog", 6 }), want{label: evidence.Crash, cause: "watchdog"}},
	"systemd's word oom-kill only": {"any process of the unit may have been the victim", failedUnit(func(u *evidence.Unit) { u.Result = "oom-kill" }), want{label: evidence.Crash, cause: "killed"}},
	"a unit that ended too late": {
		"a death after the renewal was overdue is not why",
		failedUnit(func(u *evidence.Unit) { u.Exited = wallAt(17) }),
		want{label: evidence.Inconclusive, owner: "running|stalled", notOpen: []evidence.Label{evidence.Crash}},
	},
	"a unit that ended before the last renewal": {
		"another run, or another process, renewed after that",
		failedUnit(func(u *evidence.Unit) { u.Exited = wallAt(-900) }),
		want{label: evidence.Inconclusive, owner: "running|stalled|gone"},
	},
	"a restart hides the crash": {
		"Result and exit belong to the latest run: it says success, and began after the lock was renewed",
		func() *scene { return restarted(func(u *evidence.Unit) { u.Previous = wallAt(4) }) },
		want{label: evidence.Crash, grade: evidence.Likely, owner: "gone", gone: []float64{4, 5}, with: []string{"owner-restarted"}},
	},
	"a restart without the end before it": {
		"the run that held the lock ended between the last renewal and the next run's start",
		func() *scene { return restarted(func(*evidence.Unit) {}) },
		want{label: evidence.Crash, owner: "gone", gone: []float64{-1, 7}},
	},
	"a restart noted in the journal": {
		"",
		func() *scene {
			return restarted(func(*evidence.Unit) {}).kernel(4, evidence.KernelEvent{Class: "unit-exit", Text: "ledger.service: Main process exited, code=killed, status=9/KILL"})
		},
		want{label: evidence.Crash, cause: "killed", owner: "gone", gone: []float64{4, 4}},
	},
	"shown at work, then as another process": {
		"it ended between the two",
		func() *scene {
			s := unrenewed(holder)
			s.unit(1, evidence.Unit{Name: "ledger.service", MainPID: pidOne, Active: "active", Started: wallAt(-7200)})
			return s.unit(19, evidence.Unit{Name: "ledger.service", MainPID: 52011, Active: "active", Started: wallAt(6)})
		},
		want{label: evidence.Crash, owner: "gone", gone: []float64{1, 7}},
	},
	"a unit that runs since before": {
		"a unit at work proves no work",
		func() *scene {
			s := unrenewed("quince-9:4120:aa")
			s.Subject.Unit = "ledger"
			return s.unit(19, evidence.Unit{Name: "ledger.service", MainPID: 4120, Active: "active", Result: "success", Started: wallAt(-7200)})
		},
		want{label: evidence.Inconclusive, owner: "running|stalled"},
	},
	"another unit's end": {
		"",
		func() *scene {
			return unrenewed(holder).unit(19, evidence.Unit{Name: "nginx.service", Active: "failed", Result: "signal", Code: 2, Status: 9, Exited: wallAt(4)})
		},
		want{label: evidence.Inconclusive, owner: "running|stalled|gone"},
	},
	"process table and unit": {
		"two sources that do not depend on each other",
		func() *scene {
			s := failedUnit(func(*evidence.Unit) {})()
			working(s, 0).missing(19)
			return s
		},
		want{label: evidence.Crash, cause: "killed", grade: evidence.Proven, owner: "gone", gone: []float64{4, 5}},
	},
	"137 alone": {
		"a SIGKILL, and nobody knows whose: dead, but not of memory",
		endedPod(func(*evidence.Container) {}),
		want{label: evidence.Crash, cause: "killed", grade: evidence.Likely, owner: "gone"},
	},
	"137 and when is not told": {
		"it may have been killed because it hung, or long after",
		endedPod(func(k *evidence.Container) { k.Started, k.Finished = evidence.Interval{}, evidence.Interval{} }),
		want{label: evidence.Crash, grade: evidence.Likely, doubts: []evidence.Label{evidence.Stall, evidence.Partition}},
	},
	"OOMKilled and nothing else": {
		"the flag counts any process inside",
		endedPod(func(k *evidence.Container) { k.Reason, k.OOMKilled = "OOMKilled", true }),
		want{label: evidence.Crash, cause: "killed", grade: evidence.Likely},
	},
	"OOMKilled and the kernel's log": {
		"",
		func() *scene {
			s := endedPod(func(k *evidence.Container) { k.Reason, k.OOMKilled = "OOMKilled", true })()
			e := oomKill(77001)
			e.Kill.Container = containerID
			return s.kernel(4.2, e)
		},
		want{label: evidence.Crash, cause: "oom-kill", grade: evidence.Proven},
	},
	"a pod restarted": {
		"the present run shows neither the reason nor the code",
		endedPod(func(k *evidence.Container) { runsAgain(k, -7200, 4, 6) }),
		want{label: evidence.Crash, cause: "killed", owner: "gone", gone: []float64{4, 5}, with: []string{"owner-restarted"}},
	},
	"a pod restarted long before": {
		"the restart is a day old; this run took the lock and goes on",
		endedPod(func(k *evidence.Container) { runsAgain(k, -90000, -80000, -79990) }),
		want{label: evidence.Inconclusive, owner: "running|stalled", without: []string{"owner-restarted"}},
	},
	"a sidecar of the pod was killed": {
		"its death is not the owner's",
		func() *scene {
			return endedPod(func(k *evidence.Container) { k.Name, k.Reason, k.OOMKilled = "proxy", "OOMKilled", true })().
				container(19, evidence.Container{Name: "ledger", Pod: "pay/ledger-0", Status: "running", Started: wallAt(-7200)})
		},
		want{label: evidence.Inconclusive, owner: "running|stalled"},
	},
	"two containers that may be meant": {
		"",
		func() *scene {
			return endedPod(func(k *evidence.Container) { k.Name = "main" })().
				container(19, evidence.Container{Name: "helper", Pod: "pay/ledger-0", Status: "running", Started: wallAt(-7200)})
		},
		want{label: evidence.Inconclusive, owner: "running|stalled|gone"},
	},
	"dated by a cluster": {
		"its clock is presumed to be kept, and proves nothing",
		endedPod(func(k *evidence.Container) { k.Started, k.Finished = away(-7200), away(4) }),
		want{label: evidence.Crash, grade: evidence.Likely, gone: []float64{3, 6}},
	},
	"killed for its probe": {
		"",
		func() *scene {
			return endedPod(func(*evidence.Container) {})().event(2, "Unhealthy", "pod/pay/ledger-0", "Liveness probe failed: i/o timeout").
				event(3, "Killing", "pod/pay/ledger-0", "Container ledger failed liveness probe, will be restarted")
		},
		want{label: evidence.Crash, cause: "killed", owner: "gone"},
	},
	"evicted, and nothing else is left": {
		"",
		func() *scene {
			return unrenewed(podHolder).event(4, "Evicted", "pod/pay/ledger-0", "The node was low on resource: memory.")
		},
		want{label: evidence.Crash, cause: "pod-evicted", grade: evidence.Likely, owner: "gone"},
	},
	"another pod evicted": {
		"",
		func() *scene {
			return unrenewed(podHolder).event(4, "Evicted", "pod/pay/ledger-01", "The node was low on resource: memory.")
		},
		want{label: evidence.Inconclusive, owner: "running|stalled|gone"},
	},
	"the node fell silent": {
		"dead, stalled and cut off look the same to a control plane",
		func() *scene {
			return unrenewed(podHolder).event(40, "NodeNotReady", "node/node-7", "Node node-7 status is now: NodeNotReady")
		},
		want{label: evidence.Inconclusive, owner: "running|stalled|gone", with: []string{"node-not-ready"}, open: []evidence.Label{evidence.Crash, evidence.Stall, evidence.Partition}},
	},
	"paused by docker": {
		"",
		func() *scene {
			s := unrenewed("9f31c0de9f31:1:77")
			s.container(19, evidence.Container{ID: containerID, Name: "ledger", Status: "paused", Pid: 8838, Started: wallAt(-7200)})
			return s.event(4, "pause", "container/ledger", "pause "+containerID)
		},
		want{label: evidence.Stall, cause: "paused", grade: evidence.Likely, owner: "stalled"},
	},
	"paused after the renewal was missed": {
		"somebody paused what had not renewed already",
		func() *scene {
			s := unrenewed("9f31c0de9f31:1:77")
			s.container(19, evidence.Container{ID: containerID, Name: "ledger", Status: "paused", Pid: 8838, Started: wallAt(-7200)})
			return s.event(17, "pause", "container/ledger", "pause "+containerID)
		},
		want{label: evidence.Inconclusive},
	},
	"its own last words": {
		"",
		func() *scene { return failedUnit(untold)().lastWords(4, "panic", "panic: index out of range") },
		want{label: evidence.Crash, cause: "panic", grade: evidence.Proven},
	},
	"out of memory by its own word": {
		"",
		func() *scene {
			return failedUnit(untold)().lastWords(4, "out-of-memory", "java.lang.OutOfMemoryError: Java heap space")
		},
		want{label: evidence.Crash, cause: "out-of-memory"},
	},
	"somebody's last words of another day": {
		"",
		func() *scene { return failedUnit(untold)().lastWords(-3600, "panic", "panic: index out of range") },
		want{label: evidence.Crash, cause: "gone", grade: evidence.Likely},
	},
	"renewed after its container ended": {
		"",
		func() *scene {
			s := newScene().looks(0, 9, 1, heldBy(podHolder, 29)).looks(10, 19, 1, heldBy(podHolder, 39)).info(0).info(19)
			return s.container(19, evidence.Container{Name: "ledger", Pod: "pay/ledger-0", Status: "exited", Exit: saw(137), Finished: wallAt(2)})
		},
		want{label: evidence.RenewalAfterLoss, lease: "renewing", owner: "gone"},
	},
	"ended after its last renewal": {
		"it renewed by itself until it went; the next renewal is not due yet",
		func() *scene {
			s := newScene().looks(0, 9, 1, heldBy(podHolder, 29)).looks(10, 16, 1, heldBy(podHolder, 39)).info(0).info(16)
			return s.container(16, evidence.Container{Name: "ledger", Pod: "pay/ledger-0", Status: "exited", Exit: saw(137), Finished: wallAt(12)})
		},
		want{lease: "renewing|held", owner: "gone"},
	},
}

func TestSupervised(t *testing.T) { supervisedStories.tell(t) }

// Names that a hostile text makes up must not cost more than they weigh.
func TestManyContainersAreCheap(t *testing.T) {
	s := unrenewed(podHolder)
	for i := range 20_000 {
		s.container(19, evidence.Container{Name: "c" + itoa(i), Pod: "pay/ledger-0", Status: "running"})
		s.unit(19, evidence.Unit{Name: "u" + itoa(i) + ".service", Active: "failed"})
		s.event(4, "Killing", "pod/pay/ledger-0", "x")
	}
	begun := time.Now()
	s.judge()
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("20 000 containers of one pod took %s", took)
	}
}
