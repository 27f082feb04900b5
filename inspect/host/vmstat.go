package host

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseVMKills reads the oom_kill line of /proc/vmstat: kills of any process,
// by any limit, since boot. ok is false on kernels before 4.13, which do not
// count them.
func ParseVMKills(b []byte) (kills int64, ok bool, err error) {
	if err := bounded("vmstat", b); err != nil {
		return 0, false, err
	}
	for line := range strings.Lines(string(b)) {
		value, found := strings.CutPrefix(line, "oom_kill ")
		if !found {
			continue
		}
		kills, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		if err != nil {
			return 0, false, fmt.Errorf("parse vmstat: oom_kill: %w", err)
		}
		return kills, true, nil
	}
	return 0, false, nil
}
