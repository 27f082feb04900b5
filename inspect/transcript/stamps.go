package transcript

import (
	"regexp"
	"strings"
	"time"

	"github.com/lockscene/lockscene/inspect/shell"
)

// cutStamp takes a date off the front, bare or in brackets.
func cutStamp(line string) (s shell.Stamp, rest string, ok bool) {
	if line == "" {
		return s, line, false
	}
	if end := strings.IndexByte("[(", line[0]); end >= 0 {
		inside, _, closed := strings.Cut(line[1:min(len(line), 64)], "])"[end:end+1])
		if s, ok = stampIn(inside); !closed || !ok {
			return shell.Stamp{}, line, false
		}
		rest = line[len(inside)+2:]
		return s, strings.TrimLeft(strings.TrimPrefix(rest, ":"), " \t"), true
	}
	if line[0] < '0' || line[0] > '9' {
		return s, line, false
	}
	s, rest, ok = shell.CutStamp(line)
	if !ok || s.Precision > time.Minute {
		if s, rest, ok = cutTimeOfDay(line); !ok {
			return shell.Stamp{}, line, false
		}
	}
	if rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return shell.Stamp{}, line, false
	}
	return s, strings.TrimLeft(rest, " \t"), true
}

// stampIn reads a whole text as a date or as a time of day.
func stampIn(text string) (shell.Stamp, bool) {
	if s, rest, ok := cutTimeOfDay(text); ok && rest == "" {
		return s, true
	}
	if s, rest, ok := shell.CutStamp(text); ok && rest == "" {
		return s, s.Precision <= time.Minute
	}
	s, err := shell.ParseStamp(text)
	return s, err == nil && s.Precision <= time.Minute
}

var timeOfDay = regexp.MustCompile(`^[0-2][0-9]:[0-5][0-9](?::[0-6][0-9](?:[.,][0-9]{1,9})?)?`)

// cutTimeOfDay reads hours, minutes and perhaps seconds: a time without a date
// has the year 0.
func cutTimeOfDay(text string) (shell.Stamp, string, bool) {
	m := timeOfDay.FindString(text)
	if m == "" {
		return shell.Stamp{}, text, false
	}
	s, err := shell.ParseStamp("2000-01-01T" + m)
	if err != nil {
		return shell.Stamp{}, text, false
	}
	t := s.Time
	s.Time, s.Dateless = time.Date(0, 1, 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC), true
	return s, text[len(m):], true
}

var stampWithin = regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}[0-9.,:Z+-]*|\b[0-2][0-9]:[0-5][0-9]:[0-6][0-9]\b`)

// stampOf finds a date within a prompt: [ops@quince 03:12:11 ~]$, [03:12 ops@quince ~]$.
func stampOf(prompt string) shell.Stamp {
	if inside, ok := strings.CutPrefix(prompt, "["); ok {
		front, _, _ := strings.Cut(inside, " ")
		if s, known := stampIn(front); known {
			return s
		}
	}
	for _, m := range stampWithin.FindAllString(prompt, 4) {
		if s, ok := stampIn(m); ok {
			return s
		}
	}
	return shell.Stamp{}
}

// clocks tell when a second terminal was pasted after the first: time runs
// backwards between two prompts.
type clocks struct {
	last map[string]shell.Stamp // the newest stamp of each host
	host string                 // whose prompt was stamped last
}

// maxClocks bounds the hosts that are told apart.
const maxClocks = 256

// backwards notes a stamp and says whether time ran backwards before it. Between
// two hosts it may only seem so, where ssh or exit leads from one to the other
// and their clocks differ: moved says that it did.
func (c *clocks) backwards(host string, s shell.Stamp, moved bool) bool {
	if c.last == nil {
		c.last = map[string]shell.Stamp{}
	}
	back := isBefore(s, c.last[host])
	if c.host != host && !moved {
		back = back || isBefore(s, c.last[c.host])
	}
	c.host = host
	if back {
		clear(c.last)
	}
	if len(c.last) < maxClocks {
		c.last[host] = s
	}
	return back
}

// isBefore compares stamps of one kind: a stamp covers its whole last digit, and
// a time of day runs over at midnight.
func isBefore(a, b shell.Stamp) bool {
	if !a.Known() || !b.Known() || a.Zoned != b.Zoned || a.Dateless != b.Dateless {
		return false
	}
	back := b.Time.Sub(a.Time.Add(a.Precision - 1))
	if a.Dateless && back > 12*time.Hour {
		return false
	}
	return back > 0
}
