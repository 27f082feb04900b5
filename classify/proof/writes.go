package proof

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
)

// What is asserted of the protected resource, and of work that is guarded by the lock.

const (
	acquires = evidence.DeedAcquire
	renews   = evidence.DeedRenew
	writes   = evidence.DeedWrite
	rejects  = evidence.DeedReject
	stopped  = evidence.Deed("stopped") // no rule of the verdict's: the worker says that it stopped by itself
)

func writeAssertions() []assertion {
	return []assertion{
		{id: "stale-write-rejected", asserts: "writes by the lost owner after the transfer were rejected", look: staleWriteRejected,
			mistake: "A lock that is released but lets its stale owner write is not recovered but leaked: replay the old owner's writes against the resource."},
		{id: "one-writer", asserts: "no two tokens wrote side by side during or after the recovery", every: true, look: oneWriter,
			mistake: "Ignoring the protected resource: only its own log shows who wrote."},
		{id: "one-effect", asserts: "each logical request had exactly one accepted effect", look: oneEffect,
			mistake: "Without request ids in the resource's log a double effect does not show."},
		{id: "work-stops-with-lease", asserts: "the worker stopped its guarded work once it had lost the lease", look: workStops,
			mistake: "A worker that goes on until it is refused relies on the resource alone."},
	}
}

// accepted says whether the resource took a write.
func accepted(e classify.Placed) bool { return e.Event == writes && e.Succeeded() }

// afterTransfer are the lost owner's writes that certainly came after the takeover,
// accepted or not.
func (k *course) afterTransfer() []classify.Placed {
	if k.taken == nil {
		return nil
	}
	return slices.DeleteFunc(k.of(k.lost, writes, rejects), func(e classify.Placed) bool { return !e.On.After(k.taken.On) })
}

func (k *course) finding(id string) (string, bool) {
	for _, f := range k.run.verdict.Findings {
		if f.ID == id {
			return f.Text, true
		}
	}
	return "", false
}

func staleWriteRejected(k *course) word {
	if text, ok := k.finding("stale-write-accepted"); ok {
		return fail("finding stale-write-accepted", text)
	}
	late := k.afterTransfer()
	for _, e := range late {
		if accepted(e) {
			return fail(e.Source, "a write by "+e.Party+" was accepted at "+evidence.FormatTime(e.On.Mid())+", after the transfer")
		}
	}
	switch {
	case len(late) > 0:
		return pass(late[0].Source, fmt.Sprintf("%d writes of the lost owner were rejected after the transfer", len(late)))
	case k.taken == nil:
		return lacks("nobody took the lock over")
	}
	return lacks("the lost owner wrote nothing after the transfer")
}

func oneWriter(k *course) word {
	if k.released() {
		return none()
	}
	var greatest classify.Placed
	top, n := int64(-1), 0
	for _, e := range k.of("", writes) {
		if !accepted(e) {
			continue
		}
		token, ok := k.token(e)
		if !ok {
			if token, ok = k.tokenOf(e.Party); !ok {
				return lacks("a write was accepted whose token was not recorded")
			}
		}
		if token < top && e.On.After(greatest.On) {
			return fail(e.Source, fmt.Sprintf("token %d wrote after token %d", token, top))
		}
		if token > top {
			top, greatest = token, e
		}
		if k.taken != nil && e.Party == k.taken.Party {
			n++
		}
	}
	switch {
	case k.taken == nil:
		return lacks("nobody took the lock over")
	case n == 0:
		return lacks("the taker wrote nothing")
	}
	return pass(greatest.Source, fmt.Sprintf("%d writes by the taker, none with a smaller token after the first", n))
}

func oneEffect(k *course) word {
	if text, ok := k.finding("duplicate-effect"); ok {
		return fail("finding duplicate-effect", text)
	}
	effects := map[string]int{}
	for _, e := range k.of("", writes) {
		if accepted(e) && e.Request != "" {
			effects[e.Key+"\x00"+e.Request]++
			if effects[e.Key+"\x00"+e.Request] > 1 {
				return fail(e.Source, "request "+evidence.Clip(evidence.Printable(e.Request), 64)+" was accepted twice")
			}
		}
	}
	if len(effects) == 0 {
		return lacks("no write was recorded with its request")
	}
	return pass("events", fmt.Sprintf("%d requests, one effect each", len(effects)))
}

// workStops: a worker that lives stops by its own clock when its lease ends, or when
// it is told that the lock is another's. One that was held up, or whose coordinator's
// clock moved, cannot know before it is told: what it sends until then is the resource's to refuse. Writes that the harness
// replayed in its name, as their text says, are not its own.
func workStops(k *course) word {
	mode := k.mode()
	if mode == evidence.ModeCrash || k.lost == "" {
		return none()
	}
	var told *classify.Placed
	ends := k.run.verdict.Times.LeaseEnds
	all := slices.DeleteFunc(k.of(k.lost, renews, writes, rejects, stopped), func(e classify.Placed) bool { return mentions(e, "replay") })
	for i, e := range all {
		wrote := e.Event == writes || e.Event == rejects
		switch {
		case wrote && told != nil && e.On.After(told.On):
			return fail(e.Source, "it wrote at "+evidence.FormatTime(e.On.Mid())+", after it was told at "+evidence.FormatTime(told.On.Mid())+" that the lock is lost")
		case wrote && mode != evidence.ModePause && mode != evidence.ModeClock && ends != nil && e.On.From.After(ends.To.Add(k.skew())):
			return fail(e.Source, "it wrote at "+evidence.FormatTime(e.On.Mid())+", after its lease had ended")
		}
		if told == nil && (e.Event == rejects || e.Event == stopped || !e.Succeeded() && !unanswered(e)) {
			told = &all[i]
		}
	}
	if told == nil {
		return lacks("that the worker learnt of its loss was not recorded")
	}
	return pass(told.Source, "it wrote nothing after "+evidence.FormatTime(told.On.Mid())+", when it was told")
}

// unanswered says whether a failure is that no answer came: that tells nobody that a
// lock is lost.
func unanswered(e classify.Placed) bool {
	return mentions(e, "timeout", "timed out", "unreachable", "refused", "reset", "broken pipe", "no route", "deadline")
}

func mentions(e classify.Placed, words ...string) bool {
	text := strings.ToLower(e.Text)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}
