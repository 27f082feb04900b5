package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Flushes, and refusals of writes.

// slow is one entry of SLOWLOG.
func (s *scene) slow(t float64, args ...string) *scene {
	e := evidence.SlowEntry{Ended: at(t), Took: 20 * time.Millisecond, Args: args, Arity: len(args), Client: "10.0.0.60:55012", Name: "cache-warmer"}
	s.Node.Slowlog = saw(append(s.Node.Slowlog.Value, e))
	return s
}

func keys(counts map[string]int64) func(*evidence.Info) {
	return func(i *evidence.Info) { i.Keys = saw(counts) }
}

// flushing is a lock that was there at 0 and gone at 9, with 21 s left.
func flushing(args ...string) func() *scene {
	return func() *scene {
		s := vanishes().slow(4, args...)
		working(s, 0, 9)
		return s
	}
}

func answeredWith(key, text string) func(*evidence.AppEvent) {
	return func(e *evidence.AppEvent) { no := false; e.OK, e.Key, e.Text = &no, key, text }
}

func counts(misconf, failed int64) func(*evidence.Info) {
	return func(i *evidence.Info) {
		i.ErrorStats, i.LastSave = saw(map[string]int64{"MISCONF": misconf}), saw("err")
		i.Failed, i.Calls = saw(map[string]int64{"evalsha": failed}), saw(map[string]int64{"evalsha": 1000 + failed})
	}
}

var serverFaultStories = stories{

	"every database flushed": {
		"no holder releases its lock so",
		flushing("FLUSHALL"),
		want{label: evidence.CoordinatorFault, cause: "flushed", grade: evidence.Likely, lease: "lost", coordinator: "broke", state: evidence.Free, with: []string{"other"}},
	},
	"a database flushed, and this one emptied": {
		"",
		func() *scene {
			return flushing("FLUSHDB")().info(1, keys(map[string]int64{"0": 1204})).info(8, keys(map[string]int64{"0": 9}))
		},
		want{label: evidence.CoordinatorFault, cause: "flushed", grade: evidence.Likely, lease: "lost", coordinator: "broke", with: []string{"other"}},
	},
	"a database flushed, and not told which": {
		"then its holder may have released it meanwhile",
		flushing("FLUSHDB"),
		want{label: evidence.CoordinatorFault, cause: "flushed", lease: "lost", doubts: []evidence.Label{evidence.NoFailure}},
	},
	"another database flushed": {
		"this one has its keys",
		func() *scene {
			return flushing("FLUSHDB")().info(1, keys(map[string]int64{"0": 1204, "2": 88})).info(8, keys(map[string]int64{"0": 1203}))
		},
		want{label: evidence.Inconclusive, lease: "lost|released", coordinator: "kept", without: []string{"other"}},
	},
	"flushed before the key was last seen": {
		"",
		func() *scene {
			s := vanishes().slow(-3, "FLUSHALL")
			working(s, 0, 9)
			return s
		},
		want{label: evidence.Inconclusive, lease: "lost|released", without: []string{"other"}},
	},
	"a flush that was counted, and no SLOWLOG": {
		"which came first is not shown",
		func() *scene {
			ran := func(n int64) func(*evidence.Info) {
				return func(i *evidence.Info) { i.Calls = saw(map[string]int64{"flushall": n}) }
			}
			s := newScene().info(-1, ran(2)).look(0, heldBy(holder, 30)).look(9, noKey).info(10, ran(3))
			working(s, 0, 9)
			return s
		},
		want{label: evidence.Inconclusive, lease: "lost|released", coordinator: "kept|broke", open: []evidence.Label{evidence.CoordinatorFault, evidence.NoFailure}},
	},
	"refused after the renewal was due": {
		"both INFOs came after that, while it could still have come",
		func() *scene {
			s := newScene().look(12, heldBy(holder, 29)).info(13, counts(41, 4)).look(20, heldBy(holder, 29)).info(21, counts(58, 15)).look(31, noKey)
			working(s, 12, 20, 31)
			return s
		},
		want{label: evidence.Inconclusive, lease: "lapsed", coordinator: "kept|broke", open: []evidence.Label{evidence.CoordinatorFault, evidence.Stall}, with: []string{"redis-refuses-writes"}},
	},
	"refused after the lease's end": {
		"too late to have lost it",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 29)).look(31, noKey).info(32, counts(0, 4)).info(40, counts(58, 15)).look(41, noKey)
			working(s, 0, 31)
			return s
		},
		want{label: evidence.Inconclusive, lease: "lapsed", coordinator: "kept", notOpen: []evidence.Label{evidence.CoordinatorFault}},
	},
	"refused by the holder's own record": {
		"",
		func() *scene {
			s := newScene().look(12, heldBy(holder, 29)).info(13, counts(41, 4)).look(20, heldBy(holder, 29)).info(21, counts(58, 15)).look(31, noKey)
			working(s, 12, 20, 31)
			return s.did(9.4, evidence.DeedRenew, answeredWith("lock:orders", "MISCONF Redis is configured to save RDB"))
		},
		want{label: evidence.CoordinatorFault, cause: "refused-writes", grade: evidence.Likely, lease: "lapsed", coordinator: "broke", with: []string{"redis-refuses-writes"}},
	},
	"refused of another lock": {
		"whose renewal it was is not shown",
		func() *scene {
			s := newScene().look(12, heldBy(holder, 29)).look(31, noKey)
			working(s, 12, 31)
			return s.did(9.4, evidence.DeedRenew, answeredWith("lock:other", "MISCONF Redis is configured to save RDB"))
		},
		want{label: evidence.Inconclusive, coordinator: "kept|broke", notOpen: []evidence.Label{evidence.CoordinatorFault}},
	},
	"refused by the holder's record and by no counter": {
		"the two contradict each other",
		func() *scene {
			s := newScene().info(-2, counts(41, 4)).look(-1, heldBy(holder, 29)).look(20, heldBy(holder, 29)).look(31, noKey).info(32, counts(41, 4))
			working(s, -1, 20, 31)
			return s.did(9.4, evidence.DeedRenew, answeredWith("lock:orders", "MISCONF Redis is configured to save RDB"))
		},
		want{label: evidence.Inconclusive, coordinator: "kept|broke", open: []evidence.Label{evidence.CoordinatorFault}},
	},
	"nothing was ever evicted": {
		"INFO from after the loss, of a server that was up before it",
		func() *scene {
			unlimited := func(i *evidence.Info) { i.MaxMemory, i.Policy = denied[int64](), denied[string]() }
			return vanishes().info(10, unlimited)
		},
		want{label: evidence.Inconclusive, lease: "lost|released", coordinator: "kept"},
	},
	"something was evicted at some time": {
		"", func() *scene {
			unlimited := func(i *evidence.Info) {
				i.MaxMemory, i.Policy, i.Evicted = denied[int64](), denied[string](), saw(int64(3))
			}
			return vanishes().info(10, unlimited)
		},
		want{label: evidence.Inconclusive, lease: "lost|released", coordinator: "kept|broke"},
	},
}

