package host

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// A Mount is one mounted cgroup hierarchy.
type Mount struct {
	Root    string   // the group that is mounted, as the reader's cgroup namespace names it
	Point   string   // where it is mounted
	V2      bool     // cgroup2
	Options []string // super options; on a v1 mount the controllers are among them
}

// ParseMountinfo finds the cgroup mounts in /proc/self/mountinfo. None is no
// error: such a host keeps its groups out of sight.
func ParseMountinfo(b []byte) ([]Mount, error) {
	if err := bounded("mountinfo", b); err != nil {
		return nil, err
	}
	var out []Mount
	for line := range strings.Lines(string(b)) {
		// The optional fields in the middle have no fixed number, so the rest
		// can only be found behind the lone hyphen.
		left, right, ok := strings.Cut(line, " - ")
		where, what := strings.Fields(left), strings.Fields(right)
		if !ok || len(where) < 6 || len(what) < 1 {
			if strings.TrimSpace(line) == "" {
				continue
			}
			return nil, fmt.Errorf("parse mountinfo: line %q is cut", clip(strings.TrimSpace(line)))
		}
		if what[0] != "cgroup" && what[0] != "cgroup2" {
			continue
		}
		m := Mount{Root: unescapeMount(where[3]), Point: unescapeMount(where[4]), V2: what[0] == "cgroup2"}
		if len(what) > 2 {
			m.Options = strings.Split(what[2], ",")
		}
		out = append(out, m)
	}
	return out, nil
}

// Under are the mounts below a folder where a host's root is mounted, called as
// that root calls them. What is mounted beside it is the reader's own and shows
// the reader's groups; where nothing is below, the root is another process's view
// and the reader's mounts are the best guess at it.
func Under(mounts []Mount, root string) []Mount {
	root = path.Clean("/" + root)
	if root == "/" {
		return mounts
	}
	var out []Mount
	for _, m := range mounts {
		if rest, ok := strings.CutPrefix(m.Point, root+"/"); ok {
			m.Point = "/" + rest
			out = append(out, m)
		}
	}
	if out == nil {
		return mounts
	}
	return out
}

// unescapeMount undoes the four escapes mountinfo uses.
func unescapeMount(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(s)
}

// Dir is the folder that holds a controller's files for the process whose
// cgroup lines are given. It is not ok when the group is gone, its hierarchy is
// not mounted, or it lies outside what the mount shows.
func Dir(paths []evidence.CgroupPath, mounts []Mount, controller string) (dir string, ok bool) {
	p, ok := Serving(paths, controller)
	if !ok {
		return "", false
	}
	return folder(p, mounts, controller)
}

// UnifiedDir is the folder of the cgroup v2 line, where the freezer and
// cgroup.events live even on a host whose controllers are all bound to v1.
func UnifiedDir(paths []evidence.CgroupPath, mounts []Mount) (dir string, ok bool) {
	p, ok := Unified(paths)
	if !ok {
		return "", false
	}
	return folder(p, mounts, "")
}

func folder(p evidence.CgroupPath, mounts []Mount, controller string) (string, bool) {
	if p.Deleted {
		return "", false
	}
	for _, m := range mounts {
		v2 := p.Hierarchy == 0
		if m.V2 != v2 || !v2 && !slices.Contains(m.Options, controller) {
			continue
		}
		if rest, ok := below(p.Path, m.Root); ok {
			return path.Join(m.Point, rest), true
		}
	}
	return "", false
}

// below is the part of p under root. Both may begin with "/.." when they lie
// outside the reader's cgroup namespace; a ".." that is left over leads out of
// the mount and is refused, so no path from the kernel or from a paste can
// point at another folder.
func below(p, root string) (string, bool) {
	rest, ok := strings.CutPrefix(p, strings.TrimSuffix(root, "/"))
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	if slices.Contains(strings.Split(rest, "/"), "..") {
		return "", false
	}
	return rest, true
}
