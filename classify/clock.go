package classify

import (
	"fmt"
	"time"

	"github.com/lockscene/lockscene/classify/clocks"
	"github.com/lockscene/lockscene/evidence"
)

// clock answers: did the clock that runs the lease behave? That is Redis's own.
// It is held against the vantage's steady clock, which neither steps nor stops;
// both wall clocks of a shared host would step together.
func (c *incident) clock() evidence.Answer {
	x := ask(steady, off)
	samples := c.leaseSamples()
	c.covered = c.clockCovered()
	switch {
	case len(samples) == 0 && c.clockByPairs(x):
	case c.axis != "":
		x.says = "not known: no coordinator's clock; every time is by that of " + quote(string(c.axis))
		x.miss(c.read("time"), c.silenceStatus(), c.silenceWhy())
	case c.reckoned() != nil:
		c.clockReckoned(x)
	case len(samples) == 0:
		x.miss(c.read("time"), c.silenceStatus(), c.silenceWhy())
		x.says = "not known: Redis's TIME was not read"
	case c.clockFroze(x, samples):
	case c.clockStepped(x, samples):
	case c.clockBefore(x):
	case c.clockLogged(x, false):
	case c.neverThere() && c.steppedLater() != "":
		x.says = "the key had gone before the first look; " + c.steppedLater()
	case len(samples) >= 2:
		c.clockSteady(x, samples)
	default:
		x.says = "read once; a second look is needed to see it move"
	}
	c.clockIs = x.answer()
	return c.clockIs
}

func (c *incident) silenceStatus() string { s, _ := c.silence(); return cmpOr(s, "unread") }
func (c *incident) silenceWhy() string    { _, w := c.silence(); return w }

// clockSamples are the looks that read TIME, each with the two local moments
// that enclose it.
func (c *incident) clockSamples() []clocks.Sample {
	var out []clocks.Sample
	for _, l := range c.s.Looks {
		first, last, ok := replies(l)
		if !ok {
			continue
		}
		k := clocks.Sample{Boot0: l.Span.Start.Boot, Boot1: l.Span.End.Boot, Server0: first}
		if l.Before.State == evidence.Seen && l.After.State == evidence.Seen {
			k.Server1 = last
		}
		out = append(out, k)
	}
	return out
}

// leaseSamples are those within this lease's life, up to the look that showed it
// over: a clock that moved later, or after the key had gone, did not end it.
func (c *incident) leaseSamples() []clocks.Sample {
	all := c.clockSamples()
	if !c.lost.yes {
		return all
	}
	end := c.s.Looks[c.lost.after.Look].Span.End.Boot
	n := 0
	for n < len(all) && all[n].Boot1 <= end {
		n++
	}
	return all[:n]
}

// steppedLater says how the clock moved, outside this lease's life as well;
// empty when it did not.
func (c *incident) steppedLater() string {
	all := c.clockSamples()
	if lo, _ := clocks.Frozen(all); lo > c.skew() {
		return "Redis's clock stood still for at least " + round(lo).String()
	}
	for _, s := range clocks.Steps(all) {
		if size(s) > c.skew() {
			return "Redis's clock stepped by " + signed((s.Lo+s.Hi)/2)
		}
	}
	return ""
}

// neverThere says that looks showed no key from the beginning: whatever the
// clock did since then, it had gone before.
func (c *incident) neverThere() bool {
	return len(c.sights) > 0 && (!c.seen || c.unseen || c.recalled != "")
}

// clockCovered says whether the clock was watched from before the last renewal
// until the last look, at every look, so that no step could hide. Only a renewal
// that was seen to happen counts: one that is inferred from the lease's end was
// placed by the very clock in question.
func (c *incident) clockCovered() bool {
	if len(c.renewals) == 0 || c.recalled != "" || c.joined != "" {
		return false // nobody held a clock against records
	}
	for _, l := range c.s.Looks {
		if !l.Now().Known() {
			return false
		}
	}
	return true
}

// clockFroze: TIME gave the same microsecond again and again while the steady
// clock went on.
func (c *incident) clockFroze(x *exam, samples []clocks.Sample) bool {
	lo, hi := clocks.Frozen(samples)
	if lo <= c.skew() || c.neverThere() {
		return false
	}
	c.frozen, c.cause = true, "clock-frozen"
	x.only(off)
	x.source("time")
	x.cite(c.read("time"), "TIME stood still for at least %s of this host's steady clock", round(lo))
	x.says = fmt.Sprintf("Redis's clock stood still for %s to %s while watched", round(lo), round(hi))
	c.bySecondCounter(x, -lo)
	return true
}

