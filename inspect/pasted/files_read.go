package pasted

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/lockscene/lockscene/inspect/events"
	"github.com/lockscene/lockscene/inspect/secrets"
)

// Limits of one whole file.
const (
	maxWhole = 8 << 20  // bytes kept of a log as it is; above, only the lines that may matter are
	maxDoc   = 48 << 20 // bytes read of what is one document: CLIENT LIST of 100 000 connections is 30 MB
	maxLine  = 1 << 20  // bytes kept of one line
)

// readDoc reads what is one answer and not a log.
func readDoc(r io.Reader) (b []byte, cut bool, err error) {
	b, err = io.ReadAll(io.LimitReader(r, maxDoc+1))
	if len(b) > maxDoc {
		b, cut = b[:maxDoc], true
	}
	return secrets.Mask(b), cut, err
}

// A sieve collects a log: all of it while it is short, else the lines that may
// matter, each still on the line it stood on, so that citations stay true.
type sieve struct {
	keep    func(line string) bool
	masker  secrets.Masker
	out     bytes.Buffer
	picking bool // it grew too long to be kept whole
	full    bool // even the lines that matter are too many
	dropped int
}

// readLog streams a log through the sieve. Its memory does not grow with the log.
func readLog(r io.Reader, keep func(line string) bool) (b []byte, dropped int, err error) {
	in, s := bufio.NewReaderSize(r, maxLine), sieve{keep: keep}
	for {
		line, err := in.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		if long {
			line = append(bytes.Clone(line), '\n')
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		if len(line) > 0 {
			s.take(s.masker.Mask(line))
		}
		switch {
		case errors.Is(err, io.EOF):
			return s.out.Bytes(), s.dropped, nil
		case err != nil:
			return s.out.Bytes(), s.dropped, fmt.Errorf("read log: %w", err)
		}
	}
}

func (s *sieve) take(line []byte) {
	if !s.picking && s.out.Len()+len(line) > maxWhole {
		s.picking = true
		whole := bytes.Clone(s.out.Bytes())
		s.out.Reset()
		for l := range bytes.Lines(whole) {
			s.pick(l)
		}
	}
	if s.picking {
		s.pick(line)
		return
	}
	s.out.Write(line)
}

// pick keeps a line that may matter, and the place of one that does not. Empty
// lines are bounded too: a log of nothing else costs as much.
func (s *sieve) pick(line []byte) {
	matters := s.keep(strings.TrimRight(string(line), "\r\n"))
	if s.full = s.full || s.out.Len()+len(line) > 2*maxWhole; matters && !s.full {
		s.out.Write(line)
		return
	}
	s.dropped++
	if !s.full {
		s.out.WriteByte('\n')
	}
}

// readMapping reads a mapping file, and refuses one that is none.
func (im *importer) readMapping(name string) ([]byte, error) {
	if im.opts.Read == nil {
		_, err := events.Load(name, nil)
		return nil, err
	}
	in, err := im.opts.Read(name)
	if err != nil {
		return nil, fmt.Errorf("read mapping: %w", err)
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, maxLine))
	if err != nil {
		return nil, fmt.Errorf("read mapping: %w", err)
	}
	_, err = events.ParseMapping(filepath.Base(name), b)
	return b, err
}
