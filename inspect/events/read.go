package events

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis/serverlog"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// A reading is one source while it is read.
type reading struct {
	*collection
	o      Options
	source string
	m      *Mapping
	redis  *serverlog.Reader
	line   int
}

// Read reads a source that citations call by its name. Without a mapping the
// ready-made ones are tried. An error means that the reader failed; what came
// before it is returned.
func Read(r io.Reader, source string, m *Mapping, o Options) (Harvest, error) {
	if m == nil {
		var err error
		if m, err = Load("auto", nil); err != nil {
			return Harvest{}, err
		}
	}
	if o.Clock == "" {
		o.Clock = evidence.Clock("app:" + source)
	}
	c := &reading{collection: collect(o), o: o, source: source, m: m,
		redis: serverlog.NewReader(source, serverlog.Options{Context: o.Context, Clock: o.Clock})}
	in := bufio.NewReaderSize(r, maxLine)
	var err error
	if isDocument(in) {
		err = c.document(in, where{})
	} else {
		err = c.lines(in)
	}
	h := c.harvest()
	log := c.redis.Log()
	h.Server = append(h.Server, log.Notices...)
	maps.Copy(h.Report.Flooded, log.Dropped)
	if err != nil {
		return h, fmt.Errorf("read events %s: %w", source, err)
	}
	return h, nil
}

// isDocument says whether a source is JSON that spans lines, or one line too
// long to be an event.
func isDocument(in *bufio.Reader) bool {
	head, _ := in.Peek(peekBytes)
	head = bytes.TrimLeft(head, " \t\r\n\ufeff")
	if len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return false
	}
	// "[41207] 29 Nov" and "{app=…}" are no JSON.
	next := bytes.TrimLeft(head[1:], " \t\r\n")
	if len(next) > 0 && bytes.IndexByte([]byte(`{["}]`), next[0]) < 0 || head[0] == '{' && len(next) > 0 && next[0] != '"' && next[0] != '}' {
		return false
	}
	if head[0] == '[' {
		return true
	}
	first, rest, whole := bytes.Cut(head, []byte("\n"))
	if !whole {
		return len(head) > peekBytes/2
	}
	second, _, _ := bytes.Cut(rest, []byte("\n"))
	return !json.Valid(first) && !json.Valid(bytes.TrimSpace(second))
}

func (c *reading) lines(in *bufio.Reader) error {
	for {
		line, err := in.ReadSlice('\n')
		text := string(line)
		for err == bufio.ErrBufferFull {
			_, err = in.ReadSlice('\n')
		}
		if text = strings.TrimSpace(text); text != "" {
			c.line++
			c.report.Lines++
			c.text(text, where{})
		} else if len(line) > 0 {
			c.line++
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// where is what the carriers of a text said of it.
type where struct {
	carrier stamp.Stamp // when it was carried; zero: nobody said
	actor   string
	depth   int // carriers undone so far
}

var colours = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")

// text judges one line, or the text inside a record.
func (c *reading) text(s string, w where) {
	if strings.IndexByte(s, 0x1b) >= 0 {
		s = colours.ReplaceAllString(s, "")
	}
	s = strings.TrimSpace(s)
	if w.depth < maxDepth && c.json(s, w) {
		return
	}
	if len(s) > maxMatched {
		s = s[:maxMatched]
	}
	if c.m.server && c.serverLine(s, w) || c.match(s, w) || c.m.chronyd && c.chronyd(s, w) || c.logfmt(s, w) {
		return
	}
	// A line that is no event still dates those before it.
	if at, ok := c.dateOf(s, w); ok {
		c.dated(at.Interval(c.o.Context))
	}
	if s[:min(1, len(s))] == "{" && w.depth == 0 {
		c.problem("it begins like JSON and is none")
		return
	}
	c.report.Other++
}

// json undoes a JSON object, at the beginning of a line or behind a prefix that
// ends with it.
func (c *reading) json(s string, w where) bool {
	at := strings.Index(s, `{"`) // logcli prints labels in braces before the line
	if s != "" && s[0] == '{' && strings.HasPrefix(strings.TrimLeft(s[1:], " \t"), `"`) {
		at = 0
	}
	if at < 0 || at > 300 || s[len(s)-1] != '}' {
		return false
	}
	d := json.NewDecoder(strings.NewReader(s[at:]))
	d.UseNumber()
	var object map[string]any
	if d.Decode(&object) != nil || d.InputOffset() != int64(len(s)-at) {
		return false
	}
	if prefix := s[:at]; at > 0 {
		if st, _, after, ok := stamp.Find(prefix); ok {
			w.carrier = st
			w.actor = first(writer(after), w.actor)
		}
	}
	w.depth++
	if wraps(object) {
		// A decoded document cannot fail to decode again, other than by its depth.
		if err := c.document(strings.NewReader(s[at:]), w); err != nil {
			c.problem("%v", err)
		}
		return true
	}
	// An object behind a message is its context, unless it is an event or has a
	// message itself.
	if at == 0 {
		c.object(object, w)
		return true
	}
	f := flatten(object)
	return (c.eventful(f) || f.message() != "") && c.object(object, w)
}

// serverLine hands a line to the reader of Redis logs, with its carrier's date
// in front where that stood outside the text.
func (c *reading) serverLine(s string, w where) bool {
	if !w.carrier.Time.IsZero() && w.carrier.Zoned {
		s = w.carrier.Time.UTC().Format("2006-01-02T15:04:05.000000000Z ") + s
	}
	if !c.redis.Line(s, c.line) {
		return false
	}
	c.report.Matched["redis-server"]++
	return true
}

// A line's date stands at its beginning, behind at most a few words, such as a
// level, a thread or an address; further on it is what the line talks about.
const maxWords = 3

// near is how far a date behind such words may be from the carrier's to be
// taken for the line's.
const near = 10 * time.Minute

// dateOf finds the date of a line: its own, in the zone its carrier may tell,
// else its carrier's.
func (c *reading) dateOf(s string, w where) (stamp.Stamp, bool) {
	carried := !w.carrier.Time.IsZero()
	st, before, after, ok := stamp.Find(s)
	if !ok || len(strings.Fields(before)) > maxWords {
		return w.carrier, carried
	}
	// A second date is the line's own when nothing but a carrier's words stand
	// between it and the first.
	if inner, between, _, two := stamp.Find(after); two && !inner.Short && passing.MatchString(between) {
		return stamp.Settle(inner, st), true
	}
	if !carried {
		return st, true
	}
	st = stamp.Settle(st, w.carrier)
	if before == "" && (st.Zoned || !w.carrier.Zoned) || st.Zoned && st.Time.Sub(w.carrier.Time).Abs() < near {
		return st, true
	}
	return w.carrier, true
}

var passing = regexp.MustCompile(`^(?:(?:stdout|stderr) [FP]|[\w.-]+ [\w./@-]+\[\d+\]:)?$`)

var syslogTag = regexp.MustCompile(`^([\w.-]{1,253}) [\w./@-]{1,64}\[(\d{1,10})\]: `)

// writer is host:pid, as syslog and the journal put it behind the date.
func writer(after string) string {
	if m := syslogTag.FindStringSubmatch(after); m != nil {
		return m[1] + ":" + m[2]
	}
	return ""
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}
