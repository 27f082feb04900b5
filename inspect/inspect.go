// Package inspect looks at a lock, its coordinator, its owner and both clocks,
// and concludes nothing.
//
// [Look] reads: it fetches bytes under deadlines, volatile things first, and
// records each read with its time and its status. [Parse] is pure: it turns
// what was recorded into a snapshot, and works on a frozen bundle exactly as it
// does on a live capture. The sub-packages know one kind of source each.
//
// Reading never changes what is looked at: Redis sees only the commands of one
// table, files are opened read-only, and no process is attached to or signalled.
package inspect

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

// A Target says what to look at and how long.
type Target struct {
	Tool     string // name and version, for capture.json
	Subject  evidence.Subject
	Contract evidence.Contract
	Vantage  string // whose eyes these are; owner unless the responder says otherwise
	Redis    redis.Target
	Others   []redis.Target // further nodes that are asked about the same key
	Quorum   redis.Quorum   // the Sentinels that name the first; empty: it is named by its address
	Timeout  time.Duration  // for one read
	Budget   time.Duration  // for the whole capture
	Watch    time.Duration  // upper bound of the watch; 0 is one look
	Full     bool           // keep other clients' lines and slow commands in full
	Root     string         // where the host's / is mounted; / unless looking out of a container
	Only     string         // one source only: lock, clients, slowlog, clock, owner, kernel or coordinator
	Ticket   string
	Note     string

	// First is shown the snapshot of the first look; Tick is told how the watch
	// stands. Either may be nil.
	First func(evidence.Snapshot)
	Tick  func(Progress)
	// Enough decides when the watch has seen what it needs.
	Enough func(evidence.Snapshot) bool
}

// Progress is how a watch stands.
type Progress struct {
	Seen    evidence.Snapshot // so far
	Elapsed time.Duration     // since the capture began, of the watch and of the budget
}

// A Recording is what a capture brings home: everything a bundle holds that is
// not derived from it.
type Recording struct {
	Capture evidence.Capture
	Probes  []evidence.Probe
	Raw     map[string][]byte
}

// Limits of what one capture takes along.
const (
	maxFile       = 1 << 20 // of one host file; /proc files are far smaller
	maxTasks      = 256     // threads looked at in one process
	maxFDs        = 4096    // descriptors of one process searched for sockets
	maxCandidates = 8       // processes that may be the owner
	manyClients   = 10_000  // above this CLIENT LIST is asked for once only
)
