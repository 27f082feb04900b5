package transcript

import (
	"bufio"
	"bytes"
	"io"
)

// maxLine bounds one line: what is longer is cut, and the rest passed over.
const maxLine = 1 << 20

// lines reads a text line by line, without what terminals and tickets add.
type lines struct {
	r       *bufio.Reader
	read    int64
	quoting []byte // a ticket's quoting or indentation, when every line has it
	padded  bool   // blanks at the lines' ends are a terminal's own
	number  int
	long    []byte // a line longer than the reader's buffer
	err     error
}

// A rawLine is one line, cleaned. Its text is good until the next one is read.
type rawLine struct {
	number int
	text   []byte
	ended  bool  // with a newline
	cut    bool  // it was longer than maxLine
	at     int64 // where it begins in the input
	size   int64 // bytes of it in the input, the newline among them
}

// before is the part of a line in front of a prompt that is glued to it.
func (l rawLine) before(n int) rawLine {
	l.text, l.size, l.ended = l.text[:n], int64(n), false
	return l
}

func newLines(r io.Reader) *lines {
	l := &lines{r: bufio.NewReaderSize(r, 1<<16)}
	if head, _ := l.r.Peek(3); string(head) == "\ufeff" {
		n, _ := l.r.Discard(3)
		l.read = int64(n)
	}
	head, err := l.r.Peek(1 << 14)
	l.quoting, l.padded = quoting(head, err != nil), padded(head)
	return l
}

func (l *lines) next() (rawLine, bool) {
	line := rawLine{at: l.read}
	if !l.one(&line) {
		return line, false
	}
	l.number++
	line.number, line.size = l.number, l.read-line.at
	line.text = clean(unquote(line.text, l.quoting))
	if l.padded {
		line.text = trimPadding(line.text)
	}
	return line, true
}

// one reads a line of at most maxLine bytes.
func (l *lines) one(line *rawLine) bool {
	l.long = l.long[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		l.read += int64(len(part))
		if err == nil && len(l.long) == 0 {
			line.text, line.ended = part[:len(part)-1], true
			return true
		}
		room := max(0, maxLine-len(l.long))
		line.cut = line.cut || len(part) > room
		l.long = append(l.long, part[:min(room, len(part))]...)
		switch err {
		case bufio.ErrBufferFull:
			continue
		case nil:
			line.text, line.ended = bytes.TrimSuffix(l.long, []byte("\n")), true
			return true
		case io.EOF:
		default:
			l.err = err
		}
		line.text = l.long
		return l.read > line.at
	}
}
