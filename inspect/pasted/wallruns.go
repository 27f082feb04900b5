package pasted

import (
	"math"
	"regexp"
	"strconv"
	"time"

	"github.com/lockscene/lockscene/inspect/shell"
)

// A host's wall clock may be set while somebody works on it. From then on its dates
// are those of another clock: one difference to every other clock holds no longer.
// Two things tell it from a second terminal that was pasted behind the first: the
// kernel's count since boot, which goes on while the dates do not fit it any more,
// and the host's own clock daemon.

// A wallRun is one stretch of a host's dates between two settings, with what its
// readings leave of the difference to the count since boot.
type wallRun struct {
	least, most  time.Duration // wall clock minus count
	wall, boot   time.Duration // the latest readings
	first, last  int           // entries of the first and the last date
	dated, timed bool
}

func newRun() *wallRun { return &wallRun{least: math.MinInt64, most: math.MaxInt64} }

// findSteps marks the entries at which a host's dates begin anew.
func (im *importer) findSteps() {
	im.stepped = map[int]bool{}
	runs := map[string]*wallRun{}
	for i, e := range im.entries {
		if s, host, ok := im.wallReading(e); ok {
			key := strconv.Itoa(e.Terminal) + " " + clockOf(host, s)
			if runs[key] == nil {
				runs[key] = newRun()
			}
			if r := runs[key]; r.date(i, time.Duration(s.Time.UnixNano()), s.Precision) && im.countGoesOn(i, host, r.boot) {
				im.stepped[i] = true
				*r = *newRun()
				r.date(i, time.Duration(s.Time.UnixNano()), s.Precision)
			}
		}
		lo, hi, ok := im.countSince(i)
		if !ok {
			continue
		}
		for _, clock := range []string{wallOf(e.Host), localOf(e.Host)} {
			r := runs[strconv.Itoa(e.Terminal)+" "+clock]
			if r != nil && r.count(lo, hi) && r.last > r.first {
				im.stepped[r.last] = true
				from, wall := r.last, r.wall
				*r = *newRun()
				r.date(from, wall, 0)
				r.count(lo, hi)
			}
		}
	}
}

// date notes a date, and says whether it is too early for the counts before it.
func (r *wallRun) date(i int, at, precision time.Duration) bool {
	if r.timed && r.least != math.MinInt64 && at+precision-r.boot < r.least-tolerance {
		return true
	}
	if r.timed {
		r.most = min(r.most, at+precision-r.boot)
	}
	if !r.dated {
		r.first, r.dated = i, true
	}
	r.wall, r.last = at, i
	return false
}

// count notes a count, and says whether the date before it was too late for those
// before that one.
func (r *wallRun) count(lo, hi time.Duration) bool {
	if r.timed && hi < r.boot { // another boot, or another terminal
		*r = *newRun()
	}
	if r.dated && r.most != math.MaxInt64 && r.wall-hi > r.most+tolerance {
		return true
	}
	if r.dated {
		r.least = max(r.least, r.wall-hi)
	}
	r.boot, r.timed = lo, true
	return false
}

// countGoesOn says whether the next count of a host that the text shows is later
// than the last one: dates and counts of another terminal would both be earlier.
func (im *importer) countGoesOn(from int, host string, last time.Duration) bool {
	const far = 100 // entries
	for i := from; i < min(from+far, len(im.entries)); i++ {
		if im.entries[i].Host != host || im.entries[i].Terminal != im.entries[from].Terminal {
			continue
		}
		if lo, _, ok := im.countSince(i); ok {
			return lo > last
		}
	}
	return false
}

// wallReading is wallMoment with its precision.
func (im *importer) wallReading(e entry) (s shell.Stamp, host string, ok bool) {
	if s := im.stampOf(e); s.Known() && !s.Dateless {
		return s, e.typedAt(), true
	}
	s, ok = im.dated(e)
	return s, e.Host, ok
}

// countSince is the kernel's count that an entry read.
func (im *importer) countSince(i int) (lo, hi time.Duration, ok bool) {
	e := im.entries[i]
	if e.cli != nil || len(e.Argv) == 0 || len(e.Output) > 1<<16 || e.contained() {
		return 0, 0, false
	}
	if u, err := shell.ParseUptime(e.Argv, e.Output); err == nil && u.Hi > 0 {
		return u.Lo, u.Hi, true
	}
	for _, f := range im.filesOf(i) {
		if placeOf(f.Path).name == "host/uptime" {
			if up, err := shell.ProcUptime(f.Bytes); err == nil {
				return up.Lo, up.Hi, true
			}
		}
	}
	return 0, 0, false
}

// setBackBy says whether a host's own clock daemon tells, near an entry, that it
// set the clock back by at least as much as the dates went.
func (im *importer) setBackBy(at int, host string, by time.Duration) bool {
	const near, pause = 30, 10 * time.Minute
	for i := max(at-near, 0); i < min(at+near, len(im.entries)); i++ {
		e := im.entries[i]
		if e.Host != host || e.cli != nil || e.contained() {
			continue
		}
		for _, m := range setBackLine().FindAllSubmatch(e.Output, 16) {
			n, err := strconv.ParseFloat(string(m[1]), 64)
			if d := time.Duration(n * float64(time.Second)); err == nil && n < 1e6 && d >= by-tolerance && d <= by+pause {
				return true
			}
		}
	}
	return false
}

func setBackLine() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:stepped by|step time server \S+ offset) -(\d+(?:\.\d+)?) s`)
}
