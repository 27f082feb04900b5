package classify

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A person is the process the questions are about, and how sure we are that it
// is the one.
type person struct {
	proc  evidence.Process
	way   string // how it was found
	how   string // the same, for people
	same  sameness
	group bool // found through a unit, cgroup or container: its present process
	clash string
	heir  string // what has its pid now, if the pid changed hands while watched
}

// sameness says whether the process we look at is the one that held the lock.
type sameness int

const (
	unsure sameness = iota
	theSame
	another // its number or its unit is now somebody else's
)

// laggard is how much later than it says a server that gets no CPU may have been
// touched: it reads its clock between the rounds of its loop. A process that is its
// client may well be the one that did.
const laggard = time.Second

// initialPidNS is the inode of the first pid namespace; the kernel fixes it.
const initialPidNS = "pid:[4026531836]"

// identify chooses the owner among the candidates. What the lock's value names
// wins: it was written by the holder itself. A pid the responder gave comes
// next, then a connection, then whatever runs in a unit or control group now.
func (c *incident) identify() *person {
	named := c.byWay("value")
	flagged := c.byWay("flag")
	n := evidence.NamedIn(c.first.Holder)
	if p := c.namedOne(named, flagged); p != nil {
		// The value that named it may have been read before anything else was.
		c.former = c.elsewhere(n) && !callsItself(p.proc, n)
		return p
	}
	switch {
	case len(flagged) > 0:
		p := c.person(flagged[0], "flag")
		c.former = c.elsewhere(n) && !callsItself(p.proc, n)
		return p
	case len(named) > 0, c.elsewhere(n):
		return nil // it cannot be told which; or the holder runs elsewhere
	}
	if socket := c.byWay("socket"); len(socket) == 1 && c.holdsByConnection(socket[0]) {
		return c.person(socket[0], "socket")
	}
	for _, way := range []string{"unit", "cgroup", "container"} {
		if group := c.byWay(way); len(group) > 0 {
			return c.oneOf(group, way)
		}
	}
	return nil
}

// namedOne is the process that the value names. Of several that may be meant the
// flag chooses; a flag that means none of them is a clash.
func (c *incident) namedOne(named, flagged []evidence.Process) *person {
	if len(flagged) > 0 {
		for _, p := range named {
			if p.Pid == flagged[0].Pid {
				return c.person(p, "value")
			}
		}
	}
	if len(named) == 0 {
		return nil
	}
	p := c.speaker(named)
	if p != nil && len(flagged) > 0 {
		p.clash = fmt.Sprintf("--pid says %d, but the lock's value names %d", flagged[0].Pid, p.proc.Pid)
	}
	return p
}

// oneOf is the process of a group that may be the owner: the only one, or the
// only one that talks to the coordinator. Of a pool of workers nobody knows which
// held the lock, unless the same became of all.
func (c *incident) oneOf(group []evidence.Process, way string) *person {
	p := c.speaker(group)
	if p == nil {
		frozen := func(p evidence.Process) bool {
			return len(p.Looks) > 0 && p.Looks[len(p.Looks)-1].Cgroup.Frozen.Or(false)
		}
		gone := func(p evidence.Process) bool {
			return len(p.Looks) > 0 && p.Looks[len(p.Looks)-1].Stat.State == evidence.Absent
		}
		if !all(group, frozen) && !all(group, gone) {
			return nil
		}
		p = c.person(group[0], way)
	}
	p.group = true
	return p
}

func all[T any](group []T, is func(T) bool) bool {
	return !slices.ContainsFunc(group, func(one T) bool { return !is(one) })
}

// elsewhere says whether a value names a process of another host. A host may be
// named in full or by its first label alone.
func (c *incident) elsewhere(n evidence.Named) bool {
	here := c.localHost()
	if n.Pid == 0 || here == "" {
		return false
	}
	a, b := strings.ToLower(n.Host), strings.ToLower(here)
	return a != b && !strings.HasPrefix(a, b+".") && !strings.HasPrefix(b, a+".")
}

// callsItself says whether a process of another pid namespace has the number
// there that the value names: then the host in the value is its container's.
func callsItself(p evidence.Process, n evidence.Named) bool {
	return slices.ContainsFunc(p.Looks, func(l evidence.ProcLook) bool {
		ids := l.Status.Value.NSpid
		return len(ids) > 1 && ids[len(ids)-1] == n.Pid
	})
}

