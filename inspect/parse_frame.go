package inspect

import (
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/shell"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// maxListed bounds every list that grows with the text it is read from.
const maxListed = 20_000

// eyes is the vantage a read was taken from; the first of all when the probe
// names none that is there.
func (p *parser) eyes(probe evidence.Probe) evidence.Vantage {
	for _, v := range p.snap.Vantages {
		if v.Name == probe.Vantage {
			return v
		}
	}
	if len(p.snap.Vantages) > 0 {
		return p.snap.Vantages[0]
	}
	return evidence.Vantage{}
}

// frame is what the dates of a text that was read on a host leave out: its
// clock, its zone, and when that was.
func (p *parser) frame(probe evidence.Probe) stamp.Frame {
	v := p.eyes(probe)
	f := stamp.Frame{Clock: v.HostClock(), Zone: p.zone, Now: readAt(probe, v)}
	if z, err := Zone(v.Zone); err == nil && z != nil {
		f.Zone = z
	}
	return f
}

// readAt is when a read was taken, on the wall clock of the host it was taken on.
// Where a text ties that clock to nothing, it is presumed to show Redis's day.
func readAt(probe evidence.Probe, v evidence.Vantage) evidence.Interval {
	const day = 24 * time.Hour
	from, to := probe.Start.Wall, probe.End.Wall
	if i := v.WallAt(probe.Start.Boot, probe.End.Boot); i.Known() {
		if from.IsZero() {
			from = i.From
		}
		if to.IsZero() {
			to = i.To
		}
	}
	if r := v.Reckoned; r != nil && !r.Coordinator.IsZero() {
		if from.IsZero() {
			from = r.Coordinator.Add(probe.Start.Boot - day)
		}
		if to.IsZero() {
			to = r.Coordinator.Add(probe.End.Boot + day)
		}
	}
	if from.IsZero() && to.IsZero() {
		return evidence.Interval{}
	}
	return evidence.Interval{From: from, To: to, Clock: v.HostClock()}
}

// context is the frame in the words of the readers of logs.
func (p *parser) context(probe evidence.Probe) stamp.Context {
	f := p.frame(probe)
	return stamp.Context{Zone: f.Zone, Ref: f.Now.To}
}

// answered says whether a read brought anything.
func answered(probe evidence.Probe) bool {
	return probe.Status == evidence.OK || probe.Status == evidence.Truncated
}

// words are the arguments of the program that was typed, behind its name, and the
// filters behind it. What stood before it, sudo or an assignment, is passed over.
func words(probe evidence.Probe, programs ...string) (argv []string, filters [][]string) {
	argv, filters = typed(probe)
	for i, w := range argv {
		if slices.Contains(programs, w[strings.LastIndexByte(w, '/')+1:]) {
			return argv[i:], filters
		}
	}
	return nil, filters
}

// dateIn reads a date that a command printed of a file.
func dateIn(text string, z *time.Location) (time.Time, bool) {
	s, err := shell.ParseStamp(strings.TrimSpace(text))
	if err != nil || !s.Known() || s.Dateless {
		return time.Time{}, false
	}
	if !s.Zoned {
		if z == nil {
			return time.Time{}, false
		}
		s = s.In(z)
	}
	return s.Time, true
}
