package inspect

import (
	"path"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
)

// groupKey says whose files a group's are: a look at a process, or, when the
// responder named the group, its folder.
type groupKey struct {
	pid, look int
	dir       string
}

// groupParts are the files of one group until all of them have come.
type groupParts struct {
	key    groupKey
	memory string // folder of the memory controller
	files  map[string]evidence.Reading[[]byte]
}

// groups collects control groups in the order they were read.
type groups struct {
	list  []*groupParts
	index map[groupKey]*groupParts
}

func (g *groups) add(name string, probe evidence.Probe, b []byte) {
	key := groupKey{pid: probe.Pid, look: probe.Look}
	if probe.Pid == 0 {
		key = groupKey{dir: path.Dir(probe.Source)}
	}
	if g.index == nil {
		g.index = map[groupKey]*groupParts{}
	}
	parts := g.index[key]
	if parts == nil {
		parts = &groupParts{key: key, files: map[string]evidence.Reading[[]byte]{}}
		g.index[key] = parts
		g.list = append(g.list, parts)
	}
	// A group read on the kernel's word may follow one read through the
	// process: what was seen is kept.
	if old := parts.files[name]; old.State != evidence.Seen {
		r := read(probe, b, nil)
		if r.State == evidence.Seen && probe.Truncated {
			r.Status = evidence.Truncated // a key that a filter hid is not one the kernel lacks
		}
		parts.files[name] = r
	}
	if strings.HasPrefix(name, "memory.") && probe.Status == evidence.OK && !strings.HasSuffix(name, ".pressure") {
		parts.memory = path.Dir(probe.Source)
	}
}

func (g *groupParts) cgroup() evidence.Cgroup {
	out := host.Group(func(f host.GroupFile) evidence.Reading[[]byte] { return g.files[f.Name] })
	out.Memory = g.memory
	return out
}

// finishGroups hands every group to the look or the host it belongs to.
func (p *parser) finishGroups() {
	for _, parts := range p.groups.list {
		if parts.key.pid == 0 {
			p.snap.Host.Groups = append(p.snap.Host.Groups, evidence.NamedCgroup{Path: parts.key.dir, Cgroup: parts.cgroup()})
			continue
		}
		proc := p.processes.of[parts.key.pid]
		if proc == nil {
			continue
		}
		for i := range proc.Looks {
			if proc.Looks[i].Look == parts.key.look {
				proc.Looks[i].Cgroup = parts.cgroup()
			}
		}
	}
}
