package aof

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Limits of one record. What exceeds the kept ones is passed over, not refused.
const (
	keptArgs = 16      // no command of interest needs more of its arguments
	keptArg  = 4 << 10 // a lock's value is small; of a larger one the beginning is kept
	keptHits = 8
	maxArgs  = 1 << 28
	maxBulk  = 1 << 40
)

// errTorn says that the file ends inside a record.
var errTorn = errors.New("torn record")

// malformed says what is wrong with a record.
type malformed string

func (m malformed) Error() string { return string(m) }

// A scanner reads one record after the other and keeps of each only what may
// matter to one key.
type scanner struct {
	r     *bufio.Reader
	key   []byte
	off   int64 // bytes read so far
	start int64 // where the present record begins

	n     int      // arguments of the present command; zero: it is an annotation
	args  [][]byte // the first of them, shortened
	sizes []int64  // how long those are in full
	hits  []int    // which arguments, of all, equal the key
	ts    int64    // of a timestamp annotation, Unix seconds; zero: the record is none
	arena []byte
}

// next reads a record. It returns io.EOF where the file ends between two.
func (s *scanner) next() error {
	s.n, s.ts, s.start = 0, 0, s.off
	s.args, s.sizes, s.hits, s.arena = s.args[:0], s.sizes[:0], s.hits[:0], s.arena[:0]
	line, err := s.line()
	if err != nil {
		if errors.Is(err, errTorn) && s.off == s.start {
			return io.EOF
		}
		return err
	}
	if line[0] == '#' {
		if text, ok := bytes.CutPrefix(line, []byte("#TS:")); ok {
			s.ts, _ = strconv.ParseInt(string(text), 10, 64)
			s.ts = min(max(s.ts, 0), 1<<36)
		}
		return nil
	}
	n, err := count(line, '*', maxArgs)
	if err != nil {
		return err
	}
	if n == 0 {
		return malformed("a command without a name")
	}
	for i := range int(n) {
		if err := s.argument(i); err != nil {
			return err
		}
	}
	s.n = int(n)
	return nil
}

// line reads up to CRLF.
func (s *scanner) line() ([]byte, error) {
	line, err := s.r.ReadSlice('\n')
	s.off += int64(len(line))
	switch {
	case errors.Is(err, io.EOF):
		if len(bytes.Trim(line, "\x00")) == 0 && len(line) > 0 {
			return nil, malformed("zeros, as a crashed file system leaves them")
		}
		return nil, errTorn
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, malformed("a line without an end")
	case err != nil:
		return nil, err
	}
	line = bytes.TrimSuffix(line[:len(line)-1], []byte{'\r'})
	if len(line) == 0 {
		return nil, malformed("an empty line")
	}
	return line, nil
}

func count(line []byte, mark byte, most int64) (int64, error) {
	n, err := strconv.ParseInt(string(line[1:]), 10, 64)
	if line[0] != mark || err != nil || n < 0 || n > most {
		return 0, malformed(fmt.Sprintf("%q where a count was due", line[:min(len(line), 24)]))
	}
	return n, nil
}

// argument reads the ith argument.
func (s *scanner) argument(i int) error {
	line, err := s.line()
	if err != nil {
		return err
	}
	size, err := count(line, '$', maxBulk)
	if err != nil {
		return err
	}
	from, keep := len(s.arena), int64(0)
	if i < keptArgs {
		keep = min(size, keptArg)
	}
	if size == int64(len(s.key)) {
		keep = size
	}
	s.arena = append(s.arena, make([]byte, keep)...)
	got, err := io.ReadFull(s.r, s.arena[from:])
	s.off += int64(got)
	if err != nil {
		return torn(err)
	}
	s.arena = s.bulk(i, from, size)
	if err := s.skip(size - keep); err != nil {
		return err
	}
	return s.end()
}

// bulk notes an argument that was read, and gives its bytes back when they need
// not be kept.
func (s *scanner) bulk(i, from int, size int64) []byte {
	text := s.arena[from:]
	if size == int64(len(s.key)) && bytes.Equal(text, s.key) && len(s.hits) < keptHits {
		s.hits = append(s.hits, i)
	}
	if i >= keptArgs {
		return s.arena[:from]
	}
	s.args = append(s.args, text[:len(text):len(text)])
	s.sizes = append(s.sizes, size)
	return s.arena
}

func (s *scanner) skip(n int64) error {
	for n > 0 {
		got, err := s.r.Discard(int(min(n, 1<<30)))
		s.off += int64(got)
		n -= int64(got)
		if err != nil {
			return torn(err)
		}
	}
	return nil
}

// end reads the CRLF behind an argument.
func (s *scanner) end() error {
	got, err := s.r.Peek(2)
	if err != nil {
		return torn(err)
	}
	if got[0] != '\r' || got[1] != '\n' {
		return malformed("an argument of another length than it says")
	}
	return s.skip(2)
}

// torn is the end of the file where more was due, or the reader's own failure.
func torn(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errTorn
	}
	return err
}

// hit says whether the ith argument is the key.
func (s *scanner) hit(i int) bool {
	for _, h := range s.hits {
		if h == i {
			return true
		}
	}
	return false
}

// arg is the ith argument, or empty.
func (s *scanner) arg(i int) string {
	if i < len(s.args) {
		return string(s.args[i])
	}
	return ""
}
