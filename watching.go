package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
)

// watching is what a responder hears while inspect looks. It goes to stderr: the
// first look always, in words that stay; what is waited for only to a terminal, on a
// line that is wiped again.
type watching struct {
	w      io.Writer
	key    string
	follow bool          // until another holder has the lock
	freeze bool          // Ctrl-C freezes, and does not only end
	most   time.Duration // of the watch
	*progress
}

// newWatching begins the line of one capture.
func newWatching(f inspectFlags, t inspect.Target, stderr io.Writer) *watching {
	w := &watching{w: stderr, key: shownKey(f.subject.Key), follow: f.follow, freeze: !f.noBundle, most: min(t.Watch, t.Budget), progress: newProgress(stderr)}
	began := time.Now()
	w.say(func(now time.Time) []string {
		return []string{"looking at " + w.key, atMost(t.Budget - now.Sub(began)), w.hint()}
	})
	return w
}

// shownKey is a key in a line that has other things to say as well.
func shownKey(key string) string { return evidence.Clip(evidence.Printable(key), 40) }

// first says in one line what the first look shows.
func (w *watching) first(v evidence.Verdict) {
	lease := v.Answers.Lease.Says
	if lease == "" {
		lease = "lease " + v.Answers.Lease.Value
	}
	owner := v.Answers.Owner.Says
	if owner == "" {
		owner = "owner " + v.Answers.Owner.Value
	}
	_ = w.aside(func() error {
		_, err := fmt.Fprintf(w.w, "first look: %s; %s; watching\n", evidence.Clip(evidence.Printable(lease), 120), evidence.Clip(evidence.Printable(owner), 120))
		return err
	})
}

// tick takes how the watch stands.
func (w *watching) tick(p inspect.Progress) {
	if w.progress == nil {
		return
	}
	stands, at := standing(p.Seen), time.Now()
	w.say(func(now time.Time) []string { return w.words(stands, p.Elapsed, now.Sub(at)) })
}

// cut says at once that a signal was heard: the closing looks take a moment.
func (w *watching) cut(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		then := ", then what there is is frozen"
		if !w.freeze {
			then = ""
		}
		w.say(func(time.Time) []string {
			return []string{"interrupted: closing look at " + w.key, then, " (Ctrl-C again ends at once)"}
		})
	})
}

// A stand is how a lock stood when it was last seen.
type stand struct {
	seen, here, endless, over bool
	ends, due                 time.Duration // from then on; may be negative
	endKnown, dueKnown        bool
	silent                    time.Duration // how long nobody had answered by then
}

// standing reads off a snapshot what is waited for.
func standing(s evidence.Snapshot) stand {
	sights := s.Sights()
	if len(sights) == 0 {
		return stand{}
	}
	last := sights[len(sights)-1]
	_, _, over := s.FirstLease()
	at := stand{seen: true, here: last.Here, endless: last.Endless, over: over}
	at.silent = max(0, s.Looks[len(s.Looks)-1].Span.End.Boot-s.Looks[last.Look].Span.End.Boot)
	if !last.Here || !last.Now.Known() {
		return at
	}
	now := last.Now.Mid().Add(at.silent)
	if at.endKnown = last.Ends.Known(); at.endKnown {
		at.ends = last.Ends.Mid().Sub(now)
	}
	if renewed, every := s.LastRenewal(), s.RenewEvery(); !over && every > 0 && renewed.Known() {
		at.due, at.dueKnown = renewed.Mid().Add(every).Sub(now), true
	}
	return at
}

// words are the clauses of the line, so long after the lock stood as it did.
func (w *watching) words(at stand, elapsed, since time.Duration) []string {
	head := "watching " + w.key
	if w.follow {
		head = "awaiting the next holder of " + w.key
	}
	lease, due := at.lease(since)
	if at.silent > 0 {
		due = ", no answer for " + seconds(at.silent+since)
	}
	return []string{head + ": " + lease, due, atMost(w.most - elapsed - since), w.hint()}
}

// lease says how the lease stands, and when its renewal is due.
func (at stand) lease(since time.Duration) (lease, due string) {
	ends := at.ends - since
	switch {
	case !at.seen:
		return "the coordinator has not told of it yet", ""
	case !at.here:
		return "it is free", ""
	case at.endless:
		return "it has no end", ""
	case !at.endKnown:
		return "it is held", ""
	case ends <= 0:
		return "lease ended " + ago(-ends), ""
	}
	lease = "lease ends in " + seconds(ends)
	if at.over {
		lease = "another holder has it, " + lease
	}
	switch next := at.due - since; {
	case !at.dueKnown:
	case next > 0:
		due = ", renewal due in " + seconds(next)
	default:
		due = ", renewal was due " + ago(-next)
	}
	return lease, due
}

// ago is a time that has passed; what is less than a second is just now.
func ago(d time.Duration) string {
	if d < time.Second {
		return "just now"
	}
	return seconds(d.Truncate(time.Second)) + " ago"
}

// atMost is how long it may still take. The closing look comes after that.
func atMost(left time.Duration) string {
	if left <= 0 {
		return "; closing look"
	}
	return "; at most " + seconds(left)
}

func (w *watching) hint() string {
	if w.freeze {
		return " (Ctrl-C freezes what there is)"
	}
	return " (Ctrl-C ends it)"
}
