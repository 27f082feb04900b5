package kernel

import (
	"strings"
	"time"
)

// takeISO reads a line that begins with an ISO date: dmesg's own, whose
// fraction stands behind a comma, or a syslog daemon's or journalctl's, in
// which host and tag follow.
func (r *Record) takeISO() bool {
	w, rest, comma, ok := isoStamp(r.Text)
	if !ok || !strings.HasPrefix(rest, " ") {
		return false
	}
	r.Wall, r.Text = w, rest[1:]
	if !comma {
		r.takeHostAndTag()
	}
	return true
}

// takeSyslog reads "Mar  3 02:14:07 HOST TAG[PID]: text"; journalctl's precise
// form has a fraction behind the seconds.
func (r *Record) takeSyslog() bool {
	s := r.Text
	if len(s) < 17 || s[3] != ' ' || s[6] != ' ' {
		return false
	}
	m, ok1 := month(s)
	d, ok2 := day(s[4:])
	t, ok3 := clock(s[7:], 8)
	if !ok1 || !ok2 || !ok3 {
		return false
	}
	w := Wall{Precision: time.Second}
	rest := s[15:]
	if rest[0] == '.' {
		_, n := number(rest[1:])
		frac, ok := fraction(rest[1 : 1+n])
		if !ok {
			return false
		}
		t, w.Precision, rest = t+frac, time.Microsecond, rest[1+n:]
	}
	if !strings.HasPrefix(rest, " ") {
		return false
	}
	w.Time = date(0, m, d, t)
	r.Wall, r.Text = w, rest[1:]
	r.takeHostAndTag()
	return true
}

// takeHostAndTag reads "HOST TAG[PID]: ", undoes a syslog daemon's folding of
// repeats, and reads the seconds the kernel may have printed in front.
func (r *Record) takeHostAndTag() {
	host, rest, ok := strings.Cut(r.Text, " ")
	if !ok || strings.HasSuffix(host, ":") {
		return
	}
	tag, pid, text := splitTag(rest)
	if tag == "" {
		return
	}
	r.Host, r.Tag, r.TagPid, r.Text = host, tag, pid, text
	r.unfold()
	if tag == "kernel" && strings.HasPrefix(r.Text, "[") {
		r.takeBracket()
	}
}

// unfold undoes "message repeated N times: [ text]".
func (r *Record) unfold() {
	rest, ok := strings.CutPrefix(r.Text, "message repeated ")
	if !ok {
		return
	}
	n, w := number(rest)
	inner, ok := strings.CutPrefix(rest[w:], " times: [ ")
	if w == 0 || w > 9 || !ok {
		return
	}
	r.Repeat, r.Text = int(n), strings.TrimSuffix(inner, "]")
}

// maxTag bounds a syslog tag; RFC 3164 allows 32 characters, daemons use more.
const maxTag = 64

// splitTag reads "tag[pid]: text" or "tag: text". The tag is empty when there
// is none.
func splitTag(s string) (tag string, pid int, text string) {
	head := s[:min(len(s), maxTag)]
	end := strings.Index(head, ": ")
	if end <= 0 {
		return "", 0, s
	}
	tag, text = s[:end], s[end+2:]
	if open := strings.IndexByte(tag, '['); open > 0 && strings.HasSuffix(tag, "]") {
		n, w := number(tag[open+1:])
		if w == len(tag)-open-2 && w > 0 && w < 10 {
			tag, pid = tag[:open], int(n)
		}
	}
	if strings.ContainsAny(tag, " \t[]") {
		return "", 0, s
	}
	return tag, pid, text
}

// Date gives the records that carry a month but no year their year, and those
// that carry local time the zone. It walks backwards from ref, the moment the
// log was read or last written: each record gets the year that puts it nearest
// before its successor. A nil zone leaves local times local. A zero ref leaves
// years open until a record that has its own is met.
func Date(records []Record, ref time.Time, zone *time.Location) {
	later := ref.UTC()
	for i := len(records) - 1; i >= 0; i-- {
		w := &records[i].Wall
		if w.Time.IsZero() {
			continue
		}
		if w.Time.Year() == 0 {
			if later.IsZero() {
				continue
			}
			w.Time = withYear(w.Time, later)
		}
		later = w.Time
		if !w.Zone && zone != nil {
			t := w.Time
			w.Time = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone).UTC()
			w.Zone = true
		}
	}
}

// disorder is how much later than its successor a line may be dated: lines of
// several hosts are not sorted, and a zone may separate the two.
const disorder = 36 * time.Hour

// withYear finds the latest year in which t is not after later, and the day
// exists.
func withYear(t, later time.Time) time.Time {
	for y := later.Year() + 1; y > later.Year()-9; y-- {
		d := time.Date(y, t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
		if d.Day() == t.Day() && d.Sub(later) <= disorder {
			return d
		}
	}
	return t
}
