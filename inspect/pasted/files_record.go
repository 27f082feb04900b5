package pasted

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/events"
	"github.com/lockscene/lockscene/inspect/redis/aof"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// takeFiles records the whole files. One that cannot be opened is the responder's
// mistake; one that makes no sense is kept, and costs its own row only.
func (im *importer) takeFiles() error {
	for _, f := range im.opts.Files {
		s, ok := sortOf(f.Kind)
		if !ok {
			return fmt.Errorf("read %s: no such sort of file: %s", f.Name, f.Kind)
		}
		p := evidence.Probe{Name: s.probe, Source: filepath.Base(f.Name), Status: evidence.OK, Vantage: im.sideOf(s)}
		if s.from == ofServer && s.probe != "redis/log" && s.probe != "redis/aof" {
			p.Source = "redis/" + im.node
		}
		b, err := im.readFile(f, s, &p)
		if interrupted(err) {
			im.leaveOut(f, p)
			continue
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", f.Name, err)
		}
		im.noteFile(f, p, b)
		im.noteLatest(s, b)
		im.recordWhole(p, "files/"+f.Kind+"/"+filepath.Base(f.Name), b)
	}
	return im.takeMappings()
}

// noteFile says of a file that it holds nothing of what it was given for. Beside good
// evidence nobody would notice.
func (im *importer) noteFile(f File, p evidence.Probe, b []byte) {
	why := ""
	switch {
	case p.Status != evidence.OK:
		why = cmp.Or(p.Why, string(p.Status))
	case len(bytes.TrimSpace(b)) == 0:
		why = "it is empty"
	case p.Truncated && cutLines(b) > 0:
		why = p.Why
	case f.Kind == "aof":
		if h, err := aof.ParseLines(b); err == nil && len(h.Writes) == 0 {
			why = "no write of " + evidence.Clip(evidence.Printable(im.opts.Subject.Key), 64) + " in it"
		}
	}
	if why != "" {
		im.notes = append(im.notes, "--"+f.Kind+" "+evidence.Printable(filepath.Base(f.Name))+": "+why)
	}
}

// cutLines counts the lines of a log that were longer than is read of one.
func cutLines(b []byte) int {
	n := 0
	for line := range bytes.Lines(b) {
		if len(line) > maxLine {
			n++
		}
	}
	return n
}

// readFile reads one file in the way its sort wants, masked.
func (im *importer) readFile(f File, s sort, p *evidence.Probe) ([]byte, error) {
	if s.flag == "aof" {
		return im.readHistory(f, p)
	}
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if s.keep != nil {
		b, dropped, err := readLog(in, s.keep(im.opts.Subject.Key))
		if dropped > 0 {
			p.Truncated, p.Why = true, fmt.Sprintf("%d lines in which nothing bears on a lock were left out", dropped)
		}
		if n := cutLines(b); n > 0 {
			p.Truncated, p.Why = true, strings.TrimPrefix(p.Why+fmt.Sprintf("; %d lines longer than %d bytes were cut there, and are hardly events any more", n, maxLine), "; ")
		}
		return b, err
	}
	b, cut, err := readDoc(in)
	if p.Truncated = cut; err != nil {
		return nil, err
	}
	if p.Status, p.Why = denial("", b); p.Status != evidence.OK {
		return b, nil
	}
	return im.convert(f, s, p, b), nil
}

// convert turns a document into what a live capture would have recorded.
func (im *importer) convert(f File, s sort, p *evidence.Probe, b []byte) []byte {
	if s.flag == "pod" && isDescription(b) {
		p.Name = "pod/describe"
	}
	if s.convert == nil {
		return b
	}
	raw, skipped, err := s.convert(im, b)
	if err != nil {
		p.Status, p.Why = evidence.Failed, evidence.Clip(evidence.Printable(err.Error()), 160)
		return b
	}
	if skipped > 0 && s.flag != "slowlog" {
		// What is not part of the reply is kept beside it. Of a slow log it may be
		// other keys' commands.
		kept := evidence.Probe{Name: "text/kept", Source: filepath.Base(f.Name), Status: evidence.OK, Vantage: p.Vantage}
		im.recordWhole(kept, "files/kept/"+filepath.Base(f.Name), b)
		p.Why = fmt.Sprintf("%d lines are no part of it; the file is kept beside it", skipped)
	}
	return raw
}

// isDescription: kubectl describe begins with the name, JSON and YAML do not.
func isDescription(b []byte) bool {
	for line := range bytes.Lines(b) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return bytes.HasPrefix(line, []byte("Name:"))
		}
	}
	return false
}

