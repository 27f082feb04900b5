package pasted

import (
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/inspect/reckon"
	"github.com/lockscene/lockscene/inspect/shell"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// tieBoots takes what a host wrote down of its boot: uptime -s, who -b, last -x and
// the journal's list of boots. It does so where neither the kernel's count since
// boot nor btime was read: those are of the clock of now, and these may be of a
// clock that was only set later.
func (im *importer) tieBoots() {
	finest, ref := map[string]reckon.Tie{}, im.moments.latestReading()
	known := map[string]bool{}
	for _, h := range im.hosts() {
		known[h] = im.moments.has(bootOf(h)) || im.moments.tied(h)
	}
	for _, e := range im.entries {
		if e.cli != nil || len(e.Argv) == 0 || e.contained() || len(e.Output) > 1<<16 || known[e.Host] {
			continue
		}
		s, ok := im.bootDate(e, ref)
		if !ok {
			continue
		}
		at := time.Duration(s.Time.UnixNano())
		tie := reckon.Tie{Ahead: im.clockNow(e.Host, s), Of: bootOf(e.Host), By: reckon.Range{Lo: at, Hi: at + s.Precision}}
		if was, seen := finest[e.Host]; !seen || was.By.Hi-was.By.Lo > s.Precision {
			finest[e.Host] = tie
		}
	}
	for _, host := range im.hosts() {
		if tie, ok := finest[host]; ok {
			im.moments.ties = append(im.moments.ties, tie)
		}
	}
}

// bootDate is when a host's present boot began, as a command dates it. A date
// without a year was before ref.
func (im *importer) bootDate(e entry, ref time.Time) (shell.Stamp, bool) {
	switch program(e) {
	case "uptime", "who":
		u, err := shell.ParseUptime(e.Argv, e.Output)
		return im.zoned(u.Since), err == nil && u.Since.Known() && !u.Since.Dateless && (program(e) == "uptime" || strings.Contains(firstLine(e.Output), "system boot"))
	case "last":
		return im.bootLine(e.Output, ref, 0, func(line string) (string, bool) {
			_, date, ok := strings.Cut(line, "system boot")
			_, date, _ = strings.Cut(strings.TrimSpace(date), " ") // the kernel's release
			return date, ok && strings.Contains(line, "still running")
		})
	case "journalctl":
		if !slices.Contains(e.Argv, "--list-boots") {
			return shell.Stamp{}, false
		}
		const late = 30 * time.Second // the journal begins with its daemon
		return im.bootLine(e.Output, ref, late, func(line string) (string, bool) {
			f := strings.Fields(strings.NewReplacer("—", " ", "–", " ").Replace(line))
			if len(f) < 4 || f[0] != "0" || len(f[1]) != 32 {
				return "", false
			}
			return strings.Join(f[2:], " "), true
		})
	}
	return shell.Stamp{}, false
}

// bootLine finds the one line that tells of the present boot, and the date in it,
// which was written down up to late after it.
func (im *importer) bootLine(text []byte, ref time.Time, late time.Duration, date func(line string) (string, bool)) (shell.Stamp, bool) {
	for line := range strings.Lines(string(text)) {
		found, ok := date(line)
		if !ok {
			continue
		}
		s, _, _, ok := stamp.Find(found)
		i := s.Interval(stamp.Context{Zone: time.UTC, Ref: ref}) // the zone comes below
		if !ok || !i.Closed() {
			return shell.Stamp{}, false
		}
		return im.zoned(shell.Stamp{Time: i.From.Add(-late), Precision: i.To.Sub(i.From) + late, Zoned: s.Zoned}), true
	}
	return shell.Stamp{}, false
}

// latestReading is the latest date that the text shows.
func (m *moments) latestReading() time.Time {
	var last time.Duration
	for _, k := range m.marks {
		if !strings.HasPrefix(k.Clock, "boot ") && !strings.HasPrefix(k.Clock, "up ") {
			last = max(last, k.Reading.Hi)
		}
	}
	if last == 0 {
		return time.Time{}
	}
	return time.Unix(0, int64(last)).UTC()
}
