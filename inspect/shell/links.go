package shell

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// A Link is one symbolic link that ls -l or readlink showed.
type Link struct {
	Path   string // the folder is taken from the command where the line has the name alone
	Target string // socket:[884213], pid:[4026531836], /opt/ledger/bin/ledgerd
}

// A Listing is what ls or readlink told of some links.
type Listing struct {
	Links  []Link
	Whole  bool   // a whole folder was listed: a link that is not here is not there
	Failed []File // what could not be read, and why
}

// Links reads ls -l and readlink. It is not ok for another command, or when
// readlink printed targets that cannot be told apart.
func Links(argv []string, filters [][]string, output []byte) (Listing, bool) {
	c := callOf(argv)
	if c.name != "ls" && c.name != "readlink" && c.name != "ll" || bounded("links", output) != nil {
		return Listing{}, false
	}
	_, operands := options(c.args, "I:w:T:", "color", "time-style", "ignore", "hide", "sort", "time")
	r := fileReader{name: c.name, paths: operands}
	fits := false
	if r.typed, fits = wordsOf(operands, false); !fits || len(operands) > maxFiles {
		return Listing{}, false
	}
	r.errors(output)
	l := Listing{Failed: r.failed}
	if c.name == "readlink" {
		return l, l.readlink(operands, r)
	}
	l.ls(r)
	oneFolder := len(l.Links) < maxRows && len(operands) == 1 && !hasWildcard(operands[0]) && (len(l.Links) == 0 || l.Links[0].Path != operands[0])
	l.Whole = oneFolder && len(r.failed) == 0 && passageOf(filters, lineCount(r.rest)) == whole && strings.HasPrefix(string(r.rest), "total ")
	return l, true
}

// readlink prints targets alone, one for each operand it could read.
func (l *Listing) readlink(operands []string, r fileReader) bool {
	var targets []string
	for line := range lines(r.rest) {
		if line != "" {
			targets = append(targets, line)
		}
	}
	left := slices.DeleteFunc(slices.Clone(operands), func(p string) bool {
		return slices.ContainsFunc(r.failed, func(f File) bool { return f.Path == p })
	})
	if len(left) == len(targets) && !slices.ContainsFunc(left, hasWildcard) {
		for i, p := range left {
			l.Links = append(l.Links, Link{p, targets[i]})
		}
		return true
	}
	// Namespace links say themselves which they are.
	for _, t := range targets {
		kind, _, ok := strings.Cut(t, ":[")
		if !ok || len(left) != 1 || path.Base(path.Dir(left[0])) != "ns" {
			return len(targets) == 0
		}
		l.Links = append(l.Links, Link{path.Join(path.Dir(left[0]), kind), t})
	}
	return true
}

// ls reads the lines with an arrow; a line that ends in a colon names the
// folder of those behind it.
func (l *Listing) ls(r fileReader) {
	folder := ""
	if len(r.paths) == 1 && !hasWildcard(r.paths[0]) {
		folder = r.paths[0]
	}
	for line := range strings.Lines(string(r.rest)) {
		line = strings.TrimRight(line, "\r\n")
		if dir, ok := strings.CutSuffix(line, ":"); ok && r.typed.stands(dir) {
			folder = dir
			continue
		}
		left, target, ok := strings.Cut(line, " -> ")
		if !ok || len(l.Links) >= maxRows || !strings.HasPrefix(line, "l") && strings.Contains(left, " ") {
			continue
		}
		name := strings.Trim(left[strings.LastIndexByte(left, ' ')+1:], "'\"")
		if !strings.Contains(name, "/") {
			name = path.Join(folder, name)
		}
		l.Links = append(l.Links, Link{name, strings.Trim(target, "'\"")})
	}
}

// Descriptors gives the sockets among /proc/PID/fd links as the "9
// socket:[884213]" lines a live capture records, by pid.
func (l Listing) Descriptors() map[int][]byte {
	out := map[int][]byte{}
	for _, k := range l.Links {
		pid, rest, ok := procPath(k.Path)
		number, found := strings.CutPrefix(rest, "fd/")
		if !ok || !found {
			continue
		}
		if _, err := strconv.ParseUint(number, 10, 31); err == nil && strings.HasPrefix(k.Target, "socket:[") {
			out[pid] = fmt.Appendf(out[pid], "%s %s\n", number, k.Target)
		}
	}
	return out
}

// Namespaces gives the /proc/PID/ns links as the "pid pid:[4026531836]" lines a
// live capture records, by pid.
func (l Listing) Namespaces() map[int][]byte {
	out := map[int][]byte{}
	for _, k := range l.Links {
		pid, rest, ok := procPath(k.Path)
		kind, found := strings.CutPrefix(rest, "ns/")
		if ok && found && !strings.Contains(kind, "/") {
			out[pid] = fmt.Appendf(out[pid], "%s %s\n", kind, k.Target)
		}
	}
	return out
}

// procPath takes /proc/PID/rest apart.
func procPath(p string) (pid int, rest string, ok bool) {
	after, ok := strings.CutPrefix(path.Clean(p), "/proc/")
	number, rest, _ := strings.Cut(after, "/")
	n, err := strconv.ParseUint(number, 10, 31)
	return int(n), rest, ok && err == nil && n > 0
}

// A Namespace is one row of lsns.
type Namespace struct {
	Inode uint64
	Type  string
	Count int // processes in it
	Pid   int // the lowest pid in it
	Cmd   string
}

// Lsns reads lsns by its heading.
func Lsns(output []byte) ([]Namespace, error) {
	if err := bounded("lsns", output); err != nil {
		return nil, err
	}
	var cols []string
	var out []Namespace
	for line := range lines(output) {
		words := strings.Fields(line)
		if len(words) > 2 && words[0] == "NS" {
			cols = words
			continue
		}
		if n, ok := lsnsRow(cols, words); ok && len(out) < maxRows {
			out = append(out, n)
		}
	}
	if cols == nil {
		return nil, fmt.Errorf("parse lsns: no heading")
	}
	return out, nil
}

func lsnsRow(cols, words []string) (Namespace, bool) {
	var n Namespace
	for i, c := range cols {
		if i >= len(words) {
			break
		}
		switch c {
		case "NS":
			n.Inode, _ = strconv.ParseUint(words[i], 10, 64)
		case "TYPE":
			n.Type = words[i]
		case "NPROCS":
			n.Count, _ = strconv.Atoi(words[i])
		case "PID":
			n.Pid, _ = strconv.Atoi(words[i])
		case "COMMAND":
			n.Cmd = evidence.Clip(strings.Join(words[i:], " "), 256)
		}
	}
	return n, n.Inode > 0
}
