package evidence

import (
	"cmp"
	"slices"
	"time"
)

// Two clocks of two machines drift apart by 500 ppm at most: what NTP slews, and
// more than any quartz is wrong by.
const driftParts = 2000

// unplaced is the width of a shift that nothing bounds: wall clocks that nobody
// keeps may show the wrong zone or the wrong day, and within a day nothing is
// then ordered.
const unplaced = 24 * time.Hour

// maxMoment bounds what is reckoned with, so that sums of a few cannot overflow:
// 20 years on a steady clock, and dates and shifts of 146 years.
const (
	maxMoment = 20 * 365 * 24 * time.Hour
	maxDate   = 146 * 365 * 24 * time.Hour
)

// A placement moves stamps of one steady clock onto another.
type placement struct {
	shift, width time.Duration
	by           Placing
}

func (p placement) start(boot time.Duration) time.Duration {
	return clampBoot(boot) + p.shift - p.width
}
func (p placement) end(boot time.Duration) time.Duration { return clampBoot(boot) + p.shift + p.width }

func clampBoot(d time.Duration) time.Duration { return min(max(d, -maxMoment), maxMoment) }

// then is one placement after another.
func (p placement) then(q placement) placement {
	out := placement{p.shift + q.shift, p.width + q.width, p.by}
	if weakness(q.by) > weakness(p.by) {
		out.by = q.by
	}
	return out.bounded()
}

// bounded keeps a placement within what stamps can be moved by.
func (p placement) bounded() placement {
	return placement{min(max(p.shift, -maxDate), maxDate), clampBoot(p.width), p.by}
}

// weakness orders the ways by how little they rest on.
func weakness(by Placing) int {
	return slices.Index([]Placing{"", SameBoot, ByCoordinator, ByWall, ByPromise, Unplaced}, by)
}

// vantage moves what a vantage says of its own clock along with its probes.
func (p placement) vantage(v Vantage) Vantage {
	v.Start.Boot, v.End.Boot = clampBoot(v.Start.Boot)+p.shift, clampBoot(v.End.Boot)+p.shift
	if v.Placed == "" || weakness(p.by) > weakness(v.Placed) {
		v.Placed = p.by
	}
	v.Shift, v.Width = clampBoot(v.Shift)+p.shift, clampBoot(v.Width)+p.width
	if v.Reckoned != nil {
		r := p.reckoning(*v.Reckoned)
		v.Reckoned = &r
	}
	return v
}

func (p placement) reckoning(r Reckoning) Reckoning {
	r.BootFrom, r.BootTo = p.start(r.BootFrom), p.end(r.BootTo)
	if _, ok := dateOf(r.WallFrom); ok {
		r.WallFrom, r.WallTo = r.WallFrom.Add(-p.shift-p.width), r.WallTo.Add(-p.shift+p.width)
	}
	if _, ok := dateOf(r.Coordinator); ok {
		r.Coordinator = r.Coordinator.Add(-p.shift)
	}
	if p.width > 0 {
		r.Coordinator = time.Time{} // it was exact, and is not any more
	}
	return r
}

// placements moves every source onto the first one's axis, through whichever of
// those already placed ties it most closely: a host that never met the first
// may have met another that did.
func placements(sources []Source, nodes []string, skew time.Duration) []placement {
	axes := make([]axis, len(sources))
	for i, s := range sources {
		axes[i] = axisOf(s, nodes[i])
	}
	out, placed := make([]placement, len(sources)), []int{0}
	pair := make(map[[2]int]placement)
	for len(placed) < len(sources) {
		best, at := -1, placement{}
		for i := range sources {
			if slices.Contains(placed, i) {
				continue
			}
			for _, via := range placed {
				k := [2]int{i, via}
				if _, known := pair[k]; !known {
					pair[k] = axes[i].onto(axes[via], skew)
				}
				if try := pair[k].then(out[via]); best < 0 || try.better(at) {
					best, at = i, try
				}
			}
		}
		out[best] = at
		placed = append(placed, best)
	}
	return out
}

