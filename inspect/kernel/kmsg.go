package kernel

import (
	"strings"
	"time"
)

// maxText bounds a message put together from fragments. The kernel's own limit
// is 2 KiB a record, and joining costs the length each time.
const maxText = 4 << 10

// ParseKmsg reads records of /dev/kmsg, one after the other:
//
//	PRI,SEQ,USEC,FLAGS[,more];TEXT
//	 KEY=value
//
// Dictionary lines belong to the record above and stay in Raw. A record flagged
// c continues an earlier one of the same caller and is joined to it.
func ParseKmsg(b []byte) []Record {
	s := string(b)
	out := make([]Record, 0, strings.Count(s, "\n")+1)
	start := 0 // of the last record, in s
	at := 0
	eachLine(s, func(line, raw string) {
		begin := at
		at += len(raw)
		if strings.HasPrefix(line, " ") && len(out) > 0 {
			out[len(out)-1].Raw = s[start:at]
			return
		}
		if line == "" {
			return
		}
		out = append(out, Record{}) // filled in its place: it is large, and there are thousands
		r := &out[len(out)-1]
		fragment := r.fromKmsg(line)
		r.Raw = raw
		if fragment && join(out[:len(out)-1], r) {
			out = out[:len(out)-1]
			return
		}
		start = begin
	})
	return out
}

// fromKmsg reads a record's first line; fragment tells that it continues an earlier
// one.
func (r *Record) fromKmsg(line string) (fragment bool) {
	line = strings.TrimSuffix(line, "\r")
	r.Facility, r.Level, r.Text, r.Malformed = Unknown, Unknown, line, true
	head, text, ok := strings.Cut(line, ";")
	if !ok {
		return false
	}
	pri, rest, ok1 := field(head)
	seq, rest, ok2 := field(rest)
	usec, rest, ok3 := field(rest)
	if !ok1 || !ok2 || !ok3 || pri > 0xffff || usec > maxSeconds*1_000_000 {
		return false
	}
	flags, more, _ := strings.Cut(rest, ",")
	r.Facility, r.Level, r.Malformed = int(pri>>3), int(pri&7), false
	r.Seq, r.HasSeq = uint64(seq), true
	r.Printk, r.HasPrintk = time.Duration(usec)*time.Microsecond, true
	r.Caller, r.Text = callerOf(more), unescape(text)
	if r.Facility != 0 {
		r.Tag, r.TagPid, _ = splitTag(r.Text)
	}
	return flags == "c"
}

// field reads a number and the comma behind it.
func field(s string) (n int64, rest string, ok bool) {
	n, w := number(s)
	if w == 0 || w >= len(s) || s[w] != ',' {
		return 0, s, false
	}
	return n, s[w+1:], true
}

// callerOf finds caller=… among the fields a newer kernel may append.
func callerOf(more string) string {
	for more != "" {
		var f string
		f, more, _ = strings.Cut(more, ",")
		if id, ok := strings.CutPrefix(f, "caller="); ok {
			return id
		}
	}
	return ""
}

// fragmentReach is how many records back the beginning of a continued line is
// looked for: other CPUs put a few lines in between, never many.
const fragmentReach = 8

func join(out []Record, r *Record) bool {
	for i := len(out) - 1; i >= 0 && i >= len(out)-fragmentReach; i-- {
		to := &out[i]
		if to.Malformed || to.Caller != r.Caller || to.Facility != r.Facility {
			continue
		}
		if len(to.Text)+len(r.Text) > maxText {
			return false
		}
		to.Text += r.Text
		return true
	}
	return false
}

// unescape undoes \xNN, which is how the device writes every byte that is not
// printable ASCII, and the backslash.
func unescape(s string) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for ; i >= 0; i = strings.IndexByte(s, '\\') {
		out = append(out, s[:i]...)
		s = s[i:]
		if c, ok := escaped(s); ok {
			out = append(out, c)
			s = s[4:]
			continue
		}
		out = append(out, '\\')
		s = s[1:]
	}
	return string(append(out, s...))
}

func escaped(s string) (byte, bool) {
	if len(s) < 4 || s[1] != 'x' {
		return 0, false
	}
	hi, lo := hexDigit(s[2]), hexDigit(s[3])
	return hi<<4 | lo, hi < 16 && lo < 16
}

// hexDigit is 255 for what is none.
func hexDigit(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}

// isKmsg says whether a line begins like a record of /dev/kmsg.
func isKmsg(line string) bool {
	var r Record
	r.fromKmsg(line)
	return !r.Malformed
}
