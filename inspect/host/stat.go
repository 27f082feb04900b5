package host

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Places of the fields of /proc/PID/stat behind the name, counted from the
// state: proc(5) numbers the state 3, so each is its number there less three.
const (
	statPPid      = 4 - 3
	statUTime     = 14 - 3
	statSTime     = 15 - 3
	statThreads   = 20 - 3
	statStart     = 22 - 3
	statRSS       = 24 - 3
	statProcessor = 39 - 3
	statBlockIO   = 42 - 3
	statExit      = 52 - 3
)

// ParseStat reads /proc/PID/stat, or the same file of one thread.
//
// The name stands in brackets and may itself hold brackets, blanks and line
// feeds. Nothing behind it can, so it ends at the last closing bracket.
// Fields that older kernels do not print are zero, as are those the reader
// would need ptrace access for.
func ParseStat(b []byte) (evidence.ProcStat, error) {
	var p evidence.ProcStat
	if err := bounded("stat", b); err != nil {
		return p, err
	}
	left, right := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if left < 0 || right < left {
		return p, errors.New("parse stat: no name in brackets")
	}
	if _, err := strconv.Atoi(string(bytes.TrimSpace(b[:left]))); err != nil {
		return p, fmt.Errorf("parse stat: pid: %w", err)
	}
	fields := bytes.Fields(b[right+1:])
	if len(fields) <= statRSS || len(fields[0]) != 1 {
		return p, fmt.Errorf("parse stat: %d fields behind the name, or no state letter", len(fields))
	}
	p.Comm, p.State = string(b[left+1:right]), string(fields[0])
	n := numbers{fields: fields}
	p.PPid, p.Threads = int(n.signed(statPPid)), int(n.signed(statThreads))
	p.UTime, p.STime = n.unsigned(statUTime), n.unsigned(statSTime)
	p.Start, p.RSS = n.unsigned(statStart), n.signed(statRSS)
	p.CPU, p.BlockIO = int(n.signed(statProcessor)), n.unsigned(statBlockIO)
	p.Exit = int(n.signed(statExit))
	if n.err != nil {
		return evidence.ProcStat{}, fmt.Errorf("parse stat: %w", n.err)
	}
	return p, nil
}

// Ticks are the kernel's ticks for programs, of which there are a hundred a second
// on every Linux that matters here.
func Ticks(n uint64) time.Duration {
	return time.Duration(min(n, 1<<48)) * 10 * time.Millisecond
}

// numbers reads fields by place and keeps the first error. A place beyond the
// end is zero: the kernel only ever appended fields.
type numbers struct {
	fields [][]byte
	err    error
}

func (n *numbers) text(i int) string {
	if i >= len(n.fields) {
		return "0"
	}
	return string(n.fields[i])
}

func (n *numbers) signed(i int) int64 {
	v, err := strconv.ParseInt(n.text(i), 10, 64)
	n.keep(i, err)
	return v
}

func (n *numbers) unsigned(i int) uint64 {
	v, err := strconv.ParseUint(n.text(i), 10, 64)
	n.keep(i, err)
	return v
}

func (n *numbers) keep(i int, err error) {
	if err != nil && n.err == nil {
		n.err = fmt.Errorf("field %d: %w", i+3, err)
	}
}
