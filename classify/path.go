package classify

import (
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// path answers: could the owner reach the coordinator at T*? Both ends of its
// socket are asked: the kernel of its host and the coordinator's client list.
func (c *incident) path() evidence.Answer {
	x := ask(up, broken)
	if c.owner == nil {
		if c.pathLogged(x) || c.pathTimedOut(x) || c.pathByEvents(x) || c.pathBySign(x) {
			c.pathIs = x.answer()
			return c.pathIs
		}
		x.miss("/proc/PID/net/tcp", string(evidence.Skipped), "no owner's process to look at")
		x.says = "not known: the owner's sockets were not seen"
		c.pathIs = x.answer()
		return c.pathIs
	}
	switch {
	case c.pathBroken(x):
	case c.pathLocal(x):
	case c.silent():
		x.says = "not shown: Redis does not answer us either"
	case c.pathTraffic(x):
	case c.pathSplit(x):
	case c.pathClean(x):
	case c.ownerIs.Value == gone:
		x.says = "not needed: its connection ended with it"
	case c.pathLogged(x), c.pathTimedOut(x), c.pathByEvents(x), c.pathBySign(x):
	default:
		x.says = cmpOr(c.onceWaited(x), "not shown either way: an idle connection proves nothing")
		needFile(c, x, "/proc/PID/net/tcp", func(l evidence.ProcLook) evidence.Reading[[]evidence.Socket] { return l.Sockets })
	}
	c.pathIs = x.answer()
	return c.pathIs
}

// pathBroken: a socket of the owner retransmits in two looks, and no other
// connection of it carried anything since.
func (c *incident) pathBroken(x *exam) bool {
	n := 0
	for _, l := range c.owner.proc.Looks {
		if slices.ContainsFunc(c.sockets(l), waits) {
			n++
		}
	}
	k, age := (*evidence.Socket)(nil), time.Duration(0)
	if n >= 2 {
		k, age = c.stuck()
	}
	if k == nil || c.otherSpeaks(*k, age) {
		return false
	}
	pid := itoa(c.owner.proc.Pid)
	x.only(broken)
	x.source("socket")
	x.cite("/proc/"+pid+"/net/tcp", "%s → %s %s: %d bytes unacknowledged, %s, retransmit timer %s away", k.Local, k.Remote, k.State, k.TxQueue, plural(k.Retrans, "timeout"), round(k.Expires))
	x.says = "its socket " + k.Local + " has waited at least " + round(age).String() + " for an answer"
	if c.brokeLater() {
		// What was sent only after T* was not the renewal that T* missed.
		x.cap, c.later = true, true
	}
	if !c.certainlyOwn() {
		x.cap = true
		x.cite("/proc/"+pid+"/fd", "whose socket it is could not be read; the table lists the whole network namespace")
	}
	c.joinBroken(x, *k, age)
	c.citeUnheard(x)
	c.citeCut(x)
	return true
}

// onceWaited says that a socket waited at some look, where that decides nothing.
func (c *incident) onceWaited(x *exam) string {
	for _, l := range slices.Backward(c.owner.proc.Looks) {
		for _, k := range c.sockets(l) {
			if waits(k) {
				x.cite("/proc/"+itoa(c.owner.proc.Pid)+"/net/tcp", "%s → %s %s: %d bytes unacknowledged, %s", k.Local, k.Remote, k.State, k.TxQueue, plural(k.Retrans, "timeout"))
				return "its socket " + k.Local + " waited for an answer " + moment(c.span(l.Span)) + "; whether it did when the renewal was due is not shown"
			}
		}
	}
	return ""
}

// stuckSince is when the oldest unanswered data was sent: at the latest when its
// back-off says, at the earliest after the last look that showed the socket
// clean. Without such a look the back-off bounds it too: before the first
// timeout lies less than one more, and the kernel's early probe of a second.
func (c *incident) stuckSince() evidence.Interval {
	clean := time.Duration(-1)
	for _, l := range c.owner.proc.Looks {
		for _, k := range c.sockets(l) {
			if !waits(k) {
				continue
			}
			age := backoff(k)
			from := l.Span.Start.Boot - 2*age - time.Second
			if clean > from {
				from = clean
			}
			since := c.place(l.Span.End.Boot - age)
			since.From = c.place(from).From
			return since
		}
		// What a firewall of the host itself holds back waits long before it
		// counts as a timeout.
		waiting := slices.ContainsFunc(c.sockets(l), func(k evidence.Socket) bool {
			return k.TxQueue > 0 || k.Probes > 0 || k.Retrans > 0 || k.State != "ESTABLISHED"
		})
		if l.Sockets.State == evidence.Seen && !waiting {
			clean = l.Span.Start.Boot
		}
	}
	return evidence.Interval{}
}

// brokeLater says whether the waiting provably began after T*: later than the
// renewal that was due then could still have been sent.
func (c *incident) brokeLater() bool {
	began := c.stuckSince()
	return c.missedOne() && began.Known() && began.After(c.when.Shift(0, c.every/2))
}

func (c *incident) certainlyOwn() bool {
	return slices.ContainsFunc(c.owner.proc.Looks, func(l evidence.ProcLook) bool {
		return l.Inodes.State == evidence.Seen || slices.ContainsFunc(c.sockets(l), c.agrees)
	})
}

// joinBroken looks the same socket up in CLIENT LIST: there it is idle for at
// least as long, which is the second, independent end of the same silence.
func (c *incident) joinBroken(x *exam, k evidence.Socket, age time.Duration) {
	for _, list := range slices.Backward(c.s.Node.Clients) {
		for _, cl := range list.Clients.Or(nil) {
			if cl.Addr != k.Local {
				continue
			}
			x.cite(c.read("client-list"), "the same socket is client id=%d there, idle for %d s", cl.ID, cl.Idle)
			if seconds(cl.Idle)+time.Second >= age {
				x.source("client list")
			}
			return
		}
	}
	x.miss(c.read("client-list"), cmpOr(string(c.s.Sources["redis/clients"].Status), "absent"), cmpOr(c.s.Sources["redis/clients"].Why, "the socket is not in CLIENT LIST"))
}

// otherSpeaks says whether another connection of the owner sent a command while
// this one waited: then the path is not what failed.
// Without a CLIENT LIST another socket of it may have.
func (c *incident) otherSpeaks(k evidence.Socket, age time.Duration) bool {
	list, ok := c.newestList()
	if !ok || list.Partial {
		looks := c.owner.proc.Looks
		return slices.ContainsFunc(c.sockets(looks[len(looks)-1]), func(o evidence.Socket) bool {
			return o.Local != k.Local && o.State == "ESTABLISHED" && !waits(o)
		})
	}
	return slices.ContainsFunc(c.connections(list), func(cl evidence.Client) bool {
		return cl.Addr != k.Local && seconds(cl.Idle)+time.Second < age
	})
}

// pathLocal: a unix socket or loopback has no path that could break.
func (c *incident) pathLocal(x *exam) bool {
	addr := c.s.Subject.Redis
	if strings.HasPrefix(addr, "/") {
		x.only(up)
		x.source("address")
		x.cite("redis/"+addr, "a unix socket of this host")
		x.says = "a unix socket of this host"
		return true
	}
	for _, l := range c.owner.proc.Looks {
		for _, k := range c.sockets(l) {
			// A socket that the coordinator does not list ends at a proxy on this
			// host, and what lies behind the proxy is a path that can break.
			if loopback(k.Remote) && loopback(k.Local) && !waits(k) && c.everInList(k.Local) {
				x.only(up)
				x.source("socket")
				x.cite(l.Sockets.Source, "%s → %s is loopback", k.Local, k.Remote)
				x.says = "loopback: " + k.Local + " → " + k.Remote
				x.source("client list")
				return true
			}
		}
	}
	return false
}

func loopback(addr string) bool {
	return strings.HasPrefix(addr, "127.") || strings.HasPrefix(addr, "[::1]")
}

// pathTraffic: the owner's own connection sent a command after T*.
func (c *incident) pathTraffic(x *exam) bool {
	for _, list := range slices.Backward(c.s.Node.Clients) {
		for _, k := range c.connections(list) {
			said := c.lastCommand(list, k)
			late := said.Known() && c.missedOne() && (said.After(c.when) || c.saidSinceGone(list, k))
			renews := c.leaseIs.Value == renewing && len(c.renewals) > 0 && c.renewsItself()
			if late || renews {
				x.only(up)
				x.source("client list")
				x.cite(c.read("client-list"), "its connection id=%d sent %s, idle for %d s", k.ID, quote(k.Cmd), k.Idle)
				x.says = "its connection id=" + formatInt(k.ID) + " is in use"
				return true
			}
		}
	}
	return c.neighbourTraffic(x)
}

// neighbourTraffic: the table of the owner's namespace holds a connection that sent
// a command after T*. Whose it is was not read; where it is the only one there, or
// is named after the host that the lock's value names, it is presumed the owner's.
func (c *incident) neighbourTraffic(x *exam) bool {
	list, ok := c.newestList()
	if !ok || !c.missedOne() {
		return false
	}
	rows := map[string]bool{}
	for _, l := range c.owner.proc.Looks {
		for _, k := range c.sockets(l) {
			if waits(k) {
				return false
			}
			rows[k.Local] = rows[k.Local] || l.Inodes.State != evidence.Seen
		}
	}
	host := evidence.NamedIn(c.first.Holder).Host
	for _, k := range list.Clients.Or(nil) {
		its := len(rows) == 1 || len(host) >= 3 && contains(k.Name, host)
		if rows[k.Addr] && its && !strings.HasPrefix(k.Cmd, "client") && c.lastCommand(list, k).After(c.when) {
			x.only(up)
			x.source("client list")
			x.cap = true
			x.cite(c.read("client-list"), "a connection of its host, id=%d %s, sent %s, idle for %d s", k.ID, quote(k.Name), quote(k.Cmd), k.Idle)
			x.says = "a connection of its host, id=" + formatInt(k.ID) + ", is in use"
			return true
		}
	}
	return false
}

// saidSinceGone: in a text, a list behind the look that showed the key gone has
// the connection idle for less than a list between them had.
func (c *incident) saidSinceGone(list evidence.ClientList, k evidence.Client) bool {
	if !c.lost.yes || list.Span.Step == 0 {
		return false
	}
	gone := c.s.Looks[c.lost.after.Look].Span
	for _, between := range c.s.Node.Clients {
		if between.Span.Step == 0 || !c.after(between.Span, gone) || !c.after(list.Span, between.Span) {
			continue
		}
		for _, o := range between.Clients.Or(nil) {
			if o.ID == k.ID && k.Idle < o.Idle {
				return true
			}
		}
	}
	return false
}

// pathClean: the same socket, with nothing unacknowledged, on both sides of T*,
// and the coordinator still lists it: the owner did not even try.
func (c *incident) pathClean(x *exam) bool {
	before, after := c.aroundWith(func(l evidence.ProcLook) bool { return l.Sockets.State == evidence.Seen })
	if before == nil || after == nil {
		return false
	}
	for _, k := range c.sockets(*after) {
		same := slices.ContainsFunc(c.sockets(*before), func(o evidence.Socket) bool {
			return o.Inode == k.Inode && o.Retrans == 0
		})
		if !same || k.Retrans != 0 || k.TxQueue != 0 || k.State != "ESTABLISHED" || !c.inList(k.Local) {
			continue
		}
		x.only(up)
		x.source("socket")
		x.source("client list")
		x.cite(after.Sockets.Source, "%s → %s has nothing unacknowledged, and the coordinator lists it", k.Local, k.Remote)
		x.says = "its socket " + k.Local + " is clean and still listed"
		return true
	}
	return false
}

func (c *incident) inList(addr string) bool {
	for _, list := range slices.Backward(c.s.Node.Clients) {
		return slices.ContainsFunc(list.Clients.Or(nil), func(k evidence.Client) bool { return k.Addr == addr })
	}
	return false
}

// everInList is the same for any of the lists.
func (c *incident) everInList(addr string) bool {
	return slices.ContainsFunc(c.s.Node.Clients, func(list evidence.ClientList) bool {
		return slices.ContainsFunc(list.Clients.Or(nil), func(k evidence.Client) bool { return k.Addr == addr })
	})
}
