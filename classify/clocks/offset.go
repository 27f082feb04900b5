// Package clocks decides whether one clock moved against another that cannot be
// set. It is given samples of the coordinator's TIME, each enclosed by two
// readings of the steady clock, and tells steps and freezes, with their sizes,
// from drift and slow networks. It claims nothing that some honest course of
// the clock could explain.
package clocks

import "time"

const (
	// stale is how much older than the read itself a TIME reply may be: Redis
	// may answer from a clock it looked at once in this turn of its event loop.
	stale = time.Millisecond

	// drift is the most a disciplined clock runs off another one: the kernel
	// lets NTP change the rate by 500 ppm and no more. One part in 2000.
	drift = 2000

	// longest is the uptime, and lastYear the date, beyond which a sample was
	// not measured; they also keep the arithmetic far from overflow.
	longest  = 30 * 365 * 24 * time.Hour
	lastYear = 2150
)

// A Sample is one round trip to the coordinator that asked TIME at its
// beginning and at its end. Boot0 and Boot1 are CLOCK_BOOTTIME just before it
// was sent and just after the answer came. A sample with one TIME has a zero
// Server1.
type Sample struct {
	Boot0, Boot1     time.Duration
	Server0, Server1 time.Time
}

// Offset is what must be added to CLOCK_BOOTTIME to get the coordinator's
// clock as it stood during this sample, in nanoseconds since 1970.
//
// Each reply was read at some moment between Boot0 and Boot1, whatever share of
// the round trip either way took, so its offset lies between S−Boot1 and
// S−Boot0; both replies must agree. It is not ok for a sample in which the
// clock was moved, or which cannot have been measured.
func (s Sample) Offset() (lo, hi time.Duration, ok bool) {
	obs := s.observe(0)
	if len(obs) != 1 {
		return 0, 0, false
	}
	return obs[0].lo, obs[0].hi, true
}

// Latest is the offset at the last sample, as narrow as all samples since the
// last step make it. It is not ok without a usable sample.
func Latest(samples []Sample) (lo, hi time.Duration, ok bool) {
	obs := observeAll(samples)
	if len(obs) == 0 {
		return 0, 0, false
	}
	parts := unbroken(obs)
	end := parts[len(parts)-1].end
	return end.lo, end.hi, true
}

// band is a closed range of offsets.
type band struct{ lo, hi time.Duration }

func (b band) empty() bool { return b.hi < b.lo }

func (b band) meet(c band) band { return band{max(b.lo, c.lo), min(b.hi, c.hi)} }

// An observation is one range of offsets, seen in one sample.
type observation struct {
	band
	boot0, boot1 time.Duration
	sample       int  // its place in the samples
	frozen       bool // the clock stood still at this sample

	// How far the offset may honestly have gone down and up since the first
	// observation.
	down, up time.Duration
}

func (s Sample) observe(i int) []observation {
	if s.Boot0 < 0 || s.Boot1 < s.Boot0 || s.Boot1 > longest || !plausible(s.Server0) {
		return nil
	}
	at := func(t time.Time) observation {
		server := time.Duration(t.UnixNano())
		return observation{
			band:  band{server - s.Boot1 - stale, server - s.Boot0 + stale},
			boot0: s.Boot0, boot1: s.Boot1, sample: i,
		}
	}
	a := at(s.Server0)
	if !plausible(s.Server1) {
		return []observation{a}
	}
	b := at(s.Server1)
	both := a
	both.band = a.meet(b.band)
	if both.empty() {
		return []observation{a, b}
	}
	return []observation{both}
}

func plausible(t time.Time) bool { return t.Year() >= 1970 && t.Year() < lastYear }

// observeAll keeps the samples that can have been measured, in order.
func observeAll(samples []Sample) []observation {
	var out []observation
	for _, i := range inOrder(samples) {
		out = append(out, samples[i].observe(i)...)
	}
	still := Freezes(samples)
	for i := range out {
		for len(still) > 0 && still[0].Last < out[i].sample {
			still = still[1:]
		}
		out[i].frozen = len(still) > 0 && still[0].First <= out[i].sample
		if i > 0 {
			out[i].allow(out[i-1])
		}
	}
	return out
}

// allow adds what may have happened since p: drift to both sides, and where
// the clock stood still a fall by all the time that passed.
func (o *observation) allow(p observation) {
	gap := o.boot1 - p.boot0
	down, up := gap/drift, gap/drift
	if o.frozen || p.frozen {
		down = gap
	}
	o.down, o.up = p.down+down, p.up+up
}

// slack is how far the offset may honestly move from p to q.
func slack(p, q observation) (down, up time.Duration) { return q.down - p.down, q.up - p.up }

// onward carries what is known at p over to q.
func onward(set band, p, q observation) band {
	down, up := slack(p, q)
	return band{set.lo - down, set.hi + up}.meet(q.band)
}

// back carries what is known at q over to p.
func back(set band, p, q observation) band {
	down, up := slack(p, q)
	return band{set.lo - up, set.hi + down}.meet(p.band)
}
