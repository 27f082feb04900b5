package classify

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// What a request that failed says of the coordinator. Libraries write "not granted"
// in one way for three things: it answered that the lock is another's, it answered
// something that has nothing to do with the lock, or it did not answer at all. Only
// the first is a word of loss, and only the last is one of the path.

// An outcome is what became of one request to the coordinator.
type outcome int

const (
	notTold    outcome = iota // nobody wrote it down
	agreed                    // it was granted
	notYours                  // it was answered: the lock is not the caller's
	refusedAll                // it was answered, for a reason that lies with the server
	noAnswer                  // no answer came in time
	brokenOff                 // the connection was refused or ended: by the server, or by what is in between
)

// failureWords are words of failures, as clients of all languages write them, in lower case. The
// first that a text holds names it: a client that gave up may name the error that
// it gave up on.
var failureWords = []struct {
	means outcome
	words []string
}{
	{brokenOff, []string{"econnrefused", "connection refused", "econnreset", "connection reset", "epipe", "broken pipe", "connection is closed",
		"connection closed", "closed the connection", "socket closed", "unexpected eof", "end of stream"}},
	{noAnswer, []string{"etimedout", "timed out", "timeout", "time out", "ehostunreach", "no route to host", "host is unreachable", "enetunreach", "network is unreachable",
		"deadline exceeded"}},
	{refusedAll, []string{"readonly", "read only replica", "loading redis", "misconf", "noreplicas", "masterdown", "clusterdown", "busy redis", "noauth", "wrongpass",
		"noperm", "oom command", "enotfound", "eai_again", "no such host"}},
	{notYours, []string{"no longer owned", "not owned", "notowned", "not owner", "not held", "not locked by", "lost the lock", "lock lost", "lock mismatch", "missing lock",
		"not acquired", "already locked", "does not exist", "no such key"}},
}

// outcomeOf is what a record of a request tells. One that failed and says nothing
// more was most likely answered, and that is not told.
func outcomeOf(r recorded) outcome {
	switch {
	case r.OK == nil:
		return notTold
	case *r.OK:
		return agreed
	}
	text := strings.ToLower(r.Text)
	for _, w := range failureWords {
		for _, word := range w.words {
			if strings.Contains(text, word) {
				return w.means
			}
		}
	}
	return notTold
}

// ofLoss says whether a request failed in a way that may have told its sender that
// the lock is not its own: with that answer, or for a reason that nobody wrote down.
func ofLoss(r recorded) bool {
	if r.Succeeded() {
		return false
	}
	o := outcomeOf(r)
	return o == notYours || o == notTold
}

// asks says whether an event is a request of the coordinator.
func asks(r recorded) bool {
	return r.Event == evidence.DeedAcquire || r.Event == evidence.DeedRenew || r.Event == evidence.DeedRelease
}
