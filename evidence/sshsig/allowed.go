package sshsig

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// Allowed is a list of those whose signature counts: an allowed_signers file as
// ssh-keygen(1) describes it.
type Allowed struct {
	lines []allowedLine
}

// An allowedLine is one key and those it speaks for.
type allowedLine struct {
	number     int
	principals []string
	namespaces []string // none: any
	authority  bool     // signs certificates, which are not checked here
	from, to   time.Time
	key        ssh.PublicKey
}

// Limits of a list from outside; the largest in use have some thousand lines.
const (
	maxAllowed = 4 << 20
	maxLine    = 32 << 10
)

// ParseAllowed reads a list. A line that cannot be understood is an error: one
// that was skipped might have been the one that forbids.
func ParseAllowed(text []byte) (Allowed, error) {
	var a Allowed
	if len(text) > maxAllowed {
		return a, errors.New("read allowed signers: too long")
	}
	number := 0
	for raw := range bytes.Lines(text) {
		number++
		line := strings.TrimSpace(string(raw))
		if line == "" || line[0] == '#' {
			continue
		}
		l, err := parseLine(line)
		if err != nil {
			return a, fmt.Errorf("read allowed signers: line %d: %w", number, err)
		}
		l.number = number
		a.lines = append(a.lines, l)
	}
	return a, nil
}

func parseLine(line string) (allowedLine, error) {
	var l allowedLine
	if len(line) > maxLine {
		return l, errors.New("too long")
	}
	who, rest := word(line)
	l.principals = strings.Split(strings.Trim(who, `"`), ",")
	// What follows is a line of authorized_keys: options, type, key, comment.
	key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(rest))
	if err != nil {
		return l, errors.New("no key in it")
	}
	l.key = key
	for _, o := range options {
		if err := l.option(o); err != nil {
			return l, err
		}
	}
	return l, nil
}

// word cuts the first word off; blanks inside quotes belong to it.
func word(s string) (first, rest string) {
	quoted := false
	for i, r := range s {
		switch {
		case r == '"':
			quoted = !quoted
		case !quoted && (r == ' ' || r == '\t'):
			return s[:i], strings.TrimLeft(s[i:], " \t")
		}
	}
	return s, ""
}

func (l *allowedLine) option(o string) error {
	name, value, _ := strings.Cut(o, "=")
	value = strings.Trim(value, `"`)
	var err error
	switch strings.ToLower(name) {
	case "cert-authority":
		l.authority = true
	case "namespaces":
		l.namespaces = strings.Split(value, ",")
	case "valid-after":
		l.from, err = parseWhen(value)
	case "valid-before":
		l.to, err = parseWhen(value)
	default:
		return fmt.Errorf("option %q is not known", clip(name))
	}
	return err
}

// parseWhen reads YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS. Without a Z OpenSSH
// reads these in the machine's zone; so that a list means the same everywhere,
// they are read as UTC here.
func parseWhen(s string) (time.Time, error) {
	s = strings.TrimSuffix(strings.ToUpper(s), "Z")
	for _, layout := range []string{"20060102", "200601021504", "20060102150405"} {
		if len(s) == len(layout) {
			return time.Parse(layout, s)
		}
	}
	return time.Time{}, fmt.Errorf("time %q is not known", clip(s))
}

// Who lists the principals whom a key speaks for in a namespace at a time. With
// none the error says why it speaks for nobody. When identity is not empty, only
// lines whose principals match it count.
func (a Allowed) Who(key ssh.PublicKey, namespace, identity string, at time.Time) ([]string, error) {
	blob, why := key.Marshal(), errors.New("its key is not in the list of allowed signers")
	for _, l := range a.lines {
		if !bytes.Equal(l.key.Marshal(), blob) {
			continue
		}
		switch {
		case l.authority:
			why = fmt.Errorf("line %d allows its key to sign certificates only", l.number)
		case len(l.namespaces) > 0 && !matches(l.namespaces, namespace):
			why = fmt.Errorf("line %d does not allow its key for %s", l.number, namespace)
		case !l.from.IsZero() && at.Before(l.from), !l.to.IsZero() && !at.Before(l.to):
			why = fmt.Errorf("line %d does not allow its key at this time", l.number)
		case identity != "" && !matches(l.principals, identity):
			why = fmt.Errorf("line %d does not allow its key to speak for %q", l.number, clip(identity))
		default:
			return l.principals, nil
		}
	}
	return nil, why
}

// matches says whether a list of patterns, as OpenSSH writes them, takes a name:
// one matches, and none that begins with ! does.
func matches(patterns []string, name string) bool {
	found := false
	for _, p := range patterns {
		p, negated := strings.CutPrefix(strings.TrimSpace(p), "!")
		if !wild(p, name) {
			continue
		}
		if negated {
			return false
		}
		found = true
	}
	return found
}

// wild matches * and ?, without backtracking over more than the last star: a
// pattern from outside must not take exponential time.
func wild(pattern, s string) bool {
	p, i, star, mark := 0, 0, -1, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == s[i]):
			p, i = p+1, i+1
		case star >= 0:
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
