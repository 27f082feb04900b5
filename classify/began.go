package classify

import (
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

// startedBy is when the process began at the latest, by its threads' clocks: none
// can have run for longer than it has lived. A live look always has its start; of
// text something must tell that it is no zombie, which keeps its clocks.
func (c *incident) startedBy(p evidence.Process) (evidence.Interval, bool) {
	out := evidence.Interval{Clock: evidence.Coordinator}
	lives := func(l evidence.ProcLook) bool {
		letter, known := state(l)
		return known && letter != "Z" && letter != "X" || l.Sockets.State == evidence.Seen
	}
	if c.reckoned() == nil || !slices.ContainsFunc(p.Looks, lives) && !ranBetween(p.Looks) {
		return out, false
	}
	for _, l := range p.Looks {
		to := c.span(l.Span).To
		for _, t := range l.Tasks.Or(nil) {
			if by := to.Add(-t.Run); !to.IsZero() && clocked(t) && (out.To.IsZero() || by.Before(out.To)) {
				out.To = by
			}
		}
	}
	return out, out.Known()
}

// ranBetween says whether a CPU clock of a process moved from one look to a later.
func ranBetween(looks []evidence.ProcLook) bool {
	var last *evidence.ProcLook
	for i := range looks {
		if !hasTasks(looks[i]) {
			continue
		}
		if last != nil {
			if _, all, known := progress(*last, looks[i]); known && all > 0 {
				return true
			}
		}
		last = &looks[i]
	}
	return false
}
