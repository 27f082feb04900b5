package classify

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What the protected resource took, and who acquired inside whose lease. Two
// records are compared only where one clock dates both or both were placed by
// measurement, and only what is certain to have come later counts as later.

// taking is one holder's time as the record has it.
type taking struct {
	r     recorded
	until time.Time // its lease's certain end, on the same clock as r.At
}

// twice finds two acquires by two parties inside one lease, with no release in
// between: on one clock, or on two that were measured, or, failing both, on clocks
// that are presumed to be kept. Then b is not sure. The server's own log comes first.
func (c *incident) twice() (a, b recorded, found bool) {
	if a, b, found = c.twiceByServer(); found {
		return a, b, true
	}
	if c.leaseLo == 0 {
		return a, b, false
	}
	for _, presuming := range []bool{false, true} {
		if a, b, found = c.twiceOn(presuming); found {
			b.sure = !presuming
			return a, b, true
		}
	}
	return a, b, false
}

func (c *incident) twiceOn(presuming bool) (a, b recorded, found bool) {
	held := map[evidence.Clock]taking{}
	for _, r := range c.record {
		if !r.Succeeded() || !c.asked(r.on) {
			continue
		}
		// What was measured shares one axis; what was not has only its own clock.
		at, clock := r.on, evidence.Coordinator
		if !r.sure && !presuming {
			at, clock = r.At, r.At.Clock
		}
		have, holds := held[clock]
		switch r.Event {
		case evidence.DeedRelease:
			if holds && have.r.party == r.party {
				delete(held, clock)
			}
		case evidence.DeedRenew:
			if holds && have.r.party == r.party {
				held[clock] = taking{r, at.From.Add(c.leaseLo)}
			}
		case evidence.DeedAcquire:
			if holds && have.r.party != r.party && at.To.Before(have.until) {
				return have.r, r, true
			}
			held[clock] = taking{r, at.From.Add(-r.Took).Add(c.leaseLo)}
		}
	}
	return a, b, false
}

// A writer is one accepted write or one acquire, with its token as a number where
// it is one.
type writer struct {
	recorded
	token   int64
	counted bool
}

// staleWrite finds a write that the resource accepted although a greater token, or
// another owner's takeover, is certain to have come before it; or, failing that,
// would have come before it if all clocks are kept. Then w is not sure.
func (c *incident) staleWrite() (w, newer recorded, found bool) {
	for _, presuming := range []bool{false, true} {
		for _, group := range c.comparable(presuming) {
			if w, newer, found = c.staleIn(group); found {
				w.sure = !presuming
				return w, newer, true
			}
		}
	}
	return w, newer, false
}

// comparable are the accepted writes and acquires: those that were measured
// together and the others clock by clock, or all in one.
func (c *incident) comparable(presuming bool) [][]writer {
	groups := map[evidence.Clock][]writer{}
	for _, r := range slices.Concat(c.record, c.takings()) {
		if r.Event != evidence.DeedWrite && r.Event != evidence.DeedAcquire || !r.Succeeded() || !c.asked(r.on) {
			continue
		}
		token, err := strconv.ParseInt(r.Token, 10, 64)
		w := writer{r, token, err == nil}
		if !presuming && r.At.Clock != evidence.Coordinator {
			groups[r.At.Clock] = append(groups[r.At.Clock], w)
		}
		if presuming || r.sure {
			w.At = r.on
			groups[evidence.Coordinator] = append(groups[evidence.Coordinator], w)
		}
	}
	var out [][]writer
	for _, clock := range slices.Sorted(maps.Keys(groups)) {
		out = append(out, groups[clock])
	}
	return out
}

// takings are the acquires that the coordinator itself shows: in its file, and by
// the looks at the key.
func (c *incident) takings() []recorded {
	var out []recorded
	add := func(at evidence.Interval, value, source string) {
		if at.Closed() && value != "" {
			e := evidence.AppEvent{At: at, Event: evidence.DeedAcquire, Owner: value, Source: source}
			out = append(out, recorded{AppEvent: e, on: at, sure: true, party: value})
		}
	}
	for _, w := range c.s.History.Value.Writes {
		if w.Deed == evidence.DeedAcquire || w.Deed == evidence.DeedReplace {
			add(c.writtenAt(w), w.Value, "aof")
		}
	}
	if len(c.tenure) > 0 && c.recalled == "" {
		add(c.tenure[0].Now, c.first.Holder, c.read("value"))
	}
	if c.taken != nil && c.succeeded() && c.recalled == "" {
		add(c.takenAt(), c.taken.Holder, c.read("value"))
	}
	return out
}

