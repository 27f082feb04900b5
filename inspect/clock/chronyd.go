package clock

import (
	"regexp"
	"strings"
	"time"
)

// A Notice is one line of chronyd's log that tells of a clock that moved or is
// not kept.
type Notice struct {
	Kind string        // wrong, stepped, jump-forward, jump-backward, leap, unsynchronised
	By   time.Duration // of wrong and stepped: positive, the clock was behind and moved forward; else zero
	Text string        // the message, without what the log puts before it
}

// A jump is chronyd noticing that somebody else moved the clock, or the
// machine slept, by more than ten seconds.
var (
	chronydStep = regexp.MustCompile(`System clock (wrong|was stepped) by (-?[0-9]{1,12}(?:\.[0-9]{1,12})?) seconds`)
	chronydWord = regexp.MustCompile(`(Forward|Backward) time jump detected|System clock was stepped for leap second|Can't synchronise: `)
)

// ParseChronydLine recognises chronyd's notices in one line of a log.
func ParseChronydLine(line string) (Notice, bool) {
	line = strings.TrimRight(line, "\r\n")
	if len(line) > 4096 {
		return Notice{}, false
	}
	if m := chronydStep.FindStringSubmatchIndex(line); m != nil {
		by, err := number(line[m[4]:m[5]])
		kind := "wrong"
		if line[m[2]:m[3]] == "was stepped" {
			kind = "stepped"
		}
		return Notice{Kind: kind, By: seconds(by), Text: line[m[0]:]}, err == nil
	}
	m := chronydWord.FindStringIndex(line)
	if m == nil {
		return Notice{}, false
	}
	n := Notice{Text: line[m[0]:]}
	switch {
	case strings.HasPrefix(n.Text, "Forward"):
		n.Kind = "jump-forward"
	case strings.HasPrefix(n.Text, "Backward"):
		n.Kind = "jump-backward"
	case strings.HasPrefix(n.Text, "System"):
		n.Kind = "leap"
	default:
		n.Kind = "unsynchronised"
	}
	return n, true
}
