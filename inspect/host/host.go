// Package host turns what Linux says of processes, sockets and control groups
// into readings. Each file is named after the kernel file it understands.
//
// Everything here is a pure function from bytes, so that a frozen bundle, a
// pasted terminal and a live machine go through the same parser. Whatever can
// decide a verdict (stat, status, net/tcp, cgroup files) is parsed in memory,
// because an incident often comes with a full disk. Only the measures no rule
// turns on (load, I/O, limits) go through procfs, which reads from a folder:
// [Stage] lays the bytes out for it.
//
// Kernel text is not trusted. A process chooses its own name, a container its
// own files, and somebody may have pasted the rest: parsers refuse what they do
// not understand, keep "not there" apart from zero, and take time linear in
// their input.
package host

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of the counters the kernel prints in USER_HZ: 100 a second
// on every architecture lockscene is built for, whatever CONFIG_HZ says.
const tick = 10 * time.Millisecond

// maxFile is the most any of these files is read to. The longest real ones,
// status of a process with thousands of groups and mountinfo of a container
// host, stay far below.
const maxFile = 4 << 20

// bounded refuses what is too long to be the file it claims to be.
func bounded(name string, b []byte) error {
	if len(b) > maxFile {
		return fmt.Errorf("parse %s: %d bytes are more than the %d it may have", name, len(b), maxFile)
	}
	return nil
}

// duration reads a counter of units.
func duration(text string, unit time.Duration) (time.Duration, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return 0, err
	}
	return span(n, unit)
}

// span is n units, or an error when that is negative or longer than a Duration
// holds: a counter like that was never counted.
func span(n int64, unit time.Duration) (time.Duration, error) {
	if n < 0 || n > int64((1<<63-1)/unit) {
		return 0, fmt.Errorf("%d is out of range", n)
	}
	return time.Duration(n) * unit, nil
}
