package shell

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// row splits a line by the columns. All columns but names and command lines
// have a fixed number of words, so what stands before the first of those is
// read from the left and what stands behind the last of them from the right.
func (p *psParser) row(line string) (Row, error) {
	if len(p.columns) == 0 {
		return Row{}, errors.New("no columns are known")
	}
	r := Row{CPUNumber: -1}
	first, last := wideColumns(p.columns)
	rest := line
	for _, c := range p.columns[:first] {
		var err error
		if rest, err = p.leading(&r, c, rest); err != nil {
			return r, err
		}
	}
	from := len(line) - len(rest)
	rest, err := p.trailing(&r, p.columns[last:], rest)
	if err != nil {
		return r, err
	}
	if err := p.middle(&r, p.columns[first:last], rest, from+len(rest)); err != nil {
		return r, err
	}
	return r, p.check(&r)
}

// wideColumns is the range of columns from the first to the last that may hold
// blanks.
func wideColumns(cols []column) (first, end int) {
	first, end = len(cols), len(cols)
	for i, c := range cols {
		if c.wide() {
			first = min(first, i)
			end = i + 1
		}
	}
	return first, end
}

func (c column) wide() bool { return c.field == "comm" || c.field == "cmd" }

// leading reads one column from the front.
func (p *psParser) leading(r *Row, c column, rest string) (string, error) {
	rest = strings.TrimLeft(rest, " \t")
	n := c.words(rest)
	end := 0
	for ; n > 0; n-- {
		for end < len(rest) && (rest[end] == ' ' || rest[end] == '\t') {
			end++
		}
		for end < len(rest) && rest[end] != ' ' && rest[end] != '\t' {
			end++
		}
	}
	if end == 0 {
		return rest, errors.New("too few words")
	}
	return rest[end:], p.set(r, c, rest[:end])
}

// words is how many words a value has: dates have up to five.
func (c column) words(rest string) int {
	head := rest[:min(len(rest), 4)]
	switch {
	case c.field == "lstart", c.field == "start" && isWeekday(head):
		return 5
	case c.field == "start" && len(head) == 4 && head[3] == ' ' && month(head[:3]) > 0:
		return 2
	}
	return 1
}

func isWeekday(head string) bool {
	switch strings.TrimSuffix(head, " ") {
	case "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun":
		return len(head) == 4
	}
	return false
}

// trailing reads the columns behind the last wide one, from the right.
func (p *psParser) trailing(r *Row, cols []column, rest string) (string, error) {
	for i := len(cols) - 1; i >= 0; i-- {
		c := cols[i]
		rest = strings.TrimRight(rest, " \t")
		n := 1
		if c.field == "lstart" {
			n = 5
		}
		start := len(rest)
		for ; n > 0; n-- {
			for start > 0 && (rest[start-1] == ' ' || rest[start-1] == '\t') {
				start--
			}
			for start > 0 && rest[start-1] != ' ' && rest[start-1] != '\t' {
				start--
			}
		}
		if start == len(rest) {
			return rest, errors.New("too few words")
		}
		if err := p.set(r, c, rest[start:]); err != nil {
			return rest, err
		}
		rest = rest[:start]
	}
	return rest, nil
}

// middle reads the wide columns and what stands between them. The heading says
// where the next begins; without it, or where a long value pushed the next one
// along, names count as one word. end is where the text ends in its line.
func (p *psParser) middle(r *Row, cols []column, rest string, end int) (err error) {
	for ; len(cols) > 1; cols = cols[1:] {
		if !cols[0].wide() {
			if rest, err = p.leading(r, cols[0], rest); err != nil {
				return err
			}
			continue
		}
		rest = strings.TrimLeft(rest, " \t")
		cut := cols[1].at - (end - len(rest))
		if cut <= 0 || cut >= len(rest) || rest[cut-1] != ' ' || rest[cut] == ' ' {
			cut = strings.IndexByte(rest+" ", ' ')
		}
		if err := p.set(r, cols[0], strings.TrimSpace(rest[:cut])); err != nil {
			return err
		}
		rest = rest[cut:]
	}
	if len(cols) == 0 {
		return nil
	}
	return p.set(r, cols[0], strings.TrimSpace(rest))
}

// set stores one value.
func (p *psParser) set(r *Row, c column, text string) (err error) {
	switch c.field {
	case "pid":
		if text == "-" && p.table.Threads {
			r.Pid = p.last
			return nil
		}
		r.Pid, err = strconv.Atoi(text)
		p.last = r.Pid
	case "tid":
		if text != "-" {
			r.Tid, err = strconv.Atoi(text)
		}
	case "ppid":
		r.PPid, err = optional(text)
	case "threads":
		r.Threads, err = optional(text)
	case "psr":
		if text != "-" {
			r.CPUNumber, err = strconv.Atoi(text)
		}
	case "stat":
		r.Stat = text
	case "wchan":
		r.Wchan = text
	case "user":
		r.User = text
	case "comm", "cmd":
		r.command(c.field, text)
	default:
		return p.measure(r, c, text)
	}
	return err
}

