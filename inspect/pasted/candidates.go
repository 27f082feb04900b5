package pasted

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
	"github.com/lockscene/lockscene/inspect/service"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// findCandidates names the processes that may be the owner: what the responder
// said, what the lock's value says where it was written on this host, the present
// processes of the unit, control group or container, and who talks to the
// coordinator.
func (im *importer) findCandidates() {
	sub := im.opts.Subject
	if sub.Pid > 0 {
		im.candidate(sub.Pid, "flag", "--pid")
	}
	if sub.Renewer > 0 {
		im.candidate(sub.Renewer, "renewer", "--renewer-pid")
	}
	im.findByValue()
	im.findBySupervisor()
	im.findByGroup()
	im.findBySocket()
}

// findByValue: a number counts on the host it names; 1 is some container's, whose
// NSpid then tells.
func (im *importer) findByValue() {
	named := evidence.NamedIn(im.firstValue())
	if named.Pid == 0 {
		return
	}
	here := im.ownersName()
	if im.owner == "" && here == "" {
		here = im.opts.Host
	}
	inside := im.insideOf(im.owner) != evidence.Inside{} // 1 is its first process then
	if (named.Pid != 1 || inside) && here != "" && sameHost(named.Host, here) {
		im.candidate(named.Pid, "value", fmt.Sprintf("the value names %s:%d, and this host is %s", named.Host, named.Pid, here))
	}
	for _, pid := range slices.Sorted(maps.Keys(im.found.inner)) {
		if im.found.inner[pid] == named.Pid {
			im.candidate(pid, "value", fmt.Sprintf("the value names %s:%d, and NSpid of %d ends in %d", named.Host, named.Pid, pid, named.Pid))
		}
	}
}

// findBySupervisor: the present process of the unit or container that the
// responder named.
func (im *importer) findBySupervisor() {
	if im.inside != "" {
		return // they name the numbers of the host
	}
	for _, e := range im.entries {
		if e.cli != nil || len(e.Argv) < 2 || e.Host != im.owner || len(e.Output) > 1<<20 {
			continue
		}
		if c := im.opts.Subject.Container; c != "" && isRuntime(program(e)) && strings.Contains(e.Typed, c) {
			list, err := service.ParseDocker(e.Output, stamp.Frame{})
			if err != nil {
				list, _ = service.ParseDockerPart(e.Argv, e.Filters, e.Output, stamp.Frame{}) // what is none names nobody
			}
			for _, k := range list {
				im.candidate(k.Pid, "container", "main process of "+c)
			}
		}
		if program(e) == "systemctl" && im.opts.Subject.Unit != "" && strings.Contains(e.Typed, im.opts.Subject.Unit) {
			if u, err := host.ParseShow(e.Output); err == nil && u.MainPID > 0 {
				im.candidate(u.MainPID, "unit", "main pid of "+im.opts.Subject.Unit)
			}
		}
	}
}

func isRuntime(name string) bool { return name == "docker" || name == "podman" || name == "nerdctl" }

// findByGroup: the processes that a named unit, control group or container holds,
// by its own list of them or by what a process says of its groups.
func (im *importer) findByGroup() {
	sub := im.opts.Subject
	for _, g := range []struct{ way, name string }{{"cgroup", sub.Cgroup}, {"unit", sub.Unit}, {"container", sub.Container}} {
		if g.name == "" {
			continue
		}
		for _, dir := range slices.Sorted(maps.Keys(im.found.procs)) {
			if !inGroup(g.way, g.name, dir) {
				continue
			}
			for _, pid := range im.found.procs[dir] {
				im.candidate(pid, g.way, "in "+dir)
			}
		}
		for _, pid := range slices.Sorted(maps.Keys(im.found.member)) {
			i := slices.IndexFunc(im.found.member[pid], func(p string) bool { return inGroup(g.way, g.name, p) })
			if i >= 0 {
				im.candidate(pid, g.way, "in "+im.found.member[pid][i])
			}
		}
	}
}

// inGroup says whether a folder, or a path below the mount, is that of a named
// group or below it. A container's id is long, and folders are called after it in
// several ways.
func inGroup(way, name, dir string) bool {
	if way == "cgroup" {
		name = path.Clean("/" + name)
		return name != "/" && strings.Contains(dir+"/", name+"/")
	}
	return slices.ContainsFunc(strings.Split(dir, "/"), func(part string) bool {
		return part == name || way == "unit" && part == name+".service" || way == "container" && len(name) >= 12 && strings.Contains(part, name)
	})
}
