package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Did the clock that runs the lease behave?

var clockStories = stories{

	"stepped forward by the lease": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 29)).looks(5, 9, 1, noKey).info(0).info(9, func(i *evidence.Info) { i.Uptime = saw(int64(864000 + 39)) }).stepped(5, 30)
			working(s, 0, 9)
			return s
		},
		want{label: evidence.ClockAnomaly, cause: "clock-step", grade: evidence.Proven, clock: "off", with: []string{"clock-step"}},
	},
	"stepped back by the lease": {
		"a time left that rose is no renewal",
		func() *scene {
			s := newScene().looks(0, 9, 1, heldBy(holder, 29)).info(0).info(9).stepped(5, -30)
			working(s, 0, 9)
			return s
		},
		want{label: evidence.ClockAnomaly, cause: "clock-step", clock: "off", without: []string{"ttl-unit-error"}},
	},
	"stepped back before the first look": {
		"more is left than a lease, and the server is behind",
		func() *scene {
			s := newScene().looks(0, 5, 1, heldBy(holder, 20)).info(0).info(5).stepped(0, -40)
			working(s, 0, 5)
			return s
		},
		want{label: evidence.ClockAnomaly, clock: "off"},
	},
	"stepped forward before the first look": {
		"a connection older than its process, on a server that is ahead",
		func() *scene {
			s := newScene().looks(0, 5, 1, heldBy(holder, 55)).info(0).info(5).stepped(0, 40)
			working(s, 0, 5)
			s.Processes[0].Looks[0].Stat.Value.Start += 719000 // ten seconds ago
			s.Processes[0].Looks[1].Stat.Value.Start += 719000
			k := client(7, ownAddr, "evalsha", 5)
			k.Age = 49
			return s.clients(1, k)
		},
		want{label: evidence.ClockAnomaly, clock: "off"},
	},
	"stands still": {
		"a time left that does not fall is no renewal",
		func() *scene {
			s := newScene().looks(0, 9, 1, heldBy(holder, 29)).info(0).info(9)
			for i := range s.Looks {
				s.Looks[i].Before, s.Looks[i].After = saw(at(0)), saw(at(0))
			}
			working(s, 0, 9)
			return s
		},
		want{label: evidence.ClockAnomaly, cause: "clock-frozen", clock: "off"},
	},
	"hours apart, and steady": {
		"skew is a finding; only a clock that moves moves a lease",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 7225)).looks(5, 9, 1, heldBy(holder, 7235)).info(0).info(9).stepped(0, 7200)
			working(s, 0, 9)
			return s
		},
		want{label: evidence.NoFailure, clock: "steady", with: []string{"clock-skew"}},
	},
	"TIME never read": {
		"unknown counts as steady, and stays a doubt",
		func() *scene {
			s := newScene().looks(0, 9, 1, forEver(holder)).info(0).info(9)
			for i := range s.Looks {
				s.Looks[i].Before, s.Looks[i].After = denied[time.Time](), denied[time.Time]()
			}
			s.process(pidOne, "value").missing(0).missing(9)
			return s
		},
		want{label: evidence.Crash, grade: evidence.Likely, clock: "steady|off", doubts: []evidence.Label{evidence.ClockAnomaly}},
	},
	"a connection inherited from the parent": {
		"a child is younger than the socket it was born with; no clock moved",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			s.process(pidOne, "value").began(-600).look(0, "S", 0).look(9, "S", 2)
			for i := range s.Looks {
				s.Looks[i].Before = evidence.Reading[time.Time]{}
				s.Looks[i].After = evidence.Reading[time.Time]{}
			}
			s.Looks[9].Before, s.Looks[9].After = saw(at(9)), saw(at(9.002))
			return s.clients(9, client(7, ownAddr, "evalsha", 4))
		},
		want{clock: "steady|off"},
	},
	"a step long after the lock was released": {
		"a clock that moved after the lease's life did not end it",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 20)).looks(21, 40, 1, noKey).info(0).info(40).stepped(35, 45)
			working(s, 0, 12, 20, 40)
			return s
		},
		want{lease: "lapsed", clock: "steady", with: []string{"clock-step"}},
	},
	"ages beyond reason": {
		"",
		func() *scene {
			s := newScene().looks(0, 4, 1, heldBy(holder, 25)).looks(5, 9, 1, heldBy(holder, 35)).info(0).info(9)
			working(s, 0, 9)
			k := client(7, ownAddr, "evalsha", -1<<62)
			k.Age = 1<<63 - 1
			return s.clients(0, k).clients(9, k)
		},
		want{label: evidence.NoFailure, clock: "steady"},
	},
}

func TestClock(t *testing.T) { clockStories.tell(t) }
