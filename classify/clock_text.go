package classify

import (
	"fmt"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Clocks in pasted text. TIME is held against the dates of the host it was asked
// from, and of that host only, since two hosts' clocks may differ by any constant:
// a date before it and a date after it enclose it, however far apart they stand. What that proves is proved. What it leaves open may be closed by the
// runbook's own habit of running date and TIME together, but only to say that
// nothing was seen to move: nobody is accused on the strength of a habit.

// paired is within which time people and scripts run date and TIME after each
// other when they pair them, as both runbooks tell to. It is generous: a typed
// command takes a second or two.
const paired = 4 * time.Second

// A textSample is one TIME and the local clock around it; a zero end is open.
type textSample struct {
	server   time.Time
	from, to time.Time
	host     string // the vantage whose clock that is
	look     int
}

func (c *incident) textSamples() []textSample {
	var out []textSample
	for i, l := range c.s.Looks {
		if t, _, ok := replies(l); ok {
			out = append(out, textSample{server: t, from: l.Span.Start.Wall, to: l.Span.End.Wall, host: l.Vantage, look: i})
		}
	}
	return out
}

// clockReckoned answers from text.
func (c *incident) clockReckoned(x *exam) {
	samples := c.textSamples()
	switch {
	case len(samples) == 0:
		x.miss(c.read("time"), c.silenceStatus(), c.silenceWhy())
		x.says = "not known: Redis's TIME was not read"
	case c.neverThere():
		x.says = "the key had gone before the first look"
	case c.textFroze(x, samples), c.textStepped(x, samples), c.textStepLogged(x, samples), c.clockBefore(x), c.clockLogged(x, false):
	case len(samples) == 1:
		x.says = "read once; a second look is needed to see it move"
	default:
		c.textSteady(x, samples)
		if x.left[off] {
			c.clockLogged(x, true)
		}
	}
}

// inOrder says whether the looks are known to have followed each other: two
// terminals pasted one after the other may overlap in time.
func (c *incident) inOrder() bool { return c.reckoned().Terminals <= 1 }

// moved is the range in which the coordinator's clock moved more than the local
// one between two samples; ok is false for an open end. Between two hosts only the
// order counts.
func (c *incident) moved(a, b textSample) (lo, hi time.Duration, okLo, okHi bool) {
	d := b.server.Sub(a.server)
	if a.host != b.host {
		return 0, d, false, c.inOrder()
	}
	if !a.from.IsZero() && !b.to.IsZero() {
		lo, okLo = d-b.to.Sub(a.from), true
	}
	least, known := time.Duration(0), c.inOrder()
	if !a.to.IsZero() && !b.from.IsZero() {
		if g := b.from.Sub(a.to); !known || g > least {
			least, known = g, true
		}
	}
	return lo, d - least, okLo, known
}

// textFroze: two commands apart from each other read the same microsecond. No
// two programs run within one.
func (c *incident) textFroze(x *exam, samples []textSample) bool {
	for i := 1; i < len(samples); i++ {
		a, b := samples[i-1], samples[i]
		// Its own dates must have moved on: the same lines may have been pasted twice.
		if !a.server.Equal(b.server) || !c.inOrder() || !b.from.After(a.from) {
			continue
		}
		c.frozen, c.cause = true, "clock-frozen"
		x.only(off)
		x.source("time")
		x.cite(c.read("time"), "TIME gave the same microsecond twice, with other commands in between")
		if c.agesStoodStill() {
			x.source("ages")
			x.cite(c.read("client-list"), "every connection has the age 0, also those that are numbered thousands apart")
		}
		c.uptimeLags(x)
		x.says = "Redis's clock stood still"
		return true
	}
	return false
}

// agesStoodStill: connections and the server itself have no age.
func (c *incident) agesStoodStill() bool {
	for _, list := range c.s.Node.Clients {
		first, last, n := int64(0), int64(0), 0
		for _, k := range list.Clients.Or(nil) {
			if k.Age != 0 || k.Idle != 0 {
				n = 0
				break
			}
			if n++; n == 1 {
				first, last = k.ID, k.ID
			}
			first, last = min(first, k.ID), max(last, k.ID)
		}
		if n >= 2 && last-first > 100 {
			return true
		}
	}
	return false
}

// uptimeLags: Redis counts its uptime by the same clock, in a variable of its own.
// It grew by less than the dates of the shell that asked for it did.
func (c *incident) uptimeLags(x *exam) {
	infos := c.s.Node.Infos
	if len(infos) < 2 || !c.inOrder() {
		return
	}
	a, b := infos[0], infos[len(infos)-1]
	u1, ok1 := a.Uptime.Get()
	u2, ok2 := b.Uptime.Get()
	from, to := a.Span.End.Wall, b.Span.Start.Wall
	if !ok1 || !ok2 || !sameRun(a, b) || u2 < u1 || from.IsZero() || to.IsZero() {
		return
	}
	const grain = 2 * time.Second // whole seconds at both ends
	if least := to.Sub(from); seconds(u2-u1)+grain < least {
		x.source("uptime")
		x.cite(c.read("uptime_in_seconds"), "uptime went from %d to %d s while the dates around it moved by %s", u1, u2, round(least))
	}
}

// textStepped: the local dates leave no room for what TIME moved.
func (c *incident) textStepped(x *exam, samples []textSample) bool {
	far := extremes{of: map[string]*furthest{}}
	for j, b := range samples {
		for _, i := range far.against(b.host) {
			lo, hi, okLo, okHi := c.moved(samples[i], b)
			lo, hi = c.sparingOwnStep(b.host, lo, hi, samples[i].host == b.host)
			// Back by order alone wants a date in that shell at all.
			forward, back := okLo && lo > c.skew(), okHi && hi < -c.skew() && !b.from.IsZero()
			if !forward && !back || forward && okHi && lo > hi { // dates that went back themselves
				continue
			}
			c.textStep(x, samples[i], b, lo, hi, forward)
			return true
		}
		far.note(samples, j)
	}
	return false
}

// extremes are the samples that any later one is furthest from: if it contradicts
// an earlier sample at all, it contradicts one of these, so that not every pair
// need be held against each other.
type extremes struct {
	of     map[string]*furthest // by host
	latest int                  // latest by TIME, from anywhere
	any    bool
}

// furthest are those of one host; −1 for none.
type furthest struct {
	least int // least ahead of the date before it
	most  int // most ahead of the date behind it
}

func (e *extremes) against(host string) []int {
	var out []int
	if f := e.of[host]; f != nil {
		for _, i := range []int{f.least, f.most} {
			if i >= 0 {
				out = append(out, i)
			}
		}
	}
	if e.any {
		out = append(out, e.latest)
	}
	return out
}

func (e *extremes) note(samples []textSample, j int) {
	b := samples[j]
	f := e.of[b.host]
	if f == nil {
		f = &furthest{-1, -1}
		e.of[b.host] = f
	}
	if !b.from.IsZero() && (f.least < 0 || b.server.Sub(b.from) < samples[f.least].server.Sub(samples[f.least].from)) {
		f.least = j
	}
	if !b.to.IsZero() && (f.most < 0 || b.server.Sub(b.to) > samples[f.most].server.Sub(samples[f.most].to)) {
		f.most = j
	}
	if !e.any || b.server.After(samples[e.latest].server) {
		e.latest, e.any = j, true
	}
}

func (c *incident) textStep(x *exam, a, b textSample, lo, hi time.Duration, forward bool) {
	c.cause = "clock-step"
	x.only(off)
	x.source("time")
	by := "back by at least " + round(-hi).String()
	if forward {
		by = "forward by at least " + round(lo).String()
	}
	x.cite(c.read("time"), "TIME went from %s to %s: %s more than the dates around it allow", clockOf(a.server), clockOf(b.server), by)
	x.says = "Redis's clock went " + by
	c.textCounters(x, lo, hi, forward)
}

// textCounters looks for the same move in what Redis counts by its clock.
func (c *incident) textCounters(x *exam, lo, hi time.Duration, forward bool) {
	infos := c.s.Node.Infos
	if len(infos) >= 2 {
		a, b := infos[0], infos[len(infos)-1]
		u1, ok1 := a.Uptime.Get()
		u2, ok2 := b.Uptime.Get()
		least := max(b.Span.Start.Boot-a.Span.End.Boot, 0)
		d := seconds(u2) - seconds(u1)
		if ok1 && ok2 && a.RunID.Value == b.RunID.Value && (d < -time.Second || forward && d > least+lo/2) {
			x.source("uptime")
			x.cite(c.read("uptime_in_seconds"), "uptime went from %d to %d s under one run_id", u1, u2)
		}
	}
	for _, list := range c.s.Node.Clients {
		for _, k := range list.Clients.Or(nil) {
			if k.Age < 0 || k.Idle < -1 {
				x.source("ages")
				x.cite(c.read("client-list"), "connection id=%d has the age %d and idle %d", k.ID, k.Age, k.Idle)
				return
			}
		}
	}
}

// textStepLogged: a clock daemon says that it stepped a clock, and TIME moved by
// just that much more than the dates that were run with it. Neither would do
// alone: the log may be another machine's, and between a date and the TIME after
// it somebody may have slept.
func (c *incident) textStepLogged(x *exam, samples []textSample) bool {
	for i := 1; i < len(samples); i++ {
		a, b := samples[i-1], samples[i]
		if a.from.IsZero() || b.from.IsZero() || a.host != b.host {
			continue
		}
		by := b.server.Sub(b.from) - a.server.Sub(a.from)
		for _, n := range c.steps() {
			if n.Kind != "stepped" || n.By.Abs() <= c.skew() || (n.By-by).Abs() > paired {
				continue
			}
			c.cause = "clock-step"
			x.only(off)
			x.source("time")
			x.source("clock daemon")
			x.cite(c.read("time"), "TIME is %s further from the date run before it than at the look before", round(by))
			x.cite("clock daemon", "%s", line(n.Text))
			x.says = fmt.Sprintf("Redis's clock was stepped by %s between %s and %s", signed(n.By), clockOf(a.server), clockOf(b.server))
			c.textCounters(x, n.By, n.By, n.By > 0)
			return true
		}
	}
	return false
}

// steps are what clock daemons of all hosts logged.
func (c *incident) steps() []evidence.ClockNotice {
	out := append([]evidence.ClockNotice(nil), c.s.Host.Steps...)
	for _, h := range c.s.Others {
		out = append(out, h.Steps...)
	}
	return out
}

// textSteady: as far as dates were run with TIME, nothing moved by as much as
// could have decided a renewal.
func (c *incident) textSteady(x *exam, samples []textSample) {
	limit := 5 * time.Second
	if c.leaseLo > 0 {
		limit = max(c.leaseLo/4, c.skew())
	}
	first, last := samples[0], samples[len(samples)-1]
	lo, hi, known := pairedMove(first, last)
	if !known || lo < -limit || hi > limit {
		x.says = "no local clock was stamped closely enough to hold TIME against"
		x.miss("date", "unread", "run date right before the first TIME and right after the last")
		return
	}
	x.only(steady)
	x.source("time")
	x.cap = !c.stampedFinely(first) || !c.stampedFinely(last)
	x.cite(c.read("time"), "against the dates run with it, TIME moved by %s to %s more in %s", signed(lo), signed(hi), round(last.server.Sub(first.server)))
	if t, ok := c.s.Host.Chrony.Get(); ok && (t.Synchronised() || t.Leap == "normal") {
		x.source("chrony")
		x.cite("chrony", "the owner's clock follows its source")
	}
	for _, drift := range []func() (time.Duration, bool){c.uptimeDrift, c.ageDrift} {
		if d, ok := drift(); ok && d.Abs() <= limit {
			x.source("counters")
		}
	}
	x.says = "no step that could have moved this lease, as far as the dates in the text tell"
}

// pairedMove is how much more than the local clock the coordinator's may have
// moved, if the dates next to the TIMEs were run with them.
func pairedMove(a, b textSample) (lo, hi time.Duration, known bool) {
	d := b.server.Sub(a.server)
	// Any one date before the first and one after the last bound a move back.
	if a.from.IsZero() || b.to.IsZero() {
		if a.from.IsZero() || b.from.IsZero() {
			return 0, 0, false
		}
		// Only dates before each: both may have waited for it.
		by := d - b.from.Sub(a.from)
		return by - paired, by + paired, true
	}
	lo = d - b.to.Sub(a.from)
	earliest, latest := b.to.Add(-paired), a.from.Add(paired)
	if b.from.After(earliest) {
		earliest = b.from
	}
	if !a.to.IsZero() && a.to.Before(latest) {
		latest = a.to
	}
	return lo, d - max(earliest.Sub(latest), 0), true
}

// stampedFinely says whether the local dates around a sample came in fractions
// of a second: whole seconds prove nothing of skew.
func (c *incident) stampedFinely(s textSample) bool {
	whole := func(t time.Time) bool { return t.IsZero() || t.Nanosecond() == 0 }
	return !whole(s.from) || !whole(s.to)
}

func clockOf(t time.Time) string { return t.UTC().Format("15:04:05.000Z") }
