package classify

import (
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// Could the owner reach the coordinator?

var pathStories = stories{

	"data unanswered since the renewal": {
		"",
		func() *scene {
			s := newScene().looks(0, 28, 1, heldBy(holder, 30)).info(0).info(28)
			s.process(pidOne, "value").look(0, "S", 0).look(14, "S", 0, unanswered(4)).look(28, "S", 0, unanswered(18))
			return s.clients(0, client(7, ownAddr, "evalsha", 0)).clients(28, client(7, ownAddr, "evalsha", 28))
		},
		want{label: evidence.Partition, cause: "unreachable", grade: evidence.Proven, owner: "running", path: "broken", with: []string{"half-open-connection"}},
	},
	"data unanswered, and stopped": {
		"a stopped process cannot renew, whatever its socket does",
		func() *scene {
			s := newScene().looks(0, 28, 1, heldBy(holder, 30)).info(0).info(28)
			s.process(pidOne, "value").look(0, "S", 0).look(14, "T", 0, unanswered(14)).look(28, "T", 0, unanswered(28))
			return s
		},
		want{owner: "stalled", label: evidence.Stall},
	},
	"another connection of it is in use": {
		"then the path is not what failed",
		func() *scene {
			s := newScene().looks(0, 28, 1, heldBy(holder, 30)).info(0).info(28)
			two := func(see procSight) procSight {
				return func(l *evidence.ProcLook) {
					see(l)
					l.Sockets.Value = append(l.Sockets.Value, evidence.Socket{Local: "10.0.0.9:50170", Remote: server, State: "ESTABLISHED", Inode: 884219})
					l.Inodes = saw([]uint64{884213, 884219})
				}
			}
			s.process(pidOne, "value").look(0, "S", 0).look(14, "S", 0, two(unanswered(4))).look(28, "S", 0, two(unanswered(18)))
			return s.clients(28, client(7, ownAddr, "evalsha", 28), client(8, "10.0.0.9:50170", "get", 0))
		},
		want{path: "up", notOpen: []evidence.Label{evidence.Partition}},
	},
	"one timeout seen once": {
		"",
		func() *scene {
			s := newScene().looks(0, 28, 1, heldBy(holder, 30)).info(0).info(28)
			s.process(pidOne, "value").look(0, "S", 0).look(14, "S", 1, unanswered(0.3)).look(28, "S", 2)
			return s
		},
		want{path: "up|broken"},
	},
	"cut off with its host": {
		"nothing that the owner sent for so long reached anybody",
		func() *scene {
			s := newScene().blind(0).blind(5)
			s.process(pidOne, "flag").look(0, "S", 0, unanswered(20)).look(5, "S", 0, unanswered(25))
			return s
		},
		want{label: evidence.Partition, grade: evidence.Likely, lease: "lapsing|lapsed|lost", state: evidence.StateUnknown,
			doubts: []evidence.Label{evidence.CoordinatorFault, evidence.ClockAnomaly, evidence.Crash}},
	},
	"nothing listens there": {
		"a refused connection is the path's or the server's doing, and neither is presumed",
		func() *scene {
			s := newScene().blind(0).blind(5)
			s.Sources["redis/sample"] = evidence.Outcome{Status: evidence.Failed, Why: "connect: connection refused"}
			s.process(pidOne, "flag").look(0, "S", 0, unanswered(20)).look(5, "S", 0, unanswered(25))
			return s
		},
		want{label: evidence.Inconclusive, open: []evidence.Label{evidence.Partition, evidence.CoordinatorFault}},
	},
	"a unix socket": {
		"",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 24)).info(0).info(19)
			s.Subject.Redis = "/run/redis.sock"
			s.process(pidOne, "value").unconnected().look(0, "S", 0).look(12, "S", 2).look(19, "S", 4)
			return s
		},
		want{path: "up"},
	},
	"a proxy on loopback": {
		"what lies behind a local proxy can be cut",
		func() *scene {
			s := newScene().looks(0, 19, 1, heldBy(holder, 24)).info(0).info(19)
			s.Subject.Redis, s.Vantages[0].Remote = "127.0.0.1:6379", "127.0.0.1:6379"
			local := func(l *evidence.ProcLook) {
				l.Sockets = saw([]evidence.Socket{{Local: "127.0.0.1:50162", Remote: "127.0.0.1:6379", State: "ESTABLISHED", Inode: 884213}})
			}
			s.process(pidOne, "value").look(0, "S", 0, local).look(12, "S", 2, local).look(19, "S", 4, local)
			return s.clients(1, client(9, "10.0.0.77:4000", "evalsha", 5)).clients(19, client(9, "10.0.0.77:4000", "evalsha", 23))
		},
		want{label: evidence.Inconclusive, path: "up|broken", open: []evidence.Label{evidence.Partition, evidence.ContractFault}},
	},
	"the link breaks after the miss": {
		"data first sent after T* did not lose the renewal",
		func() *scene {
			s := newScene().looks(0, 28, 1, heldBy(holder, 30)).info(0).info(28)
			s.process(pidOne, "value").look(0, "S", 0).look(12, "S", 2).look(20, "S", 3).look(27, "S", 4, unanswered(3)).look(28, "S", 5, unanswered(4))
			return s
		},
		want{label: evidence.Partition, grade: evidence.Likely, doubts: []evidence.Label{evidence.ContractFault, evidence.Stall}},
	},
}

func TestPath(t *testing.T) { pathStories.tell(t) }
