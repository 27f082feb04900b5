package shell

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An ss is what the command line of ss asks for.
type ss struct {
	timers    bool   // -o
	extended  bool   // -e
	state     string // "state X" in the command: the column is then left out
	selective bool   // a filter of ss's own leaves sockets out
	open      bool   // the line before was a row, so an indented line is its detail
}

func ssArgs(c call) *ss {
	opts, operands := options(c.args, "A:D:F:f:N:", "query", "socket", "filter", "family", "diag", "net")
	s := &ss{
		timers:   has(opts, "o", "options"),
		extended: has(opts, "e", "extended"),
		// Without -a the listening ones are missing too, which are nobody's
		// connections: that is no loss.
		selective: len(operands) > 0,
	}
	for i := 0; i+1 < len(operands); i++ {
		if operands[i] == "state" {
			s.state = stateNames[operands[i+1]]
		}
	}
	return s
}

// line reads a row, a detail line or the heading.
func (p *ss) line(out *Sockets, line string) bool {
	if line[0] == '\t' || p.open && strings.HasPrefix(line, "   ") {
		if n := len(out.Rows); p.open && n > 0 {
			p.details(&out.Rows[n-1], line)
			return true
		}
	}
	words := strings.Fields(line)
	if words[0] == "State" || words[0] == "Netid" || words[0] == "Recv-Q" {
		p.open = false
		return true
	}
	sock, tail, tcp, ok := p.row(words)
	if p.open = ok && tcp; !p.open {
		return ok
	}
	// Names in users:(…) may hold blanks, so the tail is searched as text.
	p.details(&sock, line[indexOfWord(line, len(words)-len(tail)):])
	out.Rows = append(out.Rows, sock)
	return true
}

// indexOfWord is where the nth word of a line begins.
func indexOfWord(line string, n int) int {
	at := 0
	for ; n >= 0; n-- {
		for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
			at++
		}
		if n == 0 {
			break
		}
		for at < len(line) && line[at] != ' ' && line[at] != '\t' {
			at++
		}
	}
	return at
}

// row reads the columns. The kind of socket and its state are left out when
// the command makes them plain.
func (p *ss) row(w []string) (s Sock, tail []string, tcp, ok bool) {
	if kind := w[0]; stateNames[strings.ToUpper(kind)] == "" && letter(kind[0]) && kind == strings.ToLower(kind) {
		if kind != "tcp" {
			return s, nil, false, isNetid(kind)
		}
		w = w[1:]
	}
	s.Socket.State = p.state
	if len(w) > 0 && stateNames[w[0]] != "" {
		s.Socket.State, w = stateNames[w[0]], w[1:]
	}
	if len(w) < 4 || s.Socket.State == "" {
		return s, nil, true, false
	}
	rx, err1 := strconv.ParseUint(w[0], 10, 63)
	tx, err2 := strconv.ParseUint(w[1], 10, 63)
	local, ok1 := address(w[2])
	remote, ok2 := address(w[3])
	if err1 != nil || err2 != nil || !ok1 || !ok2 {
		return s, nil, true, false
	}
	s.Socket.Local, s.Socket.Remote, s.Told.Queues = local, remote, true
	if s.Socket.State != "LISTEN" { // there the columns are the backlog and its limit
		s.Socket.RxQueue, s.Socket.TxQueue = rx, tx
	}
	if p.timers {
		s.Socket.Timer, s.Told.Timer = "none", true
	}
	s.Told.Inode = p.extended
	return s, w[4:], true, true
}

func isNetid(kind string) bool {
	return slices.Contains([]string{"udp", "raw", "u_str", "u_dgr", "u_seq", "nl", "p_raw", "p_dgr", "v_str", "v_dgr", "icmp6", "sctp", "mptcp", "tipc", "xdp", "vsock", "???"}, kind)
}

// maxDetail is the most that is read behind the addresses of one row; a socket
// that hundreds of processes share stays below it.
const maxDetail = 64 << 10

