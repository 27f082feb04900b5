package classify

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// wall places a stretch of the owner's host's wall clock on the coordinator's:
// what logs, units and containers date things by. It is returned as it is, on its
// own clock, where nothing ties the two together.
func (c *incident) wall(i evidence.Interval) evidence.Interval {
	if !i.Known() || i.Clock == evidence.Coordinator {
		return i
	}
	if r := c.reckoned(); r != nil {
		return c.wallReckoned(i, *r)
	}
	for _, l := range c.stamped {
		if l.Span.Start.Wall.IsZero() || !l.Now().Known() {
			continue
		}
		// Both clocks were stamped together, so the wall clock's zero is known as
		// well as one read takes.
		out := evidence.Interval{Clock: evidence.Coordinator}
		if !i.From.IsZero() {
			out.From = c.place(l.Span.Start.Boot + i.From.Sub(l.Span.Start.Wall)).From
		}
		if !i.To.IsZero() {
			out.To = c.place(l.Span.Start.Boot + i.To.Sub(l.Span.Start.Wall)).To
		}
		return out
	}
	return i
}

// wallReckoned goes by way of the axis: the host's wall clock at its zero is
// known within a range.
func (c *incident) wallReckoned(i evidence.Interval, r evidence.Reckoning) evidence.Interval {
	if r.WallFrom.IsZero() || r.Coordinator.IsZero() {
		return i
	}
	out := evidence.Interval{Clock: evidence.Coordinator}
	if !i.From.IsZero() {
		out.From = r.Coordinator.Add(i.From.Sub(r.WallTo))
	}
	if !i.To.IsZero() {
		out.To = r.Coordinator.Add(i.To.Sub(r.WallFrom))
	}
	return out
}

// presumedWall places a moment of the owner's vantage where the lock's course is of
// records and the vantage has dates but no TIME: by its wall clock, which is presumed
// to be kept. Nothing about the owner is proven across that.
func (c *incident) presumedWall(boot time.Duration) (evidence.Interval, bool) {
	r := c.reckoned()
	if c.recalled == "" || r == nil || !r.Coordinator.IsZero() || r.WallFrom.IsZero() || r.WallTo.IsZero() {
		return evidence.Interval{}, false
	}
	return evidence.Interval{From: r.WallFrom.Add(boot - near), To: r.WallTo.Add(boot + near), Clock: evidence.Coordinator}, true
}