// What came before is taken in by the order of its latest moment, what is judged by
// that of its earliest, so that one pass compares all.
func (c *incident) staleIn(group []writer) (w, newer recorded, found bool) {
	begun, ended := slices.Clone(group), slices.Clone(group)
	slices.SortStableFunc(begun, func(a, b writer) int { return a.At.From.Compare(b.At.From) })
	slices.SortStableFunc(ended, func(a, b writer) int { return a.At.To.Compare(b.At.To) })
	var taker writer                // whoever acquired last
	took := map[string]writer{}     // each party's last acquire
	greatest := map[string]writer{} // token, by what was written; under no name the acquires
	n := 0
	for _, e := range begun {
		for ; n < len(ended) && ended[n].At.To.Before(e.At.From); n++ {
			o, key := ended[n], ended[n].Key
			if o.Event == evidence.DeedAcquire {
				taker, took[o.party], key = o, o, ""
			} else if key == "" {
				key = c.s.Subject.Key
			}
			if have := greatest[key]; o.counted && (!have.counted || o.token > have.token) {
				greatest[key] = o
			}
		}
		if e.Event != evidence.DeedWrite {
			continue
		}
		mine, known := took[e.party]
		guarded := known || c.ofThisLock(e.Key)
		switch other := greatest[cmp.Or(e.Key, c.s.Subject.Key)]; {
		case e.counted && other.counted && other.token > e.token:
			return e.recorded, other.recorded, true
		case e.counted && guarded && greatest[""].counted:
			if greatest[""].token > e.token {
				return e.recorded, greatest[""].recorded, true
			}
		case known && taker.party != e.party && before(mine.recorded, taker.recorded):
			return e.recorded, taker.recorded, true
		}
	}
	return w, newer, false
}

// ofThisLock says whether what was written is named after the lock, or not named
// at all: a resource may be guarded by many locks, whose tokens do not compare.
func (c *incident) ofThisLock(key string) bool {
	return key == "" || wordOf(c.s.Subject.Key, key) || wordOf(key, c.s.Subject.Key)
}

// twiceTaken finds one logical request whose effect the resource accepted twice.
// Of what one owner wrote only one recorder's own list is asked: a worker and the
// resource may both write down the same write. Two owners cannot have made the same
// one, whoever wrote it down.
func (c *incident) twiceTaken() (a, b recorded, found bool) {
	type effect struct {
		clock               evidence.Clock
		actor, key, request string
	}
	first, ever, took := map[effect]recorded{}, map[string]recorded{}, map[string]bool{}
	for _, r := range c.record {
		took[r.Owner] = took[r.Owner] || r.Event == evidence.DeedAcquire && r.Succeeded()
	}
	for _, r := range c.record {
		if r.Event != evidence.DeedWrite || !r.Succeeded() || r.Request == "" || !c.asked(r.on) {
			continue
		}
		if o, again := ever[r.Request]; !again {
			ever[r.Request] = r
		} else if twoOwners(o, r, took) {
			return o, r, true
		}
		key := effect{r.At.Clock, r.Actor, r.Key, r.Request}
		if c.lockers[recordKey{r.At.Clock, r.Actor}] {
			key.actor = "" // what the workers themselves write down is one list
		}
		o, again := first[key]
		switch {
		case !again:
			first[key] = r
		case o.At != r.At || o.party != r.party || o.Token != r.Token:
			return o, r, true
		}
	}
	return a, b, false
}

// twoOwners says whether two writes are certain to be of two owners: both are named,
// in one way, by two names: as processes, or as those who took the lock. A worker may go by one name in its own log and by another
// in the resource's.
func twoOwners(a, b recorded, took map[string]bool) bool {
	if a.Key != b.Key || a.Owner == "" || b.Owner == "" || sameName(a.Owner, b.Owner) {
		return false
	}
	p, q := evidence.NamedIn(a.Owner), evidence.NamedIn(b.Owner)
	return p.Pid > 0 && q.Pid > 0 && p != q || took[a.Owner] && took[b.Owner]
}

// A waiter is a party that asked for the lock and did not get it.
type waiter struct {
	since  recorded
	last   recorded
	tries  int
	passed int // how often others got the lock meanwhile
}

// starved finds the party that was refused most while others took the lock one
// after the other.
func (c *incident) starved() (waiter, bool) {
	const tries, others = 3, 2
	waiting := map[string]*waiter{}
	var worst *waiter
	taken := 0
	at := map[string]int{} // how often the lock had been taken when a party began to wait
	for _, r := range c.record {
		if r.Event != evidence.DeedAcquire || r.party == "" || !c.asked(r.on) {
			continue
		}
		if r.Succeeded() {
			taken++
			delete(waiting, r.party)
			continue
		}
		w := waiting[r.party]
		if w == nil {
			w = &waiter{since: r}
			waiting[r.party], at[r.party] = w, taken
		}
		w.last, w.tries, w.passed = r, w.tries+1, taken-at[r.party]
		if w.tries >= tries && w.passed >= others && (worst == nil || cmp.Compare(w.passed, worst.passed) > 0) {
			kept := *w
			worst = &kept
		}
	}
	if worst == nil {
		return waiter{}, false
	}
	return *worst, true
}
