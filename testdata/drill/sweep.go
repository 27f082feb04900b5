package drill

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Sweep removes the namespaces and control groups of test runs that were killed
// before they could. Their names carry the pid of the run; one that lives keeps
// what is its own.
func Sweep() error {
	spaces, err := filepath.Glob("/run/netns/lsd-*")
	if err != nil {
		return fmt.Errorf("list namespaces: %w", err)
	}
	for _, path := range spaces {
		if name := filepath.Base(path); ended(strings.TrimPrefix(name, "lsd-")) {
			// The cable goes with its far end.
			_ = exec.Command("ip", "netns", "del", name).Run()
		}
	}
	groups, err := filepath.Glob(cgroupRoot + "/*/lockscene-drill-*")
	if err != nil {
		return fmt.Errorf("list control groups: %w", err)
	}
	for _, dir := range groups {
		if ended(strings.TrimPrefix(filepath.Base(dir), "lockscene-drill-")) {
			removeGroups(dir)
		}
	}
	return nil
}

// ended says whether the run that made PID-INDEX is over.
func ended(name string) bool {
	text, _, _ := strings.Cut(name, "-")
	pid, err := strconv.Atoi(text)
	return err == nil && !exists(filepath.Join("/proc", strconv.Itoa(pid)))
}

func removeGroups(dir string) {
	inner, _ := filepath.Glob(dir + "/*.service")
	for _, g := range append(inner, dir) {
		_ = os.Remove(g)
	}
}
