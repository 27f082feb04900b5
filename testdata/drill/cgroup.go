package drill

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// cgroupRoot is where every distribution mounts the hierarchies.
const cgroupRoot = "/sys/fs/cgroup"

// A Group is a control group of one scene, in one hierarchy.
type Group struct {
	Path string // below its hierarchy, as /proc/PID/cgroup prints it
	V2   bool
	dir  string
	s    *Scene
}

// Group makes /lockscene-drill-…/NAME in the hierarchy that has the controller:
// a v1 controller, or "v2" for the unified hierarchy without regard to
// controllers. Where v1 has it not, v2 is tried.
func (s *Scene) Group(controller, name string) *Group {
	s.T.Helper()
	g := &Group{Path: fmt.Sprintf("/lockscene-drill-%d-%d/%s", os.Getpid(), s.Index, name), s: s}
	mount := filepath.Join(cgroupRoot, controller)
	if controller == "v2" || !exists(filepath.Join(mount, "cgroup.procs")) {
		mount = v2Mount()
		g.V2 = true
	}
	if mount == "" {
		s.NotRun("no cgroup hierarchy with %s", controller)
	}
	g.dir = filepath.Join(mount, g.Path)
	if err := os.MkdirAll(g.dir, 0o755); err != nil {
		s.NotRun("make a control group: %v", err)
	}
	s.T.Cleanup(func() { g.remove() })
	if g.V2 && controller != "v2" {
		g.delegate(mount, controller)
	}
	return g
}

// home is a memory group of the scene's own for clients that the drill puts into
// none: a service has one, and counters of this machine's session would say
// nothing of it. Where there is no v1 memory hierarchy, or no right to it, the
// client stays where it is: no drill depends on it.
func (s *Scene) home(others []*Group) []*Group {
	mount := filepath.Join(cgroupRoot, "memory")
	for _, g := range others {
		if strings.HasPrefix(g.dir, mount+"/") {
			return nil
		}
	}
	if os.Getuid() != 0 || !exists(filepath.Join(mount, "cgroup.procs")) {
		return nil
	}
	return []*Group{s.Group("memory", "ledger.service")}
}

// v2Mount is the unified hierarchy, alone or beside v1.
func v2Mount() string {
	for _, dir := range []string{cgroupRoot, filepath.Join(cgroupRoot, "unified")} {
		if exists(filepath.Join(dir, "cgroup.controllers")) {
			return dir
		}
	}
	return ""
}

// delegate hands a v2 controller down to the group.
func (g *Group) delegate(mount, controller string) {
	g.s.T.Helper()
	parent := filepath.Dir(g.dir)
	b, _ := os.ReadFile(filepath.Join(parent, "cgroup.controllers"))
	if !strings.Contains(" "+strings.TrimSpace(string(b))+" ", " "+controller+" ") {
		g.s.NotRun("cgroup v2 at %s does not hand the %s controller down", mount, controller)
	}
	if err := os.WriteFile(filepath.Join(parent, "cgroup.subtree_control"), []byte("+"+controller), 0); err != nil {
		g.s.NotRun("hand the %s controller down: %v", controller, err)
	}
}

// Set writes one control file.
func (g *Group) Set(file, value string) {
	g.s.T.Helper()
	g.s.check(os.WriteFile(filepath.Join(g.dir, file), []byte(value), 0), "set "+file)
}

// Read is one control file, trimmed; empty when there is none.
func (g *Group) Read(file string) string {
	b, _ := os.ReadFile(filepath.Join(g.dir, file))
	return strings.TrimSpace(string(b))
}

// LimitMemory sets the limit at which the kernel kills.
func (g *Group) LimitMemory(bytes int64) {
	g.s.T.Helper()
	file := "memory.limit_in_bytes"
	if g.V2 {
		file = "memory.max"
		if exists(filepath.Join(g.dir, "memory.swap.max")) {
			g.Set("memory.swap.max", "0")
		}
	}
	g.Set(file, strconv.FormatInt(bytes, 10))
}

// LimitCPU sets the quota per period.
func (g *Group) LimitCPU(quota, period time.Duration) {
	g.s.T.Helper()
	// Registered now, to run before the group's processes are killed: under a
	// tiny quota they take seconds to die.
	g.s.T.Cleanup(g.unlimitCPU)
	if g.V2 {
		g.Set("cpu.max", fmt.Sprintf("%d %d", quota.Microseconds(), period.Microseconds()))
		return
	}
	g.Set("cpu.cfs_period_us", strconv.FormatInt(period.Microseconds(), 10))
	g.Set("cpu.cfs_quota_us", strconv.FormatInt(quota.Microseconds(), 10))
}

// Freeze stops everything in the group and waits until the kernel says so.
func (g *Group) Freeze() {
	g.s.T.Helper()
	// Registered now, to run before the group's processes are killed: frozen by
	// v1 they do not die.
	g.s.T.Cleanup(g.thaw)
	if g.V2 {
		g.Set("cgroup.freeze", "1")
	} else {
		g.Set("freezer.state", "FROZEN")
	}
	g.s.Must("the group is frozen", func() bool {
		return g.Read("freezer.state") == "FROZEN" || strings.Contains(g.Read("cgroup.events"), "frozen 1")
	})
}

// try writes one control file where it exists: for undoing.
func (g *Group) try(file, value string) {
	if path := filepath.Join(g.dir, file); exists(path) {
		_ = os.WriteFile(path, []byte(value), 0)
	}
}

func (g *Group) thaw() {
	g.try("cgroup.freeze", "0")
	g.try("freezer.state", "THAWED")
}

func (g *Group) unlimitCPU() {
	g.try("cpu.max", "max")
	g.try("cpu.cfs_quota_us", "-1")
}

// Kills is how many of the group's processes the OOM killer took.
func (g *Group) Kills() int {
	text := g.Read("memory.oom_control")
	if g.V2 {
		text = g.Read("memory.events")
	}
	for line := range strings.Lines(text) {
		if n, ok := strings.CutPrefix(strings.TrimSpace(line), "oom_kill "); ok {
			kills, _ := strconv.Atoi(n)
			return kills
		}
	}
	return 0
}

// remove takes the group away. Its processes were killed by cleanups that ran
// earlier, but the kernel lets go of them a little later.
func (g *Group) remove() {
	for range 100 {
		if os.Remove(g.dir) == nil || !exists(g.dir) {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	_ = os.Remove(filepath.Dir(g.dir))
}

// enter is the prefix that moves itself into the groups and then executes the
// program, so that the program never runs outside them.
func (s *Scene) enter(groups []*Group) []string {
	script := ""
	for _, g := range groups {
		script += "echo 0 > '" + filepath.Join(g.dir, "cgroup.procs") + "' && "
	}
	return []string{"sh", "-c", script + `exec "$@"`, "sh"}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
