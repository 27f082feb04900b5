package shell

import (
	"strconv"
	"strings"
)

// A Reach is one attempt to reach another host, as ssh, nc, telnet, ping or curl
// tell it.
type Reach struct {
	Host string // as the text or the command names it
	Port int    // zero: not told
	Tool string
	Kind string // ok, timeout, refused, unreachable, unresolved, reset, closed, auth, lost
	Text string // the line that says so
}

// outcomes are what the tools print, most telling first.
var outcomes = []struct{ text, kind string }{
	{"connection timed out", "timeout"}, {"operation timed out", "timeout"}, {"timed out", "timeout"},
	{"connection refused", "refused"},
	{"no route to host", "unreachable"}, {"network is unreachable", "unreachable"}, {"host unreachable", "unreachable"},
	{"host is down", "unreachable"}, {"network unreachable", "unreachable"}, {"destination unreachable", "unreachable"},
	{"could not resolve", "unresolved"}, {"name or service not known", "unresolved"}, {"temporary failure in name resolution", "unresolved"},
	{"nodename nor servname", "unresolved"}, {"unknown host", "unresolved"}, {"bad address", "unresolved"}, {"no address associated", "unresolved"},
	{"host key verification failed", "auth"}, {"permission denied (", "auth"}, {"too many authentication failures", "auth"},
	{"connection reset", "reset"}, {"broken pipe", "reset"},
	{"closed by remote host", "closed"}, {"connection closed", "closed"}, {"connection to", "closed"},
	{"100% packet loss", "lost"},
	{"succeeded!", "ok"}, {"connected to", "ok"}, {"connected.", "ok"}, {" 0% packet loss", "ok"}, {"open", "ok"},
}

// Connection reads how an attempt ended. It is not ok when the text does not
// say: a silent ssh is a session, and what follows belongs to the other host.
func Connection(argv []string, output []byte) (Reach, bool) {
	c := callOf(argv)
	r := Reach{Tool: c.name}
	r.target(c)
	n := 0
	for line := range lines(output) {
		if n++; n > 1000 || len(line) > 1024 {
			break
		}
		if kind := r.outcome(line); kind != "" {
			r.Kind, r.Text = kind, line
			r.named(line)
			// Later lines of ssh -v or nc tell of other addresses of the same host.
			if kind == "ok" || r.Tool != "ping" {
				return r, true
			}
		}
	}
	return r, r.Kind != ""
}

func (r Reach) outcome(line string) string {
	low := strings.ToLower(line)
	speaks := strings.Contains(low, "ssh") || strings.HasPrefix(low, "kex_exchange") || strings.Contains(low, "permission denied (") ||
		strings.Contains(low, "host key") || strings.HasPrefix(low, "connection ") || strings.Contains(low, "authentication failures")
	switch r.Tool {
	case "ssh", "scp", "sftp", "mosh":
		// Anything else that came through ssh was said by the other host.
		if !speaks {
			return ""
		}
	case "nc", "ncat", "netcat", "telnet", "ping", "ping6", "curl", "tcping":
	default:
		return ""
	}
	for _, o := range outcomes {
		if !strings.Contains(low, o.text) {
			continue
		}
		if o.kind == "ok" && (r.Tool == "ssh" || r.Tool == "scp" || r.Tool == "sftp") ||
			o.text == "open" && !strings.HasPrefix(r.Tool, "n") ||
			o.text == "connection to" && !strings.Contains(low, "closed") {
			continue
		}
		return o.kind
	}
	return ""
}

// target takes the host and the port from the command.
func (r *Reach) target(c call) {
	opts, operands := options(c.args, "B:b:c:D:E:e:F:I:i:J:L:l:m:O:o:p:Q:R:S:W:w:s:q:")
	for _, o := range opts {
		if o.name == "p" && r.Tool == "ssh" {
			r.Port, _ = strconv.Atoi(o.value)
		}
	}
	if len(operands) > 0 {
		host := operands[0]
		r.Host = host[strings.LastIndexByte(host, '@')+1:]
	}
	if len(operands) > 1 && r.Port == 0 && r.Tool != "ssh" && r.Tool != "ping" {
		r.Port, _ = strconv.Atoi(operands[1])
	}
}

// named prefers the host and port of the line: with a jump host it is not
// always the one that was asked for.
func (r *Reach) named(line string) {
	words := strings.Fields(line)
	for i := 0; i+1 < len(words); i++ {
		w := strings.Trim(words[i+1], ":,.()")
		switch words[i] {
		case "host", "hostname":
			if isHostname(w) || strings.Contains(w, ":") {
				r.Host = w
			}
		case "port":
			if n, err := strconv.ParseUint(w, 10, 16); err == nil {
				r.Port = int(n)
			}
		}
	}
}
