package classify

import (
	"time"

	"github.com/lockscene/lockscene/classify/clocks"
	"github.com/lockscene/lockscene/evidence"
)

// Thresholds that nobody stated in a contract.
const (
	// defaultSkew is how far a clock may be off before it counts: a quarter of
	// a second is well above what NTP leaves and well below any lease in use.
	defaultSkew = 250 * time.Millisecond
	// busyShare of one CPU, used by threads that do not renew, is work. A
	// renewal costs some 0.1 ms of CPU; at one a second that is 0.01 %.
	busyShare = 0.005
	// throttledShare of the time spent throttled holds up a renewal. Healthy
	// services show some throttling at every burst.
	throttledShare   = 0.5
	throttledPercent = 50 // the same, of the least that must have been held up
	// shortest stretch over which CPU clocks say anything about work.
	minWatched = 300 * time.Millisecond
)

// An incident is a snapshot with what several questions need worked out once.
type incident struct {
	s      evidence.Snapshot
	sights []evidence.Sight
	tenure []evidence.Sight // those of the first holder's lease
	taken  *evidence.Sight  // the next one with the key there, after that lease was over

	first    evidence.Sight // the first sight with the key there; zero when never seen
	seen     bool
	leaseLo  time.Duration // length of the lease; zero when nothing tells
	leaseHi  time.Duration
	every    time.Duration // renewal interval; zero when nothing tells
	renewals []evidence.Renewal
	renewed  evidence.Interval // the last renewal before any was missed
	former   bool              // the key already names another holder than the owner we were given

	owner  *person         // whom the questions are about; nil when nobody was found
	locals map[string]bool // the local ends of its sockets towards the coordinator; nil: not gathered yet
	lost   vanishing
	when   evidence.Interval // T*
	due    evidence.Interval // when the first missed renewal was due, if a look saw that it did not come
	now    evidence.Interval // the coordinator's time at the last look

	leaseIs evidence.Answer // settled answers, for later questions
	ownerIs evidence.Answer
	pathIs  evidence.Answer
	clockIs evidence.Answer
	coordIs evidence.Answer

	death      evidence.Interval // when the owner died, if it did
	kill       *evidence.KernelEvent
	inactive   time.Duration     // the steady clock's time since which the owner certainly neither lived nor worked; zero when not known
	cause      string            // one word for the verdict's cause
	unpresumed bool              // the coordinator may have broken its promise, and is not presumed innocent
	undated    bool              // gone or stopped, first seen after T* and nothing dates it
	later      bool              // what held the owner up, or cut it off, was seen only after T*
	served     []holding         // what SLOWLOG shows of holders; nil: not read yet
	presumed   bool              // that the process took the lock rests on its pid and its connection alone
	byCPU      bool              // running rests on CPU alone
	byCommand  bool              // that it was not released rests on a later command that may have been for another key
	byOffset   bool              // that it was not released rests on the offset at which another node was promoted
	serves     string            // the node that took over from the former primary, where both were asked by their own addresses
	servesFrom int               // where its INFOs begin among the node's
	step       *clocks.Step      // the clock step that was found
	frozen     bool              // the coordinator's clock stood still
	covered    bool              // the clock was watched from the last renewal to T*
	renewedBy  *evidence.Client  // the connection that renews
	recalled   string            // where the looks come from when nobody looked: aof, events
	joined     string            // where more comes from than the looks that somebody took
	stamped    []evidence.Look   // the looks that somebody took: they tie the clocks
	anchors    []anchor          // what of them ties the clocks; nil: not gathered yet
	begun      evidence.Interval // when a record says that the holder took the lock
	fell       evidence.Interval // when the owner fell silent, by its own record
	unseen     bool              // those were answered, and none of them showed the key there
	axis       evidence.Clock    // that stands for the coordinator's where there is none
	cutShort   bool              // the log with the heartbeats ends with the last of them

	record  []recorded             // the dated events in their order
	ties    map[evidence.Clock]tie // how the clocks of events are tied to the coordinator's
	workers map[string]bool        // the parties of the events, the protected resource left out
	lockers map[recordKey]bool     // the actors of those, by their clocks

	strangers map[string]bool // parties that were asked about: whether they are known not to be the holder

	recorded   bool         // that the owner is gone rests on what others recorded: nobody looked at it
	supervised []supervisor // the owner's units and containers; nil until they are asked for
}

func open(s evidence.Snapshot) *incident {
	s = represented(s)
	s, serves, from := follow(s)
	c := &incident{s: s, stamped: s.Looks, serves: serves, servesFrom: from}
	c.tieClocks()
	c.recall()
	s = c.s
	t := s.Tenure()
	c.sights, c.every, c.renewals, c.renewed = t.Sights, t.Every, t.Renewals, t.Renewed
	c.leaseLo, c.leaseHi = t.Shortest, t.Longest
	for _, sight := range c.sights {
		if sight.Here {
			c.first, c.seen = sight, true
			break
		}
	}
	c.tenure = t.Lease
	for _, sight := range c.tenure {
		// Of text the first look may have asked for what is left, and a later one
		// for the value.
		c.first.Holder = cmpOr(c.first.Holder, sight.Holder)
	}
	c.renewedBy = c.renewer()
	if n := len(c.sights); n > 0 {
		c.now = c.sights[n-1].Now
	}
	c.owner = c.identify()
	c.lost = c.vanished()
	c.untilEnd()
	c.when = c.missed()
	if c.former && c.renewedBy != nil && c.ofOwner(*c.renewedBy) {
		c.former = false // it renews the lock: the words of the value only look like another host
	}
	return c
}

