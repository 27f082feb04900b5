package transcript

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/inspect/shell"
)

// A found prompt is what stands before a command.
type found struct {
	kind    kind
	host    string
	user    string
	text    string // the prompt itself, without a stamp: what may be glued to an output's end
	rest    string // the command
	session *Session
	stamp   shell.Stamp

	sure     bool // of a shape that no output has
	doubtful bool // only a known program behind it makes it one
	windows  bool // its commands are written as Windows does
	parted   bool // it is drawn in parts, and may be the first line of two
	framed   bool // the line before a prompt that is a sign alone
}

type kind int

const (
	named   kind = iota // it names a host
	bare                // a sign alone: $ or #
	plain               // nameless, but of a shape that output hardly has
	traced              // what set -x prints before a command
	redisIs             // redis-cli's
)

// inBrackets is the time that stands inside of a prompt's brackets, in front of its
// name: [22:17:01 ops@quince-3 ~]$.
const inBrackets = `(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[T ])?[0-2][0-9]:[0-5][0-9](?::[0-6][0-9])?`

// maxPrompt bounds how far into a line a prompt may reach, its stamp among it.
const maxPrompt = 320

var (
	// What stands before a name: environments, contexts and exit codes in brackets.
	userHost = regexp.MustCompile(`^(?:(?:\([^)]{1,60}\)|\[[0-9]{1,5}\]) ?){0,3}(?:\[(?:` + inBrackets + ` )?)?([A-Za-z_][A-Za-z0-9_.-]{0,31})@([A-Za-z0-9][A-Za-z0-9_.-]{0,63})(?:[: ][^$#%>\t]{0,200}?)?\]?(?: ?[$#%])(?: |$)`)
	hostOnly = regexp.MustCompile(`^(?:(?:\([^)]{1,60}\)|\[[0-9]{1,5}\]) ?){0,3}([A-Za-z][A-Za-z0-9_.-]{0,62})(?::[~/][^$#% ]{0,100})?[$#%](?: |$)`)
	hostDir  = regexp.MustCompile(`^(?:\[(?:` + inBrackets + ` )?)?([A-Za-z][A-Za-z0-9_.-]{0,62}) [~/][^$#%> ]{0,100}(?:\][$#%]| [$#%])(?: |$)`)
	dirUser  = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_.-]{0,62}):[^ $#%]{1,100} ([a-z_][a-z0-9_.-]{0,31})[$#](?: |$)`)
	fish     = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.-]{0,31})@([A-Za-z0-9][A-Za-z0-9_.-]{0,63}) [~/][^$#%> ]{0,100}(?: \([^)]{1,60}\))?[>#] `)
	shellIs  = regexp.MustCompile(`^(?:bash|sh|zsh|ksh|ash|dash|mksh)(?:-[0-9.]{1,8})?[$#%](?: |$)`)
	dirOnly  = regexp.MustCompile(`^(?:(?:\([^)]{1,60}\)|\[[0-9]{1,5}\]) ?){0,3}(?:[~/][A-Za-z0-9_./-]{0,100}) ?[$#%](?: |$)`)
	arrows   = regexp.MustCompile(`^(?:➜ +\S{1,100}(?: git:\([^)]{0,60}\))?(?: ✗)? +|❯ |λ |(?:[└╰][─━]{0,3}[╼]? ?[$#%>❯➤]|╰[─━]{1,3} ) ?)`)
	signOnly = regexp.MustCompile(`^[$#%](?: |$)`)
	plusSign = regexp.MustCompile(`^\+{1,4} `)

	redisNode = regexp.MustCompile(`^((?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.%a-z]{2,60}\]):[0-9]{1,5})(?:\[([0-9]{1,5})\])?(?:\(TX\)|\(subscribed mode\))?>(?: |$)`)
	redisSock = regexp.MustCompile(`^(?:redis|valkey|keydb) (/[^\[> ]{1,255})(?:\[([0-9]{1,5})\])?(?:\(TX\)|\(subscribed mode\))?>(?: |$)`)
	redisNone = regexp.MustCompile(`^not connected>(?: |$)`)
)

// The first bytes of what else a prompt may have: ┌ ❯ ➜, λ, » and Powerline's.
const (
	boxDrawing = 0xe2
	lambda     = 0xce
	guillemet  = 0xc2
	powerline  = 0xee
)

