package classify

import (
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// tellReleaseFromLoss decides, where it can, who took away a key that vanished
// before its end: its holder, which is how locks should end, or somebody else.
// What decides is the last command on the holder's own connections, by the idle
// time that CLIENT LIST gives in whole seconds.
func (c *incident) tellReleaseFromLoss(x *exam) {
	if e, ok := c.slowRemoval(); ok && !flushes(e) {
		c.bySlowlog(x, e)
		return
	}
	if e, emptied, ok := c.flushed(); ok {
		c.byFlush(x, e, emptied)
		return
	}
	if c.lostByPromotion(x) {
		return
	}
	list, ok := c.listAfter(c.lost.at)
	if !ok {
		x.miss(c.read("client-list"), "unread", "no CLIENT LIST after the key went")
		return
	}
	mine := c.connections(list)
	before, known := c.listBefore(c.lost.at)
	if known && len(c.connections(before)) > len(mine) {
		c.releasedByCount(x, before) // a connection that closed may have released the lock first
		return
	}
	if !known || len(mine) == 0 {
		return
	}
	silent := true
	for _, k := range mine {
		said := c.lastCommand(list, k)
		verb := evidence.VerbOf(k.Cmd)
		switch {
		case said.Before(c.lost.before.Now):
			// idle since before the key was last seen: it removed nothing
		case c.wentOn(before, k, said):
			x.exclude(released)
			x.source("clients")
			x.cap, c.byCommand = true, true
			x.cite(c.read("client-list"), "client id=%d of the holder went on with %s after the key was gone", k.ID, quote(k.Cmd))
			x.says = "lost at " + moment(c.lost.at) + ", before its end; its holder went on renewing"
			return
		case c.wasRelease(verb, said):
			x.exclude(lost)
			x.source("clients")
			x.cite(c.read("client-list"), "client id=%d of the holder sent %s when the key went, %d s idle at %s: its holder released it",
				k.ID, quote(k.Cmd), k.Idle, clockTime(c.span(list.Span)))
			x.says = "released by its holder at " + moment(c.lost.at)
			return
		default:
			silent = false
		}
	}
	if silent {
		x.exclude(released)
		x.source("clients")
		x.cite(c.read("client-list"), "every connection of the holder had been idle since before the key was last seen: it removed nothing")
		x.says = "removed at " + moment(c.lost.at) + ", before its end, and not by its holder"
	}
}

// wentOn says whether a connection of the holder renewed after the key was gone,
// as somebody does who does not know it: by the command that renewed before. SET
// and its like may be the next acquire, of this key or another.
func (c *incident) wentOn(before evidence.ClientList, k evidence.Client, said evidence.Interval) bool {
	if !said.Known() || !said.From.After(c.lost.at.To) || c.tookAgain() {
		return false
	}
	again := slices.ContainsFunc(before.Clients.Or(nil), func(o evidence.Client) bool { return o.ID == k.ID && o.Cmd == k.Cmd })
	expires := contains(strings.ToLower(k.Cmd), "expire")
	return expires || again && evidence.VerbOf(k.Cmd) == evidence.Either
}

// tookAgain says whether the holder was seen to have the lock again later.
func (c *incident) tookAgain() bool {
	return slices.ContainsFunc(c.sights, func(s evidence.Sight) bool {
		return s.Look > c.lost.after.Look && s.Here && s.Holder != "" && s.SameHolder(c.first)
	})
}

// wasRelease says whether a command of the holder, sent somewhere in an
// interval that holds the vanishing, was what took the key away. DEL and its
// like were. A script may be a renewal as well: it was none when it came after
// the last one, and no other was due in that interval.
func (c *incident) wasRelease(verb evidence.Verb, said evidence.Interval) bool {
	if said.After(c.lost.at) || said.Before(c.lost.at) || !said.Known() {
		return false
	}
	if verb == evidence.Releases {
		return true
	}
	if verb != evidence.Either || !c.renewed.Known() || !said.After(c.renewed) || c.every == 0 {
		return false
	}
	slack := c.every / 10
	for due := c.renewed.Shift(c.every-slack, c.every+slack); due.From.Before(said.To); due = due.Shift(c.every, c.every) {
		if !due.Before(said) {
			return false
		}
	}
	return true
}

// slowRemoval finds a removal of this key in SLOWLOG during the vanishing, or a
// flush of its database. A removal takes a microsecond and is hardly ever there;
// one that is decides.
func (c *incident) slowRemoval() (evidence.SlowEntry, bool) {
	for _, e := range c.s.Node.Slowlog.Or(nil) {
		ended := endedAt(e)
		during := !ended.Before(c.lost.at) && !ended.After(c.lost.at)
		removes := len(e.Args) > 1 && (evidence.VerbOf(e.Args[0]) == evidence.Releases || c.releasesOwn(e))
		if !e.Withheld && removes && slices.Contains(e.Args[1:], c.s.Subject.Key) && during {
			return e, true
		}
	}
	if e, _, ok := c.flushed(); ok {
		return e, true
	}
	return evidence.SlowEntry{}, false
}

// releasesOwn says whether an entry is a library's release script that was given the
// holder's own value: it removes the key only while it is that. Without the value it
// may be the attempt of another, which removed nothing.
func (c *incident) releasesOwn(e evidence.SlowEntry) bool {
	return e.Deed == evidence.DeedRelease && c.first.Holder != "" && slices.Contains(e.Args, c.first.Holder)
}

func (c *incident) bySlowlog(x *exam, e evidence.SlowEntry) {
	if c.releasesOwn(e) {
		x.source("slowlog")
		x.cite(c.read("slowlog"), "a release script with the holder's own value from %s at %s", quote(e.Client), e.Ended.UTC().Format("15:04:05Z"))
		x.exclude(lost)
		x.says = "released with its holder's own value at " + moment(c.lost.at)
		return
	}
	list, _ := c.listBefore(c.lost.at)
	own := slices.ContainsFunc(c.connections(list), func(k evidence.Client) bool { return k.Addr == e.Client })
	x.source("slowlog")
	x.cite(c.read("slowlog"), "%s of this key from %s at %s", quote(e.Args[0]), quote(e.Client), e.Ended.UTC().Format("15:04:05Z"))
	if own {
		x.exclude(lost)
		x.says = "released by its holder at " + moment(c.lost.at)
		return
	}
	x.says = "removed by " + quote(e.Client) + " at " + moment(c.lost.at) + ", before its end"
	if !c.surelyAnother(e) {
		x.says += "; whether that is its holder is not shown"
		return
	}
	x.exclude(released)
}

// surelyAnother says whether whoever removed the key is known not to be its
// holder: the holder's connections are known and it is none of them, or it has a
// name of its own that does not speak of the holder's host.
func (c *incident) surelyAnother(e evidence.SlowEntry) bool {
	for _, list := range c.s.Node.Clients {
		if len(c.connections(list)) > 0 && !list.Partial {
			return true
		}
	}
	host := evidence.NamedIn(c.first.Holder).Host
	return e.Name != "" && host != "" && !contains(e.Name, host) && !c.namedAlike(evidence.Client{Name: e.Name})
}

// listAfter is the first CLIENT LIST taken after a moment; listBefore the last
// one before it.
func (c *incident) listAfter(at evidence.Interval) (evidence.ClientList, bool) {
	for _, l := range c.s.Node.Clients {
		if l.Clients.State == evidence.Seen && c.span(l.Span).From.After(at.From) && len(c.s.Node.Clients) > 1 {
			if c.span(l.Span).To.After(at.To) || !c.span(l.Span).Before(at) {
				return l, true
			}
		}
	}
	return evidence.ClientList{}, false
}

func (c *incident) listBefore(at evidence.Interval) (evidence.ClientList, bool) {
	var out evidence.ClientList
	found := false
	for _, l := range c.s.Node.Clients {
		if l.Clients.State == evidence.Seen && !c.span(l.Span).After(at) {
			out, found = l, true
			break
		}
	}
	return out, found
}

// lastCommand is when a connection last sent a command.
func (c *incident) lastCommand(list evidence.ClientList, k evidence.Client) evidence.Interval {
	at := c.span(list.Span)
	if k.Idle < 0 || !at.Known() {
		return evidence.Interval{} // the server's clock went back
	}
	said := c.secondsAgo(at, k.Idle)
	for _, before := range c.s.Node.Clients {
		if before.Span.Step == 0 || before.Span.Step >= list.Span.Step {
			continue
		}
		for _, o := range before.Clients.Or(nil) {
			// Idle time only falls when a command comes: it came between the lists.
			if from := c.span(before.Span).From; o.ID == k.ID && k.Idle < o.Idle && from.After(said.From) {
				said.From = from
			}
		}
	}
	return said
}

// after says whether one span came after another: by their order in a text, where
// both have one, else by the clock.
func (c *incident) after(a, b evidence.Span) bool { return later(a, b) }

// secondsAgo is when something happened that Redis calls n seconds old. It
// subtracts whole seconds from whole seconds, so that n means: within the second
// that began n seconds before the present one. Both are by a clock that it refreshes
// hz times a second, so that what happened early in a second may be kept under the
// one before.
func (c *incident) secondsAgo(now evidence.Interval, n int64) evidence.Interval {
	stale, d := c.stale(), seconds(n)
	ago := evidence.Interval{
		From:  now.From.Add(-stale).Truncate(time.Second).Add(-d - stale),
		To:    now.To.Truncate(time.Second).Add(time.Second - d + stale),
		Clock: evidence.Coordinator,
	}
	if ago.To.After(now.To) {
		ago.To = now.To
	}
	return ago
}

// stale is how old the server's own idea of the time may be: one refresh, and half
// of one more for a machine that is busy.
func (c *incident) stale() time.Duration {
	const usual = 10 // refreshes a second
	hz := int64(usual)
	for _, i := range c.s.Node.Infos {
		if n := i.Hz.Or(usual); n > 0 {
			hz = min(hz, n)
		}
	}
	return time.Second * 3 / 2 / time.Duration(hz)
}

// connections are the owner's connections in a CLIENT LIST: the same address
// and port as a socket in its descriptors, else a client name that the lock's
// value and the connection share.
func (c *incident) connections(list evidence.ClientList) []evidence.Client {
	locals := c.ownAddresses()
	var out []evidence.Client
	for _, k := range list.Clients.Or(nil) {
		if locals[k.Addr] || c.namedAlike(k) {
			out = append(out, k)
		}
	}
	return out
}

// ownAddresses are the local ends of the owner's sockets towards the coordinator.
// They are gathered once: every rule asks for every list.
func (c *incident) ownAddresses() map[string]bool {
	if c.owner == nil || c.locals != nil {
		return c.locals
	}
	c.locals = map[string]bool{}
	for _, l := range c.owner.proc.Looks {
		for _, k := range c.sockets(l) {
			// Without descriptors the table lists the whole namespace's.
			c.locals[k.Local] = c.locals[k.Local] || l.Inodes.State == evidence.Seen || c.agrees(k)
		}
	}
	return c.locals
}

// agrees says whether the name that the coordinator has for a socket names the
// owner's program: then the socket is its own, although its descriptors were not
// read.
func (c *incident) agrees(k evidence.Socket) bool {
	comm := ""
	for _, l := range c.owner.proc.Looks {
		comm = cmpOr(comm, cmpOr(l.Stat.Value.Comm, l.Status.Value.Name))
	}
	if len(comm) < 3 {
		return false
	}
	return slices.ContainsFunc(c.s.Node.Clients, func(list evidence.ClientList) bool {
		return slices.ContainsFunc(list.Clients.Or(nil), func(o evidence.Client) bool {
			return o.Addr == k.Local && contains(strings.ToLower(o.Name), strings.ToLower(comm))
		})
	})
}

// namedAlike says whether a connection's name holds what the lock's value says
// of its holder, or the value holds the name.
func (c *incident) namedAlike(k evidence.Client) bool {
	v := c.first.Holder
	if k.Name == "" || len(v) < 4 || len(k.Name) < 4 {
		return false
	}
	return contains(v, k.Name) || contains(k.Name, v)
}
