package classify

import (
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

// A Placed is one thing that was recorded of a lock, where it lies on the
// coordinator's clock and whose doing it was.
type Placed struct {
	evidence.AppEvent
	On     evidence.Interval // when, on the coordinator's clock; unknown: nothing dates it
	Sure   bool              // that place was measured; else clocks are presumed to be kept
	Party  string            // who did it, by one name throughout
	Holder bool              // the party is the one that held the lock first
	Seen   bool              // the coordinator itself shows it: nobody wrote it down
}

// Record is everything that was recorded of the lock in its order: the applications'
// and the resource's own events, and the acquires that the coordinator itself shows.
// It is what a proof is checked against.
func Record(s evidence.Snapshot) []Placed {
	c := open(s)
	var out []Placed
	add := func(r recorded, seen bool) {
		out = append(out, Placed{AppEvent: r.AppEvent, On: r.on, Sure: r.sure, Party: r.party, Holder: c.ofHolder(r), Seen: seen})
	}
	for _, r := range c.record {
		add(r, false)
	}
	for _, r := range c.takings() {
		add(r, true)
	}
	slices.SortStableFunc(out, func(a, b Placed) int { return a.On.From.Compare(b.On.From) })
	return out
}
