package inspect

import (
	"context"
	"path"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
)

// groupFiles lists the files to read for a process, given its groups and where
// the hierarchies are mounted. Names of both cgroup versions are among them: a
// file that is not there costs one failed open.
func groupFiles(paths []evidence.CgroupPath, mounts []host.Mount) []string {
	var files []string
	for _, f := range host.GroupFiles {
		dir, ok := host.UnifiedDir(paths, mounts)
		if f.Controller != "" {
			dir, ok = host.Dir(paths, mounts, f.Controller)
		}
		// The root group's pressure is the whole host's, not the owner's.
		if !ok || strings.HasSuffix(f.Name, ".pressure") && isMountPoint(dir, mounts) {
			continue
		}
		files = append(files, path.Join(dir, f.Name))
	}
	return files
}

func isMountPoint(dir string, mounts []host.Mount) bool {
	for _, m := range mounts {
		if path.Clean(m.Point) == dir {
			return true
		}
	}
	return false
}

// filesIn lists the files of one folder, whichever controller it is of.
func filesIn(dir string, controllers ...string) []string {
	var files []string
	for _, f := range host.GroupFiles {
		for _, c := range controllers {
			if f.Controller == c {
				files = append(files, path.Join(dir, f.Name))
			}
		}
	}
	return files
}

// readGroups reads control-group files for one process and look; pid 0 stands
// for a group that the responder named.
func (s *session) readGroups(ctx context.Context, files []string, pid, look int) {
	var plan []evidence.Probe
	for _, f := range files {
		plan = append(plan, evidence.Probe{Name: "cgroup/" + path.Base(f), Source: f, Pid: pid, Look: look})
	}
	s.reader.gather(ctx, plan, s.reader.fetch)
}
