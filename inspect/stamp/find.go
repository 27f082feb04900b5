package stamp

import (
	"regexp"
	"strings"
)

// reach is how far into a line a date is looked for: behind a level, a
// container's name or a thread's.
const reach = 120

// Find looks for the first date near the beginning of a line, and returns what
// stands before and after it, brackets and blanks around it taken away.
func Find(line string) (s Stamp, before, after string, ok bool) {
	for at := 0; at < len(line) && at < reach; at++ {
		if at > 0 && !opens(line[at-1]) {
			continue
		}
		s, n, ok := scan(line[at:])
		if !ok || at+n < len(line) && !closes(line[at+n]) {
			continue
		}
		if before = line[:at]; strings.Trim(line[at:at+n], "0123456789") == "" && !saysTime(before) {
			continue // a number of bytes is as long as one of seconds
		}
		before = strings.TrimRight(before, "[(\"' \t")
		after = strings.TrimLeft(line[at+n:], "])\"',: \t")
		return s, before, after, true
	}
	return Stamp{}, "", line, false
}

// serverHead is what redis-server puts in front of its date: its pid and its role.
var serverHead = regexp.MustCompile(`(?:^|\D)\d{1,10}:(?:[MSCX]|signal-handler)$`)

// saysTime says whether a bare number behind a text counts time: it begins the line,
// or the word in front of it names a time.
func saysTime(before string) bool {
	before = strings.TrimRight(before, "[(\"'=:, \t{<")
	if before == "" || serverHead.MatchString(before) {
		return true
	}
	i := strings.LastIndexFunc(before, func(r rune) bool { return r > 127 || !letter(byte(r)) })
	word := before[i+1:]
	switch lower := strings.ToLower(word); lower {
	case "at", "ts", "t", "date", "epoch", "audit", "now", "millis", "nanos":
		return true
	default:
		return strings.HasSuffix(lower, "time") || strings.HasSuffix(lower, "timestamp") || strings.HasSuffix(word, "At")
	}
}

// Parse reads a string that is a date and nothing else.
func Parse(text string) (Stamp, bool) {
	text = strings.Trim(text, "[]()\"' \t\r\n")
	s, n, ok := scan(text)
	if !ok || n != len(text) {
		return Stamp{}, false
	}
	return s, true
}

// opens says whether a date may begin behind c; closes, whether one may end
// before it.
func opens(c byte) bool { return strings.IndexByte(" \t[(\"'=|:,<", c) >= 0 }

func closes(c byte) bool { return strings.IndexByte(" \t])\"',:|;#>", c) >= 0 }

// forms are the ways of writing a date that scan knows. The order matters
// where one is the beginning of another.
var forms = []func(string) (Stamp, int, bool){year, dayFirst, monthFirst, weekday, klog, epoch}

// scan reads a date at the beginning of s, and says how long it is.
func scan(s string) (Stamp, int, bool) {
	if s == "" || !letter(s[0]) && !digit(s[0]) {
		return Stamp{}, 0, false
	}
	for _, form := range forms {
		if st, n, ok := form(s); ok {
			return st, n, true
		}
	}
	return Stamp{}, 0, false
}
