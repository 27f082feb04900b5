package shell

import (
	"path"
	"regexp"
	"strings"
)

// listRow is a row of ls -l: the mode, the links, whose it is, and the size; then
// the date and the name.
var listRow = regexp.MustCompile(`^[-dlcbps][-rwxsStTl]{9}[.+@]?\s+\d+\s+\S+\s+\S+\s+(?:\d[\d.,]*[KMGTP]?|\d+,\s*\d+)\s+(\S.*)$`)

// Listed is the date of a file as ls -l printed it, of the file itself or of the
// folder it is in.
func Listed(argv []string, output []byte, file string) (date string, ok bool) {
	c := callOf(argv)
	if c.name != "ls" && c.name != "ll" || bounded("listing", output) != nil {
		return "", false
	}
	_, operands := options(c.args, "I:T:w:", "time-style", "sort", "ignore", "width")
	folder := ""
	if len(operands) == 1 {
		folder = path.Clean(operands[0])
	}
	for line := range lines(output) {
		if heading, found := strings.CutSuffix(line, ":"); found && len(operands) != 1 {
			folder = path.Clean(heading)
		}
		m := listRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if date, ok := strings.CutSuffix(m[1], " "+file); ok {
			return date, true
		}
		if date, ok := strings.CutSuffix(m[1], " "+path.Base(file)); ok && folder == path.Dir(file) && dateOnly(date) {
			return date, true
		}
	}
	return "", false
}

// dateOnly: a name may hold blanks, and end like the one that is looked for.
func dateOnly(words string) bool {
	last := words[strings.LastIndexByte(words, ' ')+1:]
	return !strings.ContainsFunc(last, func(r rune) bool { return r != ':' && r != '-' && r != '+' && r != '.' && (r < '0' || r > '9') })
}
