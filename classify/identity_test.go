package classify

import (
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// Which process is it about?

var identityStories = stories{

	"the number is another's now": {
		"a process that began after the last renewal did not make it",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 24)).info(0).info(19)
			s.process(pidOne, "value").began(-2).look(0, "S", 0).look(19, "S", 4)
			return s
		},
		want{label: evidence.Crash, owner: "gone", with: []string{"pid-reused"}},
	},
	"a lock taken in the second its owner began, by a server whose clock lagged": {
		"Redis keeps what it stamps by a clock a tenth of a second old: it calls this lock older than its owner",
		func() *scene {
			s := newScene().look(0.8, heldBy("9b1e77c4a11b22c3", 8.06)).look(20.5, heldBy("9b1e77c4a11b22c3", 28.1)).info(0.8).info(20.5)
			s.Contract = evidence.Contract{}
			s.Looks[0].Idle, s.Looks[1].Idle = saw(int64(1)), saw(int64(0))
			s.process(555, "flag").began(0.03).look(0.8, "S", 0.1).look(20, "S", 2).look(20.5, "S", 2.1)
			return s
		},
		want{label: evidence.NoFailure, owner: "running", without: []string{"pid-reused"}},
	},
	"the flag names another process than the value": {
		"the value was written by the holder itself",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			working(s, 0, 9)
			s.process(555, "flag").missing(0).missing(9)
			return s
		},
		want{label: evidence.NoFailure, owner: "running", with: []string{"owner-clash"}},
	},
	"the value names another host": {
		"the process that was named is the former holder",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(rival, 25)).looks(5, 9, 1, heldBy(rival, 35)).info(0).info(9)
			s.process(pidOne, "flag").look(0, "S", 0).look(9, "S", 2)
			return s
		},
		want{lease: "lapsed|lost|released", state: evidence.Contested, with: []string{"contested"}},
	},
	"a former worker's pid, and a lock that names nobody": {
		"the lock that is renewed may be the next worker's",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy("9b1e77c4a11b22c3", 25)).looks(5, 9, 1, heldBy("9b1e77c4a11b22c3", 35)).info(0).info(9)
			s.process(555, "flag").missing(0).missing(9)
			return s
		},
		want{label: evidence.Inconclusive, open: []evidence.Label{evidence.NoFailure, evidence.RenewalAfterLoss}},
	},
	"pid 1 of some container": {
		"a bare number outside the first namespace may be anybody's",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy("quince-3:1:9b1e77c4", 24)).info(0).info(19)
			s.Vantages[0].PidNS = "pid:[4026532999]"
			s.process(1, "value").unconnected().look(0, "S", 0).look(19, "S", 4)
			return s
		},
		want{label: evidence.Inconclusive, owner: "running|stalled|gone"},
	},
	"a sidecar renews for a number that came round": {
		"an old process may be younger than a lock that others keep alive",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			s.process(pidOne, "value").unconnected().began(-300).look(0, "S", 0).look(9, "S", 2)
			return s.clients(9, client(8, "10.0.0.9:40000", "evalsha", 4))
		},
		want{label: evidence.Inconclusive, owner: "running|gone", open: []evidence.Label{evidence.RenewalAfterLoss, evidence.NoFailure}},
	},
	"the number changes hands after the miss": {
		"the death lies between the looks that show two processes, not before the first",
		func() *scene {
			s := newScene().looks(0, 24, 1, heldBy(holder, 25)).looks(26, 31, 1, noKey).info(0).info(31)
			working(s, 0, 12, 29).began(29.5).look(30, "S", 0)
			return s
		},
		want{notOpen: []evidence.Label{evidence.Crash}},
	},
	"the holder's host name is the container's": {
		"a process in its own pid namespace that calls itself so is the holder, not a former one",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy("pod-7:1:9b1e", 25)).looks(5, 9, 1, heldBy("pod-7:1:9b1e", 35)).info(0).info(9)
			inner := func(l *evidence.ProcLook) {
				st := l.Status.Value
				st.NSpid = []int{pidOne, 1}
				l.Status = saw(st)
			}
			s.process(pidOne, "flag").look(0, "S", 0, inner).look(9, "S", 2, inner)
			return s.clients(9, client(7, ownAddr, "evalsha", 4))
		},
		want{lease: "renewing", state: evidence.Held, without: []string{"contested"}},
	},
	"the value's host is spelled in full": {
		"",
		func() *scene {
			v := "quince-3.example.net:41207:9b1e"
			s := newScene().looks(0, 4, 1, heldBy(v, 25)).looks(5, 9, 1, heldBy(v, 35)).info(0).info(9)
			s.process(pidOne, "flag").look(0, "S", 0).look(9, "S", 2)
			return s
		},
		want{lease: "renewing", state: evidence.Held, without: []string{"contested"}},
	},
	"cut off, and who the process is stays open": {
		"another process may have the number",
		func() *scene {
			s := newScene().looks(0, 28, 1, heldBy(holder, 30)).info(0).info(28)
			s.Vantages[0].PidNS = "pid:[4026532999]"
			s.process(pidOne, "value", "flag").began(-20).look(0, "S", 0).look(12, "S", 2, unanswered(2)).look(28, "S", 5, unanswered(18))
			return s
		},
		want{label: evidence.Inconclusive, open: []evidence.Label{evidence.Partition, evidence.Crash}},
	},
	"a unit with a pool of workers": {
		"which of them held the lock is not known; one that exits is not the holder",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy("9b1e77c4a11b22c3", 20)).info(0).info(19)
			s.process(900, "unit").look(0, "S", 0).missing(5).missing(19)
			s.process(901, "unit").look(0, "S", 0).look(19, "S", 4)
			return s
		},
		want{label: evidence.Inconclusive, owner: "running|stalled|gone"},
	},
	"a unit that was restarted before the look": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy("9b1e77c4a11b22c3", 20)).info(0).info(19)
			s.process(900, "unit").began(-5).look(0, "S", 0).look(19, "S", 4)
			return s
		},
		want{label: evidence.Crash, owner: "gone"},
	},
	"a flag that picks one of several processes the value may mean": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			s.process(pidOne, "value", "flag").look(0, "S", 0).look(9, "S", 2)
			s.process(777, "value").look(0, "S", 0).look(9, "S", 2)
			return s
		},
		want{label: evidence.NoFailure, owner: "running"},
	},
}

func TestIdentity(t *testing.T) { identityStories.tell(t) }
