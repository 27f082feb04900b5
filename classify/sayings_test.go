package classify

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// What the looks at a process, its sockets and its supervisors say of it, and what
// they do not.

// rough makes the scene one that came as text, whose host's clock is tied to the
// coordinator's to some seconds only.
func (s *scene) rough(by float64) *scene {
	s.Vantages[0].Reckoned = &evidence.Reckoning{Coordinator: noon.Add(-upSince), WallFrom: noon.Add(-upSince - secs(by)), WallTo: noon.Add(-upSince + secs(by)),
		Booted: true, BootFrom: 0, BootTo: 0}
	return s
}

func (s *scene) slept(from, to float64) *scene {
	s.kernel(from, evidence.KernelEvent{Class: "suspend", Text: "PM: suspend entry (s2idle)"})
	s.kernel(to, evidence.KernelEvent{Class: "resume", Text: "PM: suspend exit"})
	for i := range s.Host.Kernel.Value.Events {
		s.Host.Kernel.Value.Events[i].Printk = 0 // as a journal has it
	}
	return s
}

// only leaves nothing of a look but what is named.
func only(keep procSight) procSight {
	return func(l *evidence.ProcLook) {
		*l = evidence.ProcLook{Look: l.Look, Span: l.Span}
		l.Span.Step = l.Look
		keep(l)
	}
}

// deep is a status with a state and counters of one thread, and no more.
func deep(state string, switched int64) procSight {
	return only(func(l *evidence.ProcLook) {
		l.Status = saw(evidence.ProcStatus{Name: "archiver", State: state, Threads: 1, Voluntary: switched, Forced: 17})
	})
}

func inNFS(l *evidence.ProcLook) { l.Wchan = saw("rpc_wait_bit_killable") }

// waiting is a socket whose data are not acknowledged, and a CPU clock beside it;
// the state was not read.
func waiting(ago, ran float64) procSight {
	return func(l *evidence.ProcLook) {
		only(unanswered(ago))(l)
		l.Tasks = saw([]evidence.Task{{Tid: pidOne, Run: secs(20000 + ran), Slices: uint64(1000 + 10*ran)}})
		l.TasksPart = true
	}
}

// neighbour is the owner's socket as the table of its namespace shows it.
func neighbour(l *evidence.ProcLook) {
	sockets := l.Sockets
	only(func(l *evidence.ProcLook) { l.Sockets = sockets })(l)
}

func twoRenewals(s *scene) *scene {
	return s.look(0, heldBy(holder, 25)).look(9, heldBy(holder, 35)).info(0).info(9)
}

// renewedAt is a client whose last command renewed at 5.
func renewedAt(addr, name string) evidence.Client {
	k := client(77, addr, "evalsha", 4)
	k.Name = name
	return k
}

