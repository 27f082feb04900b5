package evidence

import (
	"slices"
	"strings"
	"time"
)

// A Sight is what one look proved about the key, on the coordinator's clock.
type Sight struct {
	Look    int      // index into Snapshot.Looks
	Now     Interval // the coordinator's time while it was read
	Here    bool     // the key was there; when false it was absent
	Endless bool     // there without an expiry
	Ends    Interval // when it expires; unknown when endless, absent or unread
	Holder  string   // the value, or the field of a hash; empty when unread
	fields  bool     // Holder is a list of fields
	unasked bool     // nobody asked for the value: text may follow a lease by its end alone
}

// SameHolder says whether two sights may be of one holder: their values are
// equal, or name the same process, or one of them was not read. A holder may
// write a new value at each renewal, and a hash keeps its first holder's field
// when a second one joins.
func (a Sight) SameHolder(b Sight) bool {
	if a.Holder == "" || b.Holder == "" || a.Holder == b.Holder {
		return true
	}
	if a.fields && b.fields {
		return slices.ContainsFunc(strings.Fields(a.Holder), func(f string) bool {
			return f != "mode" && slices.Contains(strings.Fields(b.Holder), f)
		})
	}
	n := NamedIn(a.Holder)
	return n.Pid > 0 && n == NamedIn(b.Holder)
}

// Sights lists the looks that said whether the key was there.
func (s Snapshot) Sights() []Sight {
	out := make([]Sight, 0, len(s.Looks))
	for i, l := range s.Looks {
		if sight, ok := l.sight(); ok {
			sight.Look = i
			out = append(out, sight)
		}
	}
	return out
}

func (l Look) sight() (Sight, bool) {
	s := Sight{Now: l.Now(), Holder: l.Holder(), fields: l.Value.State != Seen}
	s.unasked = l.Value.State == Unread && l.Value.Status == Skipped && l.Fields.State == Unread
	absent := l.PTTL.State == Absent || l.End.State == Absent || l.Type.State == Absent
	end, endSeen := l.End.Get()
	left, leftSeen := l.PTTL.Get()
	switch {
	case absent:
		return s, true
	case endSeen && end >= 0:
		// Exact: Redis keeps the expiry itself, and renewing moved it.
		s.Ends = At(time.UnixMilli(end).UTC(), 0, Coordinator)
	case endSeen || leftSeen && left == -1:
		s.Endless = true
	case leftSeen && left >= 0 && s.Now.Closed():
		// Servers before 7.0: what is left, counted from a TIME just before
		// or just after; PTTL rounds to whole milliseconds.
		// Some leases last longer than a time.Duration can say.
		left = min(left, 1<<60)
		asked := s.Now
		if l.Asked.Within(asked) {
			asked = l.Asked
		}
		s.Ends = Interval{From: time.UnixMilli(asked.From.UnixMilli() + left - 1).UTC(), To: time.UnixMilli(asked.To.UnixMilli() + left + 2).UTC(), Clock: Coordinator}
	case leftSeen && left >= 0, l.Type.State == Seen, l.Value.State == Seen && l.Value.Value != "", l.Fields.State == Seen && len(l.Fields.Value) > 0:
		// There, and nothing tells when it ends: of a text without a TIME, for one.
	default:
		return s, false
	}
	s.Here = true
	return s, true
}

// Now is the coordinator's time while the look was taken, both TIMEs included.
// Where one of them was not read, the round trip bounds it; of pasted text, where
// none was, the TIMEs of its neighbours do.
func (l Look) Now() Interval {
	i := Interval{Clock: Coordinator}
	took := max(l.Span.End.Boot-l.Span.Start.Boot, 0)
	before, ok1 := l.Before.Get()
	after, ok2 := l.After.Get()
	switch {
	case ok1 && ok2:
		i.From, i.To = before, after
	case ok1:
		i.From, i.To = before, before.Add(took)
	case ok2:
		i.From, i.To = after.Add(-took), after
	default:
		return l.Placed
	}
	return i
}

