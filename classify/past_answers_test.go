package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// saying is an event that says why it failed.
func saying(text string) func(*evidence.AppEvent) {
	return func(e *evidence.AppEvent) { refused(e); e.Text = text }
}

// hostLogged puts a record into the log of the owner's host, dated by its wall clock
// alone, as a file of it is.
func (s *scene) hostLogged(t float64, e evidence.KernelEvent) *scene {
	log := s.Host.Kernel.Value
	e.Wall = evidence.At(at(t), time.Millisecond, s.Vantages[0].HostClock())
	log.Events = append(log.Events, e)
	s.Host.Kernel = saw(log)
	return s
}

func unitExit(unit string) evidence.KernelEvent {
	return evidence.KernelEvent{Class: "unit-exit", Comm: "systemd", Text: unit + ".service: Main process exited, code=killed, status=9/KILL"}
}

func (s *scene) askedAt(t float64) *scene { s.At = at(t); return s }

// fileOver is a file of the lock's course whose lease ran out.
func fileOver() *scene {
	return unseen().holds(holder, 0, 20, 10).expired(50).did(0.01, evidence.DeedAcquire)
}

var answerStories = stories{
	"killed after its last beat, and nobody looked": {
		"the kernel names the process that the value names",
		func() *scene { return fileOver().beats(2, 22, 5).hostLogged(24, oomKill(pidOne)) },
		want{label: evidence.Crash, grade: evidence.Likely, cause: "oom-kill", owner: "gone", gone: []float64{23, 25}},
	},
	"killed by the number that the responder gave": {
		"",
		func() *scene {
			s := unseen().holds("token-7f3a", 0, 20, 10).expired(50).hostLogged(24, oomKill(pidOne))
			s.process(pidOne, "flag")
			return s
		},
		want{label: evidence.Crash, grade: evidence.Likely, owner: "gone"},
	},
	"killed on another host": {
		"",
		func() *scene {
			s := fileOver().beats(2, 22, 5).hostLogged(24, oomKill(pidOne))
			s.Vantages[0].Host = "plum-8"
			return s
		},
		want{label: evidence.Inconclusive},
	},
	"the named unit's process was killed": {
		"systemd says so, and nobody looked",
		func() *scene {
			s := fileOver().beats(2, 22, 5).hostLogged(-400, unitExit("ledger")).hostLogged(24, unitExit("ledger")).hostLogged(25, unitExit("fx-ledger")).hostLogged(900, unitExit("ledger"))
			s.Subject.Unit = "ledger"
			return s
		},
		want{label: evidence.Crash, grade: evidence.Likely, cause: "killed", owner: "gone", gone: []float64{23, 25}},
	},
	"a kill dated before it was last heard": {
		"the log was read in the wrong zone, or another process had the number",
		func() *scene { return fileOver().beats(2, 22, 5).hostLogged(-7190, oomKill(pidOne)) },
		want{label: evidence.Inconclusive, owner: "running|stalled|gone"},
	},
	"killed between two renewals, by events alone": {
		"nothing renews for the dead yet",
		func() *scene {
			return unseen().renewedEvery(0, 10, 10).beats(3, 13, 5).hostLogged(14.5, oomKill(pidOne))
		},
		want{label: evidence.Inconclusive, lease: "renewing|held", owner: "gone", state: evidence.StaleHolder, open: []evidence.Label{evidence.Crash}},
	},
	"killed long after the last that was recorded": {
		"what was missed before that is not told",
		func() *scene {
			return unseen().renewedEvery(0, 10, 10).beats(3, 13, 5).hostLogged(300, oomKill(pidOne))
		},
		want{label: evidence.Inconclusive, owner: "running|stalled|gone", open: []evidence.Label{evidence.Crash, evidence.Stall}},
	},
	"asked about a moment that the record does not reach": {
		"its last beat lies before the renewal that was due",
		func() *scene { return unseen().renewedEvery(0, 10, 10).beats(3, 13, 5).askedAt(39) },
		want{label: evidence.Inconclusive, owner: "running|stalled|gone", open: []evidence.Label{evidence.Crash, evidence.Stall}},
	},
	"asked right after the last renewal": {
		"nothing is overdue: the silence is none",
		func() *scene { return unseen().renewedEvery(0, 50, 10).beats(3, 48, 5).askedAt(50.7) },
		want{label: evidence.NoFailure, lease: "renewing", owner: "running"},
	},
	"the file and the events, which go on a little longer": {
		"more evidence leaves no more open",
		func() *scene { return unseen().holds(holder, 0, 50, 10).renewedEvery(0.01, 50.01, 10).beats(3, 53, 5) },
		want{label: evidence.NoFailure, lease: "renewing", owner: "running"},
	},
	"a file that was copied long before the events end": {
		"the holder's own record goes on",
		func() *scene {
			return unseen().holds(holder, 0, 50, 10).renewedEvery(0.01, 300.01, 10).beats(3, 303, 5)
		},
		want{label: evidence.NoFailure, lease: "renewing", owner: "running"},
	},
	"a collection that was over when it beat again": {
		"a stall that is over is judged from history",
		func() *scene {
			s := unseen().renewedEvery(0, 20, 10).beats(2, 22, 5).did(70, evidence.DeedHeartbeat)
			s.did(51, evidence.DeedAcquire, by(rival, "8"))
			s.Host.Pauses = []evidence.Pause{{At: evidence.At(at(23), time.Millisecond, s.Vantages[0].HostClock()), Took: 44 * time.Second, Kind: "gc", Runtime: "jvm", Text: "Pause Full"}}
			return s
		},
		want{label: evidence.Stall, cause: "gc-pause", owner: "stalled"},
	},
	"a collection between two beats that no silence is too long for": {
		"",
		func() *scene {
			s := unseen().renewedEvery(0, 20, 10).beats(2, 22, 5).did(48, evidence.DeedHeartbeat)
			s.did(51, evidence.DeedAcquire, by(rival, "8"))
			s.Host.Pauses = []evidence.Pause{{At: evidence.At(at(23), time.Millisecond, s.Vantages[0].HostClock()), Took: 24 * time.Second, Kind: "gc", Runtime: "jvm", Text: "Pause Full"}}
			return s
		},
		want{owner: "stalled"},
	},
	"its renewals ran into timeouts while another took the lock": {
		"a timeout is no word of loss, and says nothing of the key",
		func() *scene {
			s := unseen().renewedEvery(0, 20, 10).beats(2, 70, 4)
			s.did(31, evidence.DeedRenew, saying("read ETIMEDOUT")).did(41, evidence.DeedRenew, saying("connect ETIMEDOUT 10.0.0.5:6379"))
			return s.did(51, evidence.DeedAcquire, by(rival, "8"), granted).did(61, evidence.DeedRenew, saying("connect ETIMEDOUT 10.0.0.5:6379"))
		},
		want{label: evidence.Partition, grade: evidence.Likely, lease: "lapsed", owner: "running", path: "broken", state: evidence.Contested, without: []string{"renewing-absent-key"}},
	},
	"its renewals ran into timeouts, and nobody else was answered": {
		"the coordinator may have been dead to all",
		func() *scene {
			s := unseen().renewedEvery(0, 20, 10).beats(2, 70, 4)
			return s.did(31, evidence.DeedRenew, saying("i/o timeout")).did(41, evidence.DeedRenew, saying("i/o timeout"))
		},
		want{label: evidence.Inconclusive, path: "broken", state: evidence.StateUnknown, open: []evidence.Label{evidence.CoordinatorFault, evidence.Partition}},
	},
	"its renewals were refused a connection": {
		"somebody answered, and who is not told",
		func() *scene {
			s := unseen().renewedEvery(0, 20, 10).beats(2, 70, 4)
			s.did(31, evidence.DeedRenew, saying("connect ECONNREFUSED 10.0.0.5:6379")).did(41, evidence.DeedRenew, saying("connect ECONNREFUSED 10.0.0.5:6379"))
			return s.did(51, evidence.DeedAcquire, by(rival, "8"), granted)
		},
		want{path: "up|broken", without: []string{"renewing-absent-key"}},
	},
	"one timeout, and the next was answered": {
		"",
		func() *scene {
			s := unseen().renewedEvery(0, 20, 10).beats(2, 70, 4)
			return s.did(31, evidence.DeedRenew, saying("i/o timeout")).did(51, evidence.DeedAcquire, by(rival, "8"), granted).did(58, evidence.DeedRelease, saying("Cannot release a lock that's no longer owned"))
		},
		want{label: evidence.ContractFault, path: "up"},
	},
	"two masters renew for two owners": {
		"what was granted was not in vain",
		func() *scene {
			s := unseen().did(0, evidence.DeedAcquire, granted).did(7, evidence.DeedAcquire, by(rival, "8"), granted)
			return s.did(10, evidence.DeedRenew, granted).did(17, evidence.DeedRenew, by(rival, "8"), granted).did(20, evidence.DeedRenew, granted)
		},
		want{with: []string{"contested"}, without: []string{"renewing-absent-key"}},
	},
	"one effect by two owners, on two clocks": {
		"they cannot both be writing of one write",
		func() *scene {
			s := unseen().did(0, evidence.DeedAcquire).did(40, evidence.DeedAcquire, by(rival, "8"), on("app:two", rival))
			return s.did(45, evidence.DeedWrite, serving("r1"), by(rival, "8"), on("app:two", rival)).did(47, evidence.DeedWrite, serving("r1"))
		},
		want{with: []string{"duplicate-effect"}},
	},
	"one write that the resource has under another of its names": {
		"",
		func() *scene {
			s := unseen().did(0, evidence.DeedAcquire).did(5, evidence.DeedWrite, serving("r1"))
			return s.did(5.1, evidence.DeedWrite, serving("r1"), by("ledger-api", ""), on("app:store", "store"))
		},
		want{without: []string{"duplicate-effect"}},
	},
	"released, and its process ended right after": {
		"a release ends the incident",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10).wrote(24, evidence.DeedRelease, "", 0).did(0.01, evidence.DeedAcquire)
			return s.did(24, evidence.DeedRelease).did(24.2, evidence.DeedExit)
		},
		want{label: evidence.NoFailure, lease: "released"},
	},
	"a later holder's renewals, and the former one's log": {
		"what names nobody is not the later one's for that",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10).expired(50).holds(rival, 52, 172, 10).did(0.01, evidence.DeedAcquire)
			for t := 3.0; t < 24; t += 5 {
				s.did(t, evidence.DeedHeartbeat, func(e *evidence.AppEvent) { e.Owner = "" })
			}
			return s.askedAt(170)
		},
		want{lease: "renewing", owner: "running|stalled|gone"},
	},
}