func (c *incident) localHost() string {
	if len(c.s.Vantages) == 0 {
		return ""
	}
	return c.s.Vantages[0].Host
}

// byWay lists the candidates found in one way.
func (c *incident) byWay(way string) []evidence.Process {
	var out []evidence.Process
	for _, p := range c.s.Processes {
		if slices.ContainsFunc(p.Ways, func(w evidence.Candidate) bool { return w.Way == way }) {
			out = append(out, p)
		}
	}
	return out
}

// speaker chooses among several candidates the one that talks to the
// coordinator: a pid in a value may be anybody's in another namespace, but only
// a client of the coordinator holds its locks. Without a speaker one candidate
// stands for itself, several for nobody.
func (c *incident) speaker(all []evidence.Process) *person {
	var speaks []evidence.Process
	for _, p := range all {
		if slices.ContainsFunc(p.Looks, func(l evidence.ProcLook) bool { return len(c.sockets(l)) > 0 }) {
			speaks = append(speaks, p)
		}
	}
	if len(speaks) == 1 {
		all = speaks
	}
	if len(all) != 1 {
		return nil
	}
	way := ""
	for _, w := range all[0].Ways {
		if way == "" || w.Way == "value" {
			way = w.Way
		}
	}
	p := c.person(all[0], way)
	if way == "value" && !c.mayBeNamed(all[0], len(speaks) == 1) {
		return nil
	}
	return p
}

// mayBeNamed guards against taking a stranger for the process that a value
// names: outside the first pid namespace a bare number may belong to another
// container of the same pod, whose host name is the same.
func (c *incident) mayBeNamed(p evidence.Process, speaks bool) bool {
	first := len(c.s.Vantages) > 0 && (c.s.Vantages[0].PidNS == initialPidNS || c.reckoned() != nil && c.s.Vantages[0].PidNS == "")
	flagged := slices.ContainsFunc(p.Ways, func(w evidence.Candidate) bool { return w.Way == "flag" })
	return speaks || first || flagged
}

func (c *incident) person(p evidence.Process, way string) *person {
	out := &person{proc: p, way: way}
	for _, w := range p.Ways {
		if w.Way == way {
			out.how = w.Detail
		}
	}
	out.proc, out.heir = c.untilReplaced(p)
	out.same = c.sameness(out.proc)
	return out
}

// untilReplaced turns the looks at whoever had the pid after the first process
// seen into looks that did not find it any more.
func (c *incident) untilReplaced(p evidence.Process) (evidence.Process, string) {
	var start uint64
	heir := ""
	p.Looks = slices.Clone(p.Looks)
	for i, l := range p.Looks {
		st, ok := l.Stat.Get()
		switch {
		case !ok, st.Start == 0:
		case start == 0:
			start = st.Start
		case st.Start != start:
			heir = fmt.Sprintf("pid %d is another process now: %s, begun %s", p.Pid, quote(st.Comm), moment(c.sinceBoot(st.StartAfterBoot())))
			p.Looks[i] = evidence.ProcLook{Look: l.Look, Span: l.Span, Stat: evidence.None[evidence.ProcStat](l.Stat.Source, heir)}
		}
	}
	return p, heir
}

// sameness compares when the process began with the lock's own history. A start
// after the last renewal, or after the key was last touched, proves another
// process. Only a start more than a lease before the last renewal proves the
// same: within it the lock may have changed hands.
func (c *incident) sameness(p evidence.Process) sameness {
	start, ok := c.started(p)
	if !ok {
		return unsure
	}
	touched := c.touched()
	if slices.ContainsFunc(p.Looks, func(l evidence.ProcLook) bool { return len(c.sockets(l)) > 0 }) {
		touched = touched.Shift(0, laggard)
	}
	switch {
	case c.renewed.Known() && len(c.renewals) == 0 && start.After(c.renewed):
		return another
	case touched.Known() && start.After(touched):
		return another
	case c.renewed.Known() && c.leaseHi > 0 && !c.othersRenew(p) && start.Before(c.renewed.Shift(-c.leaseHi, -c.leaseLo)):
		return theSame
	}
	return unsure
}

