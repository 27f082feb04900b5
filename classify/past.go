package classify

import (
	"cmp"
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// The past without a look: where nobody looked at the lock, its course is put
// together from the coordinator's append-only file, or, failing that, from what
// the application recorded. Each write of the key becomes a look at it, placed as
// exactly as the record allows, so that every rule about looks holds for it.

// recall gives a snapshot without looks those that its records stand for, and says
// where they come from.
func recall(s evidence.Snapshot) (evidence.Snapshot, string) {
	if len(s.Looks) > 0 {
		return s, ""
	}
	if h, ok := s.History.Get(); ok && len(h.Writes) > 0 {
		s.Looks = fromHistory(h, s)
		return s, "aof"
	}
	if looks := fromEvents(s); len(looks) > 0 {
		s.Looks = looks
		return s, "events"
	}
	return s, ""
}

// pastLook is the key as one record left it.
func pastLook(at evidence.Interval, source, value string, ends time.Time, there bool) evidence.Look {
	l := evidence.Look{Placed: at.On(evidence.Coordinator)}
	if !there {
		l.Type = evidence.None[string](source, "the key was taken away")
		l.PTTL, l.End = evidence.None[int64](source, "no such key"), evidence.None[int64](source, "no such key")
		return l
	}
	l.Type = evidence.Saw(source, "string")
	if value != "" {
		l.Value = evidence.Saw(source, value)
	}
	l.End = evidence.Saw(source, int64(-1))
	if !ends.IsZero() {
		l.End = evidence.Saw(source, ends.UnixMilli())
	}
	return l
}

// fromHistory: from Redis 7 every expiry stands in the file as an absolute time, so
// the lease's length dates each write to the millisecond.
func fromHistory(h evidence.History, s evidence.Snapshot) []evidence.Look {
	var out []evidence.Look
	var last evidence.Interval
	for _, w := range h.Writes {
		at := w.At
		if lease := s.Contract.Lease; lease > 0 && !w.Ends.IsZero() {
			exact := evidence.RenewedAt(evidence.At(w.Ends, 0, evidence.Coordinator), lease)
			if !at.Known() || !exact.Before(at) && !exact.After(at) {
				at = exact
			}
		}
		if !at.Known() {
			at = evidence.Interval{From: last.From, Clock: evidence.Coordinator}
		}
		if past(at, s.At) {
			break
		}
		there := w.Deed != evidence.DeedRelease && w.Deed != evidence.DeedGone
		out = append(out, pastLook(at, "aof", w.Value, w.Ends, there))
		last = at
	}
	return closing(out, s)
}

// past says whether something certainly came after the moment that is asked about.
func past(at evidence.Interval, asked time.Time) bool {
	return !asked.IsZero() && at.Known() && !at.From.IsZero() && at.From.After(asked)
}

// fromEvents: the holder's own record of acquiring and renewing, on its own clock.
func fromEvents(s evidence.Snapshot) []evidence.Look {
	if s.Contract.Lease == 0 {
		return nil // when a lease ends its holder does not write down
	}
	var out []evidence.Look
	for _, e := range ordered(s.Events) {
		if !e.At.Closed() || !e.Succeeded() || past(e.At, s.At) {
			continue
		}
		switch e.Event {
		case evidence.DeedAcquire, evidence.DeedRenew:
			out = append(out, pastLook(e.At, "events", who(e), e.At.Mid().Add(s.Contract.Lease), true))
		case evidence.DeedRelease:
			out = append(out, pastLook(e.At, "events", "", time.Time{}, false))
		}
	}
	if len(out) == 0 {
		return nil
	}
	return closing(out, s)
}

// closing adds the moment that is asked about: a lease whose end lies before it,
// with no later write, had ended by then.
func closing(out []evidence.Look, s evidence.Snapshot) []evidence.Look {
	end := s.At
	for _, e := range s.Events {
		if s.At.IsZero() && e.At.Closed() && e.At.From.After(end) {
			end = e.At.From
		}
	}
	if len(out) == 0 || end.IsZero() {
		return out
	}
	last := out[len(out)-1]
	ends, there := last.End.Get()
	if !there || !end.After(last.Placed.To) {
		return out
	}
	at := evidence.At(end, 0, evidence.Coordinator)
	source := last.End.Source
	if ends >= 0 && end.UnixMilli() >= ends {
		return append(out, pastLook(at, source, "", time.Time{}, false))
	}
	final := last
	final.Placed = at
	return append(out, final)
}

// ordered are the events in the order of their intervals' middles.
func ordered(events []evidence.AppEvent) []evidence.AppEvent {
	out := slices.Clone(events)
	slices.SortStableFunc(out, func(a, b evidence.AppEvent) int { return a.At.Mid().Compare(b.At.Mid()) })
	return out
}

// who is whom an event speaks of.
func who(e evidence.AppEvent) string { return cmp.Or(e.Owner, e.Actor, e.Token) }
