package pasted

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/shell"
)

// emitGroupFile records a control group's file for each process it speaks for.
func (im *importer) emitGroupFile(i int, p evidence.Probe, pl place, f shell.File) {
	e := &im.entries[i]
	owners := im.groupOwners(*e, pl.dir)
	switch {
	case len(owners) == 0:
		im.record(i, p, f.Path, f.Bytes)
	case e.contained() && !im.ofOwner(*e):
		p.Name = "text/foreign" // another namespace's number
		im.record(i, p, e.Host+"/"+f.Path, f.Bytes)
	default:
		for _, pid := range owners {
			p.Pid, p.Look = pid, im.lookOf(pid, f.Path)
			im.record(i, p, f.Path, f.Bytes)
		}
	}
}

// groupOwners are the processes a control group's file speaks for: the owner, and
// whoever else may be it, unless what was read of them says that they are in
// another group. An ancestor's counters are the host's.
func (im *importer) groupOwners(e entry, dir string) []int {
	first := im.ownerPid()
	if first == 0 || e.Host != im.owner {
		return nil
	}
	if e.In.Name != "" && im.ofOwner(e) && isRoot(dir) {
		return im.everyPid() // what a container sees as the root is its own group
	}
	if len(im.found.member[first]) == 0 || im.inside != "" && !im.ofOwner(e) {
		if pid := im.lonely(first, dir); pid > 0 {
			return []int{pid}
		}
	}
	var out []int
	for _, c := range im.pids {
		within := slices.ContainsFunc(im.found.member[c.Pid], func(p string) bool { return p != "/" && strings.HasSuffix(dir, p) })
		if within && !slices.Contains(out, c.Pid) {
			out = append(out, c.Pid)
		}
	}
	return out
}

// isRoot says whether a folder is the root of a hierarchy of control groups.
func isRoot(dir string) bool {
	below, ok := strings.CutPrefix(dir, "/sys/fs/cgroup")
	return ok && strings.Count(below, "/") < 2 && !strings.Contains(below, ".")
}

// everyPid are all processes that may be the owner.
func (im *importer) everyPid() []int {
	var out []int
	for _, c := range im.pids {
		if !slices.Contains(out, c.Pid) {
			out = append(out, c.Pid)
		}
	}
	return out
}

// lonely: when nobody read the owner's groups, the deepest group that was read is
// taken for its own; a parent above it is not.
func (im *importer) lonely(pid int, dir string) int {
	for _, other := range im.found.groups {
		if strings.HasPrefix(other, dir+"/") {
			return 0
		}
	}
	if strings.HasSuffix(dir, ".slice") && !strings.HasSuffix(dir, ".service.slice") || strings.Count(dir, "/") < 4 {
		return 0 // a slice or a controller's root: every service of it counts there
	}
	return pid
}
