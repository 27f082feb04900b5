package redis

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// An Aside is what redis-cli says around a reply on its own account.
type Aside struct {
	AuthFailed string        // why the login failed; the command went out without it
	Redirected string        // host:port of the cluster node that answered instead
	Took       time.Duration // what an interactive session prints behind a reply of more than half a second; zero: not told
}

// Strip removes the asides before and behind a reply. It leaves lines that are
// only part of one alone.
func Strip(text []byte) ([]byte, Aside) {
	var a Aside
	for len(text) > 0 {
		line := firstLine(text)
		if !a.note(string(line[:min(len(line), 512)])) {
			break
		}
		text = after(text)
	}
	body := bytes.TrimRight(text, " \r\n")
	if cut := bytes.LastIndexByte(body, '\n'); a.seconds(body[cut+1:]) {
		text = body[:cut+1]
	}
	return text, a
}

// note takes a line that stands before a reply.
func (a *Aside) note(line string) bool {
	switch {
	case strings.HasPrefix(line, "Warning: Using a password with "), strings.HasPrefix(line, "Warning: AUTH "), strings.HasPrefix(line, "Please input password: "):
	case strings.HasPrefix(line, "AUTH failed: "):
		a.AuthFailed = strings.TrimPrefix(line, "AUTH failed: ")
	case strings.HasPrefix(line, "-> Redirected to slot "):
		_, a.Redirected, _ = strings.Cut(line, " located at ")
	default:
		return false
	}
	return true
}

// seconds takes a line like (12.34s).
func (a *Aside) seconds(line []byte) bool {
	if len(line) < 4 || len(line) > 16 || line[0] != '(' || !bytes.HasSuffix(line, []byte("s)")) || bytes.IndexByte(line, '.') < 0 {
		return false
	}
	s, err := strconv.ParseFloat(string(line[1:len(line)-2]), 64)
	if err != nil || s < 0 || s > 1e6 {
		return false
	}
	a.Took = time.Duration(s * float64(time.Second))
	return true
}

// An Unanswered says that no server answered, and how the read ended.
type Unanswered struct {
	Status evidence.Status
	Why    string
	Addr   string // whom the client names; empty: it does not
}

func (u *Unanswered) Error() string { return "read reply: " + u.Why }

// unanswered tells a message of the client, or of the shell around it, from a
// reply; nil means there is a reply.
func unanswered(text []byte, a Aside) *Unanswered {
	if len(bytes.TrimSpace(text)) == 0 && (len(text) == 0 || a != Aside{}) {
		if a.AuthFailed != "" {
			status, why := StatusOfError(a.AuthFailed)
			return &Unanswered{Status: status, Why: why}
		}
		return &Unanswered{Status: evidence.Failed, Why: "it printed nothing"}
	}
	head := firstLine(text)
	line := string(head[:min(len(head), 512)])
	if rest, ok := strings.CutPrefix(line, "Could not connect to "); ok {
		addr, cause := "", rest
		if _, at, ok := strings.Cut(rest, " at "); ok {
			if i := strings.LastIndex(at, ": "); i >= 0 {
				addr, cause = at[:i], at[i+2:]
			}
		}
		status, why := ofCause(cause)
		return &Unanswered{status, why, evidence.Clip(evidence.Printable(addr), 128)}
	}
	for _, mark := range []string{"Error: ", "I/O error", "SSL_connect failed", "Unrecognized option", "Invalid argument(s)", "^C", "timeout: "} {
		if strings.HasPrefix(line, mark) || line == "Terminated" || line == "Killed" {
			status, why := ofCause(line)
			return &Unanswered{Status: status, Why: why}
		}
	}
	if strings.Contains(line, "-cli") && (strings.HasSuffix(line, "not found") || strings.HasSuffix(line, "No such file or directory")) {
		return &Unanswered{Status: evidence.Unsupported, Why: "there is no redis-cli on this machine"}
	}
	return nil
}

// causes are what an operating system or the client gives as the reason, by a
// part of it, in lower case.
var causes = []struct {
	part   string
	status evidence.Status
	why    string
}{
	{"refused", evidence.Failed, "connection refused: nothing listens there"},
	{"timed out", evidence.Timeout, "no answer in time"},
	{"temporarily unavailable", evidence.Timeout, "no answer in time"},
	{"timeout", evidence.Timeout, "no answer in time"},
	{"^c", evidence.Timeout, "given up by hand before an answer came"},
	{"terminated", evidence.Timeout, "ended from outside before an answer came"},
	{"killed", evidence.Failed, "killed before an answer came"},
	{"no route to host", evidence.Failed, "no route to the server"},
	{"network is unreachable", evidence.Failed, "no route to the server"},
	{"host is down", evidence.Failed, "no route to the server"},
	{"name or service not known", evidence.Failed, "the host name does not resolve"},
	{"name resolution", evidence.Failed, "the host name does not resolve"},
	{"nodename nor servname", evidence.Failed, "the host name does not resolve"},
	{"closed the connection", evidence.Failed, "the server closed the connection"},
	{"reset by peer", evidence.Failed, "the connection was reset"},
	{"broken pipe", evidence.Failed, "the connection was reset"},
	{"permission denied", evidence.Denied, "the socket may not be opened"},
	{"no such file", evidence.Failed, "there is no such socket"},
	{"ssl", evidence.Failed, "TLS failed"},
	{"certificate", evidence.Failed, "TLS failed"},
	{"unrecognized option", evidence.Unsupported, "this redis-cli does not know one of its flags"},
	{"invalid argument", evidence.Unsupported, "the line was not a command: its quotes do not match"},
}

func ofCause(text string) (evidence.Status, string) {
	low := strings.ToLower(text)
	for _, c := range causes {
		if strings.Contains(low, c.part) {
			return c.status, c.why
		}
	}
	return evidence.Failed, evidence.Clip(evidence.Printable(text), 160)
}
