package pasted

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
	"github.com/lockscene/lockscene/inspect/shell"
)

// A survey is what several questions ask of all entries, gathered in one pass: a
// text may have a hundred thousand of them.
type survey struct {
	groups []string            // folders of control groups that were read on the owner's host
	member map[int][]string    // the groups that /proc/PID/cgroup names
	procs  map[string][]int    // the processes that cgroup.procs of a folder lists
	inner  map[int]int         // what a process of another pid namespace calls itself
	seen   map[string]struct{} // folders already listed
}

const maxGroups = 1024

// survey reads the files of every entry once.
func (im *importer) surveyFiles() {
	im.found = survey{member: map[int][]string{}, procs: map[string][]int{}, inner: map[int]int{}, seen: map[string]struct{}{}}
	for i := range im.entries {
		e := &im.entries[i]
		if e.cli != nil || len(e.Argv) == 0 || !im.ofOwner(*e) {
			continue
		}
		for _, f := range im.filesOf(i) {
			im.found.add(f)
		}
	}
}

func (s *survey) add(f shell.File) {
	pl := placeOf(f.Path)
	switch {
	case pl.name == "cgroup/procs":
		for line := range strings.Lines(string(f.Bytes)) {
			if pid := number(strings.TrimSpace(line)); pid > 0 && len(s.procs) < maxGroups && len(s.procs[pl.dir]) < maxGroups {
				s.procs[pl.dir] = append(s.procs[pl.dir], pid)
			}
		}
	case strings.HasPrefix(pl.name, "cgroup/"):
		if _, known := s.seen[pl.dir]; !known && len(s.groups) < maxGroups {
			s.seen[pl.dir] = struct{}{}
			s.groups = append(s.groups, pl.dir)
		}
	case f.Status != evidence.OK:
	case pl.name == "proc/cgroup":
		for line := range strings.Lines(string(f.Bytes)) {
			parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
			if len(parts) == 3 && len(s.member[pl.pid]) < maxGroups && !slices.Contains(s.member[pl.pid], parts[2]) {
				s.member[pl.pid] = append(s.member[pl.pid], parts[2])
			}
		}
	case pl.name == "proc/status":
		st, err := host.ParseStatus(f.Bytes)
		if n := len(st.NSpid); err == nil && n > 1 && len(s.inner) < maxGroups {
			s.inner[pl.pid] = st.NSpid[n-1]
		}
	}
}

// filesOf is what cat, head and their like showed, file by file; nil for other
// commands.
func (im *importer) filesOf(i int) []shell.File {
	if im.files == nil {
		im.files = map[int][]shell.File{}
	}
	files, known := im.files[i]
	if !known {
		e := im.entries[i]
		files, _ = shell.Files(e.Argv, e.Filters, e.Output)
		im.files[i] = files
	}
	return files
}
