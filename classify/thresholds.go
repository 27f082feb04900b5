package classify

import (
	"fmt"
	"strconv"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// thresholds are the numbers that this verdict was made with: the contract's, what
// stands in for what the contract does not say, and the defaults of the rules.
func (c *incident) thresholds() []evidence.Threshold {
	k := c.s.Contract
	var out []evidence.Threshold
	add := func(name, value string, from evidence.ThresholdSource) {
		out = append(out, evidence.Threshold{Name: name, Value: value, From: from})
	}
	switch {
	case k.Lease > 0:
		add("lease", k.Lease.String(), evidence.FromContract)
	case c.leaseHi > 0:
		add("lease", about(c.leaseLo, c.leaseHi), evidence.FromLooks)
	}
	switch {
	case k.RenewEvery > 0:
		add("renew_every", k.RenewEvery.String(), evidence.FromContract)
	case c.every > 0 && len(c.renewals) == 0:
		add("renew_every", round(c.every).String(), evidence.FromLibrary)
	case c.every > 0:
		add("renew_every", round(c.every).String(), evidence.FromLooks)
	}
	stated := func(name string, d, fallback time.Duration, from evidence.ThresholdSource) {
		if d > 0 {
			add(name, d.String(), evidence.FromContract)
		} else if fallback > 0 {
			add(name, round(fallback).String(), from)
		}
	}
	stated("max_clock_skew", k.MaxSkew, defaultSkew, evidence.FromDefault)
	stated("worst_stall", k.WorstStall, c.leaseHi, evidence.FromLease)
	stated("lease_max", k.LeaseMax, 0, "")
	stated("worst_renewal", k.WorstRenew, 0, "")
	if k.Margin > 0 {
		add("margin", strconv.FormatFloat(k.Margin, 'g', 4, 64), evidence.FromContract)
	}
	return append(out, defaults()...)
}

// defaults are what no contract can state: how much of a measured thing counts.
func defaults() []evidence.Threshold {
	share := func(part float64, of string) string { return fmt.Sprintf("%g %% of %s", part*100, of) }
	all := []evidence.Threshold{
		{Name: "work", Value: share(busyShare, "one CPU")},
		{Name: "throttled", Value: share(throttledShare, "the time")},
		{Name: "collecting", Value: share(collectedShare, "the time")},
		{Name: "memory_pressure", Value: fmt.Sprintf("%g %% of ten seconds", pressured)},
		{Name: "watched_at_least", Value: minWatched.String()},
	}
	for i := range all {
		all[i].From = evidence.FromDefault
	}
	return all
}

// about is a length that lies between two.
func about(lo, hi time.Duration) string {
	if round(lo) == round(hi) {
		return round(lo).String()
	}
	return round(lo).String() + " to " + round(hi).String()
}