// last is the last look that said anything about the key.
func (c *incident) last() (evidence.Sight, bool) {
	if len(c.sights) == 0 {
		return evidence.Sight{}, false
	}
	return c.sights[len(c.sights)-1], true
}

// lastEnds is the newest sight of the first holder's lease that showed its end. An
// end that an earlier look knew better stands, where the habit of typing TIME and
// what follows it within seconds says that it is the same.
func (c *incident) lastEnds() (evidence.Sight, bool) {
	var out evidence.Sight
	found := false
	for _, s := range c.tenure {
		if !s.Ends.Known() || !s.Now.Known() {
			continue
		}
		if found && c.reckoned() != nil && out.Ends.Within(s.Ends) && out.Ends.To.Before(s.Ends.From.Add(paired)) {
			s.Ends = out.Ends
		}
		out, found = s, true
	}
	return out, found
}

// skew is how far the contract lets clocks be apart.
func (c *incident) skew() time.Duration {
	if c.s.Contract.MaxSkew > 0 {
		return c.s.Contract.MaxSkew
	}
	return defaultSkew
}

// succeeded says whether another holder was seen to have the lock.
func (c *incident) succeeded() bool {
	return c.former || c.taken != nil && !c.taken.SameHolder(c.first)
}

// place puts a moment of the vantage's steady clock on the coordinator's,
// through the nearest look that read TIME. Between looks the clocks may drift
// by 500 ppm, the most that NTP slews.
func (c *incident) place(boot time.Duration) evidence.Interval {
	if r := c.reckoned(); r != nil && !r.Coordinator.IsZero() {
		return evidence.At(r.Coordinator.Add(boot), 0, evidence.Coordinator)
	}
	if at, ok := c.presumedWall(boot); ok {
		return at
	}
	nearest := c.nearest(boot)
	if nearest == nil {
		return evidence.Interval{}
	}
	drift := (boot-nearest.start).Abs()/2000 + time.Millisecond
	out := evidence.Interval{
		From:  nearest.last.Add(boot - nearest.end - drift),
		To:    nearest.first.Add(boot - nearest.start + drift),
		Clock: evidence.Coordinator,
	}
	if out.To.Before(out.From) { // the server's clock did not move between its two TIMEs
		out.From, out.To = out.To, out.From
	}
	return out
}

// An anchor ties this host's steady clock to the coordinator's: one look that read
// TIME.
type anchor struct {
	start, end  time.Duration // of the look
	first, last time.Time     // what TIME said
}

// nearest is the anchor next to a moment; of two as near the first. The looks are
// gone through once: moments are placed by the thousand.
func (c *incident) nearest(boot time.Duration) *anchor {
	if c.anchors == nil {
		c.anchors = []anchor{}
		for _, l := range c.stamped {
			if first, last, ok := replies(l); ok {
				c.anchors = append(c.anchors, anchor{l.Span.Start.Boot, l.Span.End.Boot, first, last})
			}
		}
	}
	var best *anchor
	for i := range c.anchors {
		if a := &c.anchors[i]; best == nil || (boot-a.start).Abs() < (boot-best.start).Abs() {
			best = a
		}
	}
	return best
}

// sinceBoot places what the owner's kernel counted since boot.
func (c *incident) sinceBoot(d time.Duration) evidence.Interval {
	if len(c.s.Vantages) == 0 {
		return c.place(d)
	}
	from, to, ok := c.s.Vantages[0].SinceBoot(d)
	if !ok {
		return evidence.Interval{}
	}
	return evidence.Interval{From: c.place(from).From, To: c.place(to).To, Clock: evidence.Coordinator}
}

// reckoned says how the owner's vantage came by its stamps; nil when it read its
// clocks itself.
func (c *incident) reckoned() *evidence.Reckoning {
	if len(c.s.Vantages) == 0 {
		return nil
	}
	return c.s.Vantages[0].Reckoned
}

// span places a whole span.
func (c *incident) span(s evidence.Span) evidence.Interval {
	return evidence.Interval{From: c.place(s.Start.Boot).From, To: c.place(s.End.Boot).To, Clock: evidence.Coordinator}
}

// replies are a look's first and last TIME, the same when it has only one.
func replies(l evidence.Look) (first, last time.Time, ok bool) {
	first, ok1 := l.Before.Get()
	last, ok2 := l.After.Get()
	switch {
	case !ok1:
		first = last
	case !ok2:
		last = first
	}
	return first, last, ok1 || ok2
}

// seconds is n whole seconds as Redis counts them, kept within a century: a
// number from outside must not overflow.
func seconds(n int64) time.Duration {
	const century = 100 * 365 * 24 * 3600
	return time.Duration(min(max(n, -century), century)) * time.Second
}
