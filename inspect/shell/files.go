package shell

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// A File is one file, or a part of it, as cat, head, tail, more, grep, sed or
// awk printed it.
type File struct {
	Path    string // as typed, or as a heading names it; empty when several share Bytes and nothing tells where one ends
	Bytes   []byte
	Status  evidence.Status // ok when the command could read it
	Why     string          // the command's own words when it could not, or why the bytes are no content
	Partial bool            // lines may have been left out: what is not there is not told
	Nth     int             // Path is a pattern, and which file of it this is nothing tells but its place in the list, from 1; zero: Path is the file's own
}

// maxFiles bounds how many files one command can name.
const maxFiles = 1024

// Files divides an output among the files that the command names. It is not ok
// for another command, and when the output of several files cannot be divided:
// then one entry with an empty path holds what could not.
func Files(argv []string, filters [][]string, output []byte) ([]File, bool) {
	c := callOf(argv)
	r, ok := readerOf(c)
	if !ok || bounded("files", output) != nil {
		return nil, false
	}
	r.errors(output)
	pass := passageOf(filters, lineCount(r.rest))
	files, divided := r.divide()
	for i := range files {
		f := &files[i]
		if f.Status != evidence.OK {
			continue
		}
		f.Partial = (f.Partial || pass == part) && !oneWholeLine(*f)
		if f.Nth > 0 && !inOrder(filters) {
			f.Status, f.Why = evidence.Unsupported, "behind a filter the place in the list does not tell which file it is"
		}
		if pass == rewritten {
			f.Status, f.Why = evidence.Unsupported, "a filter made something else of it"
		}
	}
	silent := len(r.rest) == 0 && (c.mute || c.merged && len(filters) > 0)
	if silent {
		doubt(files)
	}
	return append(files, r.failed...), divided
}

// inOrder says whether filters leave every line where it is.
func inOrder(filters [][]string) bool {
	return !slices.ContainsFunc(filters, func(f []string) bool {
		return len(f) > 0 && !slices.Contains([]string{"cat", "tee", "less", "more"}, path.Base(f[0]))
	})
}

// doubt: where errors were thrown away, nothing printed may have been an error.
func doubt(files []File) {
	for i := range files {
		if files[i].Status == evidence.OK && len(files[i].Bytes) == 0 {
			files[i].Status, files[i].Why = evidence.Failed, "nothing was printed, and errors would not have been either"
		}
	}
}

// A fileReader is one reading command and what it printed.
type fileReader struct {
	name   string
	paths  []string // braces expanded; may hold wildcards
	typed  words
	deep   bool // folders stand for what is in them
	titled bool // ==> path <== stands above each part
	colon  bool // path: stands before each line
	number bool // a line's number stands before it
	cut    func(lines int) passage
	rest   []byte // the output without error lines
	failed []File // the files that could not be read
}

// readerOf knows the commands that print files.
func readerOf(c call) (*fileReader, bool) {
	r := &fileReader{name: c.name, cut: func(int) passage { return whole }}
	var operands []string
	switch c.name {
	case "cat", "more", "less", "tac":
		_, operands = options(c.args, "")
		if slices.ContainsFunc(c.args, func(a string) bool { return strings.HasPrefix(a, "-") && strings.ContainsAny(a, "nbAvTE") }) {
			return nil, false // numbers and marks are no content
		}
	case "head", "tail":
		operands = r.ends(c)
	case "grep", "egrep", "fgrep", "zgrep":
		operands = r.grep(c)
	case "sed", "awk", "gawk", "mawk":
		operands = r.script(c)
	default:
		return nil, false
	}
	if c.input != "" {
		operands = append(operands, c.input)
	}
	for _, o := range operands {
		if o != "-" && len(r.paths) < maxFiles {
			r.paths = append(r.paths, braces(o)...)
		}
	}
	fits := false
	r.typed, fits = wordsOf(r.paths, r.deep)
	return r, fits && len(r.paths) > 0 && len(r.paths) <= maxFiles
}

func (r *fileReader) ends(c call) []string {
	opts, operands := options(c.args, "n:c:s:", "lines", "bytes", "pid", "sleep-interval")
	operands = slices.DeleteFunc(operands, func(o string) bool { return strings.HasPrefix(o, "+") })
	quiet := has(opts, "q", "quiet", "silent")
	r.titled = !quiet && (len(operands) > 1 || len(operands) == 1 && severalPaths(operands[0]) || has(opts, "v", "verbose"))
	r.cut = func(lines int) passage { return endsOf(c, lines) }
	return operands
}

