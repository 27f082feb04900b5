package shell

import "strings"

// HidePid finds the hidepid option of the proc mount in /proc/mounts,
// /proc/PID/mountinfo or the output of mount. Level 0 hides nothing, 1 the
// files of other users' processes, 2 and 4 the processes themselves. It is not
// ok when no line speaks of /proc; of several the last lies on top.
func HidePid(b []byte) (level int, ok bool) {
	if bounded("mounts", b) != nil {
		return 0, false
	}
	for line := range lines(b) {
		options, proc := procMount(line)
		if !proc {
			continue
		}
		level, ok = 0, true
		for o := range strings.SplitSeq(options, ",") {
			if v, found := strings.CutPrefix(o, "hidepid="); found {
				level = hideLevel(v)
			}
		}
	}
	return level, ok
}

// hideLevel knows both spellings. A value nobody knows is taken for the
// strongest: then a missing process proves nothing.
func hideLevel(v string) int {
	switch v {
	case "0", "off":
		return 0
	case "1", "noaccess":
		return 1
	case "4", "ptraceable":
		return 4
	}
	return 2
}

// procMount returns the options of a line that mounts proc on /proc.
func procMount(line string) (options string, ok bool) {
	if left, right, found := strings.Cut(line, " - "); found {
		where, what := strings.Fields(left), strings.Fields(right)
		if len(where) >= 6 && len(what) >= 3 && where[4] == "/proc" && what[0] == "proc" {
			return where[5] + "," + what[2], true
		}
	}
	w := strings.Fields(line)
	switch {
	case len(w) >= 6 && w[1] == "on" && w[2] == "/proc" && w[3] == "type" && w[4] == "proc":
		return strings.Trim(w[5], "()"), true
	case len(w) >= 4 && w[1] == "/proc" && w[2] == "proc":
		return w[3], true
	case len(w) >= 4 && w[0] == "/proc" && w[2] == "proc": // findmnt
		return w[3], true
	}
	return "", false
}
