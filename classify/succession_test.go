package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// One server answering where another did.

// wroteTo is a primary whose history had reached an offset.
func wroteTo(offset int64) func(*evidence.Info) {
	return func(i *evidence.Info) { i.Offset = saw(offset) }
}

// heirAt is another node, up for months, that was promoted at an offset of the
// history aa01.
func heirAt(second int64) func(*evidence.Info) {
	return func(i *evidence.Info) {
		i.RunID, i.Uptime, i.ReplID, i.ReplID2, i.SecondOff = saw("77aa"), saw(int64(9811911)), saw("bb02"), saw("aa01"), saw(second)
	}
}

// moved is a lock at one node, and what was seen at another that was asked later.
// The first was tried again at its end, and why is what came of that.
func moved(see sample, why string, from, to func(*evidence.Info)) *scene {
	const promoted = "10.0.0.6:6379"
	s := newScene().look(0, heldBy(holder, 25)).info(0.5, from)
	if why != "" {
		s.Looks = append(s.Looks, evidence.Look{Span: span(1), Before: evidence.Refused[time.Time]("test", evidence.Failed, why)})
	}
	there := newScene().look(9, see).info(9.5, to)
	n := there.Node
	n.Address, n.Looks = promoted, there.Looks
	s.Nodes = []evidence.Node{n}
	return s
}

// seenFrom is the same with the two nodes changed about: the other one was named.
func (s *scene) seenFrom(other int) *scene {
	own := s.Node
	own.Address, own.Looks = server, s.Looks
	n := s.Nodes[other]
	s.Subject.Redis, s.Looks, s.Node = n.Address, n.Looks, n
	s.Node.Looks = nil
	s.Nodes[other] = own
	return s
}

// switched is Sentinel's line that sends clients from one node to the other.
func (s *scene) switched(t float64) *scene {
	on := evidence.Interval{From: at(t), To: at(t), Clock: evidence.Coordinator}
	s.Notices = append(s.Notices, evidence.ServerNotice{At: on, Class: evidence.NoticeSwitch, Role: "X", Node: "10.0.0.6:6379",
		Text: "+switch-master locks 10.0.0.5 6379 10.0.0.6 6379", Source: "sentinel.log:9"})
	return s
}

const shut = "connection refused: nothing listens there"

