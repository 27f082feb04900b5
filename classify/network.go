package classify

import (
	"net/netip"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// What links, firewalls and programs logged of the network. Such a line has a date
// and no proof that it speaks of the owner's way to the coordinator: it dates what
// the owner's socket shows, and alone it makes a broken path likely.

// A blip is one such line on the coordinator's clock.
type blip struct {
	at     evidence.Interval
	class  string
	device string
	peer   string
	source string
	text   string
}

// blips are those of the owner's host, the kernel's own included.
func (c *incident) blips() []blip {
	var out []blip
	for _, n := range c.s.Host.Network {
		at, _ := c.around(n.At)
		out = append(out, blip{at, n.Class, n.Device, n.Peer, "network log", n.Text})
	}
	k := c.s.Host.Kernel.Value
	for _, e := range k.Events {
		class := e.Class
		switch {
		case e.Forged:
			continue
		case class == "link" && e.Up != nil && *e.Up:
			class = "link-up"
		case class == "link" && e.Up != nil:
			class = "link-down"
		case class != "conntrack-full" && class != "nic-reset" && class != "tx-timeout":
			continue
		}
		out = append(out, blip{c.kernelTime(e), class, e.Device, "", cmpOr(k.Source, "kernel log"), e.Text})
	}
	return out
}

// cuts says whether a line tells of a way that is closed, not of one connection
// that ended: conntrack full drops only what is new, and a reset is an answer.
func (c *incident) cuts(b blip) bool {
	return b.class == "link-down" && b.peer == "" || b.class == "unreachable" && c.isCoordinator(b.peer)
}

// aside is an interface that does not lead to another machine, or one of several
// that carry one link.
func aside(b blip) bool {
	for _, prefix := range []string{"lo", "veth", "docker", "cni", "cali", "virbr", "tap"} {
		if strings.HasPrefix(b.device, prefix) {
			return true
		}
	}
	return strings.Contains(b.text, "slave ")
}

// cutSince is the line that tells when the owner's host lost its way, by T*, with
// no later one before the renewal was overdue that it came back.
func (c *incident) cutSince() (blip, bool) {
	var cut blip
	found := false
	for _, b := range c.blips() {
		if !b.at.Closed() || aside(b) || c.missedOne() && !b.at.Before(c.lateBy()) {
			continue
		}
		switch {
		case !found && c.cuts(b):
			cut, found = b, true
		case b.class == "link-up" && found && (b.device == "" || cut.device == "" || b.device == cut.device):
			found = false
		}
	}
	return cut, found
}

// isCoordinator compares an address, with or without a port, with the
// coordinator's.
func (c *incident) isCoordinator(addr string) bool {
	known := []string{c.s.Subject.Redis}
	if len(c.s.Vantages) > 0 {
		known = append(known, c.s.Vantages[0].Remote)
	}
	for _, k := range known {
		if addr != "" && k != "" && hostPart(addr) == hostPart(k) {
			return true
		}
	}
	return false
}

// hostPart is an address without its port.
func hostPart(addr string) string {
	if a, err := netip.ParseAddrPort(addr); err == nil {
		return a.Addr().Unmap().String()
	}
	if a, err := netip.ParseAddr(addr); err == nil {
		return a.Unmap().String()
	}
	if i := strings.LastIndexByte(addr, ':'); i > 0 && strings.Count(addr, ":") == 1 {
		return addr[:i]
	}
	return addr
}

// citeCut adds the line to what a socket shows.
func (c *incident) citeCut(x *exam) {
	if b, ok := c.cutSince(); ok && c.missedOne() {
		x.source("network log")
		x.cite(b.source, "%s (%s)", line(b.text), clockTime(b.at))
	}
}

// pathLogged: no socket of the owner's was seen, or none that tells, and its host
// logged that it had lost its way when the renewal was due.
func (c *incident) pathLogged(x *exam) bool {
	b, ok := c.cutSince()
	if !ok || !c.missedOne() || c.ownerIs.Value == gone {
		return false
	}
	x.only(broken)
	x.source("network log")
	x.cap = true
	x.cite(b.source, "%s (%s)", line(b.text), clockTime(b.at))
	x.says = "its host lost its way at " + clockTime(b.at)
	return true
}