func TestAnswers(t *testing.T) { answerStories.tell(t) }

// What is told of a moment is what was recorded then, not the middle of a stretch.
func TestToldMoments(t *testing.T) {
	v := unseen().holds(holder, 0, 20, 10).wrote(24, evidence.DeedRelease, "", 0).did(0.01, evidence.DeedAcquire).did(24, evidence.DeedRelease).judge()
	if says := v.Answers.Lease.Says; !contains(says, "12:00:24.000Z") {
		t.Errorf("released: %s", says)
	}
	v = unseen().did(0, evidence.DeedAcquire).did(7, evidence.DeedAcquire, by(rival, "8")).judge()
	if says := v.Answers.Lease.Says; !contains(says, "12:00:07.000Z") {
		t.Errorf("taken: %s", says)
	}
	v = unseen().renewedEvery(0, 20, 10).beats(2, 90, 4).judge()
	if v.State != evidence.StateUnknown || !contains(v.Answers.Lease.Says, "should have run out") {
		t.Errorf("nobody saw it go: %s, %s", v.State, v.Answers.Lease.Says)
	}
	if also := unseen().holds(holder, 0, 20, 10).wrote(24, evidence.DeedRelease, "", 0).did(0.01, evidence.DeedAcquire).did(24, evidence.DeedRelease).did(24.2, evidence.DeedExit).judge().Also; len(also) > 0 {
		t.Errorf("released, and also %v", also)
	}
	v = fileOver().beats(2, 22, 5).hostLogged(-7190, oomKill(pidOne)).judge()
	if !contains(v.Answers.Owner.Says, "--tz") {
		t.Errorf("a kill of another time: %s", v.Answers.Owner.Says)
	}
}
