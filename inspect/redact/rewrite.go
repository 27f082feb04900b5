package redact

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lockscene/lockscene/evidence"
)

// capture rewrites capture.json. The note goes: it is prose, in which anything
// may be named.
func (r *redactor) capture(c evidence.Capture) evidence.Capture {
	c.Redacted = true
	c.Note = ""
	c.Ticket = r.exact(c.Ticket)
	c.Clashes = slices.Clone(c.Clashes)
	for i := range c.Clashes {
		c.Clashes[i] = r.text(c.Clashes[i])
	}
	c.Vantages = slices.Clone(c.Vantages)
	s := &c.Subject
	s.Key = r.exact(s.Key)
	s.Redis, s.Unit, s.Cgroup, s.Container = r.text(s.Redis), r.text(s.Unit), r.text(s.Cgroup), r.text(s.Container)
	if kind, what, ok := strings.Cut(s.Heartbeat, ":"); ok {
		s.Heartbeat = kind + ":" + r.text(what)
	}
	for i := range c.Vantages {
		v := &c.Vantages[i]
		v.Name, v.Host, v.BootID, v.Remote = r.text(v.Name), r.text(v.Host), r.text(v.BootID), r.text(v.Remote)
		v.Inside = evidence.Inside{Pod: r.text(v.Inside.Pod), Namespace: r.text(v.Inside.Namespace), Container: r.text(v.Inside.Container)}
		v.Candidates = slices.Clone(v.Candidates)
		for j := range v.Candidates {
			v.Candidates[j].Detail = r.text(v.Candidates[j].Detail)
		}
	}
	return c
}

// exact rewrites a field that is one name as a whole.
func (r *redactor) exact(s string) string {
	if to, ok := r.names.to[s]; ok {
		return to
	}
	return r.text(s)
}

// A piece is one stretch of one raw file that a probe refers to.
type piece struct {
	file         string
	offset, size int64
	name         string
}

// rewriteAll rewrites every probe and the bytes it brought. Bytes no probe refers
// to have no format, and are left out.
func (r *redactor) rewriteAll(b evidence.Bundle, out *Copy) {
	out.Raw = map[string][]byte{}
	done := map[piece]piece{}
	r.files, r.taken = map[string]string{}, map[string]bool{}
	dropped := map[string]bool{}
	for _, p := range b.Probes {
		q := p
		q.Source, q.Why, q.Vantage = r.text(p.Source), r.text(p.Why), r.text(p.Vantage)
		q.Commands = r.commands(p.Commands)
		if isProse(p.Name) {
			q.Source, q.Commands = r.word("typed", p.Source), nil
		}
		if p.File != "" {
			at := piece{p.File, p.Offset, p.Bytes, p.Name}
			to, again := done[at]
			if !again {
				data, ok := r.bytes(b.Raw, p)
				if ok {
					to = out.add(r.member(p.File), data)
				} else if !dropped[p.Source] {
					dropped[p.Source] = true
					out.Dropped = append(out.Dropped, q.Source)
				}
				done[at] = to
			}
			q.File, q.Offset, q.Bytes = to.file, to.offset, to.size
			if to.file == "" {
				q.Status, q.Why, q.Offset, q.Bytes = evidence.Skipped, "redacted", 0, 0
			}
		}
		out.Probes = append(out.Probes, q)
	}
}

// add appends bytes to a file of the copy.
func (c *Copy) add(file string, data []byte) piece {
	at := piece{file: file, offset: int64(len(c.Raw[file])), size: int64(len(data))}
	c.Raw[file] = append(c.Raw[file], data...)
	if c.Raw[file] == nil {
		c.Raw[file] = []byte{}
	}
	return at
}

// bytes rewrites what one probe brought.
func (r *redactor) bytes(raw map[string][]byte, p evidence.Probe) ([]byte, bool) {
	file := raw[p.File]
	if p.Offset < 0 || p.Bytes < 0 || p.Offset > int64(len(file)) || p.Bytes > int64(len(file))-p.Offset {
		return nil, false
	}
	return r.rewrite(p, file[p.Offset:p.Offset+p.Bytes])
}

// commands rewrites commands as sent. The lock's name is one argument of them,
// even where it is a word that means something elsewhere.
func (r *redactor) commands(list []string) []string {
	if list == nil {
		return nil
	}
	out := make([]string, len(list))
	for i, c := range list {
		verb, rest, args := strings.Cut(c, " ")
		if !args {
			out[i] = c
			continue
		}
		out[i] = verb + " " + r.text(rest)
	}
	return out
}

// member rewrites the name of a raw file, element by element. Two names never
// become one.
func (r *redactor) member(name string) string {
	if to, ok := r.files[name]; ok {
		return to
	}
	vantage, rest, _ := strings.Cut(name, "/")
	to := r.text(vantage) + "/" + evidence.MemberName(r.text(unescape(rest)))
	if strings.Contains(name, "@-") { // cut: its end is a digest of the name, its beginning a part
		to = r.text(vantage) + "/" + r.word("file", name)
	}
	if r.taken[to] {
		to = path.Dir(to) + "/" + r.word("file", name)
	}
	r.files[name], r.taken[to] = to, true
	return to
}

// unescape undoes the escapes of a member's name, where they are whole.
func unescape(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		var c byte
		if s[i] == '@' && i+2 < len(s) {
			if n, _ := fmt.Sscanf(s[i+1:i+3], "%02X", &c); n == 1 {
				out.WriteByte(c)
				i += 2
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// lines rewrites text line by line.
func lines(b []byte, each func(string) string) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(b) {
		body := bytes.TrimRight(line, "\r\n")
		out.WriteString(each(string(body)))
		out.Write(line[len(body):])
	}
	return out.Bytes()
}

// isText says whether bytes are text that a dictionary can be held against.
func isText(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }
