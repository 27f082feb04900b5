package inspect

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
	"github.com/lockscene/lockscene/inspect/host"
	"github.com/lockscene/lockscene/inspect/redis"
)

// discoverBySocket joins CLIENT LIST with this host's sockets: whichever local
// process is behind a connection to the coordinator may hold or renew the lock.
// Nothing of a process is read but the names of its sockets.
func (s *session) discoverBySocket(ctx context.Context) {
	snap := s.outline()
	wanted := s.unexplained(snap)
	if len(wanted) == 0 {
		return
	}
	start := clock.Now()
	owners := s.socketOwners(ctx, wanted)
	var lines strings.Builder
	for _, sock := range wanted {
		s.scanned[sock.Inode] = true
		if p, ok := owners[sock.Inode]; ok {
			fmt.Fprintf(&lines, "%s %d %d %q %q\n", sock.Local, sock.Inode, p.pid, p.comm, p.group)
		}
	}
	s.reader.add(evidence.Probe{
		Name: "host/peers", Source: "/proc/*/fd", Look: s.look, Start: start, End: clock.Now(), Status: evidence.OK,
		Why: "which local process holds each socket to the coordinator",
	}, "host/peers", []byte(lines.String()))
	s.candidateByName(ctx, snap, wanted, owners)
}

// candidateByName looks at the process whose connection the lock's value names,
// or, when nothing else named an owner, at the one whose connection may have
// sent the lock's last renewal.
func (s *session) candidateByName(ctx context.Context, snap evidence.Snapshot, socks []evidence.Socket, owners map[uint64]socketOwner) {
	value := holderText(snap)
	list, ok := lastList(snap)
	if !ok {
		return
	}
	touched := touchWindow(snap, list.Span.End)
	nobody := len(s.candidates()) == 0
	for _, c := range list.Clients.Or(nil) {
		i := slices.IndexFunc(socks, func(k evidence.Socket) bool { return k.Local == c.Addr })
		if i < 0 {
			continue
		}
		p, ok := owners[socks[i].Inode]
		named := c.Name != "" && value != "" && (strings.Contains(value, c.Name) || strings.Contains(c.Name, value))
		renews := evidence.VerbOf(c.Cmd) != evidence.NoVerb && touched(c.Idle)
		if ok && (named || nobody && renews) {
			s.candidate(ctx, p.pid, "socket", fmt.Sprintf("its socket %s is client id=%d of the coordinator", c.Addr, c.ID))
		}
	}
}

func lastList(snap evidence.Snapshot) (evidence.ClientList, bool) {
	if n := len(snap.Node.Clients); n > 0 {
		return snap.Node.Clients[n-1], true
	}
	return evidence.ClientList{}, false
}

// unexplained lists the sockets towards the coordinator on this host that no
// process looked at so far holds.
func (s *session) unexplained(snap evidence.Snapshot) []evidence.Socket {
	known := map[uint64]bool{}
	for _, p := range snap.Processes {
		for _, l := range p.Looks {
			for _, inode := range l.Inodes.Or(nil) {
				known[inode] = true
			}
		}
	}
	out := s.localSockets(snap)
	return slices.DeleteFunc(out, func(k evidence.Socket) bool {
		return k.Inode == 0 || known[k.Inode] || s.scanned[k.Inode] || k.Local == s.client.Local() ||
			k.Remote != s.remote()
	})
}

// localSockets are the sockets of our own network namespace that lead to the
// coordinator's port: from a process of the same namespace if one was looked at
// just now, since reading the table again costs more than all else.
func (s *session) localSockets(snap evidence.Snapshot) []evidence.Socket {
	ours, _ := os.Readlink(s.reader.path("/proc/self/ns/net"))
	for _, p := range snap.Processes {
		for _, l := range slices.Backward(p.Looks) {
			if ns, ok := l.NetNS.Get(); ok && ns == ours && l.Look == s.look {
				socks, _ := host.ParseTCP(s.tableOf(p.Pid), false)
				return s.alsoV6(snap, socks)
			}
		}
	}
	return s.alsoV6(snap, s.table("/proc/self/net/tcp"))
}

