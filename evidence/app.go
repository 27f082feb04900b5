package evidence

import (
	"slices"
	"strings"
	"time"
)

// Deed is what an application event says was done.
type Deed string

// The deeds the rules know; any other word is kept and decides nothing.
const (
	DeedAcquire   Deed = "acquire"
	DeedRenew     Deed = "renew"
	DeedRenewSent Deed = "renew-sent" // a renewal was sent; whether it came to anything another event tells
	DeedRelease   Deed = "release"
	DeedHeartbeat Deed = "heartbeat"
	DeedWrite     Deed = "write"  // the protected resource took a guarded write, or refused it (OK false)
	DeedReject    Deed = "reject" // the protected resource refused a stale token
	DeedPause     Deed = "pause"
	DeedResume    Deed = "resume"
	DeedStart     Deed = "start"
	DeedExit      Deed = "exit"
)

// Deeds that only a [KeyWrite] can be: the append-only file shows what became of
// the key, not who meant it.
const (
	DeedGone    Deed = "gone"     // removed, by its holder, by another or by its expiry: not told
	DeedReplace Deed = "replaced" // another value was put over the one that was there
)

// Deeds lists them, for whoever reads a mapping.
func Deeds() []Deed {
	return []Deed{DeedAcquire, DeedRenew, DeedRenewSent, DeedRelease, DeedHeartbeat, DeedWrite, DeedReject, DeedPause, DeedResume, DeedStart, DeedExit}
}

// KnownDeed says whether the rules know a word.
func KnownDeed(d Deed) bool { return slices.Contains(Deeds(), d) }

// An AppEvent is one thing an application or the protected resource recorded
// about a lock. Nothing in it is trusted to name the truth, only to have been
// written.
type AppEvent struct {
	At      Interval      `json:"at"`              // as wide as the stamp is coarse, on Clock "app:<source>" until it is placed
	Actor   string        `json:"actor,omitempty"` // who wrote it: worker, resource, host:pid
	Event   Deed          `json:"event"`
	Key     string        `json:"key,omitempty"`
	Owner   string        `json:"owner,omitempty"`
	Token   string        `json:"token,omitempty"`   // fencing token, as written
	OK      *bool         `json:"ok,omitempty"`      // nil: not told
	Request string        `json:"request,omitempty"` // the logical request it served
	Took    time.Duration `json:"took,omitempty"`
	Text    string        `json:"text,omitempty"`
	Source  string        `json:"source"` // file and line, as citations print it
}

// Succeeded says whether an event did not say that it failed.
func (e AppEvent) Succeeded() bool { return e.OK == nil || *e.OK }

// A KeyWrite is one change of the lock's key in the coordinator's append-only
// file.
type KeyWrite struct {
	Command string    `json:"command"`         // its first word, lower case: set, pexpireat, del, hset, …
	Deed    Deed      `json:"deed"`            // acquire, renew, release, gone, replaced; empty: it says nothing of who holds it, or is what the file's base holds
	Value   string    `json:"value,omitempty"` // what the key held after it; empty when not told
	Ends    time.Time `json:"ends,omitzero"`   // the absolute expiry it set; zero: none
	At      Interval  `json:"at,omitzero"`     // when, on the coordinator's clock, where a timestamp annotation or neighbours bound it
	Offset  int64     `json:"offset"`          // where in the file it stands
	File    string    `json:"file,omitempty"`
}

// A History is the lock's whole past as the append-only file has it.
type History struct {
	Source  string     `json:"source"`
	Since   Interval   `json:"since,omitzero"`    // how far back it reaches: the last rewrite, where that is known
	Base    string     `json:"base,omitempty"`    // what came before the first write: none, rdb (not read), aof
	Writes  []KeyWrite `json:"writes"`            // of this key, oldest first
	Omitted int        `json:"omitted,omitempty"` // writes of the middle of a long history, left out
	Cut     string     `json:"cut,omitempty"`     // why the end is missing: a torn tail, a limit
}

// A ServerNotice is one line of a redis-server, Sentinel or Valkey log that
// bears on locks.
type ServerNotice struct {
	At     Interval `json:"at"`             // on the log's own clock
	Class  string   `json:"class"`          // one of the Notice words
	Node   string   `json:"node,omitempty"` // host:port the line names, or empty for the writer itself
	Role   string   `json:"role,omitempty"` // M, S, C or X as the log prints it, or sentinel
	Pid    int      `json:"pid,omitempty"`
	Text   string   `json:"text"`
	Source string   `json:"source,omitempty"` // file and line, as citations print it
}

// BySentinel says whether a Sentinel wrote it: on its own host's clock, of others.
func (n ServerNotice) BySentinel() bool {
	return n.Role == "X" || strings.EqualFold(n.Role, "sentinel")
}
