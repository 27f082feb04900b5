package host

import "strings"

// maxWchan is longer than any kernel symbol (KSYM_NAME_LEN is 512).
const maxWchan = 512

// ParseWchan reads /proc/PID/wchan: the kernel function the thread sleeps in.
// The kernel prints "0" alike for a thread that runs, for a reader without
// permission and for an address without a name, so "0" is unread and ok false.
func ParseWchan(b []byte) (name string, ok bool) {
	if len(b) > maxWchan {
		return "", false
	}
	name = strings.TrimSpace(string(b))
	return name, name != "" && name != "0"
}
