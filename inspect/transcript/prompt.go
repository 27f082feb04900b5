package transcript

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/inspect/shell"
)

// A found prompt is what stands before a command.
type found struct {
	kind      kind
	host      string
	user      string
	text      string // the prompt itself, without a stamp: what may be glued to an output's end
	rest      string // the command
	session   *Session
	stamp     time.Time
	precision time.Duration
	zoned     bool
}

type kind int

const (
	named   kind = iota // it names a host
	bare                // a sign alone: $ or #
	plain               // nameless, but of a shape that output hardly has
	redisIs             // redis-cli's
)

var (
	userHost = regexp.MustCompile(`^(?:\([^)]{1,40}\) ?)?\[?([A-Za-z_][A-Za-z0-9_.-]{0,31})@([A-Za-z0-9][A-Za-z0-9_.-]{0,63})(?:[: ][^$#%>\t]{0,200}?)?\]?(?: ?[$#%])(?: |$)`)
	hostOnly = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_.-]{0,62})(?::[~/][^$#% ]{0,100})?[$#%](?: |$)`)
	shellIs  = regexp.MustCompile(`^(?:bash|sh|zsh|ksh|ash|dash|mksh)(?:-[0-9.]{1,8})?[$#%](?: |$)`)
	dirOnly  = regexp.MustCompile(`^(?:[~/][A-Za-z0-9_./-]{0,100}) ?[$#%](?: |$)`)
	arrows   = regexp.MustCompile(`^(?:➜ +\S+(?: git:\([^)]*\))?(?: ✗)? +|❯ |λ )`)
	signOnly = regexp.MustCompile(`^[$#%](?: |$)`)

	redisNode = regexp.MustCompile(`^((?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):[0-9]{1,5})(?:\[([0-9]{1,5})\])?(?:\(TX\)|\(subscribed mode\))?>(?: |$)`)
	redisSock = regexp.MustCompile(`^redis (/[^\[> ]{1,255})(?:\[([0-9]{1,5})\])?(?:\(TX\))?>(?: |$)`)
	redisNone = regexp.MustCompile(`^not connected>(?: |$)`)
)

// findPrompt reads a prompt at the beginning of a line.
func findPrompt(line string) (found, bool) {
	var f found
	text := line
	if len(line) > 0 && (line[0] == '[' || line[0] >= '0' && line[0] <= '9') {
		f.stamp, f.precision, f.zoned, text = cutStamp(line)
	}
	switch {
	case f.redis(text):
	case f.shell(text):
	default:
		return found{}, false
	}
	return f, true
}

// cutStamp takes a date off the front, bare or in brackets.
func cutStamp(line string) (t time.Time, precision time.Duration, zoned bool, rest string) {
	open := strings.HasPrefix(line, "[")
	s, rest, ok := shell.CutStamp(strings.TrimPrefix(line, "["))
	if !ok {
		return t, 0, false, line
	}
	if open {
		if !strings.HasPrefix(rest, "]") {
			return t, 0, false, line
		}
		rest = rest[1:]
	}
	if !strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, "\t") {
		return t, 0, false, line
	}
	return s.Time, s.Precision, s.Zoned, strings.TrimLeft(rest, " \t")
}

func (f *found) redis(text string) bool {
	for _, r := range []*regexp.Regexp{redisNode, redisSock, redisNone} {
		m := r.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		f.kind, f.text, f.rest, f.session = redisIs, m[0], text[len(m[0]):], &Session{}
		if len(m) > 2 {
			f.session.Addr = m[1]
			f.session.DB, _ = strconv.Atoi(m[2])
		}
		return true
	}
	return false
}

func (f *found) shell(text string) bool {
	take := func(k kind, m string) bool {
		f.kind, f.text, f.rest = k, m, text[len(m):]
		return true
	}
	if m := userHost.FindStringSubmatch(text); m != nil {
		f.user, f.host = m[1], m[2]
		return take(named, m[0])
	}
	if m := shellIs.FindString(text); m != "" {
		return take(plain, m)
	}
	if m := hostOnly.FindStringSubmatch(text); m != nil {
		f.host = m[1]
		return take(named, m[0])
	}
	for _, r := range []*regexp.Regexp{dirOnly, arrows} {
		if m := r.FindString(text); m != "" {
			return take(plain, m)
		}
	}
	if m := signOnly.FindString(text); m != "" {
		return take(bare, m)
	}
	return false
}

// likeCommand says whether a text may be a command line: it begins with a word
// that programs are called by.
func likeCommand(s string) bool {
	s = strings.TrimLeft(s, " \t")
	if s == "" {
		return true
	}
	c := s[0]
	switch {
	case c >= 'a' && c <= 'z', c == '.', c == '/', c == '_', c == '~', c == '(', c == '{', c == '\\', c == '!', c == ':', c == '[':
		return true
	case c >= 'A' && c <= 'Z':
		word, _, _ := strings.Cut(s, " ")
		return assignment(word) || strings.ToUpper(word) == word
	}
	return false
}

// sectionLike says whether "# …" is a heading of INFO, a comment or a Markdown
// heading rather than a root prompt.
func sectionLike(rest string) bool {
	word, more, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if word == "" {
		return false
	}
	first := word[0]
	return first >= 'A' && first <= 'Z' && !assignment(word) || more != "" && !knownProgram(word) && strings.HasSuffix(more, ".")
}

// knownProgram says whether a word is a program that transcripts of incidents are
// full of.
func knownProgram(word string) bool {
	switch base(word) {
	case "date", "cat", "head", "tail", "ps", "dmesg", "journalctl", "chronyc", "ntpq", "timedatectl", "ss", "netstat", "ls", "uptime", "jstat", "jstack",
		"docker", "podman", "kubectl", "systemctl", "redis-cli", "valkey-cli", "ssh", "sudo", "grep", "zgrep", "exit", "logout", "hostname", "uname", "echo",
		"sleep", "for", "while", "watch", "kill", "pgrep", "pidof", "top", "free", "vmstat", "ip", "ping", "nc", "curl", "crictl", "lsof", "readlink",
		"su", "cd", "export", "nsenter", "id", "whoami", "which", "awk", "sed", "tee", "less", "more", "find", "stat", "mount", "sysctl", "env", "printf", "time", "timeout", "strace":
		return true
	}
	return false
}
