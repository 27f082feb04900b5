package host

import (
	"fmt"
	"strconv"
	"strings"
)

// NoLimit is what a limit file reads as when it sets none.
const NoLimit = -1

// unlimited is the least value a v1 limit file shows for "none": the kernel
// rounds the largest count of pages down to bytes, so the number depends on the
// page size (9223372036854771712 with 4 KiB pages).
const unlimited = 1 << 62

// ParseFlat reads a file of `key number` lines: cpu.stat, memory.events,
// memory.oom_control, cgroup.events, cgroup.stat.local. A key
// that is not in the map was not in the file, which is not zero.
func ParseFlat(b []byte) (map[string]int64, error) {
	if err := bounded("flat keys", b); err != nil {
		return nil, err
	}
	out := make(map[string]int64)
	for line := range strings.Lines(string(b)) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if len(words) != 2 {
			return nil, fmt.Errorf("parse flat keys: line %q is not a key and a number", clip(strings.TrimSpace(line)))
		}
		n, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("parse flat keys: %s: %w", clip(words[0]), err)
		}
		out[words[0]] = n
	}
	return out, nil
}

// ParseLimit reads a file of one number or "max": memory.max, memory.high,
// memory.current, memory.peak, memory.limit_in_bytes, memory.usage_in_bytes,
// cpu.cfs_quota_us, cpu.cfs_period_us.
func ParseLimit(b []byte) (int64, error) {
	text, err := word(b)
	if err != nil {
		return 0, fmt.Errorf("parse limit: %w", err)
	}
	if text == "max" {
		return NoLimit, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("parse limit: %w", err)
	}
	if n < 0 || n >= unlimited {
		return NoLimit, nil
	}
	return n, nil
}

// ParseFlag reads a file of 0 or 1: cgroup.freeze, memory.oom.group,
// freezer.self_freezing, freezer.parent_freezing.
func ParseFlag(b []byte) (bool, error) {
	text, err := word(b)
	if err != nil {
		return false, fmt.Errorf("parse flag: %w", err)
	}
	switch text {
	case "0":
		return false, nil
	case "1":
		return true, nil
	}
	return false, fmt.Errorf("parse flag: %q is neither 0 nor 1", clip(text))
}

// ParseFreezerState reads the v1 freezer.state. FREEZING counts as frozen: the
// tasks that are caught already do not run, and the rest follow.
func ParseFreezerState(b []byte) (bool, error) {
	text, err := word(b)
	if err != nil {
		return false, fmt.Errorf("parse freezer.state: %w", err)
	}
	switch text {
	case "THAWED":
		return false, nil
	case "FREEZING", "FROZEN":
		return true, nil
	}
	return false, fmt.Errorf("parse freezer.state: unknown state %q", clip(text))
}

// ParseCPUMax reads the v2 cpu.max and returns how many CPUs the group may use,
// or NoLimit.
func ParseCPUMax(b []byte) (float64, error) {
	if err := bounded("cpu.max", b); err != nil {
		return 0, err
	}
	words := strings.Fields(string(b))
	if len(words) != 2 {
		return 0, fmt.Errorf("parse cpu.max: %d words instead of 2", len(words))
	}
	quota, err := ParseLimit([]byte(words[0]))
	if err != nil {
		return 0, fmt.Errorf("parse cpu.max: %w", err)
	}
	period, err := ParseLimit([]byte(words[1]))
	if err != nil {
		return 0, fmt.Errorf("parse cpu.max: %w", err)
	}
	return CPUs(quota, period)
}

// CPUs is quota ÷ period, the v1 pair cpu.cfs_quota_us and cpu.cfs_period_us,
// or NoLimit when there is no quota.
func CPUs(quota, period int64) (float64, error) {
	if quota < 0 {
		return NoLimit, nil
	}
	if period <= 0 {
		return 0, fmt.Errorf("divide quota: period is %d µs", period)
	}
	return float64(quota) / float64(period), nil
}

// word is the only word of a one-line file.
func word(b []byte) (string, error) {
	if err := bounded("one word", b); err != nil {
		return "", err
	}
	words := strings.Fields(string(b))
	if len(words) != 1 {
		return "", fmt.Errorf("%d words instead of 1", len(words))
	}
	return words[0], nil
}
