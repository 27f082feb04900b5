// Package serverlog reads the logs of redis-server, Sentinel and Valkey.
//
// A [Reader] takes lines, whatever a terminal, syslog, container runtime or log
// shipper put before them, and keeps those that bear on locks as
// [evidence.ServerNotice]: restarts, failovers, lost links, refused writes,
// stalls. [Read] does it for a whole file. The classes stand in one table,
// [ClassOf], and are told by the server's fixed words, which have been stable
// since version 2.8 but for the change from slave to replica and, in Valkey,
// from master to primary.
//
// A server prints local time without its zone. Unless the zone is given, or
// another program stamped the same line, a notice may have happened within 26
// hours. Flushes and evictions are not logged at all: silence proves nothing.
package serverlog

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/events/ends"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// Options say what is known of a log beside its text.
type Options struct {
	stamp.Context
	Clock evidence.Clock // the clock the log was dated by; empty: "app:<source>"
}

// A Log is what a log had to say.
type Log struct {
	Notices []evidence.ServerNotice
	Lines   int            // lines read
	Own     int            // lines that a server or a Sentinel wrote
	Dropped map[string]int // notices of the middle of a flood, left out, by class
}

const (
	perClass = 60       // notices kept of one class, half from each end
	maxLine  = 64 << 10 // bytes of one line that are looked at
	maxText  = 300      // runes of a message that are kept: Sentinel's longest stay below
)

// A Reader collects the notices of one log, line by line.
type Reader struct {
	o       Options
	source  string
	kept    map[string]*ends.Keeper[evidence.ServerNotice]
	begun   map[string]bool         // writers that began and have not loaded anything yet
	last    evidence.Interval       // of the latest dated line
	undated []evidence.ServerNotice // notices since then that had no date
	seq     int
	own     int
}

// maxWriters bounds how many servers may be told apart in one log.
const maxWriters = 64

// NewReader starts a log that citations call source.
func NewReader(source string, o Options) *Reader {
	if o.Clock == "" {
		o.Clock = evidence.Clock("app:" + source)
	}
	return &Reader{o: o, source: source, kept: make(map[string]*ends.Keeper[evidence.ServerNotice]), begun: make(map[string]bool)}
}

// Read reads a whole log.
func Read(r io.Reader, source string, o Options) (Log, error) {
	reader, in, lines := NewReader(source, o), bufio.NewReaderSize(r, maxLine), 0
	for {
		line, err := in.ReadSlice('\n')
		if len(line) > 0 {
			lines++
			reader.Line(string(line), lines)
		}
		for err == bufio.ErrBufferFull {
			_, err = in.ReadSlice('\n')
		}
		if err == io.EOF {
			log := reader.Log()
			log.Lines = lines
			return log, nil
		}
		if err != nil {
			return Log{}, fmt.Errorf("read server log %s: %w", source, err)
		}
	}
}

// Line takes one line, and says whether a server wrote it.
func (r *Reader) Line(line string, number int) bool {
	l, ok := split(line)
	if !ok {
		return false
	}
	r.own++
	at := stamp.Settle(l.at, l.carrier).Interval(r.o.Context)
	if !at.Known() {
		at = l.carrier.Interval(r.o.Context)
	}
	if at.Known() {
		at.Clock = r.o.Clock
		r.flush(at)
		r.last = at
	}
	class := r.refine(l.writer, ClassOf(l.text))
	if class == "" {
		return true
	}
	n := evidence.ServerNotice{At: at, Class: class, Node: nodeOf(class, l.text), Role: l.role, Pid: l.pid,
		Text: evidence.Clip(l.text, maxText), Source: fmt.Sprintf("%s:%d", r.source, number)}
	switch {
	case at.Known():
		r.keep(n)
	case len(r.undated) < perClass:
		n.At = evidence.Interval{From: r.last.From, Clock: r.o.Clock}
		r.undated = append(r.undated, n)
	}
	return true
}

// refine tells a server that came up empty from one that came up.
func (r *Reader) refine(writer, class string) string {
	switch class {
	case evidence.NoticeStarted:
		if len(r.begun) >= maxWriters {
			clear(r.begun)
		}
		r.begun[writer] = true
	case evidence.NoticeLoading, evidence.NoticeLoaded, evidence.NoticeFullResync:
		delete(r.begun, writer)
	case evidence.NoticeReady:
		if r.begun[writer] {
			class = evidence.NoticeNoKeys
		}
		delete(r.begun, writer)
	}
	return class
}

// flush gives the notices without a date the next one as their latest moment.
func (r *Reader) flush(next evidence.Interval) {
	for _, n := range r.undated {
		if n.At.From.IsZero() || !next.To.Before(n.At.From) {
			n.At.To = next.To
		}
		r.keep(n)
	}
	r.undated = r.undated[:0]
}

func (r *Reader) keep(n evidence.ServerNotice) {
	k := r.kept[n.Class]
	if k == nil {
		k = ends.New[evidence.ServerNotice](perClass)
		r.kept[n.Class] = k
	}
	k.Add(r.seq, n)
	r.seq++
}

// Log is what was collected, in the order it was read.
func (r *Reader) Log() Log {
	for _, n := range r.undated {
		r.keep(n)
	}
	r.undated = nil
	type placed struct {
		at int
		n  evidence.ServerNotice
	}
	var all []placed
	log := Log{Own: r.own, Dropped: make(map[string]int)}
	for class, k := range r.kept {
		k.Each(func(at int, n evidence.ServerNotice) { all = append(all, placed{at, n}) })
		if d := k.Dropped(); d > 0 {
			log.Dropped[class] = d
		}
	}
	slices.SortFunc(all, func(a, b placed) int { return a.at - b.at })
	for _, p := range all {
		log.Notices = append(log.Notices, p.n)
	}
	return log
}

// Own says whether a line looks like a server's.
func Own(line string) bool {
	_, ok := split(strings.TrimRight(line, "\r\n"))
	return ok
}
