package classify

import (
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

// Timeline lists what happened, on the coordinator's clock, for whoever draws
// or reads the incident. It is derived from the snapshot and its verdict.
func Timeline(s evidence.Snapshot, v evidence.Verdict) []evidence.Event {
	c := open(s)
	var out []evidence.Event
	add := func(at *evidence.Interval, what string, lane evidence.Lane, text, source string) {
		if at != nil && at.Known() {
			out = append(out, evidence.Event{At: *at, What: what, Lane: lane, Text: text, Source: source})
		}
	}
	for _, r := range c.renewals {
		add(&r.At, "renewed", evidence.LaneLease, "the lease was extended to "+clockTime(r.Ends), c.read("pexpiretime"))
	}
	if len(c.renewals) == 0 {
		add(v.Times.LastRenewal, "renewed", evidence.LaneLease, "the last renewal, or the acquire", c.read("pexpiretime"))
	}
	add(v.Times.Acquired, "acquired", evidence.LaneLease, "the holder took the lock", "acquire")
	add(v.Times.Due, "missed", evidence.LaneLease, "a renewal was due and did not come", c.read("pexpiretime"))
	add(v.Times.Disappeared, "disappeared", evidence.LaneOwner, v.Answers.Owner.Says, "owner")
	add(v.Times.LeaseEnds, "ends", evidence.LaneLease, "the lease ends", c.read("pexpiretime"))
	add(v.Times.SafeRelease, "left", evidence.LaneLease, "the key was first seen gone, or with another holder", c.read("pttl"))
	add(v.Times.SafeTransfer, "taken", evidence.LaneContender, "another holder has the lock: "+quote(c.nextHolder()), c.read("value"))
	if v.Answers.Clock.Value == off {
		add(v.Answers.Clock.At, "clock", evidence.LaneClock, v.Answers.Clock.Says, c.read("time"))
	}
	for _, e := range c.s.Host.Kernel.Value.Events {
		if at := c.kernelTime(e); !e.Forged && c.near(at) {
			add(&at, e.Class, evidence.LaneHost, quote(e.Text), c.s.Host.Kernel.Source)
		}
	}
	out = append(out, c.noticeLines()...)
	out = append(out, c.recordedLines()...)
	slices.SortStableFunc(out, func(a, b evidence.Event) int { return a.At.Mid().Compare(b.At.Mid()) })
	return out
}

// near says whether a moment lies in the life of this incident: from two leases
// before the last renewal on. A kernel remembers weeks.
func (c *incident) near(at evidence.Interval) bool {
	begin := c.now
	if c.renewed.Known() {
		begin = c.renewed
	}
	return begin.Known() && at.Known() && !at.Before(begin.Shift(-2*c.leaseHi, 0))
}
