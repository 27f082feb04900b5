package inspect

import (
	"bytes"
	"context"
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
	"github.com/lockscene/lockscene/inspect/host"
)

// readProcess takes one look at one process and the control groups it is in.
// Its state and its sockets come first: they are what changes fastest.
func (s *session) readProcess(ctx context.Context, pid, look int) {
	r := s.reader
	names := processFiles()
	if look == 1 {
		names = append(names, "proc/limits", "proc/io")
	}
	var plan []evidence.Probe
	for _, name := range names {
		plan = append(plan, evidence.Probe{Name: name, Source: fmt.Sprintf("/proc/%d/%s", pid, fileOf(name)), Pid: pid, Look: look})
	}
	// The kernel walks every socket of the namespace for one of these tables,
	// which takes longer than all other reads together: they run beside them.
	var tables sync.WaitGroup
	tables.Go(func() { s.readSockets(ctx, plan[:3]) })
	defer tables.Wait()
	var paths []evidence.CgroupPath
	alive := false
	r.gather(ctx, plan[3:], func(p evidence.Probe) got {
		g := s.readProcFile(p)
		switch {
		case p.Name == "proc/stat":
			alive = g.probe.Status == evidence.OK
		case p.Name == "proc/cgroup" && g.probe.Status == evidence.OK:
			paths, _ = host.ParseCgroup(g.bytes)
		}
		return g
	})
	if !alive || ctx.Err() != nil {
		return
	}
	s.readTasks(ctx, pid, look)
	s.readGroups(ctx, groupFiles(paths, s.mounts), pid, look)
}

// readSockets reads the process's descriptors and the socket tables. A socket
// of its own in the IPv4 table makes the other table superfluous.
func (s *session) readSockets(ctx context.Context, plan []evidence.Probe) {
	var own []uint64
	found := false
	s.reader.gather(ctx, plan, func(p evidence.Probe) got {
		if p.Name == "proc/net_tcp6" && found {
			p.Start, p.End = clock.Now(), clock.Now()
			p.Status, p.Why = evidence.Skipped, "its connection is in the IPv4 table"
			return got{probe: p}
		}
		g := s.readProcFile(p)
		switch p.Name {
		case "proc/fd":
			own = inodesIn(g.bytes)
		case "proc/net_tcp":
			s.keepTable(p.Pid, g.bytes)
			g.bytes = rowsOfInodes(g.bytes, own)
			found = bytes.Count(g.bytes, []byte("\n")) > 1
		case "proc/net_tcp6":
			g.bytes = rowsOfInodes(g.bytes, own)
		}
		return g
	})
}

// keepTable keeps the last socket table that was read of a process's network
// namespace, for finding out who else speaks to the coordinator from there.
func (s *session) keepTable(pid int, table []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tables[pid] = table
}

// rowsOfInodes keeps the heading and the process's own rows: a host may have
// thousands of connections to one Redis. Without its descriptors all rows stay,
// and whose each is remains open.
func rowsOfInodes(table []byte, own []uint64) []byte {
	if len(own) == 0 {
		return table
	}
	const inodeField = 9
	var out []byte
	for line := range bytes.Lines(table) {
		f := bytes.Fields(line)
		if len(out) > 0 {
			if len(f) <= inodeField {
				continue
			}
			inode, err := strconv.ParseUint(string(f[inodeField]), 10, 64)
			if err != nil || !slices.Contains(own, inode) {
				continue
			}
		}
		out = append(out, line...)
	}
	return out
}

// processFiles are the files of a process that every look reads; those of its
// sockets stand in front.
func processFiles() []string {
	return []string{"proc/fd", "proc/net_tcp", "proc/net_tcp6", "proc/stat", "proc/status", "proc/wchan",
		"proc/cgroup", "proc/oom_score", "proc/ns"}
}

// fileOf is the path below /proc/PID that a probe's name stands for.
func fileOf(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(name, "proc/"), "_tcp", "/tcp")
}

