package clocks

import "time"

// A Step is a proven jump of the coordinator's clock against the steady clock.
// Its size lies in [Lo, Hi], positive forward. It happened after the first TIME
// of sample After was read and before the last one of sample Before, give or
// take the millisecond a reply may be old; the two are the same sample when the
// clock moved in the middle of it.
type Step struct {
	Lo, Hi        time.Duration
	After, Before int
}

// Steps finds the jumps in samples given in the order they were taken.
//
// Each sample allows a range of offsets. As long as some honest course of the
// clock, within 500 ppm of the steady one, passes through all ranges, nothing
// is claimed; a slow network only widens a range. Where no course exists the
// clock was moved. A clock that stood still and went on is a freeze
// ([Freezes]) and no step; one that then caught up at once is both.
func Steps(samples []Sample) []Step {
	obs := observeAll(samples)
	if len(obs) == 0 {
		return nil
	}
	parts := wholeSteps(obs, unbroken(obs))
	var out []Step
	for i := 1; i < len(parts); i++ {
		out = append(out, between(obs, parts[i-1], parts[i]))
	}
	return out
}

// A part is a run of observations no jump falls into.
type part struct {
	first, last int
	begin, end  band // the offset at its first and last observation, given all of it
}

// unbroken cuts the observations into parts. What lies between two parts may
// belong to either side and is in none.
func unbroken(obs []observation) []part {
	var out []part
	start, set := 0, obs[0].band
	for k := 1; k < len(obs); k++ {
		set = onward(set, obs[k-1], obs[k])
		if set.empty() {
			out = append(out, known(obs, start, lastBefore(obs, start, k)))
			start, set = k, obs[k].band
		}
	}
	return append(out, known(obs, start, len(obs)-1))
}

func known(obs []observation, first, last int) part {
	p := part{first, last, obs[last].band, obs[first].band}
	for i := first; i < last; i++ {
		p.end = onward(p.end, obs[i], obs[i+1])
	}
	for i := last; i > first; i-- {
		p.begin = back(p.begin, obs[i-1], obs[i])
	}
	return p
}

// lastBefore is the latest observation that cannot stand together with the one
// at k: the jump came after it. A wide one in between fits both sides.
func lastBefore(obs []observation, start, k int) int {
	set := obs[k].band
	for j := k - 1; j > start; j-- {
		if set = back(set, obs[j], obs[j+1]); set.empty() {
			return j
		}
	}
	return start
}

// wholeSteps drops a part of a single observation between two jumps in the same
// direction: when the clock is moved during a round trip, its two replies meet
// half way, and one jump would be told as two.
func wholeSteps(obs []observation, parts []part) []part {
	out := parts[:1:1]
	for i := 1; i < len(parts); i++ {
		p := parts[i]
		if i+1 < len(parts) && p.first == p.last {
			in, on := between(obs, out[len(out)-1], p), between(obs, p, parts[i+1])
			if in.Lo > 0 && on.Lo > 0 || in.Hi < 0 && on.Hi < 0 {
				continue
			}
		}
		out = append(out, p)
	}
	return out
}

// between sizes the jump from one part to the next. Only what certainly lies
// before and what certainly lies after counts.
func between(obs []observation, p, q part) Step {
	down, up := slack(obs[p.last], obs[q.first])
	return Step{
		Lo: q.begin.lo - p.end.hi - up, Hi: q.begin.hi - p.end.lo + down,
		After: obs[p.last].sample, Before: obs[q.first].sample,
	}
}