func (s *session) tableOf(pid int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tables[pid]
}

func (s *session) table(file string) []evidence.Socket {
	b, err := readBounded(s.reader.path(file))
	if err != nil {
		return nil
	}
	socks, _ := host.ParseTCP(rowsOfPort(b, s.port()), strings.HasSuffix(file, "6"))
	return socks
}

// alsoV6 adds the IPv6 table when the coordinator lists a connection of this
// host that the other table does not hold.
func (s *session) alsoV6(snap evidence.Snapshot, socks []evidence.Socket) []evidence.Socket {
	list, ok := lastList(snap)
	if !ok {
		return append(socks, s.table("/proc/self/net/tcp6")...)
	}
	hosts := s.ownHosts(snap)
	for _, c := range list.Clients.Or(nil) {
		there := slices.ContainsFunc(socks, func(k evidence.Socket) bool { return k.Local == c.Addr })
		if !there && c.Addr != s.client.Local() && slices.Contains(hosts, redis.Host(c.Addr)) {
			return append(socks, s.table("/proc/self/net/tcp6")...)
		}
	}
	return socks
}

// socketOwner is a process that holds a socket.
type socketOwner struct {
	pid   int
	comm  string
	group string
}

// socketOwners searches every process's descriptors for the given sockets. It
// stops as soon as all are found.
func (s *session) socketOwners(ctx context.Context, socks []evidence.Socket) map[uint64]socketOwner {
	want := map[string]uint64{}
	for _, k := range socks {
		want[fmt.Sprintf("socket:[%d]", k.Inode)] = k.Inode
	}
	owners := map[uint64]socketOwner{}
	entries, _ := os.ReadDir(s.reader.path("/proc"))
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		if ctx.Err() != nil || len(owners) == len(want) {
			break
		}
		dir := s.reader.path("/proc/" + e.Name())
		links, err := readLinks(dir+"/fd", func(_, target string) bool { _, ok := want[target]; return ok })
		if err != nil || len(links) == 0 {
			continue
		}
		comm, _ := readBounded(dir + "/comm")
		group := groupOf(dir)
		for line := range bytes.Lines(links) {
			_, target, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
			owners[want[target]] = socketOwner{pid: pid, comm: strings.TrimSuffix(string(comm), "\n"), group: group}
		}
	}
	return owners
}

// groupOf is the path of a process's control group.
func groupOf(dir string) string {
	b, err := readBounded(dir + "/cgroup")
	if err != nil {
		return ""
	}
	paths, _ := host.ParseCgroup(b)
	return evidence.Fullest(paths)
}

// parsePeers reads back what discoverBySocket wrote; earlier versions, and texts,
// have no control group.
func parsePeers(b []byte) []evidence.Peer {
	var out []evidence.Peer
	for line := range bytes.Lines(b) {
		f := strings.SplitN(strings.TrimSuffix(string(line), "\n"), " ", 4)
		if len(f) != 4 {
			continue
		}
		inode, err1 := strconv.ParseUint(f[1], 10, 64)
		pid, err2 := strconv.Atoi(f[2])
		comm, rest, ok := unquoted(f[3])
		if err1 != nil || err2 != nil || !ok {
			continue
		}
		group, _, _ := unquoted(strings.TrimPrefix(rest, " "))
		out = append(out, evidence.Peer{Local: f[0], Inode: inode, Pid: pid, Comm: comm, Group: group})
	}
	return out
}

// unquoted takes a quoted string off the front of a line.
func unquoted(s string) (text, rest string, ok bool) {
	q, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", s, false
	}
	text, err = strconv.Unquote(q)
	return text, s[len(q):], err == nil
}