func (r *fileReader) grep(c call) []string {
	opts, patterns, operands := patternsOf(c)
	r.number = slices.ContainsFunc(opts, func(o option) bool { return o.name == "n" && o.value == "" || o.name == "line-number" })
	r.deep = has(opts, "r", "R", "recursive")
	several := len(operands) > 1 || len(operands) == 1 && severalPaths(operands[0])
	r.colon = (several || r.deep || has(opts, "H", "with-filename")) && !has(opts, "h", "no-filename")
	result := filterOf(c, 0)
	if result == part && matchesAll(patterns) && !has(opts, "v", "invert-match", "m", "max-count") {
		result = whole
	}
	r.cut = func(int) passage { return result }
	return operands
}

// matchesAll knows the patterns people print whole files with, to get the names
// in front of the lines. Only empty lines may be missing.
func matchesAll(patterns []string) bool {
	for _, p := range patterns {
		switch p {
		case "", ".", "^", ".*", "$":
			return true
		}
	}
	return false
}

func (r *fileReader) script(c call) []string {
	result := filterOf(c, 0)
	r.cut = func(int) passage { return result }
	opts, operands := options(c.args, "e:f:F:v:", "expression", "file", "field-separator", "assign")
	if !has(opts, "e", "f", "expression", "file") && len(operands) > 0 {
		operands = operands[1:]
	}
	return operands
}

// errors takes the command's complaints out of the output.
func (r *fileReader) errors(output []byte) {
	var rest []byte
	for line := range strings.Lines(string(output)) {
		if f, ok := r.complaint(strings.TrimRight(line, "\r\n")); ok {
			r.failed = append(r.failed, f)
		} else {
			rest = append(rest, line...)
		}
	}
	r.rest = rest
}

// divide hands out what is left.
func (r *fileReader) divide() ([]File, bool) {
	left := slices.DeleteFunc(slices.Clone(r.paths), func(p string) bool {
		return slices.ContainsFunc(r.failed, func(f File) bool { return f.Path == p })
	})
	switch {
	case r.titled || r.name == "more" && len(r.paths) > 1:
		return r.byHeading(left)
	case r.colon:
		return r.byPrefix(left)
	case len(left) == 0:
		return r.broken()
	case len(left) == 1 && !hasWildcard(left[0]):
		return []File{r.file(left[0], r.rest)}, true
	}
	return r.byFormat(left)
}

// broken is what was printed before the only file failed in its middle.
func (r *fileReader) broken() ([]File, bool) {
	switch {
	case len(r.rest) == 0:
		return nil, true
	case len(r.paths) == 1:
		return []File{{Path: r.paths[0], Bytes: r.rest, Status: evidence.OK, Partial: true}}, true
	}
	return r.undivided(r.rest, "text of a file that could not be read"), false
}

// oneWholeLine: of a file of one line there is no part; a filter shows it or not.
func oneWholeLine(f File) bool {
	re, ok := oneLine[kindOf(f.Path)]
	return ok && lineCount(f.Bytes) == 1 && f.Path != "/proc/stat" && re.Match(f.Bytes)
}

// file is one part that could be read.
func (r *fileReader) file(path string, b []byte) File {
	if r.number {
		b = withoutNumbers(b)
	}
	f := File{Path: path, Bytes: b, Status: evidence.OK}
	switch r.cut(lineCount(b)) {
	case part:
		f.Partial = true
	case rewritten:
		f.Status, f.Why = evidence.Unsupported, fmt.Sprintf("%s printed something made from it", r.name)
	}
	return f
}

func (r *fileReader) undivided(b []byte, why string) []File {
	return []File{{Bytes: b, Status: evidence.Unsupported, Why: why, Partial: true}}
}

// withoutNumbers drops grep's "12:" and the "--" between its groups.
func withoutNumbers(b []byte) []byte {
	var out []byte
	for line := range strings.Lines(string(b)) {
		i := 0
		for i < len(line) && digit(line[i]) {
			i++
		}
		switch {
		case strings.TrimRight(line, "\r\n") == "--":
		case i > 0 && i < len(line) && (line[i] == ':' || line[i] == '-'):
			out = append(out, line[i+1:]...)
		default:
			out = append(out, line...)
		}
	}
	return out
}
