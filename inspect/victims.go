package inspect

import (
	"context"
	"path/filepath"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
)

// readAllProcesses takes one look at every candidate.
func (s *session) readAllProcesses(ctx context.Context) {
	seen := map[int]bool{}
	for _, c := range s.candidates() {
		if seen[c.Pid] {
			continue
		}
		seen[c.Pid] = true
		ctx, cancel := s.each(ctx)
		s.readProcess(ctx, c.Pid, s.look)
		cancel()
	}
}

// somebodyDied says whether a candidate is gone, or was never there.
func (s *session) somebodyDied() bool {
	for _, p := range s.outline().Processes {
		if n := len(p.Looks); n > 0 {
			last := p.Looks[n-1].Stat
			if last.State == evidence.Absent || last.Value.State == "Z" || last.Value.State == "X" {
				return true
			}
		}
	}
	return false
}

// readVictims reads the memory groups that the kernel's log names as those of a
// killed candidate. The process is gone, and with it /proc/PID/cgroup: the
// kernel's word is the only way to the counter that confirms it.
func (s *session) readVictims(ctx context.Context) {
	if !s.somebodyDied() {
		return
	}
	snap := s.snapshot()
	for _, e := range snap.Host.Kernel.Value.Events {
		if e.Kill == nil || !s.isCandidate(e.Kill.Victim) {
			continue
		}
		for _, group := range []string{e.Kill.TaskMemcg, e.Kill.OOMMemcg} {
			s.readMemoryGroup(ctx, group, e.Kill.Victim)
		}
	}
}

func (s *session) isCandidate(pid int) bool {
	for _, c := range s.candidates() {
		if c.Pid == pid {
			return true
		}
	}
	return false
}

func (s *session) readMemoryGroup(ctx context.Context, group string, pid int) {
	if group == "" || !filepath.IsAbs(group) {
		return
	}
	// The path comes out of a log: nothing in it may leave the mount.
	clean := filepath.Clean(group)
	dir, ok := host.Dir([]evidence.CgroupPath{{Hierarchy: 1, Controllers: []string{"memory"}, Path: clean}}, s.mounts, "memory")
	if !ok {
		dir, ok = host.Dir([]evidence.CgroupPath{{Path: clean}}, s.mounts, "memory")
	}
	if !ok || s.seenGroups[dir] {
		return
	}
	s.seenGroups[dir] = true
	s.readGroups(ctx, filesIn(dir, "memory"), pid, s.look)
}
