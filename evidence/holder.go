package evidence

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A Named is a process that a lock's value names: a host and a pid side by
// side. The pid counts only in the host and pid namespace that wrote it.
type Named struct {
	Host string `json:"host"`
	Pid  int    `json:"pid"`
}

// NamedIn reads host and pid out of a lock's value in the shapes people use:
// host:pid:nonce, host|pid|…, pid@host, host/pid. The zero Named means the value
// names nobody; a bare number is a count, a time or a token, never a pid.
func NamedIn(value string) Named {
	if len(value) > 512 {
		return Named{}
	}
	if strings.HasPrefix(strings.TrimSpace(value), "{") {
		return namedInJSON(value)
	}
	if n, ok := namedByUnderscores(value); ok {
		return n
	}
	if pid, host, ok := strings.Cut(value, "@"); ok {
		host, _, _ = strings.Cut(host, ":")
		if n := pidIn(pid); n > 0 && hostLike(host) {
			return Named{Host: host, Pid: n}
		}
	}
	parts := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(":|/,; ", r) })
	for i := 1; i < len(parts); i++ {
		if n := pidIn(parts[i]); n > 0 && hostLike(parts[i-1]) {
			return Named{Host: parts[i-1], Pid: n}
		}
	}
	return Named{}
}

// namedByUnderscores reads HOST_PID_TOKEN with a token of 32 hex digits, as
// DistributedLock.Redis writes it. A host's name may have underscores of its own.
func namedByUnderscores(value string) (Named, bool) {
	value = strings.TrimSuffix(value, "_WRITERWAITING")
	rest, token, ok := cutLast(value, "_")
	if !ok || len(token) != 32 || !isHex(token) {
		return Named{}, false
	}
	host, pid, ok := cutLast(rest, "_")
	n := Named{Host: host, Pid: pidIn(pid)}
	return n, ok && n.Pid > 0 && hostLike(host)
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// pidIn reads a number that can be a Linux pid: 1 to 2²², no leading zero.
func pidIn(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 1<<22 || s[0] == '0' || s[0] == '+' {
		return 0
	}
	return n
}

// hostLike says whether s can be a host name: it holds a letter, is no hex
// token or UUID, and uses only a host name's characters.
func hostLike(s string) bool {
	if s == "" || len(s) > 253 || len(s) >= 32 && isHex(s) {
		return false
	}
	letter := false
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			letter = true
		case r >= '0' && r <= '9', r == '-', r == '.', r == '_':
		default:
			return false
		}
	}
	return letter
}

func isHex(s string) bool {
	for _, r := range s {
		if !strings.ContainsRune("0123456789abcdefABCDEF-", r) {
			return false
		}
	}
	return true
}

// namedInJSON reads an object with a host and a pid, under the names people give
// them.
func namedInJSON(value string) Named {
	var o map[string]any
	if json.Unmarshal([]byte(value), &o) != nil {
		return Named{}
	}
	var n Named
	for k, v := range o {
		switch strings.ToLower(k) {
		case "host", "hostname", "node", "machine":
			if s, ok := v.(string); ok && hostLike(s) {
				n.Host = s
			}
		case "pid", "process", "process_id":
			switch x := v.(type) {
			case float64:
				n.Pid = pidIn(strconv.FormatFloat(x, 'f', -1, 64))
			case string:
				n.Pid = pidIn(x)
			}
		}
	}
	if n.Host == "" || n.Pid == 0 {
		return Named{}
	}
	return n
}
