package events

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/events/ends"
)

// A collection keeps what was found, bounded, and in its order.
type collection struct {
	o       Options
	report  Report
	often   *ends.Keeper[evidence.AppEvent] // what comes every few seconds
	rare    *ends.Keeper[evidence.AppEvent] // what changes hands: a flood of heartbeats must not push it out
	clock   *ends.Keeper[evidence.ClockNotice]
	cluster *ends.Keeper[evidence.ClusterEvent]
	server  *ends.Keeper[evidence.ServerNotice]
	waiting []func(evidence.Interval) // found since the last date, themselves without one
	last    evidence.Interval         // of the latest dated line
	seq     int
}

func collect(o Options) *collection {
	limit := o.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	return &collection{o: o,
		report: Report{Matched: map[string]int{}, Seen: map[evidence.Deed]int{}, Dropped: map[evidence.Deed]int{}, Flooded: map[string]int{}},
		often:  ends.New[evidence.AppEvent](limit - limit/2), rare: ends.New[evidence.AppEvent](limit / 2),
		clock: ends.New[evidence.ClockNotice](maxNotices), cluster: ends.New[evidence.ClusterEvent](maxNotices),
		server: ends.New[evidence.ServerNotice](maxNotices)}
}

// place hands keep the moment of a finding: its own, or, for lines without a
// date, the stretch between the dated lines around it.
func (c *collection) place(at evidence.Interval, keep func(evidence.Interval)) {
	switch {
	case at.Known():
		c.dated(at)
		keep(at)
	case len(c.waiting) < maxUndated:
		c.report.Undated++
		from := c.last.From
		c.waiting = append(c.waiting, func(next evidence.Interval) {
			between := evidence.Interval{From: from, To: next.To}
			if !between.From.IsZero() && !between.To.IsZero() && between.To.Before(between.From) {
				between.To = time.Time{}
			}
			keep(between)
		})
	default:
		c.report.Undated++
		keep(evidence.Interval{})
	}
}

// dated takes note of a line's date.
func (c *collection) dated(at evidence.Interval) {
	if !at.Known() {
		return
	}
	c.settle(at)
	c.last = at
}

func (c *collection) settle(next evidence.Interval) {
	for _, keep := range c.waiting {
		keep(next)
	}
	c.waiting = c.waiting[:0]
}

// event keeps an event of this lock.
func (c *collection) event(e evidence.AppEvent) {
	if c.foreign(e) {
		c.report.Foreign++
		return
	}
	count(c.report.Seen, e.Event)
	c.seq++
	keeper := c.rare
	switch e.Event {
	case evidence.DeedRenew, evidence.DeedHeartbeat, evidence.DeedWrite:
		keeper = c.often
	default:
		if !evidence.KnownDeed(e.Event) {
			keeper = c.often
		}
	}
	if gone, dropped := keeper.Add(c.seq, e); dropped {
		count(c.report.Dropped, gone.Event)
	}
}

// count counts an event by its word; words beyond a number are counted together,
// since anybody may invent them.
func count(by map[evidence.Deed]int, d evidence.Deed) {
	const most, others = 100, "others"
	if _, known := by[d]; !known && len(by) >= most {
		d = others
	}
	by[d]++
}

// foreign says whether an event is about another lock. Libraries name a lock by
// a part of its key, and resources name what they guard by keys of their own:
// only what is done to a lock itself can be another lock's.
func (c *collection) foreign(e evidence.AppEvent) bool {
	switch e.Event {
	case evidence.DeedAcquire, evidence.DeedRenew, evidence.DeedRelease:
		return c.o.Key != "" && e.Key != "" && !partOf(c.o.Key, e.Key) && !partOf(e.Key, c.o.Key)
	}
	return false
}

// partOf says whether part stands in whole, bounded by something else than
// letters and digits: job 4 is not job 14.
func partOf(whole, part string) bool {
	for from := 0; ; {
		i := strings.Index(whole[from:], part)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(part)
		if (i == 0 || !wordy(whole[i-1])) && (end == len(whole) || !wordy(whole[end])) {
			return true
		}
		from = i + 1
	}
}

func wordy(b byte) bool {
	return b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80
}

// problem lists a line that could not be read.
func (c *reading) problem(why string, args ...any) {
	c.report.Malformed++
	if len(c.report.Problems) < maxProblems {
		c.report.Problems = append(c.report.Problems, Problem{Line: c.line, Why: evidence.Clip(fmt.Sprintf(why, args...), maxText)})
	}
}

// harvest ends the collection.
func (c *collection) harvest() Harvest {
	c.settle(evidence.Interval{})
	for what, n := range map[string]int{"clock": c.clock.Dropped(), "cluster": c.cluster.Dropped(), "server": c.server.Dropped()} {
		if n > 0 {
			c.report.Flooded[what] = n
		}
	}
	h := Harvest{Report: c.report}
	type placed struct {
		at int
		e  evidence.AppEvent
	}
	var all []placed
	see := func(at int, e evidence.AppEvent) { all = append(all, placed{at, e}) }
	c.often.Each(see)
	c.rare.Each(see)
	slices.SortFunc(all, func(a, b placed) int { return a.at - b.at })
	for _, p := range all {
		h.Events = append(h.Events, p.e)
	}
	c.clock.Each(func(_ int, n evidence.ClockNotice) { h.Clock = append(h.Clock, n) })
	c.cluster.Each(func(_ int, n evidence.ClusterEvent) { h.Cluster = append(h.Cluster, n) })
	c.server.Each(func(_ int, n evidence.ServerNotice) { h.Server = append(h.Server, n) })
	return h
}
