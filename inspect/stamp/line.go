package stamp

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Line reads what dates a line of a log, and returns the line without the dates
// in front of it. A collector may have put its own before the program's: the
// innermost counts, since it is the nearest to the event, unless it is much
// vaguer.
func (f Frame) Line(line string) (at evidence.Interval, text string) {
	at, text = evidence.Interval{Clock: f.Clock}, line
	for range 3 {
		inner, rest, ok := f.Leading(text)
		if !ok {
			break
		}
		if at = Nearer(at, inner); rest == "" {
			return at, ""
		}
		text = unwrapped(strings.TrimPrefix(rest, ": "))
	}
	if inner, ok := f.field(text); ok {
		at = Nearer(at, inner)
	}
	return at, text
}

// Nearer chooses between a collector's date and the program's own.
func Nearer(outer, inner evidence.Interval) evidence.Interval {
	if !inner.Closed() || outer.Closed() && inner.Bound() > time.Hour && outer.Bound() < time.Hour {
		return outer
	}
	return inner
}

// named finds the date in a line of fields: logfmt, or an object of JSON.
var named = regexp.MustCompile(`^(?:ts|time|timestamp|t)="?|"(?:@?timestamp|time|ts|t)" ?: ?"`)

func (f Frame) field(text string) (evidence.Interval, bool) {
	head := text[:min(len(text), 1024)]
	if !strings.HasPrefix(head, "{") && !strings.HasPrefix(head, "t") {
		return evidence.Interval{}, false
	}
	m := named.FindStringIndex(head)
	if m == nil {
		return evidence.Interval{}, false
	}
	at, _, ok := f.Leading(head[m[1]:])
	return at, ok
}

// unwrapped takes off what a container's log, a pod's, or syslog puts between
// its date and the program's own line: "stdout F ", "host java[4711]: ", and from
// busybox "host daemon.err java[4711]: ".
func unwrapped(s string) string {
	for _, stream := range [...]string{"stdout F ", "stderr F ", "stdout P ", "stderr P "} {
		if rest, ok := strings.CutPrefix(s, stream); ok {
			return rest
		}
	}
	head := s[:min(len(s), 128)]
	host, rest, ok := strings.Cut(head, " ")
	if facility, tagged, ok := strings.Cut(rest, " "); ok && facilityAndLevel(facility) {
		host, rest = host+" "+facility, tagged
	}
	tag, _, colon := strings.Cut(rest, "]: ")
	if ok && colon && host != "" && !strings.ContainsAny(tag, " ") && strings.Contains(tag, "[") && !strings.HasPrefix(host, "[") {
		return s[len(host)+1+len(tag)+3:]
	}
	return s
}

// facilityAndLevel says whether a word is syslog's facility and level, daemon.err.
func facilityAndLevel(word string) bool {
	facility, level, ok := strings.Cut(word, ".")
	return ok && facility != "" && slices.Contains([]string{"emerg", "alert", "crit", "err", "error", "warn", "warning", "notice", "info", "debug"}, level)
}