// clockStepped: two looks whose offsets cannot meet.
func (c *incident) clockStepped(x *exam, samples []clocks.Sample) bool {
	var worst *clocks.Step
	for _, s := range clocks.Steps(samples) {
		if size(s) > c.skew() && (worst == nil || size(s) > size(*worst)) {
			worst = &s
		}
	}
	if worst == nil || c.neverThere() {
		return false
	}
	c.step = worst
	c.cause = "clock-step"
	a, b := samples[worst.After], samples[worst.Before]
	mid := (worst.Lo + worst.Hi) / 2
	bound := (worst.Hi - worst.Lo) / 2
	between := evidence.Interval{From: a.Server0, To: b.Server1, Clock: evidence.Coordinator}
	if between.To.Before(between.From) {
		between.From, between.To = between.To, between.From
	}
	x.at = &between
	x.only(off)
	x.source("time")
	x.cite(c.read("time"), "TIME moved by %s more than the steady clock between two looks %s apart", signed(mid), round(b.Boot0-a.Boot1))
	x.says = fmt.Sprintf("Redis's clock stepped by %s ±%s within the %s before %s", signed(mid), round(bound), round(b.Boot1-a.Boot0), b.Server1.UTC().Format("15:04:05.000Z"))
	c.bySecondCounter(x, mid)
	return true
}

// size is the least that a step can have moved the clock, either way.
func size(s clocks.Step) time.Duration { return max(s.Lo, -s.Hi) }

// clockBefore: signs of a step before the first look. A lease cannot have more
// left than its length, and a connection cannot be older than its process.
func (c *incident) clockBefore(x *exam) bool {
	if by := c.tooMuchLeft(); by > c.skew() && c.reckoned() != nil {
		if c.wentBack(x, by) {
			return true
		}
	} else if by > c.skew() && c.behind() <= -(by-c.skew()) {
		c.cause = "clock-step"
		x.only(off)
		x.source("time")
		x.cite(c.read("pttl"), "%s is left of a lease of %s, and TIME is %s behind this host", round(c.leaseHi+by), round(c.leaseHi), round(-c.behind()))
		x.says = fmt.Sprintf("Redis's clock went back by at least %s since the last renewal", round(by))
		return true
	}
	// A child may be younger than a connection it was born with, so that the
	// server must be ahead of this host by as much as well.
	if by := c.tooOld(); by > c.skew() && by > 2*time.Second && c.behind() >= by-3*time.Second {
		c.cause = "clock-step"
		x.only(off)
		x.source("ages")
		x.cap = true
		x.cite(c.read("client-list"), "a connection of the owner is %s older than its process", round(by))
		x.says = fmt.Sprintf("Redis's clock went forward by at least %s since the owner connected", round(by))
		return true
	}
	return false
}

// tooMuchLeft is by how much the time left exceeds the lease.
func (c *incident) tooMuchLeft() time.Duration {
	var worst time.Duration
	if c.s.Contract.Lease == 0 {
		return 0
	}
	for _, s := range c.sights {
		if s.Here && s.Ends.Known() && s.Now.Known() {
			worst = max(worst, s.Ends.From.Sub(s.Now.To)-c.leaseHi)
		}
		if left, ok := c.s.Looks[s.Look].PTTL.Get(); ok && s.Here && left > 0 {
			worst = max(worst, time.Duration(min(left, 1<<42))*time.Millisecond-c.leaseHi) // it says so itself, whenever it was
		}
	}
	return worst
}

// behind is Redis's clock minus this host's wall clock at the first look.
func (c *incident) behind() time.Duration {
	if r := c.reckoned(); r != nil {
		if d := c.apart(c.ownView()); d != 0 {
			return d
		}
		if r.Coordinator.IsZero() || r.WallFrom.IsZero() {
			return 0
		}
		// Of the range that the text leaves, what is nearest to no difference.
		lo, hi := r.Coordinator.Sub(r.WallTo), r.Coordinator.Sub(r.WallFrom)
		return max(min(0, hi), lo)
	}
	for _, l := range c.s.Looks {
		if first, last, ok := replies(l); ok {
			now := evidence.Interval{From: first, To: last}
			return now.Mid().Sub(l.Span.Start.Wall.Add(l.Span.End.Wall.Sub(l.Span.Start.Wall) / 2))
		}
	}
	return 0
}

