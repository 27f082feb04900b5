package aof

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc64"
	"io"
	"strconv"
)

// headSize is how much of a file's beginning is looked at: an RDB's own notes
// stand there, a few hundred bytes.
const headSize = 4 << 10

// rdbEnd is the byte that ends an RDB; eight bytes of checksum follow it.
const rdbEnd = 0xFF

// jones is Redis's polynomial for CRC-64, bits reversed as the library wants it.
const jones = 0x95ac9329ac4bc9b5

// afterRDB is how the commands behind a preamble begin: the server forgets which
// database it had selected when it starts a rewrite.
var afterRDB = []byte("*2\r\n$6\r\nSELECT\r\n$")

// skipRDB reads past an RDB preamble without understanding it. Its end is the
// one 0xFF whose next eight bytes are the checksum of everything up to it and
// which a command, an annotation or nothing follows; 0xFF alone is common inside.
// A server may be told to leave the checksum zero: then the commands must begin
// the way Redis begins them.
func (s *scanner) skipRDB() error {
	table := crc64.MakeTable(jones)
	sum := ^uint64(0) // the library complements before and after, Redis does not
	for {
		s.start = s.off
		window, err := s.r.Peek(max(1, s.r.Buffered()))
		if len(window) == 0 {
			if errors.Is(err, io.EOF) {
				return malformed("its RDB preamble has no end")
			}
			return err
		}
		n := len(window)
		i := bytes.IndexByte(window, rdbEnd)
		if i >= 0 {
			n = i + 1
		}
		sum = crc64.Update(sum, table, window[:n])
		if err := s.skip(int64(n)); err != nil {
			return err
		}
		if i < 0 {
			continue
		}
		if next, _ := s.r.Peek(8 + len(afterRDB)); ends(next, ^sum) {
			return s.skip(8)
		}
	}
}

// ends says whether what follows a 0xFF shows that it ended the RDB.
func ends(next []byte, sum uint64) bool {
	if len(next) < 8 {
		return false
	}
	stated, rest := binary.LittleEndian.Uint64(next), next[8:]
	if stated == 0 {
		return bytes.Equal(rest, afterRDB)
	}
	return stated == sum && (len(rest) == 0 || rest[0] == '*' || rest[0] == '#')
}

// sinceRDB learns from the notes at the head of an RDB when it was made.
func (t *tracker) sinceRDB(head []byte) {
	if n := bytes.IndexByte(head, 0xFA); n >= 0 && n <= 16 {
		head = head[n:]
	}
	for len(head) > 0 && head[0] == 0xFA {
		name, rest, ok := rdbString(head[1:])
		if !ok {
			return
		}
		value, rest, ok := rdbString(rest)
		if !ok {
			return
		}
		if unix, err := strconv.ParseInt(value, 10, 64); name == "ctime" && err == nil && unix > 0 && unix < 1<<36 {
			t.h.Since = second(unix)
			return
		}
		head = rest
	}
}

// rdbString reads a short string, or a number kept as one.
func rdbString(b []byte) (text string, rest []byte, ok bool) {
	if len(b) == 0 {
		return "", nil, false
	}
	first, b := b[0], b[1:]
	size := int(first & 0x3F)
	switch {
	case first>>6 == 0: // a length of six bits
		if len(b) < size {
			return "", nil, false
		}
		return string(b[:size]), b[size:], true
	case first>>6 == 3 && size <= 2: // a number of one, two or four bytes
		size = 1 << size
		if len(b) < size {
			return "", nil, false
		}
		var wide [4]byte
		copy(wide[:], b[:size])
		n := int32(binary.LittleEndian.Uint32(wide[:]))
		return strconv.FormatInt(int64(n), 10), b[size:], true
	}
	return "", nil, false
}
