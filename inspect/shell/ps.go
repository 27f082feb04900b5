package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Row is one process, or one thread of it, as ps or top print it. A number
// that is zero and a text that is empty were not printed.
type Row struct {
	Pid, Tid, PPid int
	User           string
	Stat           string // the first letter is the state
	Elapsed        Span   // how long it has been there
	CPU            Span   // CPU time used
	Started        Stamp  // lstart, without a zone; the short forms of the start time are in Start
	Start          string // STIME or START: 09:31, Oct05, 2026
	Wchan          string // "-": running, or nothing to see
	Comm           string // the name; hostile
	Cmd            string // the command line; hostile
	Threads        int    // NLWP
	RSSKB          int64  //
	CPUNumber      int    // PSR; -1: not printed
	Defunct        bool   // <defunct> stands behind its name
}

// A Span is a duration that was cut off, not rounded: the truth is at least
// Least and less than Least+Unit. Unit zero: not told.
type Span struct{ Least, Unit time.Duration }

// Name is the process's name, as far as the row tells one.
func (r Row) Name() string {
	if r.Comm != "" {
		return r.Comm
	}
	first, _, _ := strings.Cut(r.Cmd, " ")
	first = strings.TrimSuffix(first, ":")
	return first[strings.LastIndexByte(first, '/')+1:]
}

// A Table is the output of one ps.
type Table struct {
	Columns []string // names as the heading or the command gave them, upper case
	Rows    []Row
	Asked   []int    // the pids that the command selects, without a doubt
	All     bool     // it selects every process of its pid namespace
	Threads bool     // a row is a thread
	Headed  bool     // a heading was printed
	Partial bool     // a filter may have cut rows out
	Odd     []string // lines that are no rows, at most 100 of them
	filters [][]string
}

// PS reads the output of ps in any of its forms, and of top's batch mode. The
// heading names the columns; where a filter or the command took it away the
// command's own list does.
func PS(argv []string, filters [][]string, output []byte) (Table, error) {
	if err := bounded("ps", output); err != nil {
		return Table{}, err
	}
	c := callOf(argv)
	a := psArgs(c)
	t := Table{Asked: a.pids, All: a.all, Threads: a.threads, filters: filters}
	pass := passageOf(filters, lineCount(output))
	if pass == rewritten {
		return t, fmt.Errorf("parse ps: %s made something else of it", clip(strings.Join(filters[len(filters)-1], " ")))
	}
	t.Partial = pass == part
	p := psParser{table: &t, args: a, columns: a.columns}
	if len(filters) > 0 && len(p.columns) == 0 {
		p.columns = a.usual()
	}
	for line := range lines(output) {
		p.line(line)
	}
	if !t.Headed && len(t.Rows) == 0 && !a.bare && !t.Partial {
		return t, fmt.Errorf("parse ps: no heading and no rows")
	}
	if t.Columns == nil {
		t.Columns = names(p.columns)
	}
	return t, nil
}

// Absent says that ps would have shown this process and did not. Whether ps was
// able to see it (hidepid, another pid namespace) is another question.
func (t Table) Absent(pid int) bool {
	if !t.All && !slices.Contains(t.Asked, pid) || len(t.Odd) > 0 {
		return false // a line that was not understood may have been its row
	}
	if slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Pid == pid }) {
		return false
	}
	if len(t.Rows) > 0 && !t.shows("PID") {
		return false // rows without pids may be anybody's
	}
	// A filter may only have been silent because nothing matched; where it
	// looks for the pid itself, the row would have matched.
	return !t.Partial || keeps(t.filters, " "+strconv.Itoa(pid)+" ")
}

func (t Table) shows(name string) bool {
	return slices.ContainsFunc(t.Columns, func(c string) bool { return c == name || c == "TGID" && name == "PID" })
}

// Row is the row of a process, or nil.
func (t Table) Row(pid int) *Row {
	i := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Pid == pid })
	if i < 0 {
		return nil
	}
	return &t.Rows[i]
}

// psParser reads line by line; a second heading begins a second table, as top
// prints them.
type psParser struct {
	table   *Table
	args    psCall
	columns []column
	last    int // the pid of the row before, for rows of its threads
}

func (p *psParser) line(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	if cols, ok := p.headed(line); ok {
		p.columns = cols
		p.table.Headed, p.table.Columns = true, names(cols)
		return
	}
	row, err := p.row(line)
	if err != nil {
		if len(p.table.Odd) < 100 {
			p.table.Odd = append(p.table.Odd, clip(line))
		}
		return
	}
	if len(p.table.Rows) == maxRows {
		p.table.Partial, p.table.filters = true, [][]string{{"head"}}
		return
	}
	p.table.Rows = append(p.table.Rows, row)
}

// headed reads a heading. When the command lists its columns and the heading
// has as many words, the command's list is the truth: TIME, COMMAND and STARTED
// each stand for several.
func (p *psParser) headed(line string) ([]column, bool) {
	cols, ok := headingColumns(line, p.args)
	if ok && len(p.args.columns) == len(cols) {
		for i := range cols {
			cols[i].field = p.args.columns[i].field
		}
	}
	if !ok && len(p.args.columns) > 0 && p.args.titled && strings.Join(strings.Fields(line), " ") == p.args.title() {
		return p.args.columns, true
	}
	return cols, ok
}

func names(cols []column) []string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = c.name
	}
	return out
}