// tooOld is by how much a connection of the owner is older, by Redis's clock,
// than the owner's process is by the kernel's.
func (c *incident) tooOld() time.Duration {
	if c.owner == nil || len(c.s.Node.Clients) == 0 {
		return 0
	}
	var worst time.Duration
	list := c.s.Node.Clients[0]
	for _, l := range c.owner.proc.Looks {
		st, ok := l.Stat.Get()
		if !ok || st.Start == 0 {
			continue
		}
		lived := list.Span.End.Boot - st.StartAfterBoot()
		for _, k := range c.connections(list) {
			// Ages are cut to whole seconds at both ends.
			worst = max(worst, seconds(k.Age)-time.Second-lived)
		}
	}
	return worst
}

// bySecondCounter looks for the same step in what Redis counts by its clock:
// uptime, and the age of our own connections and everybody's.
func (c *incident) bySecondCounter(x *exam, size time.Duration) {
	if drift, ok := c.uptimeDrift(); ok && (drift-size).Abs() <= 3*time.Second && size.Abs() > 2*time.Second {
		x.source("uptime")
		x.cite(c.read("uptime_in_seconds"), "uptime moved by %s more than the steady clock", signed(drift))
		return
	}
	if drift, ok := c.ageDrift(); ok && (drift-size).Abs() <= 3*time.Second && size.Abs() > 2*time.Second {
		x.source("ages")
		x.cite(c.read("client-list"), "the age of a connection moved by %s more than the steady clock", signed(drift))
	}
}

// uptimeDrift is by how much uptime_in_seconds moved more than the steady clock
// between the first and the last INFO.
func (c *incident) uptimeDrift() (time.Duration, bool) {
	infos := c.s.Node.Infos
	if len(infos) < 2 {
		return 0, false
	}
	a, b := infos[0], infos[len(infos)-1]
	u1, ok1 := a.Uptime.Get()
	u2, ok2 := b.Uptime.Get()
	r1, ok3 := a.RunID.Get()
	r2, ok4 := b.RunID.Get()
	if !ok1 || !ok2 || !ok3 || !ok4 || r1 != r2 {
		return 0, false
	}
	return seconds(u2) - seconds(u1) - (b.Span.Start.Boot - a.Span.Start.Boot), true
}

// ageDrift is the same for a connection that both lists show.
func (c *incident) ageDrift() (time.Duration, bool) {
	lists := c.s.Node.Clients
	if len(lists) < 2 {
		return 0, false
	}
	a, b := lists[0], lists[len(lists)-1]
	for _, k := range a.Clients.Or(nil) {
		for _, o := range b.Clients.Or(nil) {
			if k.ID == o.ID {
				return seconds(o.Age) - seconds(k.Age) - (b.Span.Start.Boot - a.Span.Start.Boot), true
			}
		}
	}
	return 0, false
}

// clockSteady: no two looks disagree. That speaks only of the time watched.
func (c *incident) clockSteady(x *exam, samples []clocks.Sample) {
	x.only(steady)
	x.source("time")
	first, last := samples[0], samples[len(samples)-1]
	x.cite(c.read("time"), "no step in %s over %s", plural(len(samples), "look"), round(last.Boot1-first.Boot0))
	for _, drift := range []func() (time.Duration, bool){c.uptimeDrift, c.ageDrift} {
		if d, ok := drift(); ok && d.Abs() <= 2*time.Second {
			x.source("counters")
		}
	}
	if t, ok := c.s.Host.Chrony.Get(); ok && t.Synchronised() {
		x.source("chrony")
		x.cite("chrony", "this host's clock is within %s of NTP time", round(t.Bound()))
	} else {
		need(x, c.s.Host.Chrony, "chrony")
	}
	x.says = fmt.Sprintf("redis − this host %s, no step while watched", signed(c.behind()))
	x.cite(c.read("time"), "Redis's clock minus this host's wall clock: %s", signed(c.behind()))
}

func signed(d time.Duration) string {
	if d >= 0 {
		return "+" + round(d).String()
	}
	return "−" + round(-d).String()
}
