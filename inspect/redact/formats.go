package redact

import (
	"bytes"
	"encoding/hex"
	"net/netip"
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// rewrite rewrites the bytes of one probe in their own format. Not ok means that
// nothing here can.
func (r *redactor) rewrite(p evidence.Probe, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, true
	}
	kind, name, _ := strings.Cut(p.Name, "/")
	switch {
	case p.Name == "clock/adjtimex":
		return b, true // numbers of the clock, and no name
	case p.Name == "clock/chrony":
		return r.tracking(b)
	case kind == "redis" && isRESP(name, b):
		return r.replies(p, b)
	case isNumbers(kind, name):
		return b, isText(b)
	case isProse(p.Name):
		return nil, false
	case !isText(b):
		return nil, false
	}
	switch p.Name {
	case "proc/stat", "task/stat":
		return r.stat(b), true
	case "proc/status":
		return lines(b, r.statusLine), true
	case "proc/net_tcp", "proc/net_tcp6":
		return r.socketTable(b), true
	case "host/peers":
		return lines(b, r.peer), true
	case "beat/file":
		head, body, ok := strings.Cut(string(b), "\n")
		if !ok {
			return b, true
		}
		return []byte(head + "\n" + r.shape(body)), true
	case "clock/chronyc", "clock/tracking", "clock/chrony-text":
		return lines(b, r.chronyLine), true
	}
	return lines(b, r.text), true
}

// isProse lists what nobody parses: what people wrote between commands, and what
// commands printed that no rule reads. Nothing turns on it, and it may name
// anything.
func isProse(name string) bool {
	return name == "text/remark" || name == "text/unknown" || name == "text/kept"
}

// isNumbers lists the sources that hold numbers and the kernel's own words.
func isNumbers(kind, name string) bool {
	switch kind {
	case "pressure":
		return true
	case "cgroup":
		return name != "find"
	case "task":
		return name == "schedstat" || name == "wchan"
	case "proc":
		switch name {
		case "wchan", "oom_score", "fd", "ns", "limits", "io", "schedstat":
			return true
		}
	case "host":
		return name == "vmstat" || name == "loadavg"
	}
	return false
}

// stat rewrites the name in /proc/PID/stat: it stands in parentheses, and may
// hold some itself. Several threads' lines share a file, not a probe.
func (r *redactor) stat(b []byte) []byte {
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 0 || end < open {
		return lines(b, r.text)
	}
	return []byte(string(b[:open+1]) + r.program(string(b[open+1:end])) + string(b[end:]))
}

func (r *redactor) program(comm string) string {
	if to, ok := r.names.to[comm]; ok {
		return to
	}
	return r.text(comm)
}

func (r *redactor) statusLine(line string) string {
	name, ok := strings.CutPrefix(line, "Name:\t")
	if !ok {
		return line
	}
	return "Name:\t" + r.program(name)
}

func (r *redactor) peer(line string) string {
	f := strings.SplitN(line, " ", 4)
	if len(f) != 4 {
		return r.text(line)
	}
	comm, err := strconv.Unquote(f[3])
	if err != nil {
		return r.text(line)
	}
	return r.text(f[0]) + " " + f[1] + " " + f[2] + " " + strconv.Quote(r.program(comm))
}

// socketTable rewrites the two addresses of every row of /proc/net/tcp, which
// stand there as the words of memory they are. Widths stay.
func (r *redactor) socketTable(b []byte) []byte {
	return lines(b, func(line string) string {
		f := strings.Fields(line)
		if len(f) < 3 {
			return line
		}
		for _, column := range f[1:3] {
			addr, port, ok := strings.Cut(column, ":")
			if to, good := r.wordsOfMemory(addr); ok && good {
				line = strings.Replace(line, " "+column+" ", " "+to+":"+port+" ", 1)
			}
		}
		return line
	})
}

// wordsOfMemory rewrites an address printed as 32-bit words in little-endian
// order.
func (r *redactor) wordsOfMemory(text string) (string, bool) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != 4 && len(raw) != 16 {
		return "", false
	}
	turn := func(b []byte) {
		for i := 0; i+4 <= len(b); i += 4 {
			b[i], b[i+1], b[i+2], b[i+3] = b[i+3], b[i+2], b[i+1], b[i]
		}
	}
	turn(raw)
	a, _ := netip.AddrFromSlice(raw)
	out := r.addr(a).AsSlice()
	turn(out)
	return strings.ToUpper(hex.EncodeToString(out)), true
}
