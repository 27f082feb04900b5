package classify

import (
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// lease answers: is the holder's lease still being extended? It is the
// coordinator's own record, and two looks at the end bracketed by TIME prove it.
func (c *incident) lease() evidence.Answer {
	x := ask(renewing, held, lapsing, lapsed, lost, released, endless)
	switch {
	case len(c.sights) == 0:
		c.leaseFromSocket(x)
	case c.former:
		x.only(lapsed, lost, released)
		x.cite(c.read("value"), "the key names another holder already: %s", quote(c.first.Holder))
		x.says = "the lock is another holder's now"
	case !c.seen:
		x.only(lapsed, lost, released)
		x.cite(c.read("pttl"), "no such key at the first look")
		x.says = "no such key: expired, removed or released before the first look"
	case c.lost.yes:
		c.leaseVanished(x)
	case c.endless():
		c.leaseEndless(x)
	default:
		c.leaseStanding(x)
	}
	if c.isReplica() {
		x.cap = true
		if c.cutOff() {
			x.reopen(renewing, lapsing, lapsed, lost, released)
			x.says = "seen on a replica that may be cut off from its master"
		}
	}
	for _, l := range c.s.Looks {
		if l.End.State == evidence.Unread {
			need(x, l.PTTL, "pttl")
		}
	}
	x.at = c.moment()
	x.cap = x.cap || c.recalled == "events" || c.joined == "events" // the holder's own word alone
	c.reach(x)
	c.leaseIs = x.answer()
	return c.leaseIs
}

// read names a reading of the lock as citations print it.
func (c *incident) read(what string) string {
	switch what {
	case "value", "type", "pttl", "pexpiretime", "strlen", "hgetall":
		if c.recalled != "" {
			return c.recalled
		}
	}
	return "redis/" + c.s.Subject.Redis + "/" + what
}

// leaseStanding judges a lease that is still there, with the same holder.
func (c *incident) leaseStanding(x *exam) {
	last, ok := c.lastEnds()
	if !ok {
		x.only(renewing, held, lapsing, endless)
		c.unwatched(x)
		return
	}
	if len(c.sights) >= 2 && c.bracketed() {
		x.source("looks")
		x.source("time")
	}
	switch n := len(c.renewals); {
	case c.overdue():
		x.only(lapsing)
		x.cap = x.cap || c.byDefault()
		c.citeDefault(x)
		x.cite(c.read("pexpiretime"), "the renewal due %s had not come half an interval later", clockTime(c.due))
		x.says = "ends " + moment(last.Ends) + "; the renewal due " + c.dueWhen() + " did not come"
		if n > 0 && c.renewals[n-1].At.After(c.due) {
			x.says = "ends " + moment(last.Ends) + "; the renewal due " + c.dueWhen() + " came late, at " + clockTime(c.renewals[n-1].At)
		}
	case n > 0:
		x.only(renewing)
		seen := "while watched"
		if c.recalled != "" {
			seen = "by what was recorded"
		}
		x.cite(c.read("pexpiretime"), "the end moved %s %s, last to %s", times(n), seen, clockTime(last.Ends))
		x.says = "extended " + times(n) + " " + seen + "; ends " + moment(last.Ends)
	case c.every == 0:
		x.only(renewing, held)
		x.cite(c.read("pexpiretime"), "the end stayed at %s; how often it should be renewed is not known", clockTime(last.Ends))
		x.says = "ends " + moment(last.Ends) + "; not renewed while watched, and the interval is not known"
	default:
		x.only(renewing, held)
		c.citeDefault(x)
		x.cite(c.read("pexpiretime"), "the end is %s; the next renewal was not overdue yet", clockTime(last.Ends))
		x.says = "ends " + moment(last.Ends) + "; no renewal was overdue yet"
	}
	c.unwatched(x)
}

// dueWhen is when the missed renewal was due, with how far that is known where it is
// known badly.
func (c *incident) dueWhen() string {
	if c.due.Bound() >= time.Second {
		return moment(c.due)
	}
	return clockTime(c.due)
}

// citeDefault names the library whose default interval is used.
func (c *incident) citeDefault(x *exam) {
	if d, ok := c.s.Dialect.Get(); ok && c.byDefault() {
		x.cite("dialect", "%s renews every %s unless told otherwise", libraries(d), c.every)
	}
}

// unwatched reopens what may have happened after the last look that showed the
// lease's end, when later looks were tried and did not: the server stopped
// answering, or answered only half.
func (c *incident) unwatched(x *exam) {
	last, ok := c.lastEnds()
	if ok && last.Look >= c.lastAsked() {
		return
	}
	if ok && c.silent() {
		x.says = "not readable since " + clockTime(last.Now) + "; it was to end " + moment(last.Ends)
	}
	if x.left[lapsing] && !x.left[renewing] {
		x.reopen(lapsed, lost, released)
		return
	}
	x.reopen(renewing, lapsing, lapsed, lost, released)
}

// lastAsked is the last look that asked anything about the key: of text, TIME may
// stand alone.
func (c *incident) lastAsked() int {
	asked := func(s evidence.State, why evidence.Status) bool {
		return s != evidence.Unread || why != evidence.Skipped
	}
	for i, l := range slices.Backward(c.s.Looks) {
		if asked(l.PTTL.State, l.PTTL.Status) || asked(l.End.State, l.End.Status) || asked(l.Type.State, l.Type.Status) || asked(l.Value.State, l.Value.Status) {
			return i
		}
	}
	return len(c.s.Looks) - 1
}

// bracketed says whether two looks read the end between two TIMEs.
func (c *incident) bracketed() bool {
	n := 0
	for _, s := range c.sights {
		if s.Here && (s.Ends.Known() || s.Endless) && s.Now.Closed() {
			n++
		}
	}
	return n >= 2
}

// endless says whether the newest look at the holder's key that shows an expiry
// or its lack shows none: SETNX comes before EXPIRE, and a plain SET takes an
// expiry away.
func (c *incident) endless() bool {
	out := false
	for _, s := range c.tenure {
		if s.Endless || s.Ends.Known() {
			out = s.Endless
		}
	}
	return out
}

func (c *incident) leaseEndless(x *exam) {
	x.only(endless)
	if last, ok := c.last(); !ok || last.Look != len(c.s.Looks)-1 {
		x.reopen(lost, released)
	}
	x.cite(c.read("pttl"), "-1: the key has no expiry")
	x.says = "the key has no expiry; nothing will free it by itself"
	if c.bracketed() {
		x.source("looks")
		x.source("time")
	}
}

// leaseVanished judges a lease that went, or changed hands, while watched.
func (c *incident) leaseVanished(x *exam) {
	v := c.lost
	what := "was gone"
	if v.after.Here {
		what = "had another holder"
	}
	x.source("looks")
	if v.before.Now.Closed() && v.after.Now.Closed() {
		x.source("time")
	}
	x.cap = x.cap || v.habit
	switch {
	case v.late && c.onlyReckoned(v.after):
		x.only(lapsed)
		x.cite(c.read("pexpiretime"), "its end was %s, and by %s no renewal was recorded: it should have ended", clockTime(v.before.Ends), clockTime(v.after.Now))
		x.says = "should have run out at " + moment(v.before.Ends) + ", by what was recorded"
	case v.late:
		x.only(lapsed)
		x.cite(c.read("pexpiretime"), "its end was %s, and at %s it %s", clockTime(v.before.Ends), clockTime(v.after.Now), what)
		x.says = "ran out at " + moment(v.before.Ends)
	case v.early:
		x.only(lost, released)
		x.cite(c.read("pexpiretime"), "it %s at %s, before its end", what, moment(v.after.Now))
		x.says = "the key " + what + " at " + moment(v.after.Now) + ", before its end"
		if !c.ownRelease(x) && !c.byHistory(x) {
			c.tellReleaseFromLoss(x)
		}
	default:
		x.only(lapsed, lost, released)
		x.cite(c.read("pttl"), "it %s at %s; whether before its end or after is not told", what, moment(v.after.Now))
	}
}

// outlived takes back that a lease is being renewed when its owner has died or
// stopped, and every renewal that was seen may have come before that: it made
// them itself, and the next is not due yet.
func (c *incident) outlived(a evidence.Answer) evidence.Answer {
	if a.Value != renewing || c.inactive == 0 && !c.recorded {
		return a
	}
	since := c.place(c.inactive)
	for _, r := range c.renewals {
		if r.At.After(c.death) || c.inactive > 0 && (r.At.After(since) || c.s.Looks[r.Before].Span.Start.Boot > c.inactive) {
			return a
		}
	}
	a.Value, a.Possible, a.Grade = evidence.Unknown, []string{renewing, held}, ""
	a.Says += "; not renewed since its owner went, and no renewal is overdue yet"
	c.leaseIs = a
	return a
}

// leaseFromSocket judges a lease that cannot be seen, from a host cut off from
// the coordinator: data its owner's socket has held unacknowledged for longer
// than the renewal interval proves that no renewal arrived meanwhile, and no
// release either.
func (c *incident) leaseFromSocket(x *exam) {
	x.miss(c.read("pttl"), c.silenceStatus(), c.silenceWhy())
	if c.owner == nil {
		return
	}
	stuck, age := c.stuck()
	if stuck == nil || c.every == 0 || age <= c.every {
		return
	}
	x.exclude(renewing, released)
	if c.s.Contract.Lease > 0 {
		x.exclude(endless)
		if age > c.every+c.every/2 {
			x.exclude(held)
		}
	}
	x.cite("/proc/"+itoa(c.owner.proc.Pid)+"/net/tcp", "%d bytes to %s unacknowledged for at least %s: no renewal and no release reached the coordinator",
		stuck.TxQueue, stuck.Remote, round(age))
	x.says = "not readable from here; no renewal got through for " + round(age).String()
}

func (c *incident) silence() (status, why string) {
	o := c.s.Sources["redis/sample"]
	return string(o.Status), o.Why
}

func itoa(n int) string { return formatInt(int64(n)) }

// round shortens a duration for people.
func round(d time.Duration) time.Duration {
	switch {
	case d.Abs() >= 10*time.Second:
		return d.Round(100 * time.Millisecond)
	case d.Abs() >= 100*time.Millisecond:
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(10 * time.Microsecond)
}