var successionStories = stories{

	"another node through one name, promoted behind": {
		"it was up all along: nothing was restarted",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 25)).info(1, wroteTo(900)).look(9, noKey).info(10, heirAt(500))
			working(s, 0, 9)
			return s
		},
		want{label: evidence.CoordinatorFault, cause: "failover", grade: evidence.Likely, lease: "lost", coordinator: "broke", with: []string{"failover"}, without: []string{"redis-restarted"},
			doubts: []evidence.Label{evidence.NoFailure}},
	},
	"another node through one name, and the lock kept": {
		"a planned failover that cost nothing is a finding",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 25)).info(1, wroteTo(400)).look(9, heldBy(holder, 35)).info(10, heirAt(500)).look(11, heldBy(holder, 35))
			working(s, 0, 11)
			return s
		},
		want{label: evidence.NoFailure, lease: "renewing", coordinator: "kept", with: []string{"failover"}, without: []string{"redis-restarted"}},
	},
	"another node, promoted past what was seen, and the key gone": {
		"the failover took the key along; who took it away is not shown",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 25)).info(1, wroteTo(400)).look(9, noKey).info(10, heirAt(500))
			working(s, 0, 9)
			return s
		},
		want{label: evidence.Inconclusive, lease: "lost|released", coordinator: "kept|broke", open: []evidence.Label{evidence.CoordinatorFault, evidence.NoFailure}},
	},
	"a restart that carries its own history on": {
		"from 7.0 a server that starts from its file keeps its former id as the second one",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 25)).info(1, wroteTo(900)).look(9, noKey).info(10, heirAt(500), func(i *evidence.Info) { i.Uptime = saw(int64(4)) })
			working(s, 0, 9)
			return s
		},
		want{label: evidence.CoordinatorFault, cause: "redis-restarted", lease: "lost|released", coordinator: "broke", with: []string{"redis-restarted"}},
	},
	"another run of the same history, and no uptime": {
		"restarted or another node: neither is named",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 25)).info(1, wroteTo(900)).look(9, noKey).info(10, heirAt(500), func(i *evidence.Info) { i.Uptime = denied[int64]() })
			working(s, 0, 9)
			return s
		},
		want{label: evidence.CoordinatorFault, cause: "another-server", lease: "lost|released", coordinator: "broke"},
	},
	"another server of another history": {
		"it may never have had the lock",
		func() *scene {
			stranger := func(i *evidence.Info) {
				i.RunID, i.ReplID, i.ReplID2 = saw("77aa"), saw("cc03"), saw("0000000000000000000000000000000000000000")
			}
			s := newScene().look(0, heldBy(holder, 25)).info(1).look(9, noKey).info(10, stranger)
			working(s, 0, 9)
			return s
		},
		want{label: evidence.Inconclusive, coordinator: "kept|broke", open: []evidence.Label{evidence.CoordinatorFault}, without: []string{"redis-restarted"}},
	},
	"a renewal missed about a failover": {
		"it may have been sent to a server that was gone",
		func() *scene {
			s := newScene().look(0, heldBy(holder, 25)).info(1, wroteTo(400)).look(16, heldBy(holder, 25)).info(17, heirAt(500))
			working(s, 0, 16)
			return s
		},
		want{label: evidence.Inconclusive, lease: "lapsing", coordinator: "kept|broke", open: []evidence.Label{evidence.CoordinatorFault}},
	},
	"another node, and its own count of evictions": {
		"counters of two servers are not held against each other",
		func() *scene {
			evicting := func(n int64) func(*evidence.Info) {
				return func(i *evidence.Info) {
					i.Evicted, i.Policy, i.MaxMemory = saw(n), saw("volatile-lru"), saw(int64(1000))
				}
			}
			s := newScene().look(0, heldBy(holder, 25)).info(1, wroteTo(900), evicting(0)).look(9, noKey).info(10, heirAt(500), evicting(44))
			working(s, 0, 9)
			return s
		},
		want{label: evidence.CoordinatorFault, cause: "failover", lease: "lost", without: []string{"evicted"}},
	},
	"two addresses, the first refuses connections": {
		"looks at both nodes are looks at one lock",
		func() *scene { return moved(noKey, shut, wroteTo(900), heirAt(500)) },
		want{label: evidence.CoordinatorFault, cause: "failover", lease: "lost", coordinator: "broke", state: evidence.Free, with: []string{"failover"}},
	},
	"two addresses, and the second was named": {
		"", func() *scene { return moved(noKey, shut, wroteTo(900), heirAt(500)).seenFrom(0) },
		want{label: evidence.CoordinatorFault, cause: "failover", lease: "lost", coordinator: "broke", state: evidence.Free, with: []string{"failover"}},
	},
	"two addresses, and only Sentinel says more": {
		"INFO was not read at the second",
		func() *scene {
			s := moved(noKey, "", wroteTo(900), heirAt(500)).switched(5)
			s.Nodes[0].Infos = nil
			return s
		},
		want{label: evidence.CoordinatorFault, cause: "failover", lease: "lost|released", coordinator: "broke", state: evidence.Free, with: []string{"failover"}},
	},
	"two addresses, and the first may still answer": {
		"it was not tried again, and nobody says that clients are sent elsewhere",
		func() *scene { return moved(noKey, "", wroteTo(900), heirAt(500)) },
		want{label: evidence.Inconclusive, state: evidence.Held, without: []string{"failover"}},
	},
	"two addresses for two holders, and the first times out": {
		"it may still serve the one that can reach it",
		func() *scene { return moved(heldBy(rival, 39), "i/o timeout", wroteTo(900), heirAt(500)) },
		want{label: evidence.CoordinatorFault, cause: "failover-split", with: []string{"failover-split"}},
	},
	"two addresses of two histories": {
		"a Redlock's nodes",
		func() *scene {
			return moved(noKey, shut, wroteTo(900), func(i *evidence.Info) { i.RunID, i.ReplID, i.ReplID2 = saw("77aa"), saw("cc03"), saw("dd04") })
		},
		want{label: evidence.Inconclusive, without: []string{"failover"}},
	},
}

func TestSuccession(t *testing.T) { successionStories.tell(t) }

// A Sentinel's answers say where clients are sent as well as its log does.
func TestNamedByASentinel(t *testing.T) {
	s := moved(noKey, "", wroteTo(900), heirAt(500))
	s.Primaries = []evidence.NamedPrimary{{Span: span(-1), Name: "locks", Address: server}, {Span: span(8), Name: "locks", Address: "10.0.0.6:6379"}}
	want{label: evidence.CoordinatorFault, cause: "failover", lease: "lost", state: evidence.Free}.check(t, s.judge())
	s.Nodes[0].Infos, s.Node.Infos = nil, nil
	want{label: evidence.CoordinatorFault, cause: "failover", lease: "lost|released", state: evidence.Free, doubts: []evidence.Label{evidence.NoFailure}}.check(t, s.judge())
	s.Primaries[1].Name = "others"
	want{label: evidence.Inconclusive, state: evidence.Held}.check(t, s.judge())
}

// What is to be typed next goes to the node that serves the lock.
func TestNextGoesToTheHeir(t *testing.T) {
	c := open(moved(noKey, shut, wroteTo(900), heirAt(500)).Snapshot)
	if got := c.server(); got != "--redis 10.0.0.6:6379" {
		t.Error(got)
	}
}
