package classify

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// Who can renew this lock: every connection that was seen to, and every one whose
// last command could have.

// mostParties bounds them: a pool of workers may all contend.
const mostParties = 32

// parties joins CLIENT LIST, SLOWLOG and this host's sockets, the surest first.
func (c *incident) parties() []evidence.Party {
	var out []evidence.Party
	add := func(k evidence.Client, connected bool) {
		if p, ok := c.party(k, connected); ok && len(out) < mostParties {
			out = append(out, p)
		}
	}
	seen := map[string]bool{}
	for _, list := range slices.Backward(c.s.Node.Clients) {
		for _, k := range list.Clients.Or(nil) {
			if k.Name != "lockscene" && k.Addr != "" && !seen[k.Addr] {
				seen[k.Addr] = true
				add(k, true)
			}
		}
	}
	for _, e := range c.s.Node.Slowlog.Or(nil) {
		if !e.Withheld && e.Client != "" && !seen[e.Client] {
			seen[e.Client] = true
			add(evidence.Client{Addr: e.Client, Name: e.Name}, false)
		}
	}
	slices.SortStableFunc(out, func(a, b evidence.Party) int { return rank(b) - rank(a) })
	return out
}

func rank(p evidence.Party) int { return 4*len(p.Did) + len(p.Tried) }

// party is what one connection has to do with the lock; not ok where nothing.
func (c *incident) party(k evidence.Client, connected bool) (evidence.Party, bool) {
	p := evidence.Party{Client: c.clientWords(k), Because: []string{}}
	if !connected {
		p.Client = strings.TrimPrefix(p.Client, "id=0 ")
	}
	if c.renewedBy != nil && c.renewedBy.ID == k.ID && connected && len(c.renewals) > 0 {
		p.Did = append(p.Did, evidence.DeedRenew)
		p.Because = append(p.Because, "its last command, "+quote(k.Cmd)+", came when a renewal was seen")
	}
	c.byEntries(&p, k.Addr)
	could := evidence.VerbOf(k.Cmd) == evidence.Renews || evidence.VerbOf(k.Cmd) == evidence.Either
	switch {
	case len(p.Because) > 0:
	case could:
		p.Because = append(p.Because, "its last command, "+quote(k.Cmd)+", can extend a key")
	case connected && c.ofOwner(k):
		p.Because = append(p.Because, "it is the owner's connection")
	default:
		return p, false
	}
	if !connected {
		p.Because = append(p.Because, "it is not connected any more")
	}
	c.whereIs(&p, k.Addr)
	return p, true
}

// byEntries adds what SLOWLOG has of a connection: what was served, and what was
// only sent.
func (c *incident) byEntries(p *evidence.Party, addr string) {
	add := func(to *[]evidence.Deed, d evidence.Deed) {
		if !slices.Contains(*to, d) {
			*to = append(*to, d)
		}
	}
	n := 0
	for _, h := range c.holdings() {
		if h.Actor != addr || addr == "" {
			continue
		}
		n++
		if h.over {
			add(&p.Did, evidence.DeedRelease)
			continue
		}
		add(&p.Did, evidence.DeedRenew)
	}
	for _, e := range c.s.Node.Slowlog.Or(nil) {
		if e.Client == addr && e.Deed != "" && slices.Contains(e.Args, c.s.Subject.Key) && !slices.Contains(p.Did, e.Deed) {
			n++
			add(&p.Tried, e.Deed)
		}
	}
	if n > 0 {
		p.Because = append(p.Because, "in SLOWLOG "+times(n)+" with this key")
	}
}

// clientWords is connection without the process, which has fields of its own here.
func (c *incident) clientWords(k evidence.Client) string {
	words := []string{"id=" + formatInt(k.ID), quote(k.Addr)}
	if k.Name != "" {
		words = append(words, quote(k.Name))
	}
	if k.Lib != "" {
		words = append(words, quote(strings.TrimSpace(k.Lib+" "+k.LibVer)))
	}
	return strings.Join(words, " ")
}

// whereIs finds the process behind a connection and what it is to the owner's.
func (c *incident) whereIs(p *evidence.Party, addr string) {
	peer, ok := c.peer(addr)
	if !ok {
		p.Where = evidence.NotKnown
		if c.fromElsewhere(addr) {
			p.Where = evidence.Elsewhere
		}
		return
	}
	p.Pid, p.Comm = peer.Pid, peer.Comm
	group := cmpOr(peer.Group, c.groupOf(peer.Pid))
	p.Unit, p.Container = unitIn(group), containerIn(group)
	p.Where = evidence.SameHost
	own := ""
	if c.owner != nil {
		own = c.groupOf(c.owner.proc.Pid)
	}
	switch {
	case c.owner != nil && peer.Pid == c.owner.proc.Pid && c.owner.same != another:
		p.Where = evidence.OwnersOwn
	case own != "" && own != "/" && (own == group && !sessionLike(own) || podIn(own) != "" && podIn(own) == podIn(group)):
		p.Where = evidence.Sidecar
	case scheduled(p.Unit):
		p.Where = evidence.Scheduled
	}
}

// fromElsewhere says whether an address is none of those that the owner's host has
// towards the coordinator.
func (c *incident) fromElsewhere(addr string) bool {
	hosts := map[string]bool{}
	for _, p := range c.s.Processes {
		for _, l := range p.Looks {
			for _, k := range c.sockets(l) {
				hosts[hostPart(k.Local)] = true
			}
		}
	}
	for _, p := range c.s.Host.Peers.Or(nil) {
		hosts[hostPart(p.Local)] = true
	}
	return len(hosts) > 0 && !hosts[hostPart(addr)]
}

// groupOf is the control group of a process that was looked at.
func (c *incident) groupOf(pid int) string {
	var all []evidence.CgroupPath
	for _, p := range c.s.Processes {
		for _, l := range p.Looks {
			if p.Pid == pid {
				all = append(all, l.Groups.Or(nil)...)
			}
		}
	}
	return evidence.Fullest(all)
}

// unitIn is the innermost unit of systemd in a control group's path.
func unitIn(group string) string {
	for _, part := range slices.Backward(strings.Split(group, "/")) {
		if strings.HasSuffix(part, ".service") || strings.HasSuffix(part, ".scope") && containerIn(part) == "" {
			return evidence.Printable(evidence.Clip(part, 80))
		}
	}
	return ""
}

// containerIn is the id of the innermost container in a control group's path:
// 64 hex digits, whatever stands around them.
func containerIn(group string) string {
	const id, shown = 64, 12
	for _, part := range slices.Backward(strings.Split(group, "/")) {
		part = strings.TrimSuffix(part, ".scope")
		if i := len(part) - id; i >= 0 && strings.Trim(part[i:], "0123456789abcdef") == "" {
			return part[i : i+shown]
		}
	}
	return ""
}

// podIn is the folder of a Kubernetes pod in a control group's path.
func podIn(group string) string {
	for _, part := range strings.Split(group, "/") {
		if strings.HasPrefix(part, "pod") || strings.HasPrefix(part, "kubepods") && strings.Contains(part, "-pod") {
			return part
		}
	}
	return ""
}

// sessionLike says whether a control group is that of a whole login: what runs in
// it has nothing else in common.
func sessionLike(group string) bool {
	return strings.Contains(group, "/session-") || strings.HasSuffix(group, "/init.scope") || strings.HasSuffix(group, "/user.slice")
}

func scheduled(unit string) bool {
	return slices.Contains([]string{"cron.service", "crond.service", "anacron.service", "atd.service"}, unit)
}
