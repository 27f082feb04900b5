package host

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// gone is what the kernel appends to the path of a removed group.
const gone = " (deleted)"

// ParseCgroup reads /proc/PID/cgroup, one line for each hierarchy.
func ParseCgroup(b []byte) ([]evidence.CgroupPath, error) {
	if err := bounded("cgroup", b); err != nil {
		return nil, err
	}
	var out []evidence.CgroupPath
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			continue
		}
		parts := strings.SplitN(line, ":", 3)
		if len(parts) != 3 || !strings.HasPrefix(parts[2], "/") {
			return nil, fmt.Errorf("parse cgroup: line %q is not id:controllers:/path", clip(line))
		}
		id, err := strconv.Atoi(parts[0])
		if err != nil {
			return nil, fmt.Errorf("parse cgroup: hierarchy: %w", err)
		}
		p := evidence.CgroupPath{Hierarchy: id}
		p.Path, p.Deleted = strings.CutSuffix(parts[2], gone)
		if parts[1] != "" {
			p.Controllers = strings.Split(parts[1], ",")
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("parse cgroup: no lines")
	}
	return out, nil
}

// Serving is the line that governs a controller. On a hybrid host a controller
// bound to a v1 hierarchy is served there alone; the `0::` line serves only
// what no v1 line names.
func Serving(paths []evidence.CgroupPath, controller string) (evidence.CgroupPath, bool) {
	for _, p := range paths {
		if p.Hierarchy != 0 && slices.Contains(p.Controllers, controller) {
			return p, true
		}
	}
	return Unified(paths)
}

// Unified is the cgroup v2 line, if there is one.
func Unified(paths []evidence.CgroupPath) (evidence.CgroupPath, bool) {
	for _, p := range paths {
		if p.Hierarchy == 0 && len(p.Controllers) == 0 {
			return p, true
		}
	}
	return evidence.CgroupPath{}, false
}

// clip keeps an error message short when its line is not.
func clip(s string) string { return s[:min(len(s), 80)] }
