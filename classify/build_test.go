package classify

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A small language for incidents. All moments are seconds on one axis, zero
// being noon; the coordinator's clock, the host's wall clock and its steady
// clock agree unless a test moves one of them. The lock is lock:orders with a
// lease of 30 s, renewed every 10 s, and its value names pid 41207 of this host.

const (
	holder  = "quince-3:41207:9b1e77c4"
	rival   = "plum-8:3391:77aa04d8"
	server  = "10.0.0.5:6379"
	ownAddr = "10.0.0.9:50162"
	pidOne  = 41207
)

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// upSince is how long the host had been up at noon.
const upSince = 250 * time.Hour

func secs(t float64) time.Duration { return time.Duration(t * float64(time.Second)) }

func at(t float64) time.Time { return noon.Add(secs(t)) }

func boot(t float64) time.Duration { return upSince + secs(t) }

// rtt is how long every read takes.
const rtt = 0.002

func span(t float64) evidence.Span {
	stamp := func(t float64) evidence.Stamp { return evidence.Stamp{Wall: at(t), Boot: boot(t)} }
	return evidence.Span{Start: stamp(t), End: stamp(t + rtt)}
}

func saw[T any](v T) evidence.Reading[T] { return evidence.Saw("test", v) }

func none[T any]() evidence.Reading[T] { return evidence.None[T]("test", "no such thing") }

func denied[T any]() evidence.Reading[T] {
	return evidence.Refused[T]("test", evidence.Denied, "not allowed")
}

// A scene is a snapshot under construction.
type scene struct{ evidence.Snapshot }

func newScene() *scene {
	s := &scene{}
	s.Schema = evidence.SnapshotSchema
	s.Subject = evidence.Subject{Key: "lock:orders", Redis: server}
	s.Contract = evidence.Contract{Lease: 30 * time.Second, RenewEvery: 10 * time.Second}
	s.Vantages = []evidence.Vantage{{Name: "owner", Host: "quince-3", BootID: "b1", PidNS: initialPidNS, Remote: server}}
	s.Sources = map[string]evidence.Outcome{}
	s.Host.Kernel = saw(evidence.KernelLog{Source: "/dev/kmsg"})
	return s
}

// sample is the lock as one look saw it.
type sample func(l *evidence.Look, t float64)

// held is the key with a value and an end.
func heldBy(value string, ends float64) sample {
	return func(l *evidence.Look, t float64) {
		l.Type, l.Value = saw("string"), saw(value)
		l.End = saw(at(ends).UnixMilli())
		l.PTTL = saw(at(ends).Sub(at(t)).Milliseconds())
	}
}

// olderServer is the same on a server before 7.0: PTTL only.
func olderServer(value string, ends float64) sample {
	return func(l *evidence.Look, t float64) {
		heldBy(value, ends)(l, t)
		l.PTTL = saw(at(ends).Sub(at(t + rtt/2)).Milliseconds())
		l.End = evidence.Refused[int64]("test", evidence.Unsupported, "unknown command")
	}
}

// forEver is the key without an expiry.
func forEver(value string) sample {
	return func(l *evidence.Look, _ float64) {
		l.Type, l.Value, l.End, l.PTTL = saw("string"), saw(value), saw(int64(-1)), saw(int64(-1))
	}
}

// noKey is the key absent.
func noKey(l *evidence.Look, _ float64) {
	l.Type, l.Value, l.End, l.PTTL = none[string](), none[string](), none[int64](), none[int64]()
}

// hash is a lock kept as a hash, with one field a holder.
func hash(ends float64, fields ...string) sample {
	return func(l *evidence.Look, t float64) {
		heldBy("", ends)(l, t)
		l.Type, l.Value = saw("hash"), evidence.Refused[string]("test", evidence.Skipped, "a hash")
		list := []evidence.Field{}
		for _, f := range fields {
			list = append(list, evidence.Field{Name: f, Value: "1"})
		}
		l.Fields = saw(list)
	}
}

func (s *scene) look(t float64, see sample) *scene {
	l := evidence.Look{Span: span(t), Before: saw(at(t)), After: saw(at(t + rtt))}
	see(&l, t)
	s.Looks = append(s.Looks, l)
	return s
}

// every looks at the same thing in steps from one moment to another.
func (s *scene) looks(from, to, step float64, see sample) *scene {
	for t := from; t <= to+1e-9; t += step {
		s.look(t, see)
	}
	return s
}

// blind is a look that Redis did not answer.
func (s *scene) blind(t float64) *scene {
	s.Looks = append(s.Looks, evidence.Look{Span: span(t)})
	s.Sources["redis/sample"] = evidence.Outcome{Status: evidence.Timeout, Why: "i/o timeout"}
	return s
}

