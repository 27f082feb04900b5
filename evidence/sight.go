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
}

// Sights lists the looks that said whether the key was there.
func (s Snapshot) Sights() []Sight {
	var out []Sight
	for i, l := range s.Looks {
		if sight, ok := l.sight(); ok {
			sight.Look = i
			out = append(out, sight)
		}
	}
	return out
}

func (l Look) sight() (Sight, bool) {
	s := Sight{Now: l.Now(), Holder: l.Holder()}
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
		d := time.Duration(left) * time.Millisecond
		s.Ends = Interval{From: s.Now.From.Add(d - time.Millisecond), To: s.Now.To.Add(d + time.Millisecond), Clock: Coordinator}
	case l.Type.State == Seen:
	default:
		return s, false
	}
	s.Here = true
	return s, true
}

// Now is the coordinator's time while the look was taken, both TIMEs included.
func (l Look) Now() Interval {
	i := Interval{Clock: Coordinator}
	if t, ok := l.Before.Get(); ok {
		i.From = t
	}
	if t, ok := l.After.Get(); ok {
		i.To = t
	}
	switch {
	case i.To.IsZero():
		i.To = i.From
	case i.From.IsZero():
		i.From = i.To
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

// Renewals lists the extensions of the first holder's lease that the looks
// enclose: its end lay later at a look than at the look before.
func (s Snapshot) Renewals() []Renewal {
	var out []Renewal
	var last Sight // the newest one that showed the end
	for _, b := range s.Sights() {
		if last.Here && (!b.Here || b.Holder != "" && last.Holder != "" && b.Holder != last.Holder) {
			break // what follows is another holder's lease
		}
		if !b.Here || !b.Ends.Known() {
			continue
		}
		if last.Here && b.Ends.After(last.Ends) {
			at := Interval{From: last.Now.From, To: b.Now.To, Clock: Coordinator}
			if lease := s.Contract.Lease; lease > 0 {
				at = RenewedAt(b.Ends, lease)
			}
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
// else what the observed renewals enclose. hi is zero when nothing tells.
func (s Snapshot) LeaseLength() (lo, hi time.Duration) {
	if s.Contract.Lease > 0 {
		return s.Contract.Lease, s.Contract.Lease
	}
	for _, r := range s.Renewals() {
		least, most := r.Ends.From.Sub(r.At.To), r.Ends.To.Sub(r.At.From)
		if hi == 0 {
			lo, hi = least, most
			continue
		}
		lo, hi = max(lo, least), min(hi, most)
	}
	return lo, hi
}

// RenewEvery is the interval between renewals: what the contract says, else the
// shortest step by which the end was seen to move; zero when nothing tells.
func (s Snapshot) RenewEvery() time.Duration {
	if s.Contract.RenewEvery > 0 {
		return s.Contract.RenewEvery
	}
	var every time.Duration
	var last Sight
	for _, sight := range s.Sights() {
		if last.Here && (!sight.Here || sight.Holder != "" && last.Holder != "" && sight.Holder != last.Holder) {
			break
		}
		if !sight.Here || !sight.Ends.Known() {
			continue
		}
		// Ends count from the renewals themselves, so their distance is the
		// renewals' distance, whatever the looks' own spacing.
		if step := sight.Ends.From.Sub(last.Ends.From); last.Here && sight.Ends.After(last.Ends) && (every == 0 || step < every) {
			every = step
		}
		last = sight
	}
	return every
}

// LastRenewal is when the first seen holder's lease was last extended, or taken
// if it never was: the last observed extension, else what its end and the
// contract's lease imply. Unknown when neither tells.
func (s Snapshot) LastRenewal() Interval {
	if all := s.Renewals(); len(all) > 0 {
		return all[len(all)-1].At
	}
	if s.Contract.Lease > 0 {
		for _, sight := range s.Sights() {
			if sight.Here && sight.Ends.Known() {
				return RenewedAt(sight.Ends, s.Contract.Lease)
			}
		}
	}
	return Interval{}
}
