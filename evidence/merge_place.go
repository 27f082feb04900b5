package evidence

import "time"

// onto finds what moves a's stamps onto b's clock. What was measured goes before
// what was promised; and a boot id that two machines share, as containers with a
// clock of their own do, gives way to TIME where both read it.
func (a axis) onto(b axis, skew time.Duration) placement {
	r, both := a.byCoordinator(b)
	if a.boot != "" && a.boot == b.boot && (!both || r.lo <= 0 && r.hi >= 0) {
		return placement{by: SameBoot}
	}
	if both {
		return r.place(ByCoordinator)
	}
	if !a.told || !b.told {
		return placement{width: unplaced, by: Unplaced}
	}
	r = reach{a.wall.lo - b.wall.hi, a.wall.hi - b.wall.lo}
	switch {
	case a.kept && b.kept:
		return reach{r.lo - a.slip - b.slip, r.hi + a.slip + b.slip}.place(ByWall)
	case skew > 0:
		skew = min(skew, unplaced)
		return reach{r.lo - skew, r.hi + skew}.place(ByPromise)
	}
	return reach{r.lo - unplaced, r.hi + unplaced}.place(Unplaced)
}

// place is the middle of a range, and half its width.
func (r reach) place(by Placing) placement {
	shift := r.lo/2 + r.hi/2
	return placement{shift: shift, width: max(r.hi-shift, shift-r.lo), by: by}.bounded()
}

// byCoordinator ties two clocks through the TIME that both read of one server:
// through the two readings that lie closest together, since the clocks may drift
// in between, and over the length of the capture that is moved.
func (a axis) byCoordinator(b axis) (reach, bool) {
	if a.node != b.node || len(a.ticks) == 0 || len(b.ticks) == 0 {
		return reach{}, false
	}
	best := reach{}
	found := false
	for i, j := 0, 0; i < len(a.ticks); i++ {
		for j+1 < len(b.ticks) && (b.ticks[j+1].at-a.ticks[i].at).Abs() <= (b.ticks[j].at-a.ticks[i].at).Abs() {
			j++
		}
		x, y := a.ticks[i], b.ticks[j]
		drift := time.Duration(0)
		// An axis that was reckoned from TIME is the coordinator's own clock.
		if a.boot != "" || b.boot != "" {
			drift = ((x.at - y.at).Abs() + a.long) / driftParts
		}
		r := reach{x.ahead.lo - y.ahead.hi - drift, x.ahead.hi - y.ahead.lo + drift}
		if !found || r.hi-r.lo < best.hi-best.lo {
			best, found = r, true
		}
	}
	return best, true
}
