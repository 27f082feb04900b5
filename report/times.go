package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// moment is an interval as people read it: its middle and ± half its width, the
// day only when it is not the day of the capture. Its clock is named unless it
// is the coordinator's, on which everything in a verdict is meant to stand. One that
// may be hours off is no moment: its middle would be taken for one.
func moment(i *evidence.Interval, day time.Time) string {
	switch {
	case i == nil || !i.Known():
		return "unknown"
	case vague(i):
		return notDated
	}
	shown := i.Mid().Round(time.Millisecond)
	out := stamp(shown, day)
	switch {
	case i.From.IsZero():
		out = "before " + out
	case i.To.IsZero():
		out = "after " + out
	case i.Bound() > 0:
		// Rounding the middle moved it; both ends must still be covered.
		out += " ±" + bound(max(shown.Sub(i.From), i.To.Sub(shown)))
	}
	if i.Clock != evidence.Coordinator && i.Clock != "" {
		out += " on clock " + show(string(i.Clock), 24)
	}
	return out
}

const notDated = "not dated"

// vague says whether a moment is known to more than an hour only: a log's line whose
// zone nobody knows, say.
func vague(i *evidence.Interval) bool { return i.Bound() > time.Hour }

func stamp(t, day time.Time) string {
	t = t.UTC()
	format := "15:04:05.000Z"
	if y, m, d := t.Date(); t.IsZero() || day.IsZero() || y != day.Year() || m != day.Month() || d != day.Day() {
		format = "2006-01-02 15:04:05.000Z"
	}
	return t.Format(format)
}

// bound is an error in seconds, rounded up: what is claimed must hold.
func bound(d time.Duration) string {
	ms := (d + time.Millisecond - 1) / time.Millisecond
	if ms < 10_000 {
		return fmt.Sprintf("%d.%03d", ms/1000, ms%1000)
	}
	return fmt.Sprintf("%d s", (ms+999)/1000)
}

// span is a duration in the one unit that suits it.
func span(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d days", d/(24*time.Hour))
}

// size is a number of bytes in the unit that suits it.
func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%d kB", (n+500)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// heldFor is how long the holder had the lock when the coordinator was last
// asked, both by its own clock; empty when either is not known.
func heldFor(b evidence.Bundle) string {
	from := b.Verdict.Times.Acquired
	if from == nil || !from.Closed() || from.Clock != evidence.Coordinator {
		return ""
	}
	for i := len(b.Snapshot.Looks) - 1; i >= 0; i-- {
		if now, ok := b.Snapshot.Looks[i].After.Get(); ok && now.After(from.Mid()) {
			return span(now.Sub(from.Mid()))
		}
	}
	return ""
}

// disappeared is the moment the owner was lost, what says so, and the last time
// it was heard of; without such a moment only the last. The label says which.
func disappeared(b evidence.Bundle) (label, text string) {
	t, day := b.Verdict.Times, b.Capture.Ended()
	switch {
	case t.Disappeared == nil && t.LastRenewal == nil:
		return "", ""
	case t.Disappeared == nil:
		return "renewed", "last at " + moment(t.LastRenewal, day)
	}
	text = moment(t.Disappeared, day)
	if from := sourcesOf(b.Verdict); from != "" && !vague(t.Disappeared) {
		text += " (" + from + ")"
	}
	if t.LastRenewal != nil {
		text += "; last renewal " + moment(t.LastRenewal, day)
	}
	return "disappeared", text
}

// sourcesOf names what dates the disappearance: the verdict's own list, else what
// its owner's answer cites.
func sourcesOf(v evidence.Verdict) string {
	var by []evidence.Citation
	for _, name := range v.Times.DisappearedBy {
		by = append(by, evidence.Citation{Reading: name})
	}
	if len(by) > 0 {
		return sources(by)
	}
	return sources(v.Answers.Owner.Because)
}

// recovery is how long the lock took to become safe again; empty where that is not
// known.
func recovery(t evidence.Times) string {
	var out []string
	for _, r := range rangeRows(t)[1:] {
		if r.took != nil {
			out = append(out, r.name+" "+between(r.took))
		}
	}
	return strings.Join(out, "; ")
}

// A rangeRow is a named stretch of time.
type rangeRow struct {
	name string
	took *evidence.Range
}

func rangeRows(t evidence.Times) []rangeRow {
	return []rangeRow{
		{"disappeared after the last renewal", t.AfterRenewal},
		{"time to safe release", t.ToSafeRelease}, {"time to safe transfer", t.ToSafeTransfer},
	}
}

// between prints a range as its two ends, or as one number where they read alike.
func between(r *evidence.Range) string {
	least, most := span(max(r.Least, 0)), span(max(r.Most, 0))
	if least == most {
		return least
	}
	return least + " to " + most
}

// sources names up to three readings, each once.
func sources(because []evidence.Citation) string {
	var names []string
	seen := make(map[string]bool)
	for _, c := range because {
		if name := show(c.Reading, 40); !seen[name] && len(names) < 3 {
			seen[name] = true
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// A row is a named moment.
type row struct {
	name string
	at   *evidence.Interval
}

func timeRows(t evidence.Times) []row {
	return []row{
		{"acquired", t.Acquired}, {"last renewal", t.LastRenewal}, {"renewal due", t.Due}, {"disappeared", t.Disappeared},
		{"lease ends", t.LeaseEnds}, {"safe release", t.SafeRelease}, {"safe transfer", t.SafeTransfer},
	}
}
