package service

import "strings"

// A table knows where each column of a printed table begins: at its heading.
type table []column

type column struct {
	name     string
	from, to int // bytes; to is -1 of the last column
}

// headings reads the first line of a table, whose headings are parted by two
// blanks at least, since some hold one.
func headings(line string) table {
	var t table
	for at := 0; at < len(line) && len(t) < 64; {
		for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
			at++
		}
		if at == len(line) {
			break
		}
		end := len(line)
		if i := strings.Index(line[at:], "  "); i >= 0 {
			end = at + i
		}
		if i := strings.IndexByte(line[at:end], '\t'); i >= 0 {
			end = at + i
		}
		if n := len(t); n > 0 {
			t[n-1].to = at
		}
		t = append(t, column{line[at:end], at, -1})
		at = end
	}
	return t
}

// cell is what a line has below a heading.
func (t table) cell(line, name string) string {
	for _, c := range t {
		if c.name != name || c.from >= len(line) {
			continue
		}
		if c.to < 0 || c.to > len(line) {
			return strings.TrimSpace(line[c.from:])
		}
		return strings.TrimSpace(line[c.from:c.to])
	}
	return ""
}

// has says whether the table has a column.
func (t table) has(name string) bool {
	for _, c := range t {
		if c.name == name {
			return true
		}
	}
	return false
}