func TestServerFaults(t *testing.T) { serverFaultStories.tell(t) }

// Where somebody was refused while the server was watched, that it kept its promise
// to this lock is never proven.
func TestRefusalsAndKeptAreNotBothProven(t *testing.T) {
	oom := func(n int64) func(*evidence.Info) {
		return func(i *evidence.Info) { i.ErrorStats = saw(map[string]int64{"MISCONF": n}) }
	}
	s := newScene().looks(0, 19, 1, heldBy(holder, 29)).looks(20, 22, 1, heldBy(holder, 49)).info(0, oom(0)).info(22, oom(7))
	s.clients(1, client(7, ownAddr, "evalsha", 2)).clients(22, client(7, ownAddr, "get", 0))
	if v := s.judge(); v.Answers.Coordinator.Value == kept && v.Answers.Coordinator.Grade == evidence.Proven {
		t.Errorf("%+v", v.Answers.Coordinator)
	}
}

// A log without a zone may tell, and what would make it tell is said.
func TestALogWithoutAZone(t *testing.T) {
	s := vanishes().logged(4, evidence.NoticeSwitch, "X", 12)
	s.Notices[0].At.From, s.Notices[0].At.To = at(4).Add(-14*time.Hour), at(4).Add(12*time.Hour)
	v := s.judge()
	if v.Label != evidence.Inconclusive || !contains(v.Answers.Coordinator.Says, "--tz") || len(v.Next) == 0 || !contains(v.Next[0].Why, "--tz") {
		t.Errorf("%s: %s; %+v", v.Label, v.Answers.Coordinator.Says, v.Next)
	}
	for _, n := range vanishes().logged(4, evidence.NoticeSwitch, "X", 12).judge().Next {
		if contains(n.Why, "--tz") {
			t.Errorf("a log that has one: %s", n.Why)
		}
	}
}
