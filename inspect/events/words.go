package events

import (
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// inflected are the other words people use for a deed.
var inflected = map[string]evidence.Deed{
	"acquired": evidence.DeedAcquire, "lock": evidence.DeedAcquire, "locked": evidence.DeedAcquire, "obtain": evidence.DeedAcquire, "obtained": evidence.DeedAcquire,
	"renewed": evidence.DeedRenew, "renewal": evidence.DeedRenew, "extend": evidence.DeedRenew, "extended": evidence.DeedRenew, "refresh": evidence.DeedRenew, "refreshed": evidence.DeedRenew,
	"released": evidence.DeedRelease, "unlock": evidence.DeedRelease, "unlocked": evidence.DeedRelease,
	"beat": evidence.DeedHeartbeat, "heart-beat": evidence.DeedHeartbeat, "heart_beat": evidence.DeedHeartbeat,
	"wrote": evidence.DeedWrite, "written": evidence.DeedWrite,
	"rejected": evidence.DeedReject, "paused": evidence.DeedPause, "resumed": evidence.DeedResume,
	"started": evidence.DeedStart, "exited": evidence.DeedExit,
}

// deedOf is the deed a word names; an unknown word is kept as it is.
func deedOf(word string) evidence.Deed {
	word = strings.ToLower(strings.TrimSpace(word))
	if d, ok := inflected[word]; ok {
		return d
	}
	return evidence.Deed(evidence.Clip(word, 40))
}

// truth reads whether something succeeded: a yes or no in the usual words, or
// the status of an HTTP answer.
func truth(s string) *bool {
	yes, no := true, false
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "yes", "y", "1", "ok", "success", "succeeded", "accepted", "applied", "done":
		return &yes
	case "false", "no", "n", "0", "failed", "failure", "fail", "error", "rejected", "refused", "denied", "stale", "conflict":
		return &no
	}
	if n, err := strconv.Atoi(s); err == nil && n >= 200 && n < 600 {
		if n < 400 {
			return &yes
		}
		return &no
	}
	return nil
}

// took reads a duration: a number of milliseconds, or a number with its unit.
func took(s string) time.Duration {
	s = strings.TrimSpace(s)
	if ms, err := strconv.ParseFloat(s, 64); err == nil {
		if !(ms > 0 && ms < float64(maxTook/time.Millisecond)) {
			return 0
		}
		return time.Duration(ms * float64(time.Millisecond))
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 && d < maxTook {
		return d
	}
	return 0
}

// clockOf is the clock an event names, or the source's.
func clockOf(s string, source evidence.Clock) evidence.Clock {
	s = evidence.Clip(strings.TrimSpace(s), maxField)
	switch {
	case s == "":
		return source
	case s == string(evidence.Coordinator) || strings.HasPrefix(s, "host:") || strings.HasPrefix(s, "app:"):
		return evidence.Clock(s)
	}
	return evidence.Clock("app:" + s)
}
