package classify

import (
	"slices"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// The moments that two sources tell are named with both, and how long things took
// is a range.
func TestMoments(t *testing.T) {
	s := unseen().holds(holder, 0, 20, 10).did(0.01, evidence.DeedAcquire)
	s.did(23, evidence.DeedExit, on(evidence.Coordinator, "worker"))
	s.wrote(50.2, evidence.DeedGone, "", 0).holds(rival, 52, 92, 10)
	s.Subject.Unit = "ledger.service"
	s.Host.Units = []evidence.Unit{{Name: "ledger.service", Code: 2, Result: "signal", Exited: evidence.At(at(23), 500*time.Millisecond, evidence.Coordinator), Started: evidence.At(at(-500), time.Second, evidence.Coordinator)}}
	v := s.judge()
	if v.Label != evidence.Crash || v.Answers.Owner.Grade != evidence.Proven {
		t.Errorf("%s, owner %s %s", v.Label, v.Answers.Owner.Value, v.Answers.Owner.Grade)
	}
	if len(v.Times.DisappearedBy) < 2 || !slices.Contains(v.Times.DisappearedBy, "events") {
		t.Errorf("disappeared %v by %v", v.Times.Disappeared, v.Times.DisappearedBy)
	}
	for _, m := range []struct {
		what        string
		got         *evidence.Range
		least, most float64
	}{{"after the renewal", v.Times.AfterRenewal, 2.99, 3.01}, {"safe release", v.Times.ToSafeRelease, 26.99, 27.01}, {"safe transfer", v.Times.ToSafeTransfer, 28.9, 29.6}} {
		if m.got == nil || m.got.Least < secs(m.least) || m.got.Most > secs(m.most) {
			t.Errorf("%s: %v", m.what, m.got)
		}
	}
	if a := v.Times.Acquired; a == nil || !a.From.Equal(at(0)) {
		t.Errorf("acquired %v", a)
	}
}

// A moment that somebody names is judged by what lies before it, whoever looked
// later.
func TestAskedMoment(t *testing.T) {
	s := unseen().holds(holder, 0, 200, 10).expired(230).renewedEvery(0.01, 200.01, 10).beats(3, 103, 5)
	s.looks(7000, 7005, 1, heldBy(rival, 7030))
	for _, m := range []struct {
		at           float64
		lease, owner string
	}{{50, "renewing", "running"}, {190, "renewing", "stalled"}, {231, "lapsed", "unknown"}} {
		s.At = at(m.at)
		v := s.judge()
		if v.Answers.Lease.Value != m.lease || v.Answers.Owner.Value != m.owner {
			t.Errorf("at %v: %s %s (%s), want %s %s", m.at, v.Answers.Lease.Value, v.Answers.Owner.Value, v.Answers.Owner.Says, m.lease, m.owner)
		}
		if v.Holder.Value != holder {
			t.Errorf("at %v the holder is %s", m.at, v.Holder.Value)
		}
		if !slices.ContainsFunc(v.Answers.Lease.Because, func(c evidence.Citation) bool { return c.Reading == "aof" && len(c.Text) > 10 }) {
			t.Errorf("at %v how far back the file reaches is not told: %v", m.at, v.Answers.Lease.Because)
		}
	}
}

// The timeline holds what was recorded, each party in its lane, and a run of
// heartbeats as its ends.
func TestRecordedTimeline(t *testing.T) {
	s := unseen().renewedEvery(0, 200, 10).beats(1, 60, 1).did(70, evidence.DeedAcquire, by("b", "8"), refused)
	s.did(80, evidence.DeedReject, func(e *evidence.AppEvent) { e.Actor, e.Owner, e.Token = "store", "b", "6" })
	lanes := map[evidence.Lane]int{}
	for _, e := range Timeline(s.Snapshot, s.judge()) {
		lanes[e.Lane]++
	}
	if lanes[evidence.LaneContender] != 1 || lanes[evidence.LaneResource] != 1 || lanes[evidence.LaneRenewer] == 0 || lanes[evidence.LaneOwner] == 0 {
		t.Errorf("lanes %v", lanes)
	}
	if lanes[evidence.LaneOwner] > 60 {
		t.Errorf("every heartbeat is told: %v", lanes)
	}
}

// Where nothing has the coordinator's clock, the verdict says whose clock it goes by.
func TestEventsAlone(t *testing.T) {
	v := unseen().renewedEvery(0, 60, 10).beats(1, 60, 5).judge()
	if c := v.Answers.Clock; c.Value != evidence.Unknown || !contains(c.Says, "app:worker") {
		t.Errorf("clock %s: %s", c.Value, c.Says)
	}
	if v.Answers.Lease.Grade == evidence.Proven {
		t.Error("the holder's own word proves the lease")
	}
}

// Of a live capture about a past moment, looks that came later do not count.
func TestLaterLooks(t *testing.T) {
	s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).looks(36, 40, 1, noKey)
	s.At = at(8)
	if v := s.judge(); v.Answers.Lease.Value != renewing {
		t.Errorf("lease %s: %s", v.Answers.Lease.Value, v.Answers.Lease.Says)
	}
	s.At = time.Time{}
	if v := s.judge(); v.Answers.Lease.Value != lapsed {
		t.Errorf("lease %s: %s", v.Answers.Lease.Value, v.Answers.Lease.Says)
	}
}

// Clocks that nobody measured may be a second off: two acquires that lie nearly a
// lease apart by them overlap for nobody.
func TestTwiceWithinASecond(t *testing.T) {
	for _, second := range []struct {
		at   float64
		want bool
	}{{12, true}, {27.9, true}, {29.5, false}, {31, false}} {
		s := unseen().did(0, evidence.DeedAcquire, by("a", "7"))
		s.did(second.at, evidence.DeedAcquire, by("b", "8"), on("app:two", "b"))
		if _, b, found := open(s.Snapshot).twice(); found != second.want || found && b.sure {
			t.Errorf("at %v: %v, sure %v", second.at, found, b.sure)
		}
	}
}

// What fell into a slow acquire is told with it; what did not is not.
func TestSlowAcquire(t *testing.T) {
	pause := func(t float64, took time.Duration) evidence.Pause {
		return evidence.Pause{At: evidence.At(at(t), time.Millisecond, "app:gc.log"), Took: took, Kind: "gc", Runtime: "jvm", Text: "Pause Full"}
	}
	for name, c := range map[string]struct {
		pauses  []evidence.Pause
		network []evidence.NetworkNotice
		want    string
	}{
		"alone":           {},
		"a pause":         {pauses: []evidence.Pause{pause(5, 9*time.Second)}, want: "a pause of 9s"},
		"a pause before":  {pauses: []evidence.Pause{pause(-60, 9*time.Second)}},
		"a link was down": {network: []evidence.NetworkNotice{{At: evidence.At(at(8), time.Millisecond, "app:net"), Class: "link-down"}}, want: "link-down"},
	} {
		s := unseen().did(16, evidence.DeedAcquire, func(e *evidence.AppEvent) { e.Took = 15 * time.Second })
		s.Host.Pauses, s.Host.Network = c.pauses, c.network
		text := ""
		for _, f := range s.judge().Findings {
			if f.ID == "slow-acquire" {
				text = f.Text
			}
		}
		if !contains(text, "took 15s") || !contains(text, c.want) || c.want == "" && contains(text, ";") {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}