// signed says whether a line has anything that could end a prompt; nearly all
// output has not.
func signed(b []byte) bool {
	for i, c := range b {
		switch c {
		case '$', '#', '%', '>':
			if (i+1 == len(b) || b[i+1] == ' ') && (c != '>' || i > 0 && b[i-1] != '-' && b[i-1] != ' ' && b[i-1] != '=') {
				return true
			}
		case boxDrawing, lambda, powerline:
			return true
		case guillemet:
			if i+1 < len(b) && b[i+1] == 0xbb {
				return true
			}
		case '\\':
			if i > 0 && b[i-1] == ':' && bytes.IndexByte(b[i:], '>') > 0 { // C:\Users>
				return true
			}
		}
	}
	return len(b) > 2 && b[0] == '+'
}

// findPrompt reads a prompt at the beginning of a line.
func findPrompt(line string) (found, bool) {
	var f found
	text := line
	if s, rest, ok := cutStamp(line); ok {
		f.stamp, text = s, rest
	}
	head := text[:min(len(text), maxPrompt)]
	if !f.redis(head) && !f.shell(head) && !f.styled(head) {
		return found{}, false
	}
	if f.rest = f.typedPart(text[len(f.text):]); f.kind == named && !f.stamp.Known() {
		f.stamp = stampOf(f.text)
	}
	return f, true
}

func (f *found) redis(text string) bool {
	if strings.IndexByte(text, '>') < 0 {
		return false
	}
	for _, r := range []*regexp.Regexp{redisNode, redisSock} {
		if m := r.FindStringSubmatch(text); m != nil {
			f.kind, f.text, f.session = redisIs, m[0], &Session{Addr: m[1], Connected: true}
			f.session.DB, _ = strconv.Atoi(m[2])
			return true
		}
	}
	if m := redisNone.FindString(text); m != "" {
		f.kind, f.text, f.session = redisIs, m, &Session{}
		return true
	}
	return false
}

func (f *found) shell(text string) bool {
	take := func(k kind, m, user, host string) bool {
		f.kind, f.text, f.user, f.host = k, m, user, host
		return m != ""
	}
	for _, r := range []*regexp.Regexp{userHost, fish} {
		if m := r.FindStringSubmatch(text); m != nil {
			return take(named, m[0], m[1], m[2])
		}
	}
	if m := shellIs.FindString(text); m != "" {
		return take(plain, m, "", "")
	}
	for _, r := range []*regexp.Regexp{hostOnly, hostDir} {
		if m := r.FindStringSubmatch(text); m != nil {
			return take(named, m[0], "", m[1])
		}
	}
	if m := dirUser.FindStringSubmatch(text); m != nil {
		return take(named, m[0], m[2], m[1])
	}
	for _, r := range []*regexp.Regexp{dirOnly, arrows} {
		if m := r.FindString(text); m != "" {
			return take(plain, m, "", "")
		}
	}
	if m := plusSign.FindString(text); m != "" {
		return take(traced, m, "", "")
	}
	return take(bare, signOnly.FindString(text), "", "")
}

// headOf reads the first line of a prompt that has two: ┌──(ops㉿quince-3)-[~].
var headOf = regexp.MustCompile(`^[┌╭][─━]{0,3}(?:\[[^\]@]{1,8}\][─━]{0,2})?[([ ]{0,2}([A-Za-z_][A-Za-z0-9_.-]{0,31})[@㉿]([A-Za-z0-9][A-Za-z0-9_.-]{0,63})\b`)

// headIn finds such a first line, and what stands before it: a stamp, or output
// without a newline.
func headIn(text string) (before string, head found, ok bool) {
	i := strings.Index(text, "┌")
	if j := strings.Index(text, "╭"); j >= 0 && (i < 0 || j < i) {
		i = j
	}
	if i < 0 {
		return "", found{}, false
	}
	m := headOf.FindStringSubmatch(text[i:])
	if m == nil {
		return "", found{}, false
	}
	head.user, head.host, before = m[1], m[2], text[:i]
	if i > 0 {
		from := stampBefore(text, i, text[i:])
		if s, _, known := cutStamp(text[from:i]); known {
			head.stamp, before = s, text[:from]
		}
	}
	return before, head, true
}