func optional(text string) (int, error) {
	if text == "-" {
		return 0, nil
	}
	return strconv.Atoi(text)
}

func (p *psParser) measure(r *Row, c column, text string) (err error) {
	switch c.field {
	case "elapsed":
		r.Elapsed, err = psSpan(text)
	case "cpu":
		r.CPU, err = psSpan(text)
	case "rss":
		r.RSSKB, _ = strconv.ParseInt(text, 10, 64)
	case "lstart":
		r.Started, err = ParseStamp(text)
	case "start":
		if isWeekday(text[:min(4, len(text))]) {
			r.Started, err = ParseStamp(text)
			return err
		}
		r.Start = text
	}
	return err
}

// command takes the marks off a name: brackets of a process without arguments,
// busybox's braces, and <defunct>.
func (r *Row) command(field, text string) {
	if rest, ok := strings.CutSuffix(text, "<defunct>"); ok {
		r.Defunct, text = true, strings.TrimSpace(rest)
	}
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") && len(text) > 2 {
		if r.Comm == "" {
			r.Comm = text[1 : len(text)-1]
		}
		return
	}
	if name, rest, ok := strings.Cut(text, "} "); ok && strings.HasPrefix(name, "{") && field == "cmd" {
		if r.Comm == "" {
			r.Comm = name[1:]
		}
		text = rest
	}
	if field == "comm" {
		r.Comm = text
	} else {
		r.Cmd = text
	}
}

// check refuses a line that is no row: a state that does not exist, or no
// number where the pid should be.
func (p *psParser) check(r *Row) error {
	if r.Stat != "" && strings.IndexByte("DIRSTtWXxZKPN", r.Stat[0]) < 0 {
		return errors.New("no such state")
	}
	if r.Pid < 0 || r.Tid < 0 || r.PPid < 0 {
		return errors.New("a negative number")
	}
	// A thread's table that shows tids alone still belongs to the one process
	// that was asked for; so does any row without a pid.
	if r.Pid == 0 && len(p.args.pids) == 1 && !p.table.shows("PID") {
		r.Pid = p.args.pids[0]
	}
	return nil
}

// psSpan reads [[dd-]hh:]mm:ss, with hundredths perhaps, busybox's 1h02 and
// 3d04, and plain seconds.
func psSpan(text string) (Span, error) {
	if text == "-" {
		return Span{}, nil
	}
	if s, ok := shortSpan(text); ok {
		return s, nil
	}
	days, clock, dashed := strings.Cut(text, "-")
	if !dashed {
		days, clock = "0", text
	}
	s := Span{Unit: time.Second}
	whole, cents, dotted := strings.Cut(clock, ".")
	total, err := strconv.ParseUint(days, 10, 20)
	if err != nil {
		return Span{}, err
	}
	parts := strings.Split(whole, ":")
	if len(parts) > 3 {
		return Span{}, errors.New("a time of too many parts")
	}
	if dashed && len(parts) < 3 {
		return Span{}, errors.New("days without hours")
	}
	total *= 86400
	scale := [...]uint64{3600, 60, 1}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 40)
		if err != nil || n > 1<<33 {
			return Span{}, errors.New("no time")
		}
		total += n * scale[3-len(parts)+i]
	}
	if total > 1<<33 {
		return Span{}, errors.New("a time out of range")
	}
	s.Least = time.Duration(total) * time.Second
	if n, rest, ok := cutDigits(cents, 2); dotted && ok && rest == "" {
		s.Least, s.Unit = s.Least+time.Duration(n)*10*time.Millisecond, 10*time.Millisecond
	}
	return s, nil
}

func shortSpan(text string) (Span, bool) {
	for _, form := range []struct {
		letter    string
		big, unit time.Duration
	}{{"h", time.Hour, time.Minute}, {"d", 24 * time.Hour, time.Hour}} {
		left, right, ok := strings.Cut(text, form.letter)
		a, err1 := strconv.ParseUint(left, 10, 16)
		b, err2 := strconv.ParseUint(right, 10, 8)
		if ok && err1 == nil && err2 == nil {
			return Span{time.Duration(a)*form.big + time.Duration(b)*form.unit, form.unit}, true
		}
	}
	return Span{}, false
}