// stepped moves the coordinator's clock, and with it the ends it would report
// as time left, from a moment on.
func (s *scene) stepped(since, by float64) *scene {
	for i := range s.Looks {
		l := &s.Looks[i]
		if l.Span.Start.Boot < boot(since) {
			continue
		}
		l.Before, l.After = saw(l.Before.Value.Add(secs(by))), saw(l.After.Value.Add(secs(by)))
		if l.PTTL.State == evidence.Seen && l.PTTL.Value >= 0 {
			l.PTTL = saw(l.PTTL.Value - secs(by).Milliseconds())
		}
	}
	return s
}

// A procSight is one look at a process.
type procSight func(l *evidence.ProcLook)

// process adds a process and returns it for looks to be added.
func (s *scene) process(pid int, ways ...string) *process {
	p := evidence.Process{Pid: pid}
	for _, w := range ways {
		p.Ways = append(p.Ways, evidence.Candidate{Pid: pid, Way: w, Detail: "found by " + w})
	}
	s.Processes = append(s.Processes, p)
	return &process{s: s, i: len(s.Processes) - 1, start: -7200}
}

// A process has begun two hours before noon unless told otherwise, and holds a
// connection to the coordinator.
type process struct {
	s     *scene
	i     int
	start float64
	apart bool // without a connection to the coordinator
}

func (p *process) began(t float64) *process { p.start = t; return p }

func (p *process) unconnected() *process { p.apart = true; return p }

// look sees the process in a state, its worker thread having run for so long.
func (p *process) look(t float64, state string, ran float64, more ...procSight) *process {
	proc := &p.s.Processes[p.i]
	pid := proc.Pid
	l := evidence.ProcLook{Look: len(proc.Looks) + 1, Span: span(t + 2*rtt)}
	l.Stat = saw(evidence.ProcStat{Comm: "ledgerd", State: state, Start: uint64((upSince + secs(p.start)) / (10 * time.Millisecond))})
	l.Status = saw(evidence.ProcStatus{Name: "ledgerd", State: state, NSpid: []int{pid}, Threads: 2})
	l.Tasks = saw([]evidence.Task{{Tid: pid, Comm: "ledgerd", State: state, Run: secs(1000 + ran)}, {Tid: pid + 1, Comm: "lock-renewer", State: state, Run: secs(ran / 1e4)}})
	l.Cgroup.Frozen = saw(false)
	l.Sockets, l.Inodes = saw([]evidence.Socket{}), saw([]uint64{})
	if !p.apart {
		l.Sockets = saw([]evidence.Socket{{Local: ownAddr, Remote: server, State: "ESTABLISHED", Inode: 884213, RTO: 200 * time.Millisecond}})
		l.Inodes = saw([]uint64{884213})
	}
	for _, m := range more {
		m(&l)
	}
	proc.Looks = append(proc.Looks, l)
	return p
}

// missing is a look that found no such process.
func (p *process) missing(t float64) *process {
	return p.look(t, "", 0, func(l *evidence.ProcLook) {
		*l = evidence.ProcLook{Look: l.Look, Span: l.Span, Stat: none[evidence.ProcStat](), Status: none[evidence.ProcStatus]()}
	})
}

// hidden is a look that was refused.
func (p *process) hidden(t float64) *process {
	return p.look(t, "", 0, func(l *evidence.ProcLook) {
		*l = evidence.ProcLook{Look: l.Look, Span: l.Span, Stat: denied[evidence.ProcStat](), Status: denied[evidence.ProcStatus]()}
	})
}

// unanswered is data sent so long ago and not acknowledged: a first timeout of
// 200 ms, each next one twice as long.
func unanswered(ago float64) procSight {
	return func(l *evidence.ProcLook) {
		rto, n, sum := 0.2, 0, 0.0
		for sum+rto <= ago {
			sum, n, rto = sum+rto, n+1, rto*2
		}
		l.Sockets = saw([]evidence.Socket{{Local: ownAddr, Remote: server, State: "ESTABLISHED", Inode: 884213,
			TxQueue: 108, Timer: "retransmit", Retrans: n, RTO: secs(rto), Expires: secs(rto - (ago - sum))}})
	}
}

func frozen(l *evidence.ProcLook) { l.Cgroup.Frozen = saw(true) }

// client is one line of CLIENT LIST.
func client(id int64, addr, cmd string, idle int64) evidence.Client {
	return evidence.Client{ID: id, Addr: addr, Age: 7000, Idle: idle, Cmd: cmd}
}

func (s *scene) clients(t float64, all ...evidence.Client) *scene {
	s.Node.Clients = append(s.Node.Clients, evidence.ClientList{Span: span(t), Total: saw(len(all)), Clients: saw(all)})
	return s
}

// info adds an INFO reply of a server that has been up for ten days.
func (s *scene) info(t float64, more ...func(*evidence.Info)) *scene {
	i := evidence.Info{Span: span(t), RunID: saw("5d0c"), Uptime: saw(int64(864000 + t)), Role: saw("master"), ReplID: saw("aa01"),
		SecondOff: saw(int64(-1)), Evicted: saw(int64(0)), MaxMemory: saw(int64(0)), Policy: saw("noeviction")}
	for _, m := range more {
		m(&i)
	}
	s.Node.Infos = append(s.Node.Infos, i)
	return s
}

