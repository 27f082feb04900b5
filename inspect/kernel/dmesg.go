package kernel

import (
	"strings"
	"time"
)

// ParseDmesg reads the log as text, one record a line, in any style of dmesg
// (plain, -r, -x, -d, -T, -H, -e, iso, with or without callers), as a syslog
// daemon wrote it, or as journalctl's short forms print it. A line without any
// prefix is a record of which only the text is known.
func ParseDmesg(b []byte) []Record {
	s := string(b)
	out := make([]Record, 0, strings.Count(s, "\n")+1)
	var minute Wall // what the human style's deltas count from
	eachLine(s, func(line, raw string) {
		line = strings.TrimSuffix(plain(line), "\r")
		if line == "" {
			return
		}
		out = append(out, Record{Facility: Unknown, Level: Unknown, Raw: raw, Text: line})
		r := &out[len(out)-1]
		delta := readPrefix(r)
		switch {
		case delta && !minute.Time.IsZero():
			minute.Time = minute.Time.Add(r.Delta)
			r.Wall = minute
		case r.Wall.Precision == time.Minute:
			minute = r.Wall
		}
		if r.Facility > 0 && r.Tag == "" {
			r.Tag, r.TagPid, _ = splitTag(r.Text)
		}
	})
	return out
}

// readPrefix moves what stands in front of the message from Text into the
// record's fields. It reports a line that carries nothing but a delta.
func readPrefix(r *Record) (delta bool) {
	r.takePriority()
	r.takeNames()
	switch {
	case r.Text == "":
	case r.Text[0] == '[':
		delta = r.takeBracket()
	case r.takeISO(), r.takeSyslog():
	}
	r.takeCaller()
	return delta
}

// takePriority reads the <N> of raw dmesg, pstore and netconsole.
func (r *Record) takePriority() {
	s := r.Text
	if len(s) < 3 || s[0] != '<' {
		return
	}
	n, w := number(s[1:])
	if w == 0 || w > 5 || len(s) <= w+1 || s[w+1] != '>' {
		return
	}
	r.Facility, r.Level = int(n>>3), int(n&7)
	r.Text = s[w+2:]
}

// takeNames reads the padded words of dmesg -x: "kern  :err   : ".
func (r *Record) takeNames() {
	s := r.Text
	if len(s) < 8 || s[0] < 'a' || s[0] > 'z' {
		return
	}
	c1 := strings.IndexByte(s[:min(len(s), 10)], ':')
	if c1 < 0 {
		return
	}
	rest := s[c1+1:]
	c2 := strings.IndexByte(rest[:min(len(rest), 9)], ':')
	if c2 < 0 || !strings.HasPrefix(rest[c2+1:], " ") {
		return
	}
	f, l := facility(strings.TrimRight(s[:c1], " ")), level(strings.TrimRight(rest[:c2], " "))
	if f == Unknown || l == Unknown {
		return
	}
	r.Facility, r.Level = f, l
	r.Text = rest[c2+2:]
}

// takeBracket reads the time in square brackets.
func (r *Record) takeBracket() (delta bool) {
	end := strings.IndexByte(r.Text[:min(len(r.Text), 64)], ']')
	if end < 0 {
		return false
	}
	in, rest := r.Text[1:end], strings.TrimPrefix(r.Text[end+1:], " ")
	if open := strings.IndexByte(in, '<'); open > 0 {
		d, ok := seconds(strings.Trim(in[open:], "<> "))
		if !ok {
			return false
		}
		in, r.Delta = strings.TrimRight(in[:open], " "), d
	}
	if t, ok := seconds(in); ok {
		r.Printk, r.HasPrintk = t, true
		r.Text = rest
		r.takeMonotonicTag()
		return false
	}
	if w, ok := ctime(in); ok {
		r.Wall, r.Text = w, rest
		return false
	}
	if w, ok := humanMinute(in); ok {
		r.Wall, r.Text = w, rest
		return false
	}
	if d, ok := signed(in); ok {
		r.Delta, r.Text = d, rest
		return true
	}
	return false
}

// takeMonotonicTag reads the "HOST kernel: " that journalctl's short-monotonic
// form puts between the seconds and the message.
func (r *Record) takeMonotonicTag() {
	host, rest, ok := strings.Cut(r.Text, " ")
	if !ok || strings.HasSuffix(host, ":") {
		return
	}
	if text, ok := strings.CutPrefix(rest, "kernel: "); ok {
		r.Host, r.Tag, r.Text = host, "kernel", text
	}
}

// takeCaller reads the "[   T123] " or "[    C1] " behind the time, on kernels
// that print callers.
func (r *Record) takeCaller() {
	s := r.Text
	if len(s) < 4 || s[0] != '[' || !r.HasPrintk && r.Wall.Time.IsZero() {
		return
	}
	end := strings.IndexByte(s[:min(len(s), 24)], ']')
	if end < 0 {
		return
	}
	id := strings.TrimLeft(s[1:end], " ")
	if id == "" || id[0] != 'T' && id[0] != 'C' {
		return
	}
	if _, w := number(id[1:]); w == 0 || w != len(id)-1 {
		return
	}
	r.Caller, r.Text = id, strings.TrimPrefix(s[end+1:], " ")
}

// plain drops the colour codes a terminal's scrollback may still carry.
func plain(s string) string {
	if strings.IndexByte(s, 0x1b) < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != 0x1b {
			out = append(out, s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == '[' {
			for i += 2; i < len(s) && (s[i] < '@' || s[i] > '~'); i++ {
			}
		}
	}
	return string(out)
}

// facility is the number syslog gives a facility's name.
func facility(name string) int { return index(facilities[:], name) }

// level is the number syslog gives a level's name.
func level(name string) int { return index(levels[:], name) }

var (
	facilities = [...]string{"kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron", "authpriv", "ftp"}
	levels     = [...]string{"emerg", "alert", "crit", "err", "warn", "notice", "info", "debug"}
)

func index(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return Unknown
}
