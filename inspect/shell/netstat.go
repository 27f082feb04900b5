package shell

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A netstat reads the rows of Linux's, busybox's and BSD's netstat.
type netstat struct {
	inode bool // -e: user and inode stand behind the state
}

var netstatTimer = regexp.MustCompile(`\s(on|off|keepalive|timewait|probe|unkn-4|on2) \((\d+)\.(\d\d)/(\d+)/(\d+)\)\s*$`)

func (p netstat) line(out *Sockets, line string) bool {
	words := strings.Fields(line)
	switch {
	case words[0] == "Active" || words[0] == "Proto" || strings.HasPrefix(words[0], "(") || strings.HasPrefix(line, " will not be shown"):
		return true // headings, and the complaint about not being root
	case !strings.HasPrefix(words[0], "tcp"):
		return strings.HasPrefix(words[0], "udp") || strings.HasPrefix(words[0], "unix") || strings.HasPrefix(words[0], "raw")
	case len(words) < 6 || stateNames[words[5]] == "":
		return false
	}
	var s Sock
	rx, err1 := strconv.ParseUint(words[1], 10, 63)
	tx, err2 := strconv.ParseUint(words[2], 10, 63)
	local, ok1 := netstatAddress(words[0], words[3])
	remote, ok2 := netstatAddress(words[0], words[4])
	if err1 != nil || err2 != nil || !ok1 || !ok2 {
		return false
	}
	s.Socket.Local, s.Socket.Remote, s.Socket.State, s.Told.Queues = local, remote, stateNames[words[5]], true
	if s.Socket.State != "LISTEN" {
		s.Socket.RxQueue, s.Socket.TxQueue = rx, tx
	}
	rest := line[indexOfWord(line, 6):]
	rest = rest[:min(len(rest), maxDetail)]
	if m := netstatTimer.FindStringSubmatchIndex(" " + rest); m != nil {
		text := " " + rest
		s.netstatTimer(text[m[2]:m[3]], text[m[4]:m[5]], text[m[6]:m[7]], text[m[8]:m[9]], text[m[10]:m[11]])
		rest = strings.TrimSpace(text[:m[0]])
	}
	p.owner(&s, rest)
	out.Rows = append(out.Rows, s)
	return true
}

// netstatTimer: the counts are timeouts without an answer, and probes.
func (s *Sock) netstatTimer(kind, sec, cents, retrans, probes string) {
	whole, err := strconv.ParseUint(sec, 10, 31)
	part, _ := strconv.ParseUint(cents, 10, 8)
	r, err1 := strconv.ParseUint(retrans, 10, 31)
	n, err2 := strconv.ParseUint(probes, 10, 31)
	if err != nil || err1 != nil || err2 != nil {
		return
	}
	k := &s.Socket
	k.Timer = map[string]string{"on": "retransmit", "off": "none", "keepalive": "keepalive", "timewait": "timewait", "probe": "zero-window", "unkn-4": "zero-window"}[kind]
	if s.Told.Timer = k.Timer != ""; s.Told.Timer {
		k.Expires = time.Duration(whole)*time.Second + time.Duration(part)*10*time.Millisecond
		k.Retrans, k.Probes = int(r), int(n)
	}
}

// owner reads what stands between the state and the timer: user and inode with
// -e, then 16460/index-tail, or - when that was not to be seen.
func (p netstat) owner(s *Sock, rest string) {
	words := strings.Fields(rest)
	if p.inode && len(words) >= 2 {
		if n, err := strconv.ParseUint(words[1], 10, 64); err == nil {
			s.Socket.Inode, s.Told.Inode = n, true
			if uid, err := strconv.ParseUint(words[0], 10, 31); err == nil {
				s.Socket.UID = int(uid)
			}
			rest = rest[indexOfWord(rest, 2):]
		}
	}
	number, name, ok := strings.Cut(strings.TrimSpace(rest), "/")
	pid, err := strconv.ParseUint(number, 10, 31)
	if ok && err == nil {
		s.add(int(pid), name)
	}
}

// netstatAddress: BSD sets the port off with a dot, and says so by a digit
// behind tcp.
func netstatAddress(proto, text string) (string, bool) {
	if at := strings.LastIndexByte(text, '.'); at > 0 && (proto == "tcp4" || proto == "tcp46" || proto == "tcp6" && !strings.Contains(text[at:], ":") && !strings.Contains(text, "::ffff:")) {
		text = text[:at] + ":" + text[at+1:]
	}
	return address(text)
}

// An lsof reads the TCP rows of lsof -i and lsof -p.
type lsof struct{}

// line finds the name at the end: TCP 10.0.0.1:44218->10.0.0.2:6379 (ESTABLISHED).
func (p lsof) line(out *Sockets, line string) bool {
	words := strings.Fields(line)
	if words[0] == "COMMAND" || words[0] == "lsof:" || len(words) < 8 {
		return words[0] != "lsof:"
	}
	at := -1
	for i := 4; i+1 < len(words); i++ {
		if words[i] == "TCP" && i >= 7 {
			at = i
			break
		}
	}
	if at < 0 {
		return true // some other file
	}
	left, right, connected := strings.Cut(words[at+1], "->")
	local, ok := address(left)
	remote := "0.0.0.0:0"
	if connected {
		r, fine := address(right)
		remote, ok = r, ok && fine
	}
	pid, err := strconv.ParseUint(words[1], 10, 31)
	if !ok || err != nil {
		return false
	}
	s := Sock{}
	s.Socket.Local, s.Socket.Remote = local, remote
	if at+2 < len(words) {
		s.Socket.State = stateNames[strings.Trim(words[at+2], "()")]
	}
	if n, err := strconv.ParseUint(words[at-2], 10, 64); err == nil { // DEVICE is the inode, on Linux
		s.Socket.Inode, s.Told.Inode = n, true
	}
	s.add(int(pid), strings.ReplaceAll(words[0], `\x20`, " "))
	out.Rows = append(out.Rows, s)
	return true
}
