package serverlog

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/inspect/stamp"
)

// A line is one message and what stood before it.
type line struct {
	at      stamp.Stamp // the server's own date
	carrier stamp.Stamp // that of syslog, a container runtime or a shipper
	writer  string      // what tells one server of a joint log from another
	role    string
	pid     int
	text    string
}

var (
	head    = regexp.MustCompile(`(?:^|[\s|"])(\d{1,10}):(M|S|C|X|signal-handler)$`)
	oldHead = regexp.MustCompile(`(?:^|[\s|"])\[(\d{1,10})\]$`)
	// syslog-enabled writes the bare message under the ident redis.
	tag = regexp.MustCompile(`(?i)(?:^|\s)((?:redis|valkey|keydb|sentinel)[\w.-]*)\[(\d{1,10})\]: (.*)$`)
	// Valkey's logfmt, whose fields have a fixed order.
	logfmt = regexp.MustCompile(`(?:^|[\s|])pid=(\d{1,10}) role=(\S+) +timestamp="([^"]{1,60})" level=\w+ +message="(.*?)"?\s*$`)
	// The report of a crash is printed without date or pid.
	bare = regexp.MustCompile(`(?i)=== (?:REDIS|VALKEY|KEYDB) BUG REPORT START|=== ASSERTION FAILED|--- WATCHDOG TIMER EXPIRED`)
)

// maxCarriers is how many dates may stand before the server's own: a shipper's
// and a runtime's.
const maxCarriers = 2

// split takes a line apart; it is not ok when no server wrote it.
func split(s string) (line, bool) {
	s = strings.TrimRight(s, "\r\n")
	if len(s) > maxLine {
		s = s[:maxLine]
	}
	var l line
	if m := submatch(logfmt, s, "pid="); m != nil {
		l.pid, _ = strconv.Atoi(m[1])
		l.role, l.text, l.writer = roles[strings.ToLower(m[2])], unquote.Replace(m[4]), m[1]
		l.at, _ = stamp.Parse(m[3])
		if c, before, _, ok := stamp.Find(s); ok && !strings.Contains(before, "pid=") {
			l.carrier = c
		}
		return l, true
	}
	rest := s
	for range maxCarriers + 1 {
		at, before, after, ok := stamp.Find(rest)
		if !ok {
			break
		}
		// The child that begins and the primary it becomes share a pid.
		l.writer += " " + strings.TrimRight(before, "CMSX")
		if l.own(before, after) {
			l.at = at
			return l, true
		}
		l.carrier, rest = at, after
	}
	if m := submatch(tag, rest, "]: "); m != nil {
		l.pid, _ = strconv.Atoi(m[2])
		l.writer, l.text = l.writer+" "+m[1]+m[2], m[3]
		return l, true
	}
	if !strings.Contains(rest, "=== ") && !strings.Contains(rest, "--- ") {
		return line{}, false
	}
	if i := bare.FindStringIndex(rest); i != nil {
		l.text = strings.TrimSpace(rest[i[0]:])
		return l, true
	}
	return line{}, false
}

// submatch looks for a text that every match contains before it tries an
// expression: most lines are not a server's.
func submatch(re *regexp.Regexp, s, has string) []string {
	if !strings.Contains(s, has) {
		return nil
	}
	return re.FindStringSubmatch(s)
}

// own takes what stood around a date, when it is what a server puts there.
func (l *line) own(before, after string) bool {
	m := head.FindStringSubmatch(before)
	if m == nil {
		if m = oldHead.FindStringSubmatch(before); m == nil {
			return false
		}
		m = append(m, "")
	}
	pid, err := strconv.Atoi(m[1])
	if err != nil {
		return false
	}
	signal := m[2] == "signal-handler"
	// Debug, verbose, notice and warning.
	if !signal {
		if len(after) < 2 || strings.IndexByte(".-*#", after[0]) < 0 || after[1] != ' ' {
			return false
		}
		after, l.role = after[2:], m[2]
	}
	l.pid, l.text = pid, strings.TrimSpace(after)
	return true
}

// roles are the letters of the words that Valkey's logfmt has.
var roles = map[string]string{"master": "M", "primary": "M", "replica": "S", "slave": "S", "sentinel": "X", "rdb/aof": "C"}

var unquote = strings.NewReplacer(`\"`, `"`, `\\`, `\`)
