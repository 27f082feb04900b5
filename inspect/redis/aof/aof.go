// Package aof reads what a Redis append-only file tells of one lock: every write
// that changed its key since the file was last rewritten, in order.
//
// From Redis 7 on every expiry stands there as an absolute time, so each acquire
// shows when its lease would end, and each renewal shows as a PEXPIREAT that
// moved the end. When a write was made shows only where the server annotates the
// file (aof-timestamp-enabled), to the second.
//
// The file is a log of effects, and some effects have no author. A DEL may be a
// release, a deletion by somebody else, an eviction, or the expiry itself: it
// counts as a release only if it certainly came before the lease's end (then
// evicted_keys must rule the eviction out), else as gone. A plain file of before
// Redis 7 may begin with its own last rewrite, in which the key's state looks
// like an acquire; a base in RDB form is passed over, not read. A transaction
// without its EXEC never happened.
//
// Reading streams: memory does not grow with the file or with the values in it.
// A torn tail, ordinary while the server writes, ends the history and is said in
// Cut. What is not well-formed ends the file it is in; a history over several
// files goes on with the next one, as what is newest matters most.
package aof

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A Lock names the key whose history is wanted.
type Lock struct {
	Key string
	DB  int
}

// What came before the first write of a history.
const (
	baseNone = "none"
	baseRDB  = "rdb (not read)"
	baseAOF  = "aof"
)

// Read follows the lock through one file: a single append-only file of before
// Redis 7, with or without an RDB preamble, or one part of a newer one. The
// error is that of the reader, or says that the file is of another kind; the
// history is valid as far as it goes.
func Read(r io.Reader, name string, lock Lock) (evidence.History, error) {
	t := newTracker(lock)
	err := t.file(r, path.Base(name), false)
	return t.history(name), err
}

// ReadDir follows the lock through the append-only file in a folder: the data
// directory of the server, or the appendonlydir in it.
func ReadDir(fsys fs.FS, name string, lock Lock) (evidence.History, error) {
	t := newTracker(lock)
	dir, parts, err := findParts(fsys)
	if err != nil {
		return t.history(name), err
	}
	for _, p := range parts {
		if err := t.part(fsys, path.Join(dir, p.name), p); err != nil {
			return t.history(name), err
		}
	}
	return t.history(name), nil
}

// part reads one file of several. A file the manifest names and the folder lacks
// is a hole in the history, not its end.
func (t *tracker) part(fsys fs.FS, file string, p part) error {
	f, err := fsys.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.cut(p.name + " is missing")
		t.state = state{}
		return nil
	}
	if err != nil {
		return fmt.Errorf("open append-only file: %w", err)
	}
	defer f.Close()
	if p.base && strings.HasSuffix(p.name, ".rdb") {
		// All of it is RDB, and only its head says something that is wanted.
		t.h.Base, t.state = baseRDB, state{}
		head, _ := bufio.NewReaderSize(f, headSize).Peek(headSize)
		t.sinceRDB(head)
		return nil
	}
	return t.file(f, p.name, p.base)
}

// file reads one file from its beginning.
func (t *tracker) file(r io.Reader, name string, base bool) error {
	t.name, t.base = name, base
	in := &scanner{r: bufio.NewReaderSize(r, 1<<16), key: []byte(t.lock.Key)}
	head, err := in.r.Peek(headSize)
	switch {
	case len(head) == 0:
		return t.failed(in, err)
	case strings.HasPrefix(string(head), "REDIS") || strings.HasPrefix(string(head), "VALKEY"):
		t.h.Base, t.state = baseRDB, state{}
		t.sinceRDB(head)
		if err := in.skipRDB(); err != nil {
			return t.failed(in, err)
		}
		t.base = false // what follows a preamble was written as it happened
	case head[0] != '*' && head[0] != '#':
		return fmt.Errorf("read append-only file %s: it is of another kind", name)
	case t.h.Base == "" || base:
		t.h.Base = baseAOF
	}
	for {
		switch err := in.next(); {
		case err != nil:
			return t.failed(in, err)
		case in.n > 0:
			t.record(in)
		case in.ts > 0:
			t.stamp(in.ts)
		}
	}
}

// failed ends a file. Only a reader's own failure is an error.
func (t *tracker) failed(in *scanner, err error) error {
	t.endOfFile()
	if t.base {
		t.ts = 0 // it dates the rewrite; the next part dates its own writes
	}
	var bad malformed
	switch {
	case err == nil, errors.Is(err, io.EOF):
		return nil
	case errors.Is(err, errTorn):
		t.cut(fmt.Sprintf("%s ends in the middle of a command, at byte %d", t.name, in.start))
		return nil
	case errors.As(err, &bad):
		t.cut(fmt.Sprintf("%s is not well-formed from byte %d on: %s", t.name, in.start, string(bad)))
		t.state = state{}
		return nil
	}
	return fmt.Errorf("read append-only file %s: %w", t.name, err)
}

func (t *tracker) cut(why string) {
	if t.h.Cut == "" {
		t.h.Cut = why
	}
}

// stamp takes a timestamp annotation.
func (t *tracker) stamp(unix int64) {
	t.ts = unix
	if !t.h.Since.Known() {
		t.h.Since = second(unix)
	}
}

// second is the stretch a whole second of the coordinator's clock stands for.
// Redis writes a new annotation with the first write of each later second, so
// what follows one happened within the second after it.
func second(unix int64) evidence.Interval {
	at := time.Unix(unix, 0).UTC()
	return evidence.Interval{From: at, To: at.Add(time.Second), Clock: evidence.Coordinator}
}

// history is what was found, without the middle if it is long.
func (t *tracker) history(source string) evidence.History {
	t.trim(0)
	h := t.h
	h.Source = source
	if h.Base == "" {
		h.Base = baseNone
	}
	h.Writes = slices.Clone(t.writes)
	if h.Writes == nil {
		h.Writes = []evidence.KeyWrite{}
	}
	return h
}
