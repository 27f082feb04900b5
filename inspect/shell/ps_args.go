package shell

import (
	"slices"
	"strconv"
	"strings"
)

// A psCall is what a command line asks of ps.
type psCall struct {
	columns []column // from -o; empty: the heading must tell
	pids    []int    // selected by number
	all     bool     // everything is selected
	other   bool     // something else narrows or widens the selection
	negated bool     // what is selected is left out
	letterf byte     // the option that picks a table of its own: f, F, u, l, j, …; zero: none
	threads bool
	bare    bool // no heading will be printed
	titled  bool // -o gave columns names of their own
	full    bool // the default columns end in a command line, not a name
}

func (a psCall) title() string {
	var words []string
	for _, c := range a.columns {
		if c.title != "" {
			words = append(words, strings.Fields(c.title)...)
		}
	}
	return strings.Join(words, " ")
}

// psArgs reads Unix, BSD and GNU options, which ps mixes freely.
func psArgs(c call) psCall {
	var a psCall
	if c.name == "top" {
		a.top(c)
		return a
	}
	for i := 0; i < len(c.args); i++ {
		w, next := c.args[i], ""
		if i+1 < len(c.args) {
			next = c.args[i+1]
		}
		used := false
		switch {
		case strings.HasPrefix(w, "--"):
			used = a.long(w[2:], next)
		case strings.HasPrefix(w, "-") && len(w) > 1 && !digit(w[1]):
			used = a.letters(w[1:], next, true)
		case len(w) > 0 && (digit(w[0]) || w[0] == '-'):
			a.selectPids(strings.TrimPrefix(w, "-"))
		default:
			used = a.letters(w, next, false)
		}
		if used {
			i++
		}
	}
	a.settle()
	return a
}

func (a *psCall) top(c call) {
	opts, _ := options(c.args, "n:d:p:u:U:o:w::", "pid")
	a.all, a.threads = true, has(opts, "H")
	for _, o := range opts {
		switch o.name {
		case "p", "pid":
			a.selectPids(o.value)
		case "u", "U":
			a.other = true
		}
	}
	a.settle()
	// top shows as many rows as fit.
	a.all = false
}

// settle decides what an absent row can mean.
func (a *psCall) settle() {
	if a.other || a.negated {
		a.all = false
	}
	if a.negated {
		a.pids = nil
	}
	if len(a.columns) > 0 {
		a.bare = a.bare || !slices.ContainsFunc(a.columns, func(c column) bool { return !c.titled || c.title != "" })
	}
}

func (a *psCall) long(word, next string) (used bool) {
	name, value, attached := strings.Cut(word, "=")
	switch name {
	case "no-headers", "no-heading", "no-headings", "noheaders", "noheading":
		a.bare = true
	case "deselect":
		a.negated = true
	case "pid", "quick-pid", "format", "sort", "ppid", "user", "User", "group", "Group", "sid", "tty", "cols", "columns", "width", "rows", "lines":
		if !attached {
			value, used = next, true
		}
		a.valued(name, value)
	}
	return used
}

func (a *psCall) valued(name, value string) {
	switch name {
	case "pid", "quick-pid", "p", "q":
		a.selectPids(value)
	case "format", "o":
		a.columns = append(a.columns, formatColumns(value)...)
		a.titled = a.titled || strings.Contains(value, "=")
	case "O":
		a.full = true
	case "C", "u", "U", "t", "g", "G", "s", "ppid", "user", "User", "group", "Group", "sid", "tty":
		a.other = true
	}
}

// letters reads a cluster. Unix and BSD letters differ in what they mean.
func (a *psCall) letters(w, next string, unix bool) (used bool) {
	valued := "oOpqUtk" // u is a format in the BSD dialect
	if unix {
		valued = "oOpqCuUtgGs"
	}
	bsdAll := 0
	for i := range len(w) {
		if strings.IndexByte(valued, w[i]) >= 0 {
			value := w[i+1:]
			if value == "" {
				value, used = next, true
			}
			a.valued(w[i:i+1], strings.TrimPrefix(value, "="))
			break
		}
		if !unix {
			bsdAll |= bsdSelect(w[i])
		}
		a.letter(w[i], unix)
	}
	if bsdAll == 3 {
		a.all = true
	}
	return used
}

// bsdSelect: a lifts the limit to one's own processes, x the one to processes
// with a terminal; both together select everything.
func bsdSelect(c byte) int {
	switch c {
	case 'a':
		return 1
	case 'x':
		return 2
	}
	return 0
}

func (a *psCall) letter(c byte, unix bool) {
	switch {
	case c == 'N' && unix:
		a.negated = true
	case unix && (c == 'e' || c == 'A'):
		a.all = true
	case c == 'L' || c == 'T' || c == 'H' && !unix || c == 'm':
		a.threads = true
	case unix && (c == 'f' || c == 'F'):
		a.full, a.letterf = true, c
	case c == 'f':
		a.full = true
	case c == 'u' && !unix:
		a.full, a.letterf = true, c
	case strings.IndexByte("ljsvXy", c) >= 0:
		a.full, a.letterf = a.full || !unix, c
	case c == 'h' && !unix:
		a.bare = true
	case !unix && (c == 'a' || c == 'x'):
		a.full = true
	}
}

// selectPids reads 1,2 or "1 2". Anything else, an unexpanded variable for one,
// selects nobody we know.
func (a *psCall) selectPids(list string) {
	for w := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(w)
		if err != nil || n <= 0 || len(a.pids) > 1000 {
			a.other = true
			continue
		}
		a.pids = append(a.pids, n)
	}
}
