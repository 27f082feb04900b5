package classify

import (
	"fmt"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What language runtimes tell of their own stops. A stop that is over is judged
// like one that lasts: T* decides, not the present.

// collectedShare of the time spent collecting holds up a renewal: threads run for
// less than half of the time, in pieces.
const collectedShare = 0.5

// heldUpByRecord looks for what held the owner up in what others wrote down.
func (c *incident) heldUpByRecord(x *exam) bool {
	return c.pausedBySupervisor(x) || c.machineSlept(x) || c.pausedByCollector(x) || c.collecting(x) || c.deadlocked(x)
}

// ownersRuntime says whether a runtime's record is the owner's: it names no
// process, or the owner's, or the number that the owner has in its own namespace.
func (c *incident) ownersRuntime(pid int) bool {
	named := evidence.NamedIn(c.first.Holder).Pid
	return pid == 0 || pid == named || pid == 1 || c.owner != nil && pid == c.owner.proc.Pid
}

// A stop is one pause on the coordinator's clock.
type stop struct {
	from, to time.Time // it began in between
	took     time.Duration
	rough    bool
	text     string
}

// stops are the owner's pauses that stopped all of its threads.
func (c *incident) stops() []stop {
	var out []stop
	for _, p := range c.s.Host.Pauses {
		at, rough := c.around(p.At)
		if !at.Closed() || p.Took <= 0 || p.Kind == "blocked-thread" || !c.ownersRuntime(p.Pid) {
			continue
		}
		out = append(out, stop{at.From, at.To, p.Took, rough, p.Text})
	}
	return out
}

// pausedByCollector: a stop-the-world pause that began before the renewal was due
// and lasted until it was overdue is why it did not come, though it is over. So
// are many that left less than half of that time.
func (c *incident) pausedByCollector(x *exam) bool {
	if !c.missedOne() || !c.when.Closed() {
		return false
	}
	late := c.lateBy()
	all := c.stops()
	for _, p := range all {
		// It may have begun when the renewal was due and have lasted until that was
		// overdue; it is certain when it must have.
		if p.from.After(c.when.To) || p.to.Add(p.took).Before(late.From) {
			continue
		}
		sure := !p.to.After(c.when.From) && !p.from.Add(p.took).Before(late.To)
		c.byPause(x, p, sure)
		x.says = "stopped by its runtime for " + round(p.took).String() + " over the renewal that was due"
		return true
	}
	if p, sum, span := c.manyStops(all); sum > 0 {
		c.byPause(x, p, false)
		x.says = fmt.Sprintf("stopped by its runtime for %s of %s", round(sum), round(span))
		return true
	}
	return false
}

func (c *incident) byPause(x *exam, p stop, sure bool) {
	c.holdUp(x, "gc log", "gc log", line(p.text), "gc-pause")
	x.cap = x.cap || p.rough || !sure
	if a, b, took, ok := c.collected(); ok && !c.span(a.Span).After(c.when) && took >= p.took {
		x.source("gc totals")
		x.cite("jstat", "its collections took %s between two samples (%d and %d full ones)", round(took), a.Full, b.Full)
	}
}

// manyStops sums the pauses from when the renewal was due until the lease ended,
// or was looked at last.
func (c *incident) manyStops(all []stop) (longest stop, sum, span time.Duration) {
	end := c.now.From
	if ends := c.leaseEnds(); ends.Closed() && ends.From.Before(end) {
		end = ends.From
	}
	span = end.Sub(c.when.From)
	if span < minWatched {
		return stop{}, 0, 0
	}
	for _, p := range all {
		from, to := p.from.Add(p.to.Sub(p.from)/2), p.to.Add(p.took)
		if from.Before(c.when.From) {
			from = c.when.From
		}
		if to.After(end) {
			to = end
		}
		if held := min(to.Sub(from), p.took); held > 0 {
			sum += held
			if p.took > longest.took {
				longest = p
			}
		}
	}
	if float64(sum) < collectedShare*float64(span) {
		return stop{}, 0, 0
	}
	return longest, sum, span
}

// collected is how long the owner's collector worked between its first and its
// last sample.
func (c *incident) collected() (a, b evidence.GCTotals, took time.Duration, ok bool) {
	var rows []evidence.GCTotals
	for _, g := range c.s.Host.Collectors {
		if c.ownersRuntime(g.Pid) && (len(rows) == 0 || g.Pid == rows[0].Pid) {
			rows = append(rows, g)
		}
	}
	if len(rows) < 2 {
		return a, b, 0, false
	}
	a, b = rows[0], rows[len(rows)-1]
	return a, b, b.Took - a.Took, b.Took >= a.Took && b.Full >= a.Full
}

// collecting: by its running totals the collector took at least half of the time
// between two samples. That it stopped all threads meanwhile is presumed: some
// collectors count work that they do beside them.
func (c *incident) collecting(x *exam) bool {
	a, b, took, ok := c.collected()
	span := b.Span.End.Boot - a.Span.Start.Boot
	least := max(c.every/2, minWatched)
	if !ok || !c.missedOne() || took < least || float64(took) < collectedShare*float64(span) || c.span(b.Span).Before(c.when) {
		return false
	}
	text := fmt.Sprintf("its collector worked for %s of %s (%d and %d full collections)", round(took), round(span), a.Full, b.Full)
	c.holdUp(x, "gc totals", "jstat", text, "gc-pause")
	c.later = c.span(a.Span).After(c.when)
	x.cap = true
	return true
}
