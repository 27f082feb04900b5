package clocks

import "time"

// shortestFreeze is the least time between two identical readings that means a
// clock stood still. Within one turn of its event loop Redis may answer several
// TIMEs alike; two round trips 20 ms apart are never one turn.
const shortestFreeze = 20 * time.Millisecond

// A Freeze is a stretch in which the coordinator's clock did not advance by a
// microsecond. It lasted at least Lo and, as far as the samples reach, at most
// Hi. Samples First to Last read the same time.
type Freeze struct {
	Lo, Hi      time.Duration
	First, Last int
	At          time.Time // where the clock stood
}

// Freezes finds the stretches in samples given in the order they were taken.
func Freezes(samples []Sample) []Freeze {
	var out []Freeze
	usable := inOrder(samples)
	for a := 0; a < len(usable); {
		z := a
		for z+1 < len(usable) && stands(samples[usable[z]], samples[usable[z+1]]) {
			z++
			if !samples[usable[z]].still() {
				break // it went on in the middle of this sample
			}
		}
		if f, ok := freeze(samples, usable, a, z); ok {
			out = append(out, f)
		}
		a = max(z, a+1)
	}
	return out
}

// Frozen is the total time the clock stood still: [0, 0] when it never did.
func Frozen(samples []Sample) (lo, hi time.Duration) {
	for _, f := range Freezes(samples) {
		lo, hi = lo+f.Lo, hi+f.Hi
	}
	return lo, hi
}

// stands says that the clock read the same at the end of one sample and at the
// beginning of the next.
func stands(p, q Sample) bool { return p.last().Equal(q.Server0) }

func (s Sample) last() time.Time {
	if plausible(s.Server1) {
		return s.Server1
	}
	return s.Server0
}

func (s Sample) still() bool { return s.last().Equal(s.Server0) }

// freeze bounds one run of equal readings. Nothing is taken from the readings
// around it but that they differ: the clock may have jumped into or out of the
// freeze, so how far it is from them says nothing of when.
func freeze(samples []Sample, usable []int, a, z int) (Freeze, bool) {
	first, last := samples[usable[a]], samples[usable[z]]
	sure := last.Boot0 - first.Boot1
	if z == a || sure < shortestFreeze {
		return Freeze{}, false
	}
	begin, end := first.Boot0, last.Boot1
	if a > 0 && first.still() {
		begin = samples[usable[a-1]].Boot0
	}
	if z+1 < len(usable) && last.still() {
		end = samples[usable[z+1]].Boot1
	}
	return Freeze{
		Lo: sure - stale, Hi: end - begin + stale,
		First: usable[a], Last: usable[z], At: first.last(),
	}, true
}

// inOrder are the places of the samples that can have been measured, each
// beginning after the one before it ended.
func inOrder(samples []Sample) []int {
	var out []int
	ended := time.Duration(-1)
	for i, s := range samples {
		if s.Boot0 >= ended && len(s.observe(i)) > 0 {
			out, ended = append(out, i), s.Boot1
		}
	}
	return out
}