var sayingStories = stories{
	"a machine that slept, by a clock tied to seconds": {"the dates of the log are rough, and the sleep is long", func() *scene {
		s := unrenewed(holder).rough(2).slept(2, 17)
		s.process(pidOne, "value").look(19, "S", 0)
		return s
	}, want{label: evidence.Stall, cause: "suspended", grade: evidence.Likely, owner: "stalled", with: []string{"vm-suspended"}}},
	"a machine that woke before the renewal was due": {"it had time", func() *scene {
		s := unrenewed(holder).rough(1).slept(-60, -30)
		s.process(pidOne, "value").look(19, "S", 0)
		return s
	}, want{owner: "running|stalled"}},
	"in an NFS wait, and the sockets were not read": {"nobody waits for Redis in state D", func() *scene {
		s := unrenewed(holder).rough(0.1)
		s.process(pidOne, "value").look(1, "D", 0, func(l *evidence.ProcLook) { l.Tasks = evidence.Reading[[]evidence.Task]{} }).
			look(3, "D", 0, deep("D", 9101)).look(4, "D", 0, only(inNFS)).look(18, "D", 0, deep("D", 9101))
		return s
	}, want{label: evidence.Stall, cause: "blocked", grade: evidence.Likely, owner: "stalled"}},
	"asleep, and the sockets were not read": {"who waits for Redis sleeps in state S", func() *scene {
		s := unrenewed(holder).rough(0.1)
		s.process(pidOne, "value").look(3, "S", 0, deep("S", 9101)).look(18, "S", 0, deep("S", 9101))
		return s
	}, want{label: evidence.Inconclusive, owner: "running|stalled|gone"}},
	"in state D, and it ran meanwhile": {"a process that works a disk hard", func() *scene {
		s := unrenewed(holder).rough(0.1)
		s.process(pidOne, "value").look(3, "D", 0, deep("D", 9101)).look(18, "D", 0, deep("D", 9150))
		return s
	}, want{label: evidence.Inconclusive, owner: "running|stalled|gone"}},
	"cut off, and its state was told once": {"who uses a CPU is not stopped", func() *scene {
		s := unrenewed(holder).rough(0.1).clients(1, client(77, ownAddr, "evalsha", 2))
		s.process(pidOne, "value").look(15, "R", 0, func(l *evidence.ProcLook) {
			l.Tasks, l.Sockets = evidence.Reading[[]evidence.Task]{}, evidence.Reading[[]evidence.Socket]{}
		}).
			look(16, "", 0, waiting(8, 0)).look(18, "", 0, waiting(10, 1.5))
		return s
	}, want{label: evidence.Partition, grade: evidence.Likely, owner: "running", path: "broken"}},
	"cut off, and a later look shows it stopped": {"whoever stopped it may have done so before", func() *scene {
		s := unrenewed(holder).rough(0.1).clients(1, client(77, ownAddr, "evalsha", 2))
		s.process(pidOne, "value").look(16, "", 0, waiting(8, 0)).look(18, "", 0, waiting(10, 1.5)).look(18.5, "T", 0)
		return s
	}, want{notOpen: []evidence.Label{evidence.Partition}, owner: "stalled"}},
	"cut off when it mattered, and healed since": {"the clean socket says nothing of that moment", func() *scene {
		s := unrenewed(holder).rough(0.1).clients(1, client(77, ownAddr, "evalsha", 2))
		s.process(pidOne, "value").look(15, "S", 0, unanswered(6)).look(17, "S", 0.1, unanswered(8)).look(18.5, "S", 0.2)
		return s
	}, want{label: evidence.Partition, owner: "running", path: "broken"}},
	"a connection of its host in use": {"traffic after the renewal that was due", func() *scene {
		k := renewedAt(ownAddr, "settled@quince-3")
		k.Idle = 0
		s := unrenewed(holder).rough(0.1).clients(2, k).clients(18, k)
		s.process(pidOne, "value").look(17, "S", 0, neighbour).look(18, "S", 0, neighbour)
		return s
	}, want{path: "up"}},
	"renewed by a connection that nothing joins": {"the owner's sockets were not read", func() *scene {
		s := twoRenewals(newScene()).clients(9, renewedAt("10.0.0.9:41000", ""))
		s.process(pidOne, "value").look(8, "S", 0, func(l *evidence.ProcLook) { l.Sockets = evidence.Reading[[]evidence.Socket]{} })
		return s
	}, want{lease: "renewing", without: []string{"non-owner-renewal"}}},
	"renewed by a connection behind an address translation": {"no socket of the owner's is listed", func() *scene {
		s := twoRenewals(newScene()).clients(9, renewedAt("172.30.0.1:9044", ""))
		s.process(pidOne, "value").look(8, "S", 0)
		return s
	}, want{lease: "renewing", without: []string{"non-owner-renewal"}}},
	"renewed by another host's connection": {"the owner's own is listed beside it", func() *scene {
		s := twoRenewals(newScene()).clients(9, renewedAt("10.0.0.77:41000", ""), client(12, ownAddr, "get", 8))
		s.process(pidOne, "value").look(8, "S", 0)
		return s
	}, want{lease: "renewing", with: []string{"non-owner-renewal"}}},
	"renewed by another process of its host": {"the socket is that one's", func() *scene {
		s := twoRenewals(newScene()).clients(9, renewedAt("10.0.0.9:41000", ""))
		s.Host.Peers = saw([]evidence.Peer{{Local: "10.0.0.9:41000", Pid: 9001, Comm: "agent"}})
		s.process(pidOne, "value").look(8, "S", 0, func(l *evidence.ProcLook) { l.Sockets = evidence.Reading[[]evidence.Socket]{} })
		return s
	}, want{lease: "renewing", with: []string{"non-owner-renewal"}}},
	"a table of containers after its runtime's own record": {"the record is exact and tells why", func() *scene {
		s := unrenewed("9f31c0de9f31:1:9b1e77c4")
		kill := oomKill(40217)
		kill.Kill.TaskMemcg = "/system.slice/docker-" + containerID + ".scope"
		s.kernel(4, kill)
		s.Host.Kernel.Value.Events[0].Printk, s.Host.Kernel.Value.Events[0].Wall = 0, evidence.Interval{}
		s.container(18, evidence.Container{ID: containerID, Name: "tiles-a", Status: "exited", Reason: "OOMKilled", OOMKilled: true, Exit: saw(137), Started: wallAt(-7200), Finished: wallAt(4)})
		s.container(18.5, evidence.Container{ID: containerID[:12], Name: "redis-x", Status: "running"})
		return s.container(19, evidence.Container{ID: containerID[:12], Name: "tiles-a", Status: "exited", Exit: saw(137), Finished: evidence.Interval{From: at(-4), To: at(8), Clock: "host:b1"}})
	}, want{label: evidence.Crash, cause: "oom-kill", owner: "gone", gone: []float64{4, 5}}},
}