// kernel adds a record of the kernel's log.
func (s *scene) kernel(t float64, e evidence.KernelEvent) *scene {
	e.Printk = boot(t)
	e.Wall = evidence.At(at(t), time.Millisecond, "host:b1")
	log := s.Host.Kernel.Value
	log.Events = append(log.Events, e)
	s.Host.Kernel = saw(log)
	return s
}

func oomKill(pid int) evidence.KernelEvent {
	return evidence.KernelEvent{Class: "oom-kill", Pid: pid, Comm: "ledgerd", Text: "Killed process " + itoa(pid) + " (ledgerd)",
		Kill: &evidence.Kill{Victim: pid, Comm: "ledgerd", Scope: "memcg", TaskMemcg: "/system.slice/ledger.service"}}
}

func (s *scene) judge() evidence.Verdict { return Judge(s.Snapshot) }

// A story is an incident and what is right to say of it; why says what it
// guards against.
type story struct {
	why   string
	scene func() *scene
	want  want
}

type stories map[string]story

func (all stories) tell(t *testing.T) {
	for name, s := range all {
		t.Run(name, func(t *testing.T) { s.want.check(t, s.scene().judge()) })
	}
}

// A want is what a test expects of a verdict; what is empty is free. Answers
// are the values left possible, joined by bars.
type want struct {
	label                                  evidence.Label
	cause                                  string
	grade                                  evidence.Grade
	lease, owner, path, clock, coordinator string
	state                                  evidence.LockState
	open, notOpen, doubts                  []evidence.Label // each must be there; or not
	with, without                          []string         // findings
	renewed, ends, gone, freed             []float64        // moments that the verdict's must overlap
}

func (w want) check(t *testing.T, v evidence.Verdict) {
	t.Helper()
	same := func(what, want, got string) {
		if want != "" && want != got {
			t.Errorf("%s is %s, want %s", what, got, want)
		}
	}
	a := v.Answers
	possible := func(x evidence.Answer) string { return strings.Join(x.Possible, "|") }
	same("label", string(w.label), string(v.Label))
	same("cause", w.cause, v.Cause)
	same("grade", string(w.grade), string(v.Grade))
	same("lease", w.lease, possible(a.Lease))
	same("owner", w.owner, possible(a.Owner))
	same("path", w.path, possible(a.Path))
	same("clock", w.clock, possible(a.Clock))
	same("coordinator", w.coordinator, possible(a.Coordinator))
	same("state", string(w.state), string(v.State))
	for _, l := range w.open {
		if !slices.Contains(v.Open, l) {
			t.Errorf("%s is not open: %v", l, v.Open)
		}
	}
	for _, l := range w.notOpen {
		if slices.Contains(v.Open, l) {
			t.Errorf("%s is open", l)
		}
	}
	for _, l := range w.doubts {
		if !slices.Contains(v.NotRuledOut, l) {
			t.Errorf("%s is ruled out: %v", l, v.NotRuledOut)
		}
	}
	ids := map[string]bool{}
	for _, f := range v.Findings {
		ids[f.ID] = true
	}
	for _, id := range w.with {
		if !ids[id] {
			t.Errorf("no finding %s: %v", id, ids)
		}
	}
	for _, id := range w.without {
		if ids[id] {
			t.Errorf("finding %s", id)
		}
	}
	w.checkTimes(t, v.Times)
	if t.Failed() {
		t.Logf("label %s open %v not ruled out %v; %s · %s · %s · %s · %s; owner: %s", v.Label, v.Open, v.NotRuledOut,
			possible(a.Lease), possible(a.Owner), possible(a.Path), possible(a.Clock), possible(a.Coordinator), a.Owner.Says)
	}
}

func (w want) checkTimes(t *testing.T, got evidence.Times) {
	t.Helper()
	for _, m := range []struct {
		what string
		want []float64
		got  *evidence.Interval
	}{{"last renewal", w.renewed, got.LastRenewal}, {"lease's end", w.ends, got.LeaseEnds}, {"disappearance", w.gone, got.Disappeared}, {"release", w.freed, got.SafeRelease}} {
		if m.want == nil {
			continue
		}
		i := evidence.Interval{From: at(m.want[0]), To: at(m.want[1]), Clock: evidence.Coordinator}
		if m.got == nil || m.got.Before(i) || m.got.After(i) {
			t.Errorf("%s at %v, want within %v", m.what, m.got, m.want)
		}
	}
}

// working is the owner, alive and using a fifth of a CPU at every look.
func working(s *scene, ts ...float64) *process {
	p := s.process(pidOne, "value")
	for _, t := range ts {
		p.look(t, "S", t*0.2)
	}
	return p
}
