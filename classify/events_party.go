package classify

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// Whose doing an event was. Applications name themselves in one line by the lock's
// value and in the next by a worker's name or a token: what an acquire brought
// together stays together.

// name finds the party of every event. The record is in order.
func (c *incident) name() {
	byActor, byToken := map[recordKey]string{}, map[string]string{}
	c.workers, c.lockers = map[string]bool{}, map[recordKey]bool{}
	for i := range c.record {
		r := &c.record[i]
		actor := recordKey{r.At.Clock, r.Actor}
		switch {
		case r.Owner != "":
			r.party = r.Owner
		case r.Token != "" && byToken[r.Token] != "":
			r.party = byToken[r.Token]
		case r.Actor != "" && byActor[actor] != "":
			r.party = byActor[actor]
		default:
			r.party = cmpOr(r.Actor, r.Token)
		}
		if r.Event == evidence.DeedWrite || r.Event == evidence.DeedReject {
			continue // the resource wrote it down, not the worker
		}
		c.workers[r.party], c.lockers[actor] = true, true
		if r.Event == evidence.DeedAcquire && r.Succeeded() {
			if r.Actor != "" {
				byActor[actor] = r.party
			}
			if r.Token != "" {
				byToken[r.Token] = r.party
			}
		}
	}
}

// ofHolder says whether an event is the holder's: it names the lock's value, or
// the process that the value names, or belongs to an acquire that does. What names
// nobody known is the holder's when only one party works at all.
func (c *incident) ofHolder(r recorded) bool {
	h := c.first.Holder
	if h != "" {
		for _, name := range []string{r.party, r.Owner, r.Actor} {
			if sameName(h, name) {
				return true
			}
		}
		if r.Token != "" && r.Token == h {
			return true
		}
		if r.Owner != "" || c.anothers(r.party) {
			return false
		}
	}
	return len(c.workers) == 1 && c.workers[r.party]
}

// anothers says whether a party is known to be somebody else than the holder: its
// name is that of another process, or the coordinator's file has it as the value of
// another holder. A log may end with the tenure of whoever wrote it.
func (c *incident) anothers(party string) bool {
	other, known := c.strangers[party]
	if known {
		return other
	}
	h := c.first.Holder
	a, b := evidence.NamedIn(party), evidence.NamedIn(h)
	other = a.Pid > 0 && b.Pid > 0 && a != b || slices.ContainsFunc(c.s.History.Value.Writes, func(w evidence.KeyWrite) bool {
		return w.Value != "" && w.Value != h && sameName(w.Value, party)
	})
	if c.strangers == nil {
		c.strangers = map[string]bool{}
	}
	c.strangers[party] = other
	return other
}

// sameName says whether a name is the lock's value, a whole word of it, or names
// the same process.
func sameName(value, name string) bool {
	const shortest, longest = 4, 4096 // what is shorter is part of too much; what is longer names nobody
	switch {
	case name == "":
		return false
	case name == value:
		return true
	case len(value) > longest || len(name) > longest:
		return false
	case len(name) >= shortest && wordOf(value, name), len(value) >= shortest && wordOf(name, value):
		return true
	}
	n := evidence.NamedIn(name)
	return n.Pid > 0 && n == evidence.NamedIn(value)
}

// wordOf says whether part stands in whole between something other than letters
// and digits: worker-1 is not worker-12.
func wordOf(whole, part string) bool {
	for from := 0; ; {
		i := strings.Index(whole[from:], part)
		if i < 0 {
			return false
		}
		begin := from + i
		end := begin + len(part)
		if (begin == 0 || !wordy(whole[begin-1])) && (end == len(whole) || !wordy(whole[end])) {
			return true
		}
		from = begin + 1
	}
}

func wordy(b byte) bool {
	return b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80
}

// deeds are the holder's events of some kinds, in order, up to the moment that is
// asked about.
func (c *incident) deeds(kinds ...evidence.Deed) []recorded {
	var out []recorded
	for _, r := range c.record {
		if slices.Contains(kinds, r.Event) && c.asked(r.on) && c.ofHolder(r) {
			out = append(out, r)
		}
	}
	return out
}

// goesOn is when the last event of a clock was written, by anybody: until then its
// silence means something.
func (c *incident) goesOn(clock evidence.Clock) (recorded, bool) {
	for _, r := range slices.Backward(c.record) {
		if r.At.Clock == clock {
			return r, true
		}
	}
	return recorded{}, false
}
