package pasted

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
	"github.com/lockscene/lockscene/inspect/redis"
	"github.com/lockscene/lockscene/inspect/shell"
)

// peers are the local processes behind the sockets that lead to the coordinator,
// seen between two entries.
type peers struct {
	list     []evidence.Peer
	from, to int
}

const maxRows = 4096

// findPeers joins the sockets that the owner's host has towards the coordinator
// with the processes in whose descriptors they were seen.
func (im *importer) findPeers() peers {
	rows, owners, comms := map[uint64]evidence.Socket{}, map[uint64]int{}, map[int]string{}
	out := peers{from: -1}
	for i := range im.entries {
		e := &im.entries[i]
		if e.cli != nil || len(e.Argv) == 0 || !im.ofOwner(*e) || len(rows) > maxRows || len(owners) > maxRows {
			continue
		}
		n := len(rows) + len(owners)
		for _, f := range im.filesOf(i) {
			im.addPeer(f, rows, comms)
		}
		if list, ok := shell.Links(e.Argv, e.Filters, e.Output); ok {
			for _, l := range list.Links {
				if pl, _ := linkPlace(l.Path); pl.name == "proc/fd" {
					owners[socketIn(l.Target)] = pl.pid
				}
			}
		}
		if n == len(rows)+len(owners) {
			continue
		}
		if out.from < 0 {
			out.from = i
		}
		out.to = i
	}
	for inode, pid := range owners {
		if k, ok := rows[inode]; ok && inode > 0 {
			out.list = append(out.list, evidence.Peer{Local: k.Local, Inode: inode, Pid: pid, Comm: comms[pid]})
		}
	}
	slices.SortFunc(out.list, func(a, b evidence.Peer) int { return strings.Compare(a.Local, b.Local) })
	return out
}

// addPeer takes what a file says of sockets, or of a process's name.
func (im *importer) addPeer(f shell.File, rows map[uint64]evidence.Socket, comms map[int]string) {
	switch pl := placeOf(f.Path); pl.name {
	case "net/tcp", "net/tcp6", "proc/net_tcp", "proc/net_tcp6":
		list, _ := host.ParseTCP(f.Bytes, strings.HasSuffix(pl.name, "6")) // a damaged row does not hide the others
		for _, k := range list {
			if k.Inode > 0 && strings.HasSuffix(k.Remote, portOf(im.node)) {
				rows[k.Inode] = k
			}
		}
	case "proc/comm":
		comms[pl.pid] = evidence.Clip(strings.TrimSpace(string(f.Bytes)), 64)
	case "proc/stat":
		if st, err := host.ParseStat(f.Bytes); err == nil && comms[pl.pid] == "" {
			comms[pl.pid] = st.Comm
		}
	}
}

func socketIn(target string) uint64 {
	n, _ := strconv.ParseUint(strings.TrimSuffix(strings.TrimPrefix(target, "socket:["), "]"), 10, 64)
	return n
}

func portOf(addr string) string { return addr[max(strings.LastIndexByte(addr, ':'), 0):] }

// findBySocket: the process whose connection shares its name with the lock's
// value, or, when nothing else names an owner, the one whose connection may have
// touched the lock last. The rules ask for more before they believe it.
func (im *importer) findBySocket() {
	im.peers = im.findPeers()
	value, nobody := im.firstValue(), len(im.pids) == 0
	for _, at := range im.listings() {
		list := redis.ParseClients("", im.entries[at].reply.Append(nil), evidence.Span{}, evidence.OK, "")
		for _, c := range list.Clients.Or(nil) {
			i := slices.IndexFunc(im.peers.list, func(p evidence.Peer) bool { return p.Local == c.Addr && c.Addr != "" })
			if i < 0 {
				continue
			}
			named := c.Name != "" && value != "" && (strings.Contains(value, c.Name) || strings.Contains(c.Name, value))
			if named || nobody && evidence.VerbOf(c.Cmd) != evidence.NoVerb && im.touched(at, c.Idle) {
				im.candidate(im.peers.list[i].Pid, "socket", fmt.Sprintf("its socket %s is client id=%d of the coordinator", c.Addr, c.ID))
			}
		}
	}
}

// showsOwners says whether a table of the whole host's sockets has a connection in
// it that CLIENT LIST knows: then it does for the owner's own table. One of a
// container is not in it, so that its silence says nothing.
func (im *importer) showsOwners(e *entry, pl place, f shell.File) bool {
	if pl.name != "net/tcp" && pl.name != "net/tcp6" || !im.ofOwner(*e) || im.ownerPid() == 0 {
		return false
	}
	rows, _ := host.ParseTCP(f.Bytes, strings.HasSuffix(pl.name, "6"))
	for _, at := range im.listings() {
		list := redis.ParseClients("", im.entries[at].reply.Append(nil), evidence.Span{}, evidence.OK, "")
		for _, c := range list.Clients.Or(nil) {
			asks := strings.HasPrefix(c.Cmd, "client") // the responder's own
			if !asks && slices.ContainsFunc(rows, func(k evidence.Socket) bool { return k.Local == c.Addr && strings.HasSuffix(k.Remote, portOf(im.node)) }) {
				return true
			}
		}
	}
	return false
}

// listings are the entries that answered CLIENT LIST, a handful at most.
func (im *importer) listings() []int {
	const most = 8
	var out []int
	for i := range im.entries {
		e := &im.entries[i]
		if len(out) < most && e.cli != nil && e.reply != nil && e.nodeOf() == im.node && (reply{command: e.cli.Command}).verb() == "CLIENT LIST" {
			out = append(out, i)
		}
	}
	return out
}

// touched says whether a connection that was idle for so long when the clients
// were listed may have sent the command that touched the key last, by the key's
// own idle time.
func (im *importer) touched(at int, idle int64) bool {
	const grain = 2 * time.Second // both are whole seconds, cut at different moments
	seconds := func(n int64) time.Duration { return time.Duration(min(max(n, 0), 1<<30)) * time.Second }
	for i := range im.entries {
		e := &im.entries[i]
		if e.cli == nil || e.reply == nil || e.reply.Kind != ':' || e.nodeOf() != im.node {
			continue
		}
		if r := (reply{command: e.cli.Command}); r.verb() != "OBJECT IDLETIME" || r.key() != im.opts.Subject.Key {
			continue
		}
		read, _ := im.axis.span(prompt(i), output(i), e.Host)
		listed, _ := im.axis.span(prompt(at), output(at), im.entries[at].Host)
		if (seconds(idle) - seconds(e.reply.Int) - (listed.Boot - read.Boot)).Abs() <= grain {
			return true
		}
	}
	return false
}

// emitPeers records which process holds each socket, in the lines that a live
// capture writes.
func (im *importer) emitPeers() {
	if len(im.peers.list) == 0 {
		return
	}
	var b strings.Builder
	for _, p := range im.peers.list {
		fmt.Fprintf(&b, "%s %d %d %s\n", p.Local, p.Inode, p.Pid, strconv.Quote(p.Comm))
	}
	im.recordSpan(im.peers.from, im.peers.to, evidence.Probe{
		Name: "host/peers", Source: "/proc/*/fd", Status: evidence.OK, Commands: []string{},
		Why: "which local process holds each socket to the coordinator",
	}, "host/peers", []byte(b.String()))
}