// Holder is what the key says of who holds it: its value, or the fields of a
// hash, sorted.
func (l Look) Holder() string {
	if v, ok := l.Value.Get(); ok {
		return v
	}
	fields, ok := l.Fields.Get()
	if !ok {
		return ""
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// A Renewal is one moment at which the lease was seen to have been extended.
type Renewal struct {
	At     Interval // on the coordinator's clock
	Ends   Interval // the end it gave the lease
	Before int      // the look before it, an index into Snapshot.Looks
}

// FirstLease lists the sights of the first holder's lease, and the one that
// ended it: the key was gone, another's, or taken anew after its end. Once a
// value is known, sights that could not read it may be of anybody's lease and
// are left out.
func (s Snapshot) FirstLease() (lease []Sight, ended Sight, over bool) {
	return s.firstLease(s.Sights())
}

func (s Snapshot) firstLease(sights []Sight) (lease []Sight, ended Sight, over bool) {
	var known, last Sight
	for _, b := range sights {
		switch {
		case len(lease) == 0 && !b.Here:
			continue // not taken yet
		case len(lease) == 0:
		case !b.Here, !known.SameHolder(b):
			return lease, b, true
		case b.Holder == "" && known.Holder != "" && !b.unasked:
			continue
		default:
			switch s.anew(last, b) {
			case takenAnew:
				return lease, b, true // nothing renews a key that has ended
			case maybeAnew:
				return lease, Sight{}, false
			}
		}
		if known.Holder == "" {
			known = b
		}
		if b.Ends.Known() {
			last = b
		}
		lease = append(lease, b)
	}
	return lease, Sight{}, false
}

type anew int

const (
	extended anew = iota
	maybeAnew
	takenAnew
)

// anew says whether a lease that was seen at a had ended before it was given the
// end that b shows. It had when there was no time for a renewal in between; when
// there was, only a value that tells holders apart shows that it is still theirs.
func (s Snapshot) anew(a, b Sight) anew {
	at, ok := s.RenewedBetween(a, b)
	switch {
	case !ok || !at.After(a.Ends):
		return extended
	case a.Now.Closed() && s.Contract.RenewEvery > 0 && at.From.Sub(a.Now.From) < s.Contract.RenewEvery/2:
		return takenAnew
	case len(b.Holder) < 16 && NamedIn(b.Holder).Pid == 0:
		return maybeAnew
	}
	return extended
}

// RenewedBetween says whether the lease's end lay later at sight b than at a,
// and when it was moved. The contract's lease tells to the millisecond, unless
// what was seen contradicts it.
func (s Snapshot) RenewedBetween(a, b Sight) (Interval, bool) {
	if !a.Here || !a.Ends.Known() || !b.Ends.Known() || !b.Ends.After(a.Ends) {
		return Interval{}, false
	}
	seen := Interval{From: a.Now.From, To: b.Now.To, Clock: Coordinator}
	if seen.To.Before(seen.From) { // the server's clock was set back in between
		seen.From, seen.To = seen.To, seen.From
	}
	if s.Contract.Lease > 0 {
		at := RenewedAt(b.Ends, s.Contract.Lease)
		if !at.Before(seen) && !at.After(seen) {
			return at, true
		}
	}
	return seen, true
}

// Renewals lists the extensions of the first holder's lease that the looks
// enclose: its end lay later at a look than at the look before.
func (s Snapshot) Renewals() []Renewal {
	lease, _, _ := s.FirstLease()
	return s.renewals(lease)
}

func (s Snapshot) renewals(lease []Sight) []Renewal {
	var out []Renewal
	var last Sight // the newest one that showed the end
	for _, b := range lease {
		if !b.Ends.Known() {
			continue
		}
		if at, ok := s.RenewedBetween(last, b); ok {
			out = append(out, Renewal{At: at, Ends: b.Ends, Before: last.Look})
		}
		last = b
	}
	return out
}

// RenewedAt is when a lease of a known length was given its end. Redis counts
// the end from its clock in whole milliseconds, so the moment lies within one.
func RenewedAt(ends Interval, lease time.Duration) Interval {
	return ends.Shift(-lease, -lease+time.Millisecond)
}

// LeaseLength is how long one renewal makes the lease: what the contract says,
// unless the observed renewals agree on something else; without a contract what
// they enclose. hi is zero when nothing tells.
func (s Snapshot) LeaseLength() (lo, hi time.Duration) {
	lease, _, _ := s.FirstLease()
	return s.leaseLength(lease)
}

func (s Snapshot) leaseLength(lease []Sight) (lo, hi time.Duration) {
	var last Sight
	for _, b := range lease {
		if !b.Ends.Known() {
			continue
		}
		if _, ok := s.RenewedBetween(last, b); ok && last.Now.Closed() && b.Now.Closed() {
			least, most := b.Ends.From.Sub(b.Now.To), b.Ends.To.Sub(last.Now.From)
			if hi == 0 {
				lo, hi = least, most
			} else {
				lo, hi = max(lo, least), min(hi, most)
			}
		}
		last = b
	}
	const rounding = 10 * time.Millisecond
	said := s.Contract.Lease
	if said > 0 && (hi == 0 || lo > hi || said > lo-rounding && said < hi+rounding) {
		return said, said
	}
	return lo, hi
}

// RenewEvery is the interval between renewals: what the contract says, else the
// longest step by which the end was seen to move, since two renewals may come
// close together by chance, else what the library that wrote the lock does by
// default; zero when nothing tells.
func (s Snapshot) RenewEvery() time.Duration {
	lease, _, _ := s.FirstLease()
	return s.renewEvery(lease)
}

func (s Snapshot) renewEvery(lease []Sight) time.Duration {
	if s.Contract.RenewEvery > 0 {
		return s.Contract.RenewEvery
	}
	var every time.Duration
	var last Sight
	for _, b := range lease {
		if !b.Ends.Known() {
			continue
		}
		// Ends count from the renewals themselves, so their distance is the
		// renewals' distance, whatever the looks' own spacing.
		if _, ok := s.RenewedBetween(last, b); ok {
			every = max(every, b.Ends.From.Sub(last.Ends.From))
		}
		last = b
	}
	if every == 0 {
		return s.usualEvery(lease)
	}
	return every
}

// usualEvery is the interval at which the lock's library renews by default, where
// it does so without being asked. A lease that is longer than the library's own was
// set by somebody, and the interval with it; one that is shorter shows by its next
// renewal, which comes sooner than the default's.
func (s Snapshot) usualEvery(lease []Sight) time.Duration {
	d, ok := s.Dialect.Get()
	if !ok || d.Renews != ByItself || d.RenewEvery <= 0 || d.Lease <= 0 {
		return 0
	}
	for _, b := range lease {
		if b.Ends.Known() && b.Now.Known() && b.Ends.From.Sub(b.Now.To) > d.Lease {
			return 0
		}
	}
	return d.RenewEvery
}

// LastRenewal is when the first seen holder's lease was last extended, or taken
// if it never was: the last observed extension, else what its end and the
// contract's lease imply. Unknown when neither tells, and when more is left than
// a whole lease.
func (s Snapshot) LastRenewal() Interval {
	lease, _, _ := s.FirstLease()
	return s.lastRenewal(lease)
}

func (s Snapshot) lastRenewal(lease []Sight) Interval {
	if all := s.renewals(lease); len(all) > 0 {
		return all[len(all)-1].At
	}
	var last Interval
	for _, b := range lease {
		if s.Contract.Lease == 0 || !b.Ends.Known() {
			continue
		}
		at := RenewedAt(b.Ends, s.Contract.Lease)
		switch {
		case !last.Known() && at.After(b.Now):
			return Interval{}
		case !last.Known(), at.Within(last): // a later look may know the end better
			last = at
		}
	}
	return last
}

// A Tenure is what the looks show of the first holder's lease, worked out once.
type Tenure struct {
	Sights            []Sight       // all looks that said whether the key was there
	Lease             []Sight       // as [Snapshot.FirstLease] has it
	Renewals          []Renewal     // as [Snapshot.Renewals]
	Renewed           Interval      // as [Snapshot.LastRenewal]
	Shortest, Longest time.Duration // as [Snapshot.LeaseLength]
	Every             time.Duration // as [Snapshot.RenewEvery]
}

// Tenure is all of it together, for whoever judges snapshots by the thousand.
func (s Snapshot) Tenure() Tenure {
	t := Tenure{Sights: s.Sights()}
	t.Lease, _, _ = s.firstLease(t.Sights)
	t.Renewals, t.Renewed, t.Every = s.renewals(t.Lease), s.lastRenewal(t.Lease), s.renewEvery(t.Lease)
	t.Shortest, t.Longest = s.leaseLength(t.Lease)
	return t
}
