package pasted

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

// chooseNode settles which Redis node is judged: the one the responder named,
// else the first that was asked about the key, else the first that was asked.
func (im *importer) chooseNode() {
	im.chooseDB()
	im.node = withPort(im.opts.Subject.Redis)
	if im.node != "" {
		im.node = im.sameNode(im.node)
		return
	}
	first := ""
	for _, e := range im.entries {
		if e.cli == nil || e.nodeOf() == "" {
			continue
		}
		if first == "" {
			first = e.nodeOf()
		}
		if (reply{command: e.cli.Command}).key() == im.opts.Subject.Key {
			im.node = e.nodeOf()
			return
		}
	}
	im.node = first
}

// chooseDB settles the database: the one in which the key was first asked for,
// unless the responder named one.
func (im *importer) chooseDB() {
	if im.opts.Subject.DB != 0 {
		return
	}
	for _, e := range im.entries {
		if e.cli != nil && (reply{command: e.cli.Command}).key() == im.opts.Subject.Key {
			im.opts.Subject.DB = im.dbOf(e)
			return
		}
	}
}

// sameNode is the address as the text spells it, when the flag's is only shorter.
func (im *importer) sameNode(said string) string {
	for _, e := range im.entries {
		if e.cli != nil && strings.EqualFold(e.nodeOf(), said) {
			return e.nodeOf()
		}
	}
	return said
}

// hosts are the shells of the text, in the order they first appear.
func (im *importer) hosts() []string {
	var out []string
	seen := map[string]bool{}
	for _, e := range im.entries {
		if !e.Remark && !e.Loose && !seen[e.Host] {
			seen[e.Host], out = true, append(out, e.Host)
		}
	}
	return out
}

// sameHost compares host names; one may be given in full.
func sameHost(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
}

// valueHost is the host that the lock's value names.
func (im *importer) valueHost() string { return evidence.NamedIn(im.firstValue()).Host }

// firstValue is the first value seen of the key.
func (im *importer) firstValue() string {
	for _, e := range im.entries {
		if e.cli == nil || e.reply == nil || (reply{command: e.cli.Command}).key() != im.opts.Subject.Key {
			continue
		}
		switch strings.ToUpper(e.cli.Command[0]) {
		case "GET", "GETRANGE":
			if e.reply.Kind == '$' && !e.reply.Null {
				return e.reply.Str
			}
		case "HGETALL":
			if len(e.reply.Array) > 0 {
				return e.reply.Array[0].Str
			}
		}
	}
	return ""
}

// processHost is where somebody first looked at a process, or else at what runs
// one.
func (im *importer) processHost() string {
	runs := -1
	for i, e := range im.entries {
		if e.cli != nil || len(e.Argv) == 0 {
			continue
		}
		switch program(e) {
		case "ps":
			return e.Host
		case "docker", "podman", "nerdctl", "crictl", "systemctl", "pgrep", "top":
			if runs < 0 {
				runs = i
			}
		}
		if strings.Contains(e.Typed, "/proc/") {
			return e.Host
		}
	}
	if runs < 0 {
		return ""
	}
	return im.entries[runs].Host
}

// vantages lists whose eyes the text has, the owner's host first.
func (im *importer) vantages() []evidence.Vantage {
	var out []evidence.Vantage
	terminals, typed := im.moments.terminals(), im.typedOn()
	for _, h := range im.ordered() {
		v := evidence.Vantage{Name: im.vantageOf(h), Host: im.called(im.eyeOf(h)), Inside: im.insideOf(h), Reckoned: im.axis.reckoning(h, terminals)}
		if h == "" {
			v.Host = im.opts.Host
		}
		if h == im.owner {
			v.Candidates = im.pids
		}
		v.Remote = im.remote()
		v.Start, v.End = im.extent(h, typed[h])
		im.fromFiles(&v, typed[h])
		out = append(out, v)
	}
	return im.withMore(out)
}

// ordered are the hosts, the owner's first.
func (im *importer) ordered() []string {
	hosts := im.hosts()
	if i := slices.Index(hosts, im.owner); i > 0 {
		hosts = slices.Concat([]string{im.owner}, slices.Delete(slices.Clone(hosts), i, i+1))
	}
	return hosts
}

// typedOn are the entries of each host's shell.
func (im *importer) typedOn() map[string][]int {
	out := map[string][]int{}
	for i, e := range im.entries {
		if !e.Remark {
			out[e.Host] = append(out[e.Host], i)
		}
	}
	return out
}

// extent is the stretch in which a host's shell was used.
func (im *importer) extent(host string, typed []int) (start, end evidence.Stamp) {
	if len(typed) == 0 {
		return start, end
	}
	first, last := typed[0], typed[len(typed)-1]
	start, _ = im.axis.span(prompt(first), output(first), host)
	known, end := im.axis.span(prompt(last), output(last), host)
	if !im.axis.closed(output(last)) {
		end = known // what nothing bounds is not made later than it need be
	}
	return start, end
}

// vantageOf names a host's eyes: the owner's, or a bastion's where Redis was asked
// from it, else the host's own name.
func (im *importer) vantageOf(host string) string {
	if im.names == nil {
		im.names = map[string]string{}
	}
	name, known := im.names[host]
	if !known {
		name = im.nameVantage(host)
		im.names[host] = name
	}
	return name
}

func (im *importer) nameVantage(host string) string {
	if host == im.owner && (im.opts.Host == "" || host == "" || im.isCalled(host, im.opts.Host)) && im.ownerLooked(host) {
		return "owner"
	}
	if first, ok := im.asker(); ok && first == host {
		return "bastion"
	}
	if host == "" {
		return "owner"
	}
	return evidence.MemberName(host)
}

// ownerLooked says whether the host may be the owner's at all: the value names no
// other.
func (im *importer) ownerLooked(host string) bool {
	named := im.valueHost()
	return named == "" || host == "" || im.isCalled(host, named) || im.called(im.eyeOf(host)) == "" || im.opts.Host != "" || im.processHost() == host
}

// firstAsker is the first host but the owner's that Redis was asked from.
func (im *importer) firstAsker() (host string, ok bool) {
	for _, e := range im.entries {
		if e.cli != nil && (e.Host != im.owner || im.opts.Host != "" && !im.isCalled(e.Host, im.opts.Host)) {
			return e.Host, true
		}
	}
	return "", false
}

// remote is the address at which sockets reach the node: its own, or that of its
// connections where it was asked through a socket of its host.
func (im *importer) remote() string {
	if isAddress(im.node) {
		if at, _ := netip.ParseAddrPort(im.node); at.Addr().IsLoopback() && im.askedInside() {
			return "" // the container's own loopback
		}
		return im.node
	}
	if !strings.HasPrefix(im.node, "/") {
		return ""
	}
	for _, at := range im.listings() {
		list := redis.ParseClients("", im.entries[at].reply.Append(nil), evidence.Span{}, evidence.OK, "")
		for _, c := range list.Clients.Or(nil) {
			if isAddress(c.LAddr) {
				return c.LAddr
			}
		}
	}
	return ""
}

// askedInside says whether the node was asked within a container or pod.
func (im *importer) askedInside() bool {
	return slices.ContainsFunc(im.entries, func(e entry) bool { return e.cli != nil && e.In.Name != "" && e.nodeOf() == im.node })
}

// isAddress says whether a node is named by an address and not by a host's name:
// only then do socket tables show it so.
func isAddress(node string) bool {
	_, err := netip.ParseAddrPort(node)
	return err == nil
}