func TestSayings(t *testing.T) { sayingStories.tell(t) }

// With a renewer of its own a renewal is no sign of the owner's life; what the owner
// wrote under its own number is.
func TestRenewedAside(t *testing.T) {
	scene := func() *scene {
		s := twoRenewals(newScene())
		s.Subject.Renewer = 9001
		s.process(pidOne, "value").missing(8.5)
		return s
	}
	v := scene().judge()
	if d := v.Times.Disappeared; d == nil || !d.From.IsZero() {
		t.Errorf("it disappeared %v: the renewal was another's", d)
	}
	s := scene()
	s.lastWords(-500, "panic", "quince-3 ledgerd["+itoa(pidOne)+"]: panic: index out of range")
	v = s.judge()
	d := v.Times.Disappeared
	if v.Label != evidence.RenewalAfterLoss || v.Cause != "panic" || d == nil || d.From.Before(at(-501)) || d.From.After(at(-500)) {
		t.Errorf("%s %s, disappeared %v: its last words are of -500", v.Label, v.Cause, d)
	}
}

// An answer that is not decided is never printed as if it were one.
func TestUndecidedInWords(t *testing.T) {
	v := evidence.Verdict{Label: evidence.RenewalAfterLoss}
	v.Answers.Owner = evidence.Answer{Value: evidence.Unknown, Possible: []string{stalled, gone}}
	c := open(newScene().Snapshot)
	if _, text := c.headline(v); !strings.Contains(text, "stalled or gone") {
		t.Errorf("headline: %s", text)
	}
	if f := renewerOutlives(c, v); !strings.Contains(f.Text, "stalled or gone") {
		t.Errorf("finding: %s", f.Text)
	}
	c.s.Host.Peers = saw([]evidence.Peer{{Local: ownAddr, Pid: 9001}})
	if text := c.connection(client(1, ownAddr, "get", 0)); strings.Contains(text, "()") {
		t.Errorf("connection: %s", text)
	}
}

// Of text one file in one look is enough to know it.
func TestReadOnceIsNotMissing(t *testing.T) {
	s := unrenewed(holder).rough(0.1)
	s.process(pidOne, "value").look(3, "S", 0, func(l *evidence.ProcLook) { l.Sockets = evidence.Reading[[]evidence.Socket]{} }).look(18, "S", 0, neighbour)
	for _, m := range s.judge().Answers.Owner.Missing {
		if slices.ContainsFunc([]string{"/stat", "/status"}, func(f string) bool { return strings.HasSuffix(m.Reading, f) }) {
			t.Errorf("missing %s: %s", m.Reading, m.Text)
		}
	}
}

// While it is open whether the owner is stopped, the step asked for is its state.
func TestNextAsksForTheState(t *testing.T) {
	s := unrenewed(holder).rough(0.1).clients(1, client(77, ownAddr, "evalsha", 2))
	s.process(pidOne, "value").look(1, "S", 0).look(16, "", 0, only(unanswered(8))).look(18, "", 0, only(unanswered(10)))
	v := s.judge()
	if len(v.Next) == 0 || !strings.Contains(v.Next[0].Why, "state") {
		t.Errorf("%s, owner %v, path %v; next %v", v.Label, v.Answers.Owner.Possible, v.Answers.Path.Possible, v.Next)
	}
}

// Nobody can go into a container that has ended.
func TestNoShellInTheDead(t *testing.T) {
	s := unrenewed("9f31c0de9f31:1:9b1e77c4")
	s.Subject.Container = "another"
	s.container(19, evidence.Container{ID: containerID, Name: "tiles-a", Status: "exited", Exit: saw(1), Started: wallAt(-7200), Finished: wallAt(4)})
	for _, n := range s.judge().Next {
		if strings.Contains(n.Command, "exec") {
			t.Errorf("next: %s", n.Command)
		}
	}
}
