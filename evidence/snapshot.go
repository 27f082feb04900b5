package evidence

import "time"

// A Snapshot is everything that was read about one lock, parsed. It is derived
// from the raw bytes, probes.json and capture.json alone, and it is the only
// input to a verdict.
type Snapshot struct {
	Schema   string    `json:"schema"`
	Subject  Subject   `json:"subject"`
	Contract Contract  `json:"contract"`
	Vantages []Vantage `json:"vantages"`
	Cut      string    `json:"cut,omitempty"`

	Looks     []Look             `json:"looks,omitempty"` // the lock tuple over time, in the order it was read
	Node      Node               `json:"node"`            // the Redis that answered, or did not
	Processes []Process          `json:"processes"`       // every process that may own or renew the lock
	Host      Host               `json:"host"`            // the machine the tool ran on
	Heartbeat []Beat             `json:"heartbeat,omitempty"`
	Sources   map[string]Outcome `json:"sources"` // how each kind of read ended, by probe name

	Dialect Reading[Dialect] `json:"dialect,omitzero"`  // which library wrote the lock, and what it tells; absent: none that is known
	At      time.Time        `json:"at,omitzero"`       // the past moment that is asked about; zero: the end of the evidence
	Nodes   []Node           `json:"nodes,omitempty"`   // other Redis nodes that were asked about the same key
	Others  []Host           `json:"others,omitempty"`  // machines other than the owner's that somebody looked at
	Events  []AppEvent       `json:"events,omitempty"`  // what applications and the protected resource recorded
	History Reading[History] `json:"history,omitzero"`  // the lock's writes, as the coordinator's append-only file has them
	Notices []ServerNotice   `json:"notices,omitempty"` // lines of redis-server, Sentinel and Valkey logs that bear on locks

	Primaries      []NamedPrimary  `json:"primaries,omitempty"`      // which node a Sentinel named as the primary, in the order of asking
	Unanswered     []Look          `json:"unanswered,omitempty"`     // looks the coordinator did not answer from one vantage while it answered another: they tell of the path, not of the lock
	Contradictions []Contradiction `json:"contradictions,omitempty"` // what two vantages saw and cannot both be true
}

// An Outcome sums up all reads of one kind.
type Outcome struct {
	Status Status `json:"status"` // the best of them: one success makes it ok
	Reads  int    `json:"reads"`
	Why    string `json:"why,omitempty"`
}

// A Span is when a look was taken, on the vantage's two clocks.
type Span struct {
	Start Stamp `json:"start"`
	End   Stamp `json:"end"`
	Step  int   `json:"step,omitempty"` // of text: its place in the order of its terminal, which orders what overlaps; zero: none
}

// A Look is one sample of the lock tuple, all from one round trip.
type Look struct {
	Span    Span               `json:"span"`
	Vantage string             `json:"vantage,omitempty"`   // whose eyes; empty where there is only one vantage
	Before  Reading[time.Time] `json:"before"`              // TIME, first command of the pipeline
	After   Reading[time.Time] `json:"after"`               // TIME, last command of the pipeline
	Type    Reading[string]    `json:"type"`                // TYPE; absent when it says none
	PTTL    Reading[int64]     `json:"pttl"`                // milliseconds left; -1 no expiry; absent when it says -2
	End     Reading[int64]     `json:"pexpiretime"`         // PEXPIRETIME, ms since the epoch on the coordinator; -1 no expiry; absent when it says -2
	TTL     Reading[int64]     `json:"ttl,omitzero"`        // TTL, whole seconds left, rounded to the nearest: half a second wide to each side; -1 no expiry; absent when it says -2
	EndSec  Reading[int64]     `json:"expiretime,omitzero"` // EXPIRETIME, whole seconds since the epoch on the coordinator, rounded to the nearest; -1 no expiry; absent when it says -2
	Idle    Reading[int64]     `json:"idletime"`            // OBJECT IDLETIME, seconds since the last touch
	Memory  Reading[int64]     `json:"memory_usage"`        // MEMORY USAGE, bytes; sees a key that is past its expiry
	Length  Reading[int64]     `json:"strlen"`              // STRLEN, bytes
	Value   Reading[string]    `json:"value"`               // GETRANGE or GET; the first 64 KiB
	Fields  Reading[[]Field]   `json:"fields,omitzero"`     // HGETALL, when the key is a hash of at most 64 fields
	Members Reading[[]Member]  `json:"members,omitzero"`    // of a sorted set with their scores, of a set or a list, at most 100
	Placed  Interval           `json:"placed,omitzero"`     // of text: when it was read, on the coordinator's clock, as neighbouring TIMEs bound it
	Asked   Interval           `json:"asked,omitzero"`      // of text: when PTTL was answered, where stamps bound it more narrowly than the whole look
}

