package evidence

import "time"

// A Pause is one time at which a language runtime stopped its own threads. The
// wall clock of the process dates it; Took is how long no thread of the
// application ran, whatever else the collector did beside it.
type Pause struct {
	At      Interval      `json:"at"`   // when it began, or the whole stretch when only that is known
	Took    time.Duration `json:"took"` //
	Kind    string        `json:"kind"` // gc, safepoint; blocked-thread, of which the others ran on
	Cause   string        `json:"cause,omitempty"`
	Text    string        `json:"text"`
	Runtime string        `json:"runtime"`       // jvm, go, dotnet, node, python
	Pid     int           `json:"pid,omitempty"` // zero: the log does not name it
}

// GCTotals are one sample of a runtime's running totals: jstat -gc and its like.
type GCTotals struct {
	Span  Span          `json:"span"`
	Pid   int           `json:"pid,omitempty"`
	Young int64         `json:"young"` // collections
	Full  int64         `json:"full"`
	Took  time.Duration `json:"took"`     // summed over all of them since the process began
	Old   float64       `json:"old_used"` // share of the old generation in use, 0 to 1; zero: not told
}

// A ThreadDump is one dump of all threads of a process. Two of them a few
// seconds apart show which threads do not move.
type ThreadDump struct {
	Span    Span         `json:"span"`
	At      Interval     `json:"at,omitzero"` // the date the dump carries itself
	Runtime string       `json:"runtime"`     // jvm, go, python
	Pid     int          `json:"pid,omitempty"`
	Threads []DumpThread `json:"threads"`            // of the application, runtime threads left out
	Dead    bool         `json:"deadlock,omitempty"` // the runtime itself found a deadlock
}

// A DumpThread is one thread of a dump.
type DumpThread struct {
	Name  string        `json:"name"`
	Tid   int           `json:"tid,omitempty"`   // the kernel's number, nid in a jstack; zero: not told
	State string        `json:"state"`           // runnable, blocked, waiting, timed-waiting, io, syscall
	Top   string        `json:"top,omitempty"`   // the innermost frame
	Waits time.Duration `json:"waits,omitempty"` // how long it has been so, where the dump tells (Go)
	Lock  string        `json:"lock,omitempty"`  // what it waits for
}

// A NetworkNotice is one thing that a link, a firewall, a NAT, a proxy or a
// kernel said of the network.
type NetworkNotice struct {
	At     Interval `json:"at"`
	Class  string   `json:"class"` // link-down, link-up, idle-close, nat-exhausted, reset, refused, closed, timeout, unanswered, unreachable, unresolved
	Device string   `json:"device,omitempty"`
	Peer   string   `json:"peer,omitempty"` // address the line names
	Text   string   `json:"text"`
}

// NetCounters are one sample of the kernel's TCP counters, by name as
// /proc/net/snmp and /proc/net/netstat give them (Tcp.RetransSegs,
// TcpExt.TCPTimeouts, …), and of links and tracked connections beside them
// (eth0.rx_dropped, eth0.carrier_changes, conntrack.insert_failed).
type NetCounters struct {
	Span   Span             `json:"span"`
	Values map[string]int64 `json:"values"`
}

// A DeathNotice is one line in which a program, or whoever started it, says
// that it ended and did not mean to.
type DeathNotice struct {
	At   Interval `json:"at"`   // unbounded where nothing dates the line
	What string   `json:"what"` // out-of-memory, deadlock, panic, fatal, killed; heap-exhausted, which a program may survive
	Text string   `json:"text"`
}
