package classify

import (
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

// Timeline lists what happened, on the coordinator's clock, for whoever draws
// or reads the incident. It is derived from the snapshot and its verdict.
func Timeline(s evidence.Snapshot, v evidence.Verdict) []evidence.Event {
	c := open(s)
	return byTime(slices.Concat(c.told(v), c.recordedLines(c.record)))
}

func byTime(all []evidence.Event) []evidence.Event {
	slices.SortStableFunc(all, func(a, b evidence.Event) int { return a.At.Mid().Compare(b.At.Mid()) })
	return all
}

// told is what the verdict, the looks, the kernel and the servers' logs say.
func (c *incident) told(v evidence.Verdict) []evidence.Event {
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
	add(c.lastBeat(), "last heartbeat", evidence.LaneOwner, "its last heartbeat", "heartbeat")
	add(v.Times.LeaseEnds, "ends", evidence.LaneLease, endWords(v), c.read("pexpiretime"))
	add(v.Times.SafeRelease, "left", evidence.LaneLease, leftWords(v), c.read("pttl"))
	add(v.Times.SafeTransfer, "taken", evidence.LaneContender, "another holder has the lock: "+quote(c.nextHolder()), c.read("value"))
	if v.Answers.Clock.Value == off {
		add(c.clockMoment(v), "clock", evidence.LaneClock, v.Answers.Clock.Says, c.read("time"))
	}
	for _, e := range c.s.Host.Kernel.Value.Events {
		if at := c.kernelTime(e); !e.Forged && c.near(at) {
			add(&at, e.Class, evidence.LaneHost, quote(e.Text), c.s.Host.Kernel.Source)
		}
	}
	out = append(out, c.coordinatorLines()...)
	return append(out, c.noticeLines()...)
}

// endWords say what the end of the lease is to this lock: still to come, or moot.
func endWords(v evidence.Verdict) string {
	left := v.Times.SafeRelease
	switch {
	case left != nil && v.Times.LeaseEnds != nil && left.Before(*v.Times.LeaseEnds):
		return "the lease would have ended"
	case v.Answers.Lease.Value == renewing || v.Answers.Lease.Value == held:
		return "the lease ends, unless it is renewed"
	}
	return "the lease ends"
}

func leftWords(v evidence.Verdict) string {
	switch {
	case v.Answers.Lease.Value == released:
		return "its holder released the lock"
	case v.Times.SafeTransfer != nil:
		return "the key was first seen gone, or with another holder"
	}
	return "the key was first seen gone"
}

// clockMoment is when the clock went wrong: of one that stands still, all the time that
// it was watched.
func (c *incident) clockMoment(v evidence.Verdict) *evidence.Interval {
	if v.Answers.Clock.At != nil || len(c.sights) == 0 {
		return v.Answers.Clock.At
	}
	return &evidence.Interval{From: c.sights[0].Now.From, To: c.sights[len(c.sights)-1].Now.To, Clock: evidence.Coordinator}
}

// lastBeat is the last sign of life that a heartbeat file or key showed.
func (c *incident) lastBeat() *evidence.Interval {
	for _, b := range slices.Backward(c.s.Heartbeat) {
		if age, ok := b.Age.Get(); ok {
			at := c.span(b.Span).Shift(-age, -age)
			return &at
		}
	}
	return nil
}

// coordinatorLines are what changed between two INFO replies of the coordinator, and in
// what Sentinels say of it.
func (c *incident) coordinatorLines() []evidence.Event {
	var out []evidence.Event
	add := func(from, to evidence.Span, what, text, source string) {
		at := evidence.Interval{From: c.span(from).From, To: c.span(to).To, Clock: evidence.Coordinator}
		if at.Closed() {
			out = append(out, evidence.Event{At: at, What: what, Lane: evidence.LaneCoordinator, Text: text, Source: source})
		}
	}
	infos := c.s.Node.Infos
	for i := 1; i < len(infos); i++ {
		a, b := infos[i-1], infos[i]
		changed := func(x, y evidence.Reading[string]) bool {
			return x.State == evidence.Seen && y.State == evidence.Seen && x.Value != y.Value
		}
		switch {
		case changed(a.RunID, b.RunID):
			add(a.Span, b.Span, "restarted", "another server process answers: its run_id is another", c.read("info"))
		case changed(a.Role, b.Role):
			add(a.Span, b.Span, "role", "its role changed from "+quote(a.Role.Value)+" to "+quote(b.Role.Value), c.read("info"))
		case changed(a.ReplID, b.ReplID):
			add(a.Span, b.Span, "history", "its replication history is another", c.read("info"))
		}
		if before, ok := a.Evicted.Get(); ok && b.Evicted.Or(0) > before {
			add(a.Span, b.Span, "evicted", "it evicted "+plural(int(min(b.Evicted.Value-before, 1<<30)), "key"), c.read("info"))
		}
	}
	for i := 1; i < len(c.s.Primaries); i++ {
		if a, b := c.s.Primaries[i-1], c.s.Primaries[i]; a.Name == b.Name && a.Sentinel == b.Sentinel && a.Address != b.Address {
			add(a.Span, b.Span, "failover", "Sentinel names another primary: "+quote(b.Address), "sentinel")
		}
	}
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
