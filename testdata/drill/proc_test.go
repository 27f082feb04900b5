package drill

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// threadCPU is how long the thread of that name has run, in nanoseconds.
func threadCPU(pid int, name string) (ns int64) {
	dirs, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	for _, dir := range dirs {
		b, _ := os.ReadFile(dir + "/comm")
		if strings.TrimSpace(string(b)) != name {
			continue
		}
		b, _ = os.ReadFile(dir + "/schedstat")
		_, _ = fmt.Sscan(string(b), &ns)
	}
	return ns
}

// statusField is one field of /proc/PID/status.
func statusField(pid int, name string) string {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(b)) {
		if key, value, ok := strings.Cut(line, ":"); ok && key == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func itoa(n int) string { return strconv.Itoa(n) }

func contains(text, part string) bool { return strings.Contains(text, part) }
