package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/lockscene/lockscene/evidence"
)

// intake is where an import's bytes come in: it counts them, shows how far it is on a
// terminal, and ends when ctx does, even while nothing comes.
type intake struct {
	ctx     context.Context
	total   int64 // bytes of all that is read; what has no size counts nothing
	sizes   bool  // all of it has one
	read    atomic.Int64
	reading atomic.Pointer[string]
	*progress
}

func newIntake(ctx context.Context) *intake { return &intake{ctx: ctx, sizes: true} }

// show begins the line. Somebody who pastes into a terminal is not drawn over.
func (in *intake) show(stderr io.Writer, texts []string) {
	for _, name := range texts {
		if name == "-" && term.IsTerminal(int(os.Stdin.Fd())) {
			return
		}
	}
	in.progress = newProgress(stderr)
	began := time.Now()
	in.say(func(now time.Time) []string { return in.words(now.Sub(began)) })
}

// words are the line after some time.
func (in *intake) words(took time.Duration) []string {
	head, read := "import", in.read.Load()
	if name := in.reading.Load(); name != nil {
		head += " " + evidence.Clip(evidence.Printable(*name), 40)
	}
	hint := " (Ctrl-C stops)"
	if in.ctx.Err() != nil {
		return []string{head + ": interrupted", ", judging what was read"}
	}
	if !in.sizes || read > in.total { // a log may grow meanwhile
		return []string{head + ": " + megabytes(read) + " MB", hint}
	}
	return []string{head + ": " + megabytes(read) + " of " + megabytes(in.total) + " MB", remaining(read, in.total, took), hint}
}

func megabytes(n int64) string {
	if n < 10e6 {
		return fmt.Sprintf("%.1f", float64(n)/1e6)
	}
	return fmt.Sprint(n / 1e6)
}

// sized adds what is to be read.
func (in *intake) sized(info fs.FileInfo, err error) {
	if err != nil || !info.Mode().IsRegular() {
		in.sizes = false
		return
	}
	in.total += info.Size()
}

// open opens a file that is counted.
func (in *intake) open(name string) (io.ReadCloser, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return in.file(name, f), nil
}

// file counts what is read of an open one. Only a regular file answers at once; any
// other is waited for beside the reading, so that an interrupt need not.
func (in *intake) file(name string, f fs.File) io.ReadCloser {
	c := &counted{in: in, name: name, from: f, Closer: f}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		c.from = awaited(in.ctx, f)
	}
	return c
}

// A counted reader tells the intake what passes.
type counted struct {
	in   *intake
	name string
	from io.Reader
	io.Closer
}

func (c *counted) Read(p []byte) (int, error) {
	if c.in.ctx.Err() != nil {
		return 0, context.Canceled
	}
	c.in.reading.Store(&c.name)
	n, err := c.from.Read(p)
	c.in.read.Add(int64(n))
	if errors.Is(err, io.EOF) && c.in.ctx.Err() != nil {
		// Ctrl-C goes to all of a pipeline: its end is no end then.
		return n, context.Canceled
	}
	return n, err
}

// awaited reads beside the caller, who may give up. What gives up leaves a read
// behind, which ends with the program.
func awaited(ctx context.Context, from io.Reader) io.Reader {
	w := &waiting{ctx: ctx, parts: make(chan part)}
	go func() {
		for {
			b := make([]byte, 1<<16)
			n, err := from.Read(b)
			select {
			case w.parts <- part{b[:n], err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return w
}

type part struct {
	b   []byte
	err error
}

type waiting struct {
	ctx   context.Context
	parts chan part
	rest  part
}

func (w *waiting) Read(p []byte) (int, error) {
	for len(w.rest.b) == 0 {
		if w.rest.err != nil {
			return 0, w.rest.err
		}
		select {
		case w.rest = <-w.parts:
		case <-w.ctx.Done():
			return 0, context.Canceled
		}
	}
	n := copy(p, w.rest.b)
	w.rest.b = w.rest.b[n:]
	return n, nil
}

// countedFolder is a folder whose files are counted.
type countedFolder struct {
	in *intake
	fs.FS
}

// Open opens one of its files.
func (d countedFolder) Open(name string) (fs.File, error) {
	f, err := d.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return f, nil
	}
	return countedFile{f, d.in.file(name, f)}, nil
}

type countedFile struct {
	fs.File
	read io.Reader
}

func (c countedFile) Read(p []byte) (int, error) { return c.read.Read(p) }
