package inspect

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/shell"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// psLag is how far ps may be off: it reckons a start from the uptime, and cuts
// both to seconds.
const psLag = time.Second

// began is when a process began, as ps dates it: to the second by lstart, else by
// START or STIME, which tell the time of the last day, before that the day, and
// before this year the year alone.
func began(row shell.Row, f stamp.Frame) (evidence.Interval, bool) {
	i := evidence.Interval{}
	switch day, err := time.Parse("Jan2", strings.ReplaceAll(row.Start, " ", "")); {
	case row.Started.Known() && !row.Started.Dateless:
		i = dated(f, stamp.Stamp{Time: row.Started.Time, Width: row.Started.Precision, Zoned: row.Started.Zoned})
	case strings.Contains(row.Start, ":"):
		i = lastAt(row.Start, f)
	case err == nil:
		i = dated(f, stamp.Stamp{Time: day, Width: 24 * time.Hour, Short: true})
	default:
		if year, err := time.Parse("2006", row.Start); err == nil {
			i = dated(f, stamp.Stamp{Time: year, Width: 366 * 24 * time.Hour})
		}
	}
	if !i.Closed() {
		return evidence.Interval{}, false
	}
	i = i.Shift(-psLag, psLag)
	if now := f.Now.To; !now.IsZero() && i.To.After(now) && !i.From.After(now) {
		i.To = now // a day that is not over yet
	}
	i.Clock = f.Clock
	return i, true
}

func dated(f stamp.Frame, s stamp.Stamp) evidence.Interval {
	return s.Interval(stamp.Context{Zone: f.Zone, Ref: f.Now.To})
}

// lastAt is the latest moment before the reading at which a local clock showed
// this time of day: ps shows older starts by their day.
func lastAt(text string, f stamp.Frame) evidence.Interval {
	layout, width := "15:04", time.Minute
	if strings.Count(text, ":") == 2 {
		layout, width = "15:04:05", time.Second
	}
	day, err := time.Parse(layout, text)
	if err != nil || f.Zone == nil || !f.Now.Closed() {
		return evidence.Interval{}
	}
	before := func(now time.Time) time.Time {
		n := now.In(f.Zone)
		t := time.Date(n.Year(), n.Month(), n.Day(), day.Hour(), day.Minute(), day.Second(), 0, f.Zone)
		if t.After(now.Add(psLag)) {
			t = time.Date(n.Year(), n.Month(), n.Day()-1, day.Hour(), day.Minute(), day.Second(), 0, f.Zone)
		}
		return t.UTC()
	}
	return evidence.Interval{From: before(f.Now.From), To: before(f.Now.To).Add(width)}
}
