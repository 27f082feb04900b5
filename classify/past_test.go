package classify

import (
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// expired adds that the server found a lease at its end.
func (s *scene) expired(t float64) *scene { return s.wrote(t+0.2, evidence.DeedGone, "", 0) }

// holds adds a holder's course to the append-only file: an acquire and renewals,
// of a lease of 30 s.
func (s *scene) holds(value string, from, to, step float64) *scene {
	s.wrote(from, evidence.DeedAcquire, value, from+30)
	for t := from + step; t <= to+1e-9; t += step {
		s.wrote(t, evidence.DeedRenew, value, t+30)
	}
	return s
}

// ahead makes the worker's clock show so much more than the coordinator's.
func (s *scene) ahead(by float64) *scene {
	for i := range s.Events {
		s.Events[i].At = s.Events[i].At.Shift(secs(by), secs(by))
	}
	return s
}

// beats adds heartbeats of the worker.
func (s *scene) beats(from, to, step float64) *scene {
	for t := from; t <= to+1e-9; t += step {
		s.did(t, evidence.DeedHeartbeat)
	}
	return s
}

func refused(e *evidence.AppEvent) { no := false; e.OK = &no }

func granted(e *evidence.AppEvent) { yes := true; e.OK = &yes }

// on puts an event on another clock, written down by somebody.
func on(clock evidence.Clock, actor string) func(*evidence.AppEvent) {
	return func(e *evidence.AppEvent) { e.At.Clock, e.Actor = clock, actor }
}

var pastStories = stories{
	"a takeover after a hundred orderly tenures": {
		"the first holder in the file is not whom anybody asks about",
		func() *scene {
			s := unseen()
			for i := range 100 {
				t := float64(i*20 - 4000)
				s.holds("w-"+itoa(i), t, t, 10).wrote(t+12, evidence.DeedRelease, "", 0)
			}
			return s.holds(holder, 0, 20, 10).wrote(50.2, evidence.DeedGone, "", 0).holds(rival, 51, 91, 10)
		},
		want{lease: "lapsed", renewed: []float64{20, 20.002}, ends: []float64{50, 50}, freed: []float64{50, 50}},
	},
	"released in its turn, and healthy since": {
		"",
		func() *scene {
			return unseen().holds(holder, 0, 20, 10).wrote(22, evidence.DeedRelease, "", 0).holds(rival, 30, 90, 10)
		},
		want{lease: "renewing", renewed: []float64{90, 90.002}},
	},
	"overwritten before its end": {
		"no release stands between the two writes",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10)
			return s.wrote(25, evidence.DeedReplace, rival, 55)
		},
		want{lease: "lost", state: evidence.Contested, with: []string{"contested", "released-by-non-owner"}},
	},
	"deleted before its end, and its holder says it did": {
		"",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10).wrote(24, evidence.DeedRelease, "", 0)
			return s.did(0.01, evidence.DeedAcquire).did(24, evidence.DeedRelease)
		},
		want{label: evidence.NoFailure, lease: "released"},
	},
	"deleted before its end by somebody who says so": {
		"",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10).wrote(24, evidence.DeedRelease, "", 0)
			s.did(24, evidence.DeedRelease, by("cleanup-job", ""), granted, func(e *evidence.AppEvent) { e.At.Clock = evidence.Coordinator })
			return s
		},
		want{lease: "lost", with: []string{"released-by-non-owner"}},
	},
	"deleted before its end, and nobody says who did": {
		"",
		func() *scene {
			return unseen().holds(holder, 0, 20, 10).wrote(24, evidence.DeedRelease, "", 0)
		},
		want{lease: "lost|released"},
	},
	"somebody looked when it was over": {
		"the file tells what the looks came too late for",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10).looks(300, 305, 1, noKey).info(300).info(305)
			return s.did(14, evidence.DeedExit).did(0.01, evidence.DeedAcquire)
		},
		want{label: evidence.Crash, lease: "lapsed", owner: "gone", renewed: []float64{20, 20.002}, doubts: []evidence.Label{evidence.CoordinatorFault}},
	},
	"somebody looked when the next one had it": {
		"its own tenure is asked about, not its predecessor's",
		func() *scene {
			s := unseen().holds(rival, -100, -80, 10).holds(holder, 0, 20, 10)
			return s.looks(23, 26, 1, heldBy(holder, 50)).looks(31, 36, 1, heldBy(holder, 60))
		},
		want{lease: "renewing"},
	},
	"a clock seven minutes ahead that recorded the same acquire": {
		"",
		func() *scene {
			s := unseen().holds(holder, 0, 200, 10).renewedEvery(0.01, 200.01, 10).beats(3, 53, 5)
			return s.ahead(420)
		},
		want{label: evidence.RenewalAfterLoss, grade: evidence.Proven, lease: "renewing", owner: "stalled", clock: "steady", coordinator: "kept", cause: "heartbeat-stale", gone: []float64{53, 58}},
	},
	"a log that ends with its last heartbeat": {
		"it may have been copied early",
		func() *scene {
			return unseen().holds(holder, 0, 200, 10).did(0.01, evidence.DeedAcquire).beats(3, 53, 5)
		},
		want{label: evidence.RenewalAfterLoss, grade: evidence.Likely, doubts: []evidence.Label{evidence.NoFailure}},
	},
	"a pause that never ended while renewals went on": {
		"",
		func() *scene {
			return unseen().renewedEvery(0, 200, 10).did(40, evidence.DeedPause)
		},
		want{label: evidence.RenewalAfterLoss, owner: "stalled", cause: "paused"},
	},
	"a pause over the renewal that was due": {
		"",
		func() *scene {
			s := unseen().renewedEvery(0, 20, 10).did(22, evidence.DeedPause).did(58, evidence.DeedResume)
			return s.did(59, evidence.DeedRenew, refused)
		},
		want{label: evidence.Stall, lease: "lapsed", owner: "stalled", doubts: []evidence.Label{evidence.RenewalAfterLoss}},
	},
	"a library that never mentions its renewals": {
		"its silence says nothing",
		func() *scene { return unseen().did(0, evidence.DeedAcquire).beats(5, 200, 5) },
		want{owner: "running", open: []evidence.Label{evidence.NoFailure}},
	},
	"heartbeats on both sides of a renewal that did not come": {
		"",
		func() *scene {
			return unseen().holds(holder, 0, 20, 10).expired(50).did(0.01, evidence.DeedAcquire).beats(2, 80, 4)
		},
		want{lease: "lapsed", owner: "running", notOpen: []evidence.Label{evidence.Crash, evidence.Stall}},
	},
	"heartbeats, and the coordinator answered it later": {
		"",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10).expired(50).did(0.01, evidence.DeedAcquire).beats(2, 80, 4)
			return s.did(70, evidence.DeedRelease, granted)
		},
		want{label: evidence.ContractFault, owner: "running", path: "up"},
	},
	"an exit of a run that came back": {
		"",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10).expired(50).did(0.01, evidence.DeedAcquire).did(5, evidence.DeedExit).did(6, evidence.DeedStart)
			return s.beats(8, 80, 4)
		},
		want{owner: "running"},
	},
	"two logs of two workers": {
		"another's renewals keep nobody's lease",
		func() *scene {
			s := unseen().renewedEvery(0, 20, 10).beats(2, 40, 2)
			s.did(60, evidence.DeedAcquire, by("worker-2", "9"), on("app:two", "worker-2"))
			for t := 70.0; t <= 200; t += 10 {
				s.did(t, evidence.DeedRenew, by("worker-2", "9"), on("app:two", "worker-2"))
			}
			return s
		},
		want{lease: "lapsed", owner: "running", state: evidence.Contested}, // the first never saw its loss
	},
	"one write that both the worker and the resource wrote down": {
		"",
		func() *scene {
			s := unseen().did(0, evidence.DeedAcquire, by("a", "7"))
			s.did(5, evidence.DeedWrite, by("a", "7"), serving("r1"))
			return s.did(5.01, evidence.DeedWrite, serving("r1"), func(e *evidence.AppEvent) { e.Actor, e.Owner, e.Token = "store", "a", "7" })
		},
		want{without: []string{"duplicate-effect", "stale-write-accepted"}},
	},
	"tokens of two locks at one resource": {
		"they do not compare",
		func() *scene {
			s := unseen()
			row := func(key, token string) func(*evidence.AppEvent) {
				return func(e *evidence.AppEvent) { e.Actor, e.Owner, e.Key, e.Token = "store", "", key, token }
			}
			return s.did(1, evidence.DeedWrite, row("row:invoices", "900")).did(2, evidence.DeedWrite, row("row:orders", "8"))
		},
		want{without: []string{"stale-write-accepted"}},
	},
	"a write that may have come before the takeover": {
		"what overlaps has no order",
		func() *scene {
			s := unseen().did(0, evidence.DeedAcquire, by("a", "7")).did(40, evidence.DeedAcquire, by("b", "8"))
			return s.did(40.0005, evidence.DeedWrite, by("a", "7"))
		},
		want{without: []string{"stale-write-accepted"}},
	},
	"a takeover that only the file has, and a write after it": {
		"",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10).expired(50).holds(rival, 52, 92, 10).did(0.01, evidence.DeedAcquire)
			return s.did(60, evidence.DeedWrite, on("app:store", "store"))
		},
		want{with: []string{"stale-write-accepted"}},
	},
	"a takeover that looks saw, and a write before it": {
		"",
		func() *scene {
			s := newScene().looks(0, 29, 1, heldBy(holder, 30)).looks(31, 40, 1, heldBy(rival, 60))
			return s.did(25, evidence.DeedWrite, on(evidence.Coordinator, "store"))
		},
		want{without: []string{"stale-write-accepted"}},
	},
	"two acquires inside one lease, in two logs": {
		"nobody measured their clocks: a finding, and no more",
		func() *scene {
			s := unseen().did(0, evidence.DeedAcquire, by("a", "7"))
			return s.did(12, evidence.DeedAcquire, by("b", "8"), on("app:two", "b"))
		},
		want{with: []string{"contested"}},
	},
	"a renewer that goes on in vain": {
		"it lives; whether it works is another matter",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10).expired(50).did(0.01, evidence.DeedAcquire)
			return s.did(60, evidence.DeedRenew, refused).did(70, evidence.DeedRenew, refused)
		},
		want{lease: "lapsed", owner: "running|stalled", with: []string{"renewing-absent-key"}},
	},
	"the key is gone, and only its worker's log is left": {
		"what nobody looked at in time is likely at most",
		func() *scene {
			s := newScene().renewedEvery(0, 20, 10).did(23, evidence.DeedExit).looks(300, 305, 1, noKey).info(300).info(305)
			s.Host.Kernel = evidence.Reading[evidence.KernelLog]{}
			return s
		},
		want{label: evidence.Crash, grade: evidence.Likely, lease: "lapsed", owner: "gone", doubts: []evidence.Label{evidence.NoFailure, evidence.CoordinatorFault}},
	},
	"a file that was copied before the moment that is asked about": {
		"a server writes down that a key expired; silence is the file's end",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10)
			s.At = at(300)
			return s
		},
		want{label: evidence.Inconclusive, lease: "renewing|lapsing|lapsed|lost|released"},
	},
	"the file, and a shell on the owner's host without a TIME": {
		"its dates are presumed near the truth, and prove nothing",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10).expired(50)
			s.Vantages[0].Reckoned = &evidence.Reckoning{WallFrom: noon.Add(-upSince), WallTo: noon.Add(-upSince), Booted: true}
			s.Host.Kernel = saw(evidence.KernelLog{Source: "dmesg"})
			s.kernel(23, oomKill(pidOne)).process(pidOne, "value").missing(60)
			return s
		},
		want{label: evidence.Crash, grade: evidence.Likely, cause: "oom-kill", owner: "gone", gone: []float64{22.9, 23.1}},
	},
	"taken over from a worker that still beats": {
		"until it has seen its loss, both may write",
		func() *scene {
			return unseen().holds(holder, 0, 20, 10).expired(50).holds(rival, 52, 72, 10).did(0.01, evidence.DeedAcquire).beats(2, 70, 4)
		},
		want{lease: "lapsed", owner: "running", state: evidence.Contested},
	},
	"taken over from a worker that has seen its loss": {
		"",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10).expired(50).holds(rival, 52, 72, 10).did(0.01, evidence.DeedAcquire).beats(2, 70, 4)
			return s.did(65, evidence.DeedRenew, refused)
		},
		want{lease: "lapsed", state: evidence.Held},
	},
	"an exit right after the last renewal": {
		"nothing renews for the dead yet",
		func() *scene { return unseen().renewedEvery(0, 20, 10).did(23, evidence.DeedExit) },
		want{label: evidence.Inconclusive, owner: "gone", open: []evidence.Label{evidence.Crash}},
	},
	"somebody who never gets it": {
		"",
		func() *scene {
			s := unseen()
			for i := range 6 {
				t := float64(i * 20)
				s.did(t, evidence.DeedAcquire, by("a", "")).did(t+5, evidence.DeedAcquire, by("c", ""), refused).did(t+15, evidence.DeedRelease, by("a", ""))
			}
			return s
		},
		want{with: []string{"waiter-starved"}},
	},
	"renewing what is gone": {
		"",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10).expired(50).did(0.01, evidence.DeedAcquire)
			return s.did(60, evidence.DeedRenew, refused).did(70, evidence.DeedRenew, refused)
		},
		want{with: []string{"renewing-absent-key"}},
	},
	"one renewal refused, and it learned of its loss": {
		"",
		func() *scene {
			s := unseen().holds(holder, 0, 20, 10).expired(50).did(0.01, evidence.DeedAcquire)
			return s.did(60, evidence.DeedRenew, refused)
		},
		want{without: []string{"renewing-absent-key"}},
	},
}

func TestPast(t *testing.T) { pastStories.tell(t) }
