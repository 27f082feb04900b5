package host

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseOOMScore reads /proc/PID/oom_score: who would be killed first, 0 to
// 2000. An ordinary process has 666 on newer kernels, so a high number is no
// sign of danger; only the order among processes means something.
func ParseOOMScore(b []byte) (int64, error) {
	if err := bounded("oom_score", b); err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("parse oom_score: %w", err)
	}
	return n, nil
}
