package transcript

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"strings"
)

// maxLine bounds one line: what is longer is cut, and the rest passed over.
const maxLine = 1 << 20

// lines reads a text line by line, without what terminals and tickets add.
type lines struct {
	r        *bufio.Reader
	progress func(int64)
	read     int64
	told     int64
	prefix   string // a ticket's quoting or indentation, when every line has it
	decided  bool
	number   int
	err      error
}

// A rawLine is one line, cleaned.
type rawLine struct {
	number int
	text   string
	ended  bool // with a newline
}

func newLines(r io.Reader, progress func(int64)) *lines {
	return &lines{r: bufio.NewReaderSize(r, 1<<16), progress: progress}
}

func (l *lines) next() (rawLine, bool) {
	if !l.decided {
		l.decided = true
		head, _ := l.r.Peek(1 << 14)
		l.prefix = commonPrefix(head)
	}
	for {
		text, ended, ok := l.one()
		if !ok {
			return rawLine{}, false
		}
		l.number++
		if l.progress != nil && l.read-l.told >= 1<<20 {
			l.told = l.read
			l.progress(l.read)
		}
		if rest, cut := strings.CutPrefix(text, l.prefix); cut {
			text = rest
		} else if strings.TrimSpace(l.prefix) != "" {
			text = strings.TrimPrefix(text, strings.TrimSpace(l.prefix))
		}
		text = clean(text)
		if fence.MatchString(text) {
			continue
		}
		return rawLine{l.number, text, ended}, true
	}
}

// one reads a line of at most maxLine bytes.
func (l *lines) one() (text string, ended, ok bool) {
	var long []byte
	for {
		part, err := l.r.ReadSlice('\n')
		l.read += int64(len(part))
		if len(long)+len(part) <= maxLine {
			long = append(long, part...)
		}
		switch err {
		case nil:
			return string(bytes.TrimSuffix(long, []byte("\n"))), true, true
		case bufio.ErrBufferFull:
			continue
		case io.EOF:
			return string(long), false, len(long) > 0
		default:
			l.err = err
			return "", false, false
		}
	}
}

// A fence is what a ticket puts around pasted text.
var fence = regexp.MustCompile("^(```[A-Za-z0-9]*|~~~[A-Za-z0-9]*|\\{(?:code|noformat)(?::[^}]*)?\\})\\s*$")

var ansi = regexp.MustCompile("\x1b(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[()][A-Za-z0-9]|[=>78cM])")

// clean takes colour codes and carriage returns away. A carriage return within a
// line is a progress bar: what was overwritten is gone.
func clean(s string) string {
	if strings.IndexByte(s, 0x1b) >= 0 {
		s = ansi.ReplaceAllString(s, "")
	}
	s = strings.TrimRight(s, "\r")
	if strings.IndexByte(s, '\b') >= 0 {
		s = backspaced(s)
	}
	return s
}

// backspaced undoes what the typist undid.
func backspaced(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] != '\b':
			out = append(out, s[i])
		case len(out) > 0:
			out = out[:len(out)-1]
		}
	}
	return string(out)
}

// commonPrefix is the quoting that every line of the beginning has.
func commonPrefix(head []byte) string {
	text := string(head)
	for _, p := range []string{"> ", "    ", "\t", "| "} {
		n, all := 0, true
		for line := range strings.Lines(text) {
			bare := strings.TrimRight(line, "\r\n")
			if bare == "" || bare == strings.TrimSpace(p) {
				continue
			}
			if !strings.HasPrefix(bare, p) {
				all = false
				break
			}
			n++
		}
		if all && n >= 2 {
			return p
		}
	}
	return ""
}
