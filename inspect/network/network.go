// Package network reads what hosts, proxies and clients say of the network
// between an owner and its coordinator: the kernel's TCP counters, the state of
// links and tracked connections, and lines of logs.
//
// None of it proves by itself that a path was broken. A counter tells of all
// connections of a network namespace, a proxy's line of those it carried, a
// client's error of its own side; so each is passed on as told, with the address
// it names, and the rules decide what it is worth. Lines of the kernel about
// links and the network stack are read by the reader of its log, not here.
//
// Parsers are functions from text to evidence. What they do not know they pass
// over; no line costs more than its length, and lists are bounded.
package network

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// Limits of one text.
const (
	maxText   = 64 << 20
	maxItems  = 20_000 // notices
	maxValues = 4096   // counters; a kernel has some 400, a host a few per device
	maxName   = 64     // bytes of a counter's name
	maxLine   = 4096   // bytes of a line that are looked at
	maxWord   = 512    // bytes kept of one
)

func bounded(name string, b []byte) error {
	if len(b) > maxText {
		return fmt.Errorf("parse %s: %d bytes are more than the %d it may have", name, len(b), maxText)
	}
	return nil
}

func clip(s string) string { return strings.Clone(s[:min(len(s), maxWord)]) }

// eachLine calls f with the beginning of every line.
func eachLine(b []byte, f func(line string)) {
	for line := range strings.Lines(string(b)) {
		f(strings.TrimRight(line[:min(len(line), maxLine)], "\r\n"))
	}
}

// counters collects values by name.
type counters map[string]int64

// set keeps a value as the kernel prints it; some gauges are negative. Of a
// name that comes twice the latest counts.
func (c counters) set(name, value string) {
	n, err := strconv.ParseInt(value, 10, 64)
	if _, ok := c[name]; err != nil || name == "" || len(name) > maxName || !ok && len(c) >= maxValues {
		return
	}
	c[strings.Clone(name)] = n
}

// add sums up what is told for each processor. No count of packets comes near
// half of what fits.
func (c counters) add(name, value string) {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil && n >= 0 && n < 1<<62 && c[name] < 1<<62 {
		c.set(name, strconv.FormatInt(c[name]+n, 10))
	}
}

func (c counters) evidence(what string) (evidence.NetCounters, error) {
	if len(c) == 0 {
		return evidence.NetCounters{}, fmt.Errorf("parse %s: no counter in it", what)
	}
	return evidence.NetCounters{Values: c}, nil
}
