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
}

// sameness says whether the process we look at is the one that held the lock.
type sameness int

const (
	unsure sameness = iota
	theSame
	another // its number or its unit is now somebody else's
)

// initialPidNS is the inode of the first pid namespace; the kernel fixes it.
const initialPidNS = "pid:[4026531836]"

// identify chooses the owner among the candidates. What the lock's value names
// wins: it was written by the holder itself. A pid the responder gave comes
// next, then a connection, then whatever runs in a unit or control group now.
func (c *incident) identify() *person {
	named := c.byWay("value")
	flagged := c.byWay("flag")
	n := evidence.NamedIn(c.first.Holder)
	switch {
	case len(named) > 0:
		p := c.speaker(named)
		if p != nil && len(flagged) > 0 && flagged[0].Pid != p.proc.Pid {
			p.clash = fmt.Sprintf("--pid says %d, but the lock's value names %d", flagged[0].Pid, p.proc.Pid)
		}
		return p
	case len(flagged) > 0:
		p := c.person(flagged[0], "flag")
		c.former = n.Pid > 0 && c.localHost() != "" && n.Host != c.localHost()
		return p
	case n.Pid > 0 && c.localHost() != "" && n.Host != c.localHost():
		return nil // the holder runs elsewhere; nobody here is it
	}
	if socket := c.byWay("socket"); len(socket) > 0 {
		return c.person(socket[0], "socket")
	}
	for _, way := range []string{"unit", "cgroup", "container"} {
		if group := c.byWay(way); len(group) > 0 {
			p := c.speaker(group)
			if p == nil {
				p = c.person(group[0], way)
			}
			p.group = true
			return p
		}
	}
	return nil
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
	first := len(c.s.Vantages) > 0 && c.s.Vantages[0].PidNS == initialPidNS
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
	out.same = c.sameness(p)
	return out
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
	if restarted(p) {
		return another
	}
	touched := c.touched()
	switch {
	case c.renewed.Known() && len(c.renewals) == 0 && start.After(c.renewed):
		return another
	case touched.Known() && start.After(touched):
		return another
	case c.renewed.Known() && c.leaseHi > 0 && start.Before(c.renewed.Shift(-c.leaseHi, -c.leaseLo)):
		return theSame
	}
	return unsure
}

// started is when the process we look at began, on the coordinator's clock.
func (c *incident) started(p evidence.Process) (evidence.Interval, bool) {
	for _, l := range p.Looks {
		if st, ok := l.Stat.Get(); ok {
			at := c.place(st.StartAfterBoot())
			// The kernel counts starts in ticks of 10 ms, rounded down.
			return at.Shift(0, 10*time.Millisecond), at.Known()
		}
	}
	return evidence.Interval{}, false
}

// restarted says whether the pid changed hands while it was watched.
func restarted(p evidence.Process) bool {
	var start uint64
	for _, l := range p.Looks {
		st, ok := l.Stat.Get()
		if !ok {
			continue
		}
		if start != 0 && st.Start != start {
			return true
		}
		start = st.Start
	}
	return false
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
		return secondsAgo(now, idle)
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
