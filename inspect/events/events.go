// Package events reads what applications, and the tools around them, wrote down
// about a lock.
//
// [Read] takes one source: JSON, one object a line or one document; logfmt; or
// plain log lines. It undoes what carried them ([Options] say what is known of
// it), be it Loki, CloudWatch, Docker, the journal, Elastic or a logging
// library, and asks of what is left whether it is an event. An object is one
// when its field event names a deed; a line, when a [Mapping] matches it. A
// mapping is a small file of regular expressions; for the usual lock libraries
// and daemons they are ready-made ([Mappings], [Load]).
//
// The result is a [Harvest]: events of the application, notices of Redis, of
// clock daemons and of the cluster, each dated by an interval as wide as its
// stamp is coarse, and a [Report] of what was not understood. Sources come from
// strangers and may be large: lines and records are bounded, floods keep both
// ends, and nothing but a failing reader is fatal.
package events

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// Options say what is known of a source beside its text.
type Options struct {
	stamp.Context
	Clock evidence.Clock // the clock it was dated by; empty: "app:<source>"
	Key   string         // the lock that is judged: other locks' acquires, renewals and releases are only counted; empty: all are kept
	Limit int            // events kept at most; zero: 20 000
}

// A Harvest is what one source had to say.
type Harvest struct {
	Events  []evidence.AppEvent
	Clock   []evidence.ClockNotice
	Server  []evidence.ServerNotice
	Cluster []evidence.ClusterEvent
	Report  Report
}

// A Report says what became of the lines of a source.
type Report struct {
	Lines     int                   // lines, or records of a document
	Other     int                   // of them, those that are no events and match nothing: most of a log
	Matched   map[string]int        // lines taken, by mapping; "json" and "logfmt" where the fields said it
	Seen      map[evidence.Deed]int // events of this lock, kept or not
	Dropped   map[evidence.Deed]int // events of the middle of a flood, left out
	Flooded   map[string]int        // notices of the middle of a flood, left out: by class, or "clock", "cluster"
	Foreign   int                   // acquires, renewals and releases of other locks
	Undated   int                   // events that only their neighbours date, or nothing
	Malformed int                   // lines that begin like an event and cannot be read as one
	Problems  []Problem             // the first of those
}

// A Problem is one line that could not be read.
type Problem struct {
	Line int // or the number of the record
	Why  string
}

// Limits of a source.
const (
	defaultLimit = 20_000
	maxNotices   = 2_000    // clock and cluster notices kept, of each kind: a daemon that steps every minute fills a day and more
	maxLine      = 1 << 20  // bytes of a line, above which only its beginning is read
	maxRecord    = 4 << 20  // bytes between two records of a document
	maxProblems  = 10       // problems that are listed
	maxText      = 300      // runes kept of a text: a stack trace's first lines
	maxField     = 512      // runes kept of any other field
	maxDepth     = 8        // JSON inside strings inside JSON; what ships logs wraps two or three times
	maxUndated   = 1_000    // events waiting for the next date
	maxMatched   = 8 << 10  // bytes of a line that mappings look at
	peekBytes    = 64 << 10 // bytes from which the form of a source is guessed
)

// took bounds a stated duration, so that sums of them stay sums.
const maxTook = 30 * 24 * time.Hour
