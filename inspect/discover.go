package inspect

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
	"github.com/lockscene/lockscene/inspect/host"
)

// candidate notes a process that may be the owner, once per way it was found,
// and looks at it at once if nobody has.
func (s *session) candidate(ctx context.Context, pid int, way, detail string) {
	if pid <= 0 || pid == os.Getpid() {
		return
	}
	known, room := s.note(evidence.Candidate{Pid: pid, Way: way, Detail: detail})
	if !room {
		return
	}
	if !known {
		ctx, cancel := s.each(ctx)
		defer cancel()
		s.readProcess(ctx, pid, s.look)
	}
}

// note adds a candidate, and says whether its process was known already and
// whether there was room for another.
func (s *session) note(c evidence.Candidate) (known, room bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.vantage()
	known = slices.ContainsFunc(v.Candidates, func(o evidence.Candidate) bool { return o.Pid == c.Pid })
	if !known && len(v.Candidates) >= maxCandidates {
		return known, false
	}
	if !slices.Contains(v.Candidates, c) {
		v.Candidates = append(v.Candidates, c)
	}
	return known, true
}

// discoverByFlags looks at what the responder named.
func (s *session) discoverByFlags(ctx context.Context) {
	sub := s.target.Subject
	if sub.Pid > 0 {
		s.candidate(ctx, sub.Pid, "flag", "--pid")
	}
	if sub.Renewer > 0 {
		s.candidate(ctx, sub.Renewer, "renewer", "--renewer-pid")
	}
	for _, g := range []struct{ way, name string }{{"cgroup", sub.Cgroup}, {"unit", sub.Unit}, {"container", sub.Container}} {
		if g.name != "" {
			s.discoverGroup(ctx, g.way, g.name)
		}
	}
}

// discoverGroup looks at the present processes of a control group, a systemd
// unit or a container. Whether they are the holder's is for the rules to say:
// a supervisor may have started them after it died.
func (s *session) discoverGroup(ctx context.Context, way, name string) {
	dirs := s.groupDirs(way, name)
	if len(dirs) == 0 {
		s.reader.add(evidence.Probe{Name: "cgroup/find", Source: way + " " + name, Start: clock.Now(), End: clock.Now(),
			Status: evidence.Missing, Why: "no control group of that name is mounted here"}, "", nil)
		return
	}
	pids := map[int]bool{}
	for _, dir := range dirs {
		got := s.reader.fetch(evidence.Probe{Name: "cgroup/procs", Source: dir + "/cgroup.procs", Look: s.look})
		s.reader.add(got.probe, "", got.bytes)
		for line := range bytes.Lines(got.bytes) {
			if pid, err := strconv.Atoi(strings.TrimSpace(string(line))); err == nil && !pids[pid] {
				pids[pid] = true
				s.candidate(ctx, pid, way, "in "+dir)
			}
		}
		s.readGroups(ctx, filesIn(dir, "", "memory", "cpu", "freezer"), 0, s.look)
	}
}

// groupDirs finds the folders of a group in every mounted hierarchy.
func (s *session) groupDirs(way, name string) []string {
	var dirs []string
	for _, m := range s.mounts {
		if way == "cgroup" {
			dir := filepath.Join(m.Point, filepath.Clean("/"+name))
			if _, err := os.Stat(s.reader.path(dir)); err == nil && dir != filepath.Clean(m.Point) {
				dirs = append(dirs, dir)
			}
			continue
		}
		dirs = append(dirs, s.findGroup(m, way, name)...)
	}
	return dirs
}

// findGroup walks one hierarchy for a unit's or container's folder. Units lie
// a few slices deep; the walk is bounded in depth and number.
func (s *session) findGroup(m host.Mount, way, name string) []string {
	const maxDepth, maxDirs = 8, 20_000
	var found []string
	base, seen := s.reader.path(m.Point), 0
	_ = filepath.WalkDir(base, func(path string, d os.DirEntry, err error) error {
		rel := strings.TrimPrefix(path, base)
		if seen++; err != nil || !d.IsDir() || seen > maxDirs || strings.Count(rel, "/") > maxDepth {
			if d != nil && d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		match := d.Name() == name
		if way == "container" && len(name) >= 12 {
			match = strings.Contains(d.Name(), name)
		}
		if match {
			found = append(found, m.Point+rel)
			return filepath.SkipDir
		}
		return nil
	})
	return found
}

// discoverByValue looks for the process that the lock's value names. A number
// counts only in the namespace it was written in: our own, or the innermost one
// of a process whose host name is the one in the value. Both are looked at;
// the rules choose by who talks to the coordinator.
func (s *session) discoverByValue(ctx context.Context, value string) {
	named := evidence.NamedIn(value)
	if named.Pid == 0 {
		return
	}
	// The first process of the first namespace is init; a value that says 1 was
	// written in a container, whatever host name that shares.
	init := named.Pid == 1 && s.vantage().PidNS == initialPidNS
	if ours := s.vantage().Host; named.Host == ours && !init {
		s.candidate(ctx, named.Pid, "value", fmt.Sprintf("the value names %s:%d, and this host is %s", named.Host, named.Pid, ours))
		if s.speaks(named.Pid) {
			return // a client of this coordinator with that very pid: nobody else needs looking for
		}
	}
	for _, pid := range s.innerPids(named) {
		s.candidate(ctx, pid, "value", fmt.Sprintf("the value names %s:%d, and NSpid of %d ends in %d", named.Host, named.Pid, pid, named.Pid))
	}
}

// initialPidNS is the link of the first pid namespace; the kernel fixes its number.
const initialPidNS = "pid:[4026531836]"

// speaks says whether a process looked at holds a connection to the coordinator.
func (s *session) speaks(pid int) bool {
	for _, p := range s.outline().Processes {
		for _, l := range p.Looks {
			if p.Pid == pid && l.Inodes.State == evidence.Seen && len(ownSockets(l)) > 0 {
				return true
			}
		}
	}
	return false
}

// innerPids finds processes of other pid namespaces that call themselves by the
// named number on the named host.
func (s *session) innerPids(named evidence.Named) []int {
	var out []int
	ours, _ := os.Readlink(s.reader.path("/proc/self/ns/pid"))
	uts, _ := os.Readlink(s.reader.path("/proc/self/ns/uts"))
	entries, _ := os.ReadDir(s.reader.path("/proc"))
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		dir := s.reader.path("/proc/" + e.Name())
		if ns, err := os.Readlink(dir + "/ns/pid"); err != nil || ns == ours {
			continue
		}
		b, err := readBounded(dir + "/status")
		if err != nil {
			continue
		}
		st, err := host.ParseStatus(b)
		if err != nil || len(st.NSpid) < 2 || st.NSpid[len(st.NSpid)-1] != named.Pid {
			continue
		}
		if s.hostNameOf(dir, uts) == named.Host {
			out = append(out, pid)
		}
	}
	return out
}

// hostNameOf is the host name a process sees: ours when it shares our UTS
// namespace, else what its own root says. Its environment is never read.
func (s *session) hostNameOf(dir, ourUTS string) string {
	if ns, err := os.Readlink(dir + "/ns/uts"); err == nil && ns == ourUTS {
		return s.vantage().Host
	}
	b, _ := readBounded(dir + "/root/etc/hostname")
	return strings.TrimSpace(string(b))
}
