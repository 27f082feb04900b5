package classify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// renewer finds the connection that renews the lock: the one whose last
// command can extend a key and came when a renewal is known to have come. It is
// nil when none or several fit.
func (c *incident) renewer() *evidence.Client {
	list, ok := c.newestList()
	if !ok {
		return nil
	}
	var fit []evidence.Client
	for _, k := range list.Clients.Or(nil) {
		verb := evidence.VerbOf(k.Cmd)
		said := c.lastCommand(list, k)
		if verb != evidence.Renews && verb != evidence.Either || !said.Known() {
			continue
		}
		if slices.ContainsFunc(c.renewalMoments(), func(at evidence.Interval) bool {
			return !at.Before(said) && !at.After(said)
		}) {
			fit = append(fit, k)
		}
	}
	if len(fit) != 1 {
		return nil
	}
	return &fit[0]
}

func (c *incident) newestList() (evidence.ClientList, bool) {
	for _, l := range slices.Backward(c.s.Node.Clients) {
		if l.Clients.State == evidence.Seen {
			return l, true
		}
	}
	return evidence.ClientList{}, false
}

// renewalMoments are when the lease is known to have been extended: what was
// observed, and what its end implies.
func (c *incident) renewalMoments() []evidence.Interval {
	var out []evidence.Interval
	for _, r := range c.renewals {
		out = append(out, r.At)
	}
	switch {
	case len(out) == 0 && c.renewed.Known():
		out = append(out, c.renewed)
	case len(out) > 0 && c.reckoned() != nil && c.s.Contract.Lease > 0 && len(c.tenure) > 0 && c.tenure[0].Ends.Known():
		// Of text the client list may be older than the renewals that were seen.
		out = append(out, evidence.RenewedAt(c.tenure[0].Ends, c.s.Contract.Lease))
	}
	return out
}

// ofOwner says whether a connection is the owner's own.
func (c *incident) ofOwner(k evidence.Client) bool {
	list, _ := c.newestList()
	return slices.ContainsFunc(c.connections(list), func(o evidence.Client) bool { return o.ID == k.ID })
}

// notOwners says whether a connection is certainly not the owner's: another process
// has its socket, or the table of the owner's sockets was read while it stood and it
// is not there. Behind an address translation no socket is listed under the address
// that its own host has for it, so that one that joins nothing is anybody's.
func (c *incident) notOwners(k evidence.Client) bool {
	if c.owner == nil || c.ofOwner(k) || c.bearsName(c.owner.proc, k.Name) {
		return false
	}
	if p, ok := c.peer(k.Addr); ok {
		return p.Pid != c.owner.proc.Pid
	}
	list, _ := c.newestList()
	stood := c.secondsAgo(c.span(list.Span), k.Age)
	return slices.ContainsFunc(c.owner.proc.Looks, func(l evidence.ProcLook) bool {
		if l.Sockets.State != evidence.Seen || !stood.Before(c.span(l.Span)) {
			return false
		}
		own := c.sockets(l)
		if l.Inodes.State != evidence.Seen { // the whole namespace's: whoever is in none of them is another host's
			own = slices.DeleteFunc(slices.Clone(l.Sockets.Value), func(o evidence.Socket) bool { return !c.towards(o) })
		} else if len(own) == 0 {
			return true
		}
		its := func(o evidence.Socket) bool { return o.Local == k.Addr }
		return !slices.ContainsFunc(own, its) && slices.ContainsFunc(own, func(o evidence.Socket) bool { return c.everInList(o.Local) })
	})
}

// renewedAside says whether another process than the owner renews, by the
// responder's word or by its socket. Then a renewal is no sign of the owner's life.
func (c *incident) renewedAside() bool {
	if c.owner != nil && c.s.Subject.Renewer > 0 && c.s.Subject.Renewer != c.owner.proc.Pid {
		return true
	}
	return c.renewedBy != nil && c.notOwners(*c.renewedBy)
}

// peer is the local process behind a connection, when it is local.
func (c *incident) peer(addr string) (evidence.Peer, bool) {
	for _, p := range c.s.Host.Peers.Or(nil) {
		if p.Local == addr {
			return p, true
		}
	}
	for _, p := range c.s.Processes {
		for _, l := range p.Looks {
			inodes, known := l.Inodes.Get()
			for _, k := range l.Sockets.Or(nil) {
				if known && k.Local == addr && slices.Contains(inodes, k.Inode) {
					return evidence.Peer{Local: addr, Inode: k.Inode, Pid: p.Pid, Comm: l.Stat.Value.Comm}, true
				}
			}
		}
	}
	return evidence.Peer{}, false
}

// connection prints a client for people: id, address, name, library, and the
// local process behind it.
func (c *incident) connection(k evidence.Client) string {
	parts := []string{"id=" + formatInt(k.ID)}
	if k.Addr != "" {
		parts = append(parts, quote(k.Addr))
	}
	if k.Name != "" {
		parts = append(parts, quote(k.Name))
	}
	if k.Lib != "" {
		parts = append(parts, quote(strings.TrimSpace(k.Lib+" "+k.LibVer)))
	}
	if p, ok := c.peer(k.Addr); ok {
		local := fmt.Sprintf("local pid %d", p.Pid)
		if p.Comm != "" {
			local += " (" + quote(p.Comm) + ")"
		}
		parts = append(parts, local)
	}
	return strings.Join(parts, " ")
}

// holder is whom the coordinator names, and what is known of it.
func (c *incident) holder() evidence.Holder {
	h := evidence.Holder{Value: c.first.Holder}
	if c.owner != nil {
		h.Pid = c.owner.proc.Pid
		for _, l := range c.owner.proc.Looks {
			if st, ok := l.Stat.Get(); ok && c.owner.same != another {
				h.Comm = st.Comm
			}
		}
		if h.Comm == "" && c.kill != nil {
			h.Comm = c.kill.Comm
		}
	}
	for _, list := range c.s.Node.Clients {
		for _, k := range c.connections(list) {
			h.Client = c.connection(k)
		}
	}
	if c.renewedBy != nil && len(c.renewals) > 0 && c.notOwners(*c.renewedBy) { // seen to renew, not only fitting the end
		h.Renewer = c.connection(*c.renewedBy)
	}
	return h
}