// started is when the process we look at began, on the coordinator's clock.
func (c *incident) started(p evidence.Process) (evidence.Interval, bool) {
	for _, l := range p.Looks {
		if st, ok := l.Stat.Get(); ok && st.Start > 0 {
			// The kernel counts starts in ticks of 10 ms, rounded down.
			if at := c.sinceBoot(st.StartAfterBoot()); at.Known() {
				return at.Shift(0, 10*time.Millisecond), true
			}
		}
	}
	for _, l := range p.Looks {
		if ago, ok := l.Elapsed.Get(); ok {
			at := c.span(l.Span)
			return at.Shift(-ago-time.Second, -ago), at.Known()
		}
	}
	for _, l := range p.Looks {
		if began, ok := l.Began.Get(); ok {
			if at := c.wall(began); at.Known() && at.Clock == evidence.Coordinator {
				return at, true
			}
		}
	}
	return c.startedBy(p)
}

// othersRenew says whether the connection that renews is known not to be a
// process's own. Then the lock may have outlived its holder for long, and an old
// process may still be younger than the lock.
func (c *incident) othersRenew(p evidence.Process) bool {
	if c.renewedBy == nil || c.bearsName(p, c.renewedBy.Name) {
		return false
	}
	known := false
	for _, l := range p.Looks {
		known = known || l.Inodes.State == evidence.Seen && l.Sockets.State == evidence.Seen
		if slices.ContainsFunc(c.sockets(l), func(k evidence.Socket) bool { return k.Local == c.renewedBy.Addr }) {
			return false
		}
	}
	return known
}

// bearsName says whether a connection's name names both the process's program and
// the host that the lock's value names: behind an address translation its address
// is nobody's.
func (c *incident) bearsName(p evidence.Process, name string) bool {
	host := evidence.NamedIn(c.first.Holder).Host
	return len(host) >= 3 && contains(name, host) && slices.ContainsFunc(p.Looks, func(l evidence.ProcLook) bool {
		comm := l.Stat.Value.Comm
		return len(comm) >= 3 && contains(name, comm)
	})
}

// touched is when anybody last touched the key before the first look, by OBJECT
// IDLETIME: the lock was taken no later. Contenders reset it too, which makes it
// later, never earlier.
func (c *incident) touched() evidence.Interval {
	for _, l := range c.s.Looks {
		idle, ok := l.Idle.Get()
		now := l.Now()
		if !ok || !now.Known() || idle < 0 || idle > 1<<23 {
			continue // a wrapped idle time is a clock that went back
		}
		return c.secondsAgo(now, idle)
	}
	return evidence.Interval{}
}

// sockets are a look's sockets to the coordinator: those in the process's own
// descriptors where these could be read.
func (c *incident) sockets(l evidence.ProcLook) []evidence.Socket {
	inodes, known := l.Inodes.Get()
	var out []evidence.Socket
	for _, k := range l.Sockets.Or(nil) {
		if known && !slices.Contains(inodes, k.Inode) || !c.towards(k) {
			continue
		}
		out = append(out, k)
	}
	return out
}

// towards says whether a socket leads to the coordinator.
func (c *incident) towards(k evidence.Socket) bool {
	if len(c.s.Vantages) == 0 || k.State == "LISTEN" || k.State == "TIME_WAIT" {
		return false
	}
	if remote := c.s.Vantages[0].Remote; remote != "" && k.Remote == remote {
		return true
	}
	// Seen from another network the address may differ: a proxy, or loopback
	// against the host's own address. The port is what the table was cut to.
	return strings.HasSuffix(k.Remote, portOf(c.s.Subject.Redis))
}

func portOf(addr string) string {
	if i := strings.LastIndexByte(addr, ':'); i >= 0 {
		return addr[i:]
	}
	return addr
}

// holdsByConnection says whether a process found by its connection may be taken
// for the holder: the lock's value and the connection share a name, or the
// connection, and no other, sent a renewal that was seen to happen. That it is a
// client of the coordinator which wrote something at some time is nothing: so is
// every contender.
func (c *incident) holdsByConnection(p evidence.Process) bool {
	list, ok := c.newestList()
	if !ok {
		return false
	}
	renews := (*evidence.Client)(nil)
	if len(c.renewals) > 0 {
		renews = c.renewer()
	}
	for _, l := range p.Looks {
		if l.Inodes.State != evidence.Seen {
			continue
		}
		for _, k := range c.sockets(l) {
			if renews != nil && renews.Addr == k.Local {
				return true
			}
			if slices.ContainsFunc(list.Clients.Or(nil), func(o evidence.Client) bool { return o.Addr == k.Local && c.namedAlike(o) }) {
				return true
			}
		}
	}
	return false
}