var (
	ssTimer = regexp.MustCompile(`timer:\(([a-z]+),([0-9a-z.]*),(\d+)\)`)
	ssUser  = regexp.MustCompile(`\("((?:[^"\\]|\\.)*)",(?:pid=)?(\d+),(?:fd=)?\d+\)`)
	ssWord  = regexp.MustCompile(`(?:^|\s)(ino|uid|rto|retrans|unacked|lost|cwnd|backoff|lastsnd|lastrcv|lastack):([0-9./]+)`)
)

func (p *ss) details(s *Sock, text string) {
	text = text[:min(len(text), maxDetail)]
	// A process may call itself anything, so its names are taken out before
	// anything else is searched for.
	for _, m := range ssUser.FindAllStringSubmatch(text, 64) {
		pid, _ := strconv.Atoi(m[2])
		s.add(pid, m[1])
	}
	text = ssUser.ReplaceAllString(text, "")
	if m := ssTimer.FindStringSubmatch(text); m != nil {
		s.timer(m[1], m[2], m[3])
	}
	for _, m := range ssWord.FindAllStringSubmatch(text, 32) {
		s.word(m[1], m[2])
	}
	for i := range s.Procs {
		s.Procs[i].Inode = s.Socket.Inode
	}
}

// timer: the last number counts timeouts for "on" and unanswered probes for the
// others.
func (s *Sock) timer(kind, left, count string) {
	k := &s.Socket
	n, err := strconv.ParseUint(count, 10, 31)
	expires, ok := ssTime(left)
	if err != nil || !ok {
		return
	}
	s.Told.Timer, k.Expires = true, expires
	switch kind {
	case "on":
		k.Timer, k.Retrans = "retransmit", int(n)
	case "keepalive":
		k.Timer, k.Probes = kind, int(n)
	case "timewait":
		k.Timer = kind
	case "persist":
		k.Timer, k.Probes = "zero-window", int(n)
	default:
		k.Timer, s.Told.Timer = "", false
	}
}

var ssParts = regexp.MustCompile(`^(?:(\d+)min)?(?:(\d+)sec|(\d+)\.(\d+)sec|(\d+)\.(\d{3})ms|(\d+)ms)?$`)

// ssTime reads ss's own spelling of a time: 1min12sec, 14sec, 200ms. Seconds
// with a fraction are printed as though they were milliseconds: 1.204ms is
// 1204 ms.
func ssTime(text string) (time.Duration, bool) {
	m := ssParts.FindStringSubmatch(text)
	if m == nil || len(text) > 24 {
		return 0, false
	}
	number := func(s string) time.Duration {
		n, err := strconv.ParseUint(s, 10, 31)
		if err != nil {
			return 0
		}
		return time.Duration(n)
	}
	d := number(m[1])*time.Minute + (number(m[2])+number(m[3])+number(m[5]))*time.Second + (number(m[6])+number(m[7]))*time.Millisecond
	if m[4] != "" {
		var f fields
		f.fraction(m[4])
		d += time.Duration(f.nsec)
	}
	return d, true
}

func (s *Sock) word(name, value string) {
	whole, after, _ := strings.Cut(value, "/")
	whole, _, _ = strings.Cut(whole, ".")
	u, err := strconv.ParseUint(whole, 10, 63)
	if err != nil {
		return
	}
	switch name {
	case "ino":
		s.Socket.Inode, s.Told.Inode = u, true
		return
	case "uid":
		s.Socket.UID = int(u)
		return
	}
	if s.Info == nil {
		s.Info = &TCPInfo{}
	}
	n := int(min(u, 1<<31-1))
	ms := time.Duration(min(u, 1<<40)) * time.Millisecond
	switch name {
	case "rto":
		s.Socket.RTO = ms
	case "cwnd":
		s.Socket.Cwnd = n
	case "unacked":
		s.Info.Unacked = n
	case "retrans":
		s.Info.Retrans = n
		total, _ := strconv.ParseUint(after, 10, 31)
		s.Info.RetransTotal = int(total)
	case "lost":
		s.Info.Lost = n
	case "backoff":
		s.Info.Backoff = n
		// The same counter that the timer shows; without -o this is its only trace.
		if !s.Told.Timer {
			s.Socket.Retrans = n
		}
	case "lastsnd":
		s.Info.LastSent = ms
	case "lastrcv":
		s.Info.LastReceived = ms
	case "lastack":
		s.Info.LastAck = ms
	}
}
