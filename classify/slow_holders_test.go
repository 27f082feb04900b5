package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Two holders in one lease, by the server's own log of slow commands.

// ran adds what a server that keeps every command logs of a client's script: the
// commands inside first, each of some microseconds.
func (s *scene) ran(t float64, from string, script []string, inside ...[]string) *scene {
	log := s.Node.Slowlog.Value
	add := func(took time.Duration, args []string) {
		log = append(log, evidence.SlowEntry{ID: int64(len(log)), Ended: at(t).Truncate(time.Second), Took: took, Args: args, Arity: len(args), Client: from})
	}
	for _, args := range inside {
		add(3*time.Microsecond, args)
	}
	add(40*time.Microsecond, script)
	s.Node.Slowlog = saw(log)
	return s
}

const extend = "d75bb8b5bd13532ddedd17762e772346e39b321e" // redsync's

// extended is a renewal that the server served: the script went on behind its check.
func (s *scene) extended(t float64, from, token string) *scene {
	const key = "lock:orders"
	return s.ran(t, from, []string{"evalsha", extend, "1", key, token, "30000"}, []string{"GET", key}, []string{"PEXPIRE", key, "30000"})
}

// lateAtRival is whoever comes when the second holder has the lock.
func lateAtRival(dbs map[string]int64) *scene {
	s := newScene().looks(40, 44, 1, heldBy("rivals-token", 64)).info(40, keys(dbs)).info(44, keys(dbs))
	s.process(pidOne, "flag").look(40, "S", 0).look(44, "S", 1)
	return s
}

var slowHolderStories = stories{
	"two renewed within one lease": {
		"nobody removed the key in between, and the log keeps everything",
		func() *scene {
			s := lateAtRival(map[string]int64{"0": 3})
			return s.extended(20, ownAddr, "owners-token").extended(34, "10.0.0.60:55012", "rivals-token")
		},
		want{state: evidence.Contested, with: []string{"contested"}},
	},
	"the first let go in between": {
		"by a script that removed the key",
		func() *scene {
			s := lateAtRival(map[string]int64{"0": 3}).extended(20, ownAddr, "owners-token")
			s.ran(25, ownAddr, []string{"evalsha", "e950836ed1e694540c503ef9972b8de518044d3b", "1", "lock:orders", "owners-token"}, []string{"GET", "lock:orders"}, []string{"DEL", "lock:orders"})
			return s.extended(34, "10.0.0.60:55012", "rivals-token")
		},
		want{without: []string{"contested"}},
	},
	"a lease apart": {
		"the first's had ended",
		func() *scene {
			return lateAtRival(map[string]int64{"0": 3}).extended(2, ownAddr, "owners-token").extended(34, "10.0.0.60:55012", "rivals-token")
		},
		want{without: []string{"contested"}},
	},
	"a log of what is slow only": {
		"a release in between may be missing from it",
		func() *scene {
			s := lateAtRival(map[string]int64{"0": 3}).extended(20, ownAddr, "owners-token").extended(34, "10.0.0.60:55012", "rivals-token")
			for i := range s.Node.Slowlog.Value {
				s.Node.Slowlog.Value[i].Took *= 100
			}
			return s
		},
		want{state: evidence.Held, with: []string{"contested"}},
	},
	"a server with other databases": {
		"the log does not say whose key it was",
		func() *scene {
			return lateAtRival(map[string]int64{"0": 3, "4": 90}).extended(20, ownAddr, "owners-token").extended(34, "10.0.0.60:55012", "rivals-token")
		},
		want{state: evidence.Held, with: []string{"contested"}},
	},
	"one holder that writes a new value at each renewal": {
		"over one connection",
		func() *scene {
			s := lateAtRival(map[string]int64{"0": 3})
			return s.ran(20, ownAddr, []string{"set", "lock:orders", "12:00:20", "px", "30000"}).ran(30, ownAddr, []string{"set", "lock:orders", "12:00:30", "px", "30000"})
		},
		want{without: []string{"contested"}},
	},
	"turned away": {
		"SET NX is logged whether it took the lock or not, and a script that found another's value extends nothing",
		func() *scene {
			s := lateAtRival(map[string]int64{"0": 3}).extended(20, "10.0.0.60:55012", "rivals-token")
			s.ran(24, ownAddr, []string{"evalsha", extend, "1", "lock:orders", "owners-token", "30000"}, []string{"GET", "lock:orders"})
			return s.ran(26, ownAddr, []string{"set", "lock:orders", "owners-token", "ex", "30", "nx"}).extended(34, "10.0.0.60:55012", "rivals-token")
		},
		want{without: []string{"contested"}},
	},
	"readers of one lock": {
		"several hold it at once, on purpose",
		func() *scene {
			s := lateAtRival(map[string]int64{"0": 3})
			s.ran(20, ownAddr, []string{"hincrby", "lock:orders", "aa:1", "1"})
			return s.ran(24, "10.0.0.60:55012", []string{"hincrby", "lock:orders", "bb:7", "1"})
		},
		want{without: []string{"contested"}},
	},
	"one of Redisson's plain locks taken twice": {
		"its hash has one holder",
		func() *scene {
			s := lateAtRival(map[string]int64{"0": 3})
			s.Dialect = saw(evidence.Dialect{OneOf: []evidence.Library{{Name: "redisson", Fit: evidence.Certain}}, Form: "lock"})
			s.ran(20, ownAddr, []string{"hincrby", "lock:orders", "aa:1", "1"})
			return s.ran(24, "10.0.0.60:55012", []string{"hincrby", "lock:orders", "bb:7", "1"})
		},
		want{with: []string{"contested"}},
	},
}

func TestSlowHolders(t *testing.T) { slowHolderStories.tell(t) }

// What else the holder's connection renews, by name or by number.
func TestOtherLocks(t *testing.T) {
	start := func() *scene {
		return lateAtRival(map[string]int64{"0": 3}).extended(34, "10.0.0.60:55012", "rivals-token")
	}
	s := start()
	s.ran(35, "10.0.0.60:55012", []string{"evalsha", extend, "1", "lock:invoices", "other-token", "30000"})
	s.ran(36, "10.0.0.61:40100", []string{"evalsha", extend, "1", "lock:elsewhere", "third-token", "30000"})
	deeds(s)
	if text := findingOf(s, "holds-other-locks"); !contains(text, "1 other lock too: lock:invoices") || contains(text, "elsewhere") {
		t.Errorf("by name: %q", text)
	}
	s = start()
	for i := range 3 {
		s.ran(35, "10.0.0.60:55012", []string{"evalsha"})
		e := &s.Node.Slowlog.Value[len(s.Node.Slowlog.Value)-1]
		e.Withheld, e.Lock, e.Deed = true, 1+i%2, evidence.DeedRenew
	}
	if text := findingOf(s, "holds-other-locks"); !contains(text, "2 other locks too; --full") {
		t.Errorf("by number: %q", text)
	}
	if text := findingOf(start(), "holds-other-locks"); text != "" {
		t.Errorf("none: %q", text)
	}
}

// deeds says what the scripts do, as the parser does.
func deeds(s *scene) {
	for i, e := range s.Node.Slowlog.Value {
		if len(e.Args) > 1 && e.Args[1] == extend {
			s.Node.Slowlog.Value[i].Deed = evidence.DeedRenew
		}
	}
}

func findingOf(s *scene, id string) string {
	for _, f := range s.judge().Findings {
		if f.ID == id {
			return f.Text
		}
	}
	return ""
}
