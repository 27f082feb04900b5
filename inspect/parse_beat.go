package inspect

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/shell"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// parseBeatText reads what a terminal showed of the worker's heartbeat file: its
// date, by stat, ls or date -r, or what is in it.
func (p *parser) parseBeatText(probe evidence.Probe, b []byte) {
	beat := evidence.Beat{Span: spanOf(probe), Target: p.snap.Subject.Heartbeat}
	defer func() {
		if len(p.snap.Heartbeat) < maxListed {
			p.snap.Heartbeat = append(p.snap.Heartbeat, beat)
		}
	}()
	text := evidence.Clip(string(b), 4096)
	if strings.Contains(text, "No such file") {
		probe.Status, probe.Why = evidence.Missing, "no such file"
	}
	if !answered(probe) {
		beat.Value = evidence.Refused[string]("heartbeat", probe.Status, probe.Why)
		beat.Age = evidence.Refused[time.Duration]("heartbeat", probe.Status, probe.Why)
		return
	}
	f := p.frame(probe)
	at, ok := time.Time{}, false
	if argv, _ := words(probe, "stat", "ls", "date", "ll"); argv != nil {
		if date, listed := shell.Listed(argv, b, strings.TrimPrefix(beat.Target, "file:")); listed {
			at, ok = listedDate(date, f)
		} else {
			at, ok = fileDate(text, f.Zone)
		}
	} else {
		beat.Value = evidence.Saw("heartbeat", evidence.Clip(text, 256))
		at, ok = timeIn(text)
	}
	switch {
	case !ok:
		beat.Age = evidence.Refused[time.Duration]("heartbeat", evidence.Unsupported, "it shows no time whose zone is known")
	case f.Now.From.IsZero() || probe.Start.Wall.IsZero() && p.eyes(probe).WallAt(0, 0) == (evidence.Interval{}):
		beat.Age = evidence.Refused[time.Duration]("heartbeat", evidence.Unsupported, "nothing in the text tells this host's time when it was read")
	default:
		// The least it can have been: only what is certainly old accuses.
		beat.Age = evidence.Saw("heartbeat", max(f.Now.From.Sub(at), 0))
	}
}

// listedDate reads a date of ls -l. Without its year it was the latest of that day,
// and it counts as the end of its minute: only what is certainly old accuses.
func listedDate(date string, f stamp.Frame) (time.Time, bool) {
	if t, ok := dateIn(date, f.Zone); ok {
		return t, true
	}
	s, ok := stamp.Parse(date)
	i := s.Interval(stamp.Context{Zone: f.Zone, Ref: f.Now.To})
	return i.To, ok && f.Zone != nil && i.Closed()
}

// fileDate finds the time of the last write in what stat, ls -l --full-time or
// date -r printed.
func fileDate(text string, zone *time.Location) (time.Time, bool) {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "Modify: "); ok {
			return dateIn(rest, zone)
		}
	}
	text = strings.TrimSpace(text)
	if t, ok := timeIn(text); ok {
		return t, true
	}
	if t, ok := dateIn(text, zone); ok {
		return t, true
	}
	// ls --full-time: the date stands in three words before the name.
	f := strings.Fields(text)
	for i := 5; i+2 < len(f) && i < 8; i++ {
		if t, ok := dateIn(strings.Join(f[i:i+3], " "), zone); ok {
			return t, true
		}
	}
	return time.Time{}, false
}
