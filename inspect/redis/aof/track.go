package aof

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Of a long history the beginning and the end are kept.
const (
	keptFirst = 64
	keptLast  = 2048
)

// A state is what the key held at some point of the file.
type state struct {
	known   bool // false: nobody has written it yet, and what came before is unread
	present bool
	value   string    // empty: not told
	size    int64     // of the value in full
	ends    time.Time // zero: it has no expiry, or none was told
}

// A tracker follows one key through the commands of one file after the other.
type tracker struct {
	lock  Lock
	name  string // of the present file
	base  bool   // the present file is a snapshot in the form of commands: nothing in it tells when
	db    int    // as SELECT chose it
	ts    int64  // the last annotation, Unix seconds; zero: none yet
	state state
	h     evidence.History

	writes []evidence.KeyWrite
	seq    int  // records so far
	wrote  int  // seq of the record that made the last of writes
	bare   bool // that record was a SET without any option

	inMulti bool
	mark    int   // length of writes when the open transaction began
	before  state // the state then
}

func newTracker(lock Lock) *tracker {
	// A file that begins with commands began with an empty database.
	return &tracker{lock: lock, state: state{known: true}}
}

// record takes one command.
func (t *tracker) record(in *scanner) {
	t.seq++
	name := strings.ToLower(in.arg(0))
	switch name {
	case "select":
		t.db = number(in.arg(1))
		return
	case "multi":
		t.inMulti, t.mark, t.before = true, len(t.writes), t.state
		return
	case "exec":
		t.inMulti = false
		return
	case "flushall":
		t.removed(in, name)
		return
	case "flushdb":
		if t.db == t.lock.DB {
			t.removed(in, name)
		}
		return
	case "swapdb":
		if t.lock.DB == number(in.arg(1)) || t.lock.DB == number(in.arg(2)) {
			t.removed(in, name)
			t.state = state{} // another database's key of that name may be here now
		}
		return
	}
	if len(in.hits) > 0 {
		t.command(in, name)
	}
}

// endOfFile drops a transaction whose end the file does not have: the server
// would drop it too.
func (t *tracker) endOfFile() {
	if t.inMulti {
		if t.inMulti = false; len(t.writes) > t.mark {
			t.writes, t.state = t.writes[:t.mark], t.before
			t.cut(t.name + " ends inside a transaction, which is left out")
		}
	}
}

// add notes a write and what the key holds after it.
func (t *tracker) add(in *scanner, name string, deed evidence.Deed, after state) {
	w := evidence.KeyWrite{Command: name, Deed: deed, Value: after.value, Ends: after.ends, At: t.at(), Offset: in.start, File: t.name}
	if t.base {
		w.Deed = ""
	}
	t.writes = append(t.writes, w)
	t.state, t.wrote, t.bare = after, t.seq, false
	t.trim(keptLast)
}

// at is when the present record was written.
func (t *tracker) at() evidence.Interval {
	if t.ts == 0 || t.base {
		return evidence.Interval{}
	}
	return second(t.ts)
}

// trim leaves the middle out once it exceeds what is kept by slack writes.
func (t *tracker) trim(slack int) {
	over := len(t.writes) - keptFirst - keptLast
	if over <= slack {
		return
	}
	t.writes = append(t.writes[:keptFirst], t.writes[keptFirst+over:]...)
	t.h.Omitted += over
	t.mark = max(t.mark-over, min(t.mark, keptFirst))
}

// set is a write of the whole value.
func (t *tracker) set(in *scanner, name string, value string, size int64, ends time.Time) {
	deed := evidence.DeedAcquire
	if t.held() {
		switch {
		case value == "" || t.state.value == "":
			deed = "" // one of them is not told
		case t.state.value == value && t.state.size == size:
			deed = evidence.DeedRenew
		default:
			deed = evidence.DeedReplace
		}
	}
	t.add(in, name, deed, state{known: true, present: true, value: value, size: size, ends: ends})
}

// held says whether the key is known to have been there when the present record
// was written. A primary logs a deletion when a key expires; one whose time has
// passed without it was not served any more all the same.
func (t *tracker) held() bool {
	over := t.ts > 0 && !t.state.ends.IsZero() && !t.state.ends.After(time.Unix(t.ts, 0))
	return t.state.known && t.state.present && !over
}

// expire moves the end. Servers before 6.2 log one SET with an expiry as two
// commands side by side, a SET without its options and the expiry: one write.
func (t *tracker) expire(in *scanner, name string, ends time.Time) {
	if n := len(t.writes); n > 0 && t.wrote == t.seq-1 && t.bare && t.writes[n-1].Ends.IsZero() {
		t.writes[n-1].Ends, t.state.ends = ends, ends
		return
	}
	after := t.state
	after.known, after.present, after.ends = true, true, ends
	t.add(in, name, evidence.DeedRenew, after)
}

// removed is any write after which the key is gone.
func (t *tracker) removed(in *scanner, name string) {
	deed := evidence.DeedGone
	at := t.at()
	early := t.state.ends.IsZero() || at.Known() && at.To.Before(t.state.ends)
	if t.state.known && t.state.present && early && (name == "del" || name == "unlink" || name == "getdel") {
		deed = evidence.DeedRelease
	}
	if t.state.known && !t.state.present && (name == "flushall" || name == "flushdb" || name == "swapdb") {
		t.state = state{known: true}
		return
	}
	t.add(in, name, deed, state{known: true})
}