// A Field is one field of a lock kept as a hash.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A Member is one element of a lock kept as a sorted set, a set or a list.
type Member struct {
	Name  string  `json:"name"`
	Score float64 `json:"score,omitempty"` // of a sorted set
}

// A Beat is one reading of the worker's own heartbeat.
type Beat struct {
	Span   Span                   `json:"span"`
	Value  Reading[string]        `json:"value"`            // the key's value, or the file's first bytes
	Age    Reading[time.Duration] `json:"age"`              // how old the beat was: from the value where it is a time, else the file's mtime or OBJECT IDLETIME
	Target string                 `json:"target,omitempty"` // file:PATH or key:NAME
}

// A Node is one Redis server, as seen over the capture.
type Node struct {
	Address string                  `json:"address"`
	Looks   []Look                  `json:"looks,omitempty"`   // at the lock on this node; those at the subject's own node stand in the snapshot
	Infos   []Info                  `json:"infos,omitempty"`   // the first and the last INFO
	Clients []ClientList            `json:"clients,omitempty"` // the first and the last CLIENT LIST
	Slowlog Reading[[]SlowEntry]    `json:"slowlog"`
	Role    Reading[Role]           `json:"role"`
	Latency Reading[[]LatencyEvent] `json:"latency,omitzero"` // LATENCY LATEST; empty unless the server's monitor is on
	User    Reading[string]         `json:"user,omitzero"`    // ACL WHOAMI
}

// Info is one INFO reply, reduced to what rules read. Counters are cumulative
// since the server started.
type Info struct {
	Span       Span                      `json:"span"`
	Vantage    string                    `json:"vantage,omitempty"` // whose eyes; empty where there is only one vantage
	Version    Reading[string]           `json:"redis_version"`
	Server     Reading[string]           `json:"server_name,omitzero"` // valkey and others name themselves
	RunID      Reading[string]           `json:"run_id"`
	Uptime     Reading[int64]            `json:"uptime_in_seconds"` // by the server's wall clock: goes wrong with it
	Hz         Reading[int64]            `json:"hz,omitzero"`       // how often a second the server looks at its clock
	Role       Reading[string]           `json:"role"`
	ReplID     Reading[string]           `json:"master_replid"`
	ReplID2    Reading[string]           `json:"master_replid2"`
	Offset     Reading[int64]            `json:"master_repl_offset"`
	SecondOff  Reading[int64]            `json:"second_repl_offset"` // -1: never promoted
	Evicted    Reading[int64]            `json:"evicted_keys"`
	Expired    Reading[int64]            `json:"expired_keys"`
	MaxMemory  Reading[int64]            `json:"maxmemory"` // bytes; 0 no limit
	UsedMemory Reading[int64]            `json:"used_memory"`
	Policy     Reading[string]           `json:"maxmemory_policy"`
	Connected  Reading[int64]            `json:"connected_clients"`
	Loading    Reading[int64]            `json:"loading"`
	ProcessID  Reading[int64]            `json:"process_id"`            // the server's pid, in its own namespace
	ErrorStats Reading[map[string]int64] `json:"errorstats,omitzero"`   // by error name, since start
	Calls      Reading[map[string]int64] `json:"commandstats,omitzero"` // calls by command, since start
	Failed     Reading[map[string]int64] `json:"failed_calls,omitzero"` // calls by command that ended in an error, since start; from 6.2
	LastSave   Reading[string]           `json:"rdb_last_bgsave_status,omitzero"`
	Keys       Reading[map[string]int64] `json:"keyspace,omitzero"` // keys by database number; one without keys is not listed
}