// better prefers what was measured to what was promised, then the narrower.
func (p placement) better(q placement) bool {
	promised := func(x placement) int { return max(weakness(x.by)-weakness(ByWall), 0) }
	return cmp.Or(cmp.Compare(promised(p), promised(q)), cmp.Compare(p.width, q.width)) < 0
}

// A reach is a range of durations.
type reach struct{ lo, hi time.Duration }

// An axis is what a source knows of its own steady clock.
type axis struct {
	boot  string        // the boot that it counts from; empty where it was reckoned from text
	node  string        // whose TIME the ticks are of
	ticks []tick        // in the order of TIME; none where that clock was seen to step
	wall  reach         // this host's wall clock less the steady one
	told  bool          // wall is known
	slip  time.Duration // how far the wall clock may be from true time
	kept  bool          // the host says that it is kept, and how well
	long  time.Duration
}

// A tick is one reading of TIME, as the coordinator's clock less the steady one.
type tick struct {
	at    time.Duration // since the epoch, by TIME
	ahead reach
}

func axisOf(s Source, node string) axis {
	v := s.Bundle.Capture.Vantages[0]
	a := axis{node: node, long: max(clampBoot(v.End.Boot)-clampBoot(v.Start.Boot), 0)}
	if r := v.Reckoned; r != nil {
		if at, ok := dateOf(r.Coordinator); ok {
			a.ticks = []tick{{at, reach{at, at}}}
		}
		from, ok1 := dateOf(r.WallFrom)
		to, ok2 := dateOf(r.WallTo)
		a.wall, a.told = reach{from, to}, ok1 && ok2 && from <= to
	} else {
		a.boot = v.BootID
		a.ticks = ticksOf(s.Bundle.Snapshot)
		first, ok1 := wallAhead(v.Start)
		last, ok2 := wallAhead(v.End)
		a.wall, a.told = reach{min(first, last), max(first, last)}, ok1 && ok2
	}
	bound, kept := keptWithin(s.Bundle.Snapshot.Host)
	a.slip, a.kept = bound, kept
	return a
}

func dateOf(t time.Time) (time.Duration, bool) {
	if t.IsZero() || t.Before(time.Unix(1, 0)) || t.After(time.Unix(0, int64(maxDate))) {
		return 0, false
	}
	return time.Duration(t.UnixNano()), true
}

func wallAhead(s Stamp) (time.Duration, bool) {
	d, ok := dateOf(s.Wall)
	return d - clampBoot(s.Boot), ok
}

// keptWithin is how far a host's wall clock may be from true time, by its own
// account; not kept where it makes no claim.
func keptWithin(h Host) (time.Duration, bool) {
	if t, ok := h.Chrony.Get(); ok && t.Synchronised() {
		return credible(t.Bound())
	}
	if n, ok := h.NTP.Get(); ok && n.Synced && n.Bound > 0 {
		return credible(n.Bound)
	}
	if t, ok := h.Adjtimex.Get(); ok && t.Synchronised() && t.MaxError > 0 {
		return credible(t.MaxError)
	}
	return 0, false
}

func credible(d time.Duration) (time.Duration, bool) { return d, d >= 0 && d < unplaced }

// ticksOf lists the readings of TIME, thinned out to what a pairing needs. A
// clock that stepped, or stood still, ties nothing: the same reading came twice.
func ticksOf(s Snapshot) []tick {
	var out []tick
	for _, l := range s.Looks {
		first, ok1 := l.Before.Get()
		last, ok2 := l.After.Get()
		from, ok3 := dateOf(first)
		to, ok4 := dateOf(last)
		if !ok1 || !ok2 || !ok3 || !ok4 {
			continue
		}
		t := tick{from, reach{to - clampBoot(l.Span.End.Boot), from - clampBoot(l.Span.Start.Boot)}}
		if t.ahead.lo > t.ahead.hi || len(out) > 0 && !out[len(out)-1].agrees(t) {
			return nil
		}
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b tick) int { return cmp.Compare(a.at, b.at) })
	return out
}

// agrees says whether two readings may be of one clock that went on steadily.
func (t tick) agrees(o tick) bool {
	drift := (t.at-o.at).Abs()/driftParts + time.Millisecond
	return t.ahead.lo-drift <= o.ahead.hi && o.ahead.lo-drift <= t.ahead.hi
}