func (s *session) readProcFile(p evidence.Probe) got {
	dir := s.reader.path(p.Source)
	var g got
	switch p.Name {
	case "proc/fd":
		g = s.links(p, func(_, target string) bool { return strings.HasPrefix(target, "socket:[") })
	case "proc/ns":
		g = s.links(p, func(name, _ string) bool { return name == "pid" || name == "net" || name == "uts" })
	case "proc/net_tcp", "proc/net_tcp6":
		g = s.reader.fetch(p)
		g.bytes = rowsOfPort(g.bytes, s.port())
		g.probe.Why = "only the process's own rows of the coordinator's port are kept"
	default:
		g = s.reader.fetch(p)
	}
	if g.probe.Status == evidence.Missing {
		g.probe.Status, g.probe.Why = s.absence(p.Pid, dir)
	}
	return g
}

func (s *session) links(p evidence.Probe, keep func(name, target string) bool) got {
	p.Start = clock.Now()
	b, err := readLinks(s.reader.path(p.Source), keep)
	p.End = clock.Now()
	p.Status, p.Why = statusOfFile(err)
	return got{probe: p, bytes: b}
}

// absence tells a dead process from one that hidepid hides: both have no
// folder, but only the living answers to its number. A system without /proc tells
// nothing of the owner, who most likely runs elsewhere.
func (s *session) absence(pid int, path string) (evidence.Status, string) {
	if s.reader.root != "/" {
		return evidence.Missing, "no such process below " + s.reader.root
	}
	if runtime.GOOS != "linux" {
		return evidence.Unsupported, "there is no /proc on " + runtime.GOOS + ": look on the owner's host"
	}
	switch alive, known := processExists(pid); {
	case !known:
		return evidence.Missing, "no such file"
	case alive:
		if _, err := os.Stat("/proc/" + strconv.Itoa(pid)); err == nil {
			return evidence.Missing, "no such file" // the folder is there, only this file is not
		}
		return evidence.Denied, "the process lives but /proc hides it (hidepid)"
	}
	return evidence.Missing, "no such process"
}

// readTasks reads every thread's state and CPU clock.
func (s *session) readTasks(ctx context.Context, pid, look int) {
	dir := fmt.Sprintf("/proc/%d/task", pid)
	d, err := os.Open(s.reader.path(dir))
	if err != nil {
		status, why := statusOfFile(err)
		s.reader.add(evidence.Probe{Name: "task/stat", Source: dir, Pid: pid, Look: look,
			Start: clock.Now(), End: clock.Now(), Status: status, Why: why}, "", nil)
		return
	}
	defer d.Close()
	names, _ := d.Readdirnames(maxTasks)
	var plan []evidence.Probe
	for _, name := range names {
		tid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		for _, file := range []string{"stat", "schedstat", "wchan"} {
			plan = append(plan, evidence.Probe{Name: "task/" + file, Source: dir + "/" + name + "/" + file, Pid: pid, Tid: tid, Look: look})
		}
	}
	s.reader.gather(ctx, plan, func(p evidence.Probe) got {
		g := s.reader.fetch(p)
		g.file = dir + "/" + strings.TrimPrefix(p.Name, "task/")
		return g
	})
}

// rowsOfPort keeps the heading and the rows whose local or remote port is the
// coordinator's: a host's other connections are none of our business.
func rowsOfPort(table []byte, port uint16) []byte {
	if port == 0 {
		return nil
	}
	needle := fmt.Appendf(nil, ":%04X ", port)
	var out []byte
	for line := range bytes.Lines(table) {
		if len(out) == 0 || bytes.Contains(line, needle) {
			out = append(out, line...)
		}
	}
	return out
}

// port is the coordinator's TCP port; zero for a unix socket.
func (s *session) port() uint16 {
	if s.target.Redis.Network == "unix" {
		return 0
	}
	i := strings.LastIndexByte(s.target.Redis.Addr, ':')
	n, _ := strconv.ParseUint(s.target.Redis.Addr[i+1:], 10, 16)
	return uint16(n)
}

// remote is the coordinator's address as the socket table shows it: as it
// resolved when we connected, else what the target says, if that is an address.
func (s *session) remote() string {
	for _, text := range []string{s.client.Remote(), s.target.Redis.Addr} {
		if a, err := netip.ParseAddrPort(text); err == nil {
			return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()).String()
		}
	}
	return ""
}