// A NamedPrimary is a Sentinel's answer to which node is the primary.
type NamedPrimary struct {
	Span     Span   `json:"span"`
	Sentinel string `json:"sentinel"` // its address
	Name     string `json:"name"`     // what it calls the primary and its replicas
	Address  string `json:"address"`  // host:port
}

// Role is the reply to ROLE.
type Role struct {
	Name     string   `json:"name"` // master, slave, sentinel
	Offset   int64    `json:"offset"`
	Master   string   `json:"master,omitempty"` // of a replica
	Link     string   `json:"link,omitempty"`   // of a replica: connect, connecting, sync, connected
	Replicas []string `json:"replicas,omitempty"`
}

// LatencyEvent is one row of LATENCY LATEST.
type LatencyEvent struct {
	Event  string        `json:"event"`
	At     time.Time     `json:"at"` // by the server's clock, whole seconds
	Latest time.Duration `json:"latest"`
	Max    time.Duration `json:"max"`
}

// A ClientList is one CLIENT LIST. Only connections that concern this lock are
// kept one by one; the rest are counted.
type ClientList struct {
	Span    Span               `json:"span"`
	Total   Reading[int]       `json:"total"`
	Clients Reading[[]Client]  `json:"clients"`           // those of the owner's host, those that touch the lock, and the tool's own
	Partial bool               `json:"partial,omitempty"` // a filter or a cut showed a part: a connection that is not in it may exist
	Quiet   Reading[[]Silence] `json:"quiet,omitzero"`    // how long the others have been idle, by host: a whole host that fell silent shows here
}

// A Silence sums up the connections of one address.
type Silence struct {
	Host    string `json:"host"`     // as CLIENT LIST shows it; empty when withheld
	Clients int    `json:"clients"`  //
	MinIdle int64  `json:"min_idle"` // seconds
	MaxIdle int64  `json:"max_idle"`
}

// A Client is one line of CLIENT LIST. Ages go wrong with the server's wall
// clock: they may be negative.
type Client struct {
	ID      int64  `json:"id"`
	Addr    string `json:"addr,omitempty"` // host:port, [v6]:port, or a socket path
	LAddr   string `json:"laddr,omitempty"`
	Name    string `json:"name,omitempty"`
	Age     int64  `json:"age"`  // seconds since it connected
	Idle    int64  `json:"idle"` // seconds since its last command
	Flags   string `json:"flags,omitempty"`
	DB      int    `json:"db"`
	Cmd     string `json:"cmd,omitempty"` // its last command; parent|sub from 7.0
	User    string `json:"user,omitempty"`
	Lib     string `json:"lib,omitempty"`
	LibVer  string `json:"lib_ver,omitempty"`
	TotCmds int64  `json:"tot_cmds,omitempty"` // newer servers only; zero elsewhere
}

// A SlowEntry is one SLOWLOG entry. Arguments of other keys' commands were
// dropped before the entry was stored.
type SlowEntry struct {
	ID       int64         `json:"id"`
	Ended    time.Time     `json:"ended"` // the server dates an entry by its end, in whole seconds
	Took     time.Duration `json:"took"`
	Args     []string      `json:"args"`
	Arity    int           `json:"arity"`
	Client   string        `json:"client,omitempty"` // address; absent before 4.0
	Name     string        `json:"name,omitempty"`
	Withheld bool          `json:"withheld,omitempty"` // another key's entry: command and arity only
	Deed     Deed          `json:"deed,omitempty"`     // what it does to a lock: acquire, renew or release; empty: the command does not tell
	Lock     int           `json:"lock,omitempty"`     // withheld, and a command of another lock by a client of this one: the other locks are numbered from 1
}
