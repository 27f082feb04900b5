package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What applications and the append-only file tell, without anybody having looked.

// unseen is a scene without looks: only records.
func unseen() *scene {
	s := newScene()
	s.Host.Kernel = evidence.Reading[evidence.KernelLog]{}
	return s
}

// did adds an event of the worker, on the worker's own clock.
func (s *scene) did(t float64, deed evidence.Deed, more ...func(*evidence.AppEvent)) *scene {
	e := evidence.AppEvent{At: evidence.At(at(t), time.Millisecond, "app:worker"), Actor: "worker", Event: deed, Owner: holder, Source: "worker.ndjson:" + formatInt(int64(len(s.Events)+1))}
	for _, m := range more {
		m(&e)
	}
	s.Events = append(s.Events, e)
	return s
}

func by(owner, token string) func(*evidence.AppEvent) {
	return func(e *evidence.AppEvent) { e.Owner, e.Token, e.Actor = owner, token, owner }
}

func serving(request string) func(*evidence.AppEvent) {
	return func(e *evidence.AppEvent) { e.Request = request }
}

// wrote adds a write of the key to the append-only file.
func (s *scene) wrote(t float64, deed evidence.Deed, value string, ends float64) *scene {
	h := s.History.Value
	w := evidence.KeyWrite{Command: "set", Deed: deed, Value: value, At: evidence.At(at(t), 500*time.Millisecond, evidence.Coordinator)}
	if ends > 0 {
		w.Ends = at(ends)
	}
	h.Writes = append(h.Writes, w)
	s.History = saw(h)
	return s
}

// renewedEvery records a worker that takes the lock and renews it.
func (s *scene) renewedEvery(from, to, step float64) *scene {
	s.did(from, evidence.DeedAcquire)
	for t := from + step; t <= to; t += step {
		s.did(t, evidence.DeedRenew)
	}
	return s
}

var deedStories = stories{
	"renewals go on, heartbeats do not": {
		"proved without being there",
		func() *scene {
			s := unseen().renewedEvery(0, 200, 10)
			for t := 0.0; t < 60; t += 5 {
				s.did(t, evidence.DeedHeartbeat)
			}
			return s
		},
		want{label: evidence.RenewalAfterLoss, lease: "renewing", owner: "stalled"},
	},
	"heartbeats and renewals together": {
		"",
		func() *scene {
			s := unseen().renewedEvery(0, 200, 10)
			for t := 0.0; t <= 200; t += 5 {
				s.did(t, evidence.DeedHeartbeat)
			}
			return s
		},
		want{label: evidence.NoFailure, lease: "renewing", owner: "running"},
	},
	"a lease that ran out in the append-only file, its worker's exit recorded": {
		"",
		func() *scene {
			s := unseen().wrote(0, evidence.DeedAcquire, holder, 30).wrote(10, evidence.DeedRenew, holder, 40).wrote(40.6, evidence.DeedGone, "", 0)
			return s.did(15, evidence.DeedExit)
		},
		want{label: evidence.Crash, lease: "lapsed", owner: "gone", ends: []float64{39.999, 40.001}, gone: []float64{13.9, 16.1}},
	},
	"a takeover and a stale write": {
		"the resource took what it should have refused",
		func() *scene {
			s := unseen().did(0, evidence.DeedAcquire, by("a", "7")).did(5, evidence.DeedWrite, by("a", "7"), serving("r1"))
			s.did(40, evidence.DeedAcquire, by("b", "8")).did(41, evidence.DeedWrite, by("b", "8"), serving("r2"))
			return s.did(43, evidence.DeedWrite, by("a", "7"), serving("r1"))
		},
		want{with: []string{"stale-write-accepted", "duplicate-effect"}},
	},
	"a stale write that was refused": {
		"",
		func() *scene {
			no := false
			s := unseen().did(0, evidence.DeedAcquire, by("a", "7")).did(40, evidence.DeedAcquire, by("b", "8"))
			return s.did(43, evidence.DeedWrite, by("a", "7"), func(e *evidence.AppEvent) { e.OK = &no })
		},
		want{without: []string{"stale-write-accepted", "duplicate-effect"}},
	},
	"two acquires inside one lease": {
		"",
		func() *scene {
			return unseen().did(0, evidence.DeedAcquire, by("a", "7")).did(12, evidence.DeedAcquire, by("b", "8"))
		},
		want{state: evidence.Contested, with: []string{"contested"}},
	},
	"an acquire that took half the lease": {
		"",
		func() *scene {
			return unseen().did(0, evidence.DeedAcquire).did(16, evidence.DeedRenew, func(e *evidence.AppEvent) { e.Took = 15 * time.Second })
		},
		want{with: []string{"slow-acquire"}},
	},
	"a collection over the renewal that was due": {
		"over by the time anybody looked",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 24)).look(20, heldBy(holder, 24)).info(0).info(20)
			s.Host.Pauses = []evidence.Pause{{At: evidence.At(at(2), time.Millisecond, s.Vantages[0].HostClock()), Took: 9 * time.Second, Kind: "gc", Runtime: "jvm", Text: "Pause Full 9000ms"}}
			s.process(pidOne, "value").look(13, "S", 0).look(20, "S", 1)
			return s
		},
		want{label: evidence.Stall, cause: "gc-pause", owner: "stalled", with: []string{"gc-pause"}},
	},
}

func TestDeeds(t *testing.T) { deedStories.tell(t) }

// What is asked about a past moment is judged by what lies before it.
func TestPastMoment(t *testing.T) {
	s := unseen().renewedEvery(0, 200, 10)
	for b := 0.0; b < 60; b += 5 {
		s.did(b, evidence.DeedHeartbeat)
	}
	s.At = at(50)
	if v := s.judge(); v.Answers.Owner.Value != "running" {
		t.Errorf("at 50 s it still beat: %s %v", v.Answers.Owner.Value, v.Answers.Owner.Says)
	}
}