// readHistory follows the lock through an append-only file.
func (im *importer) readHistory(f File, p *evidence.Probe) ([]byte, error) {
	lock := aof.Lock{Key: im.opts.Subject.Key, DB: im.opts.Subject.DB}
	var h evidence.History
	var bad error
	if f.Folder != nil {
		h, bad = aof.ReadDir(f.Folder, f.Name, lock)
	} else {
		in, err := f.Open()
		if err != nil {
			return nil, err
		}
		defer in.Close()
		h, bad = aof.Read(in, filepath.Base(f.Name), lock)
	}
	if interrupted(bad) {
		return nil, bad
	}
	p.Commands = []string{"writes of " + evidence.Clip(lock.Key, 200) + " in db " + fmt.Sprint(lock.DB)}
	if bad != nil && len(h.Writes) == 0 {
		p.Status, p.Why = evidence.Failed, evidence.Clip(evidence.Printable(bad.Error()), 160)
		return nil, nil
	}
	if bad != nil && h.Cut == "" {
		h.Cut = evidence.Clip(evidence.Printable(bad.Error()), 160)
	}
	return aof.Lines(h)
}

// takeMappings records how the events are to be read, so that the bundle reads
// them the same way for ever.
func (im *importer) takeMappings() error {
	for _, name := range im.opts.Mappings {
		p := evidence.Probe{Name: "log/mapping", Source: name, Status: evidence.OK, Vantage: im.sideOf(sort{from: ofOwner})}
		if name == "auto" || slices.Contains(events.Mappings(), name) {
			im.recordWhole(p, "", nil)
			continue
		}
		b, err := im.readMapping(name)
		if err != nil {
			return err
		}
		p.Source = filepath.Base(name)
		im.recordWhole(p, "mappings/"+p.Source, b)
	}
	return nil
}

// recordWhole files what has no time of its own: it was read somewhen in the
// whole stretch of the text.
func (im *importer) recordWhole(p evidence.Probe, file string, b []byte) {
	if p.Status == evidence.OK && file != "" && len(bytes.TrimSpace(b)) == 0 {
		p.Status, p.Why = evidence.Failed, "the file is empty"
	}
	if len(b) > 0 {
		p.File = p.Vantage + "/" + evidence.MemberName(strings.TrimPrefix(file, "/"))
		p.Offset, p.Bytes = int64(len(im.raw[p.File])), int64(len(b))
		im.raw[p.File] = append(im.raw[p.File], b...)
	}
	im.whole = append(im.whole, p)
}

// noteLatest looks for the latest date in a file: where there is no text, that is
// when the evidence ends.
func (im *importer) noteLatest(s sort, b []byte) {
	if len(im.entries) > 0 || s.probe == "redis/aof" && len(b) == 0 {
		return
	}
	const most = 200
	for range most {
		b = bytes.TrimRight(b, "\r\n")
		i := bytes.LastIndexByte(b, '\n')
		line := b[i+1:]
		for _, t := range datesIn(string(line[:min(len(line), 1024)]), im.opts.Zone) {
			if t.After(im.latest) {
				im.latest = t
			}
		}
		if i < 0 {
			return
		}
		b = b[:i]
	}
}

// datesIn are the dates of a line, where they tell their year: the first, and the
// values of an object.
func datesIn(line string, zone *time.Location) []time.Time {
	var out []time.Time
	add := func(s stamp.Stamp, ok bool) {
		if i := s.Interval(stamp.Context{Zone: zone}); ok && !s.Short && i.Closed() {
			out = append(out, i.Mid())
		}
	}
	s, _, _, ok := stamp.Find(line)
	add(s, ok)
	for _, part := range strings.Split(line, `"`) {
		if len(part) >= 10 && len(part) < 48 && !(len(part) < len("1795168953412") && strings.Trim(part, "0123456789") == "") { // so few digits may count anything
			s, ok := stamp.Parse(part)
			add(s, ok)
		}
	}
	return out
}

// stretch is from when to when the whole files may have been read.
func (im *importer) stretch(vantage string) (start, end evidence.Stamp) {
	if len(im.entries) == 0 {
		at := im.latest
		if at.IsZero() {
			at = im.opts.At
		}
		if at.IsZero() {
			return start, end
		}
		s := evidence.Stamp{Boot: month, Wall: at.UTC()}
		return s, s
	}
	first := true
	for _, p := range im.probes {
		if first || p.Start.Boot < start.Boot {
			start.Boot = p.Start.Boot
		}
		if first || p.End.Boot > end.Boot {
			end.Boot = p.End.Boot
		}
		first = false
		if w := p.Start.Wall; p.Vantage == vantage && !w.IsZero() && (start.Wall.IsZero() || w.Before(start.Wall)) {
			start.Wall = w
		}
		if w := p.End.Wall; p.Vantage == vantage && w.After(end.Wall) {
			end.Wall = w
		}
	}
	return start, end
}

// month is how far the axis begins before the first thing that happened, so that
// what happened before has its place on it.
const month = 30 * 24 * time.Hour

// placeFiles gives the whole files their time, once all of the text has its own.
func (im *importer) placeFiles() {
	for _, p := range im.whole {
		p.Start, p.End = im.stretch(p.Vantage)
		im.probes = append(im.probes, p)
	}
}
