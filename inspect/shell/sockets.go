package shell

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A Sock is one row of ss, netstat or lsof. Fields of its Socket that the
// command was not asked for, or cannot tell, are unread and not zero: see Told.
type Sock struct {
	Socket evidence.Socket
	Procs  []evidence.Peer // the processes behind it, when -p was given and allowed
	Told   Told
	Info   *TCPInfo // ss -i; nil: not printed
}

// Told says which parts of a Sock were printed.
type Told struct {
	Queues bool // Recv-Q and Send-Q
	Timer  bool // with -o a socket without a timer prints none; netstat always prints one
	Inode  bool
}

// A TCPInfo is what ss -i adds. Zero: not printed, which for ss means zero.
type TCPInfo struct {
	Unacked      int // segments sent and not acknowledged
	Retrans      int // segments being retransmitted now
	RetransTotal int // segments retransmitted since the connection began
	Backoff      int // timeouts in a row without an answer
	Lost         int
	LastSent     time.Duration // since the last data was sent
	LastReceived time.Duration
	LastAck      time.Duration
}

// Sockets is the output of one command that lists connections.
type Sockets struct {
	Rows    []Sock
	Partial bool     // rows may have been cut out: by a filter, or by what the command asks for
	Odd     []string // lines that are no rows, at most 100 of them
}

// ListSockets reads TCP rows of ss, netstat and lsof, with or without heading.
// Rows of other protocols are passed over.
func ListSockets(argv []string, filters [][]string, output []byte) (Sockets, error) {
	if err := bounded("sockets", output); err != nil {
		return Sockets{}, err
	}
	pass := passageOf(filters, lineCount(output))
	if pass == rewritten {
		return Sockets{}, fmt.Errorf("parse sockets: a filter made something else of it")
	}
	c := callOf(argv)
	s := Sockets{Partial: pass == part}
	var read func(*Sockets, string) bool
	switch c.name {
	case "ss":
		p := ssArgs(c)
		s.Partial = s.Partial || p.selective
		read = p.line
	case "netstat":
		p := netstat{inode: hasFlag(c.args, "e") || slices.Contains(c.args, "--extend")}
		read = p.line
	case "lsof":
		p := lsof{}
		s.Partial = true
		read = p.line
	default:
		return s, fmt.Errorf("parse sockets: the command is %q", clip(c.name))
	}
	for line := range lines(output) {
		if strings.TrimSpace(line) != "" && !read(&s, line) && len(s.Odd) < 100 {
			s.Odd = append(s.Odd, clip(line))
		}
		if len(s.Rows) == maxRows {
			s.Partial = true
			break
		}
	}
	return s, nil
}

// stateNames are ss's and BSD's spellings of what evidence calls a state.
var stateNames = map[string]string{
	"ESTAB": "ESTABLISHED", "SYN-SENT": "SYN_SENT", "SYN-RECV": "SYN_RECV", "FIN-WAIT-1": "FIN_WAIT1", "FIN-WAIT-2": "FIN_WAIT2",
	"TIME-WAIT": "TIME_WAIT", "CLOSE-WAIT": "CLOSE_WAIT", "LAST-ACK": "LAST_ACK", "UNCONN": "CLOSE", "CLOSED": "CLOSE",
	"FIN_WAIT_1": "FIN_WAIT1", "FIN_WAIT_2": "FIN_WAIT2", "SYN_RCVD": "SYN_RECV",
	"ESTABLISHED": "ESTABLISHED", "SYN_SENT": "SYN_SENT", "SYN_RECV": "SYN_RECV", "FIN_WAIT1": "FIN_WAIT1", "FIN_WAIT2": "FIN_WAIT2",
	"TIME_WAIT": "TIME_WAIT", "CLOSE": "CLOSE", "CLOSE_WAIT": "CLOSE_WAIT", "LAST_ACK": "LAST_ACK", "LISTEN": "LISTEN", "CLOSING": "CLOSING",
	"NEW_SYN_RECV": "NEW_SYN_RECV",
	// The names that ss wants behind "state".
	"established": "ESTABLISHED", "syn-sent": "SYN_SENT", "syn-recv": "SYN_RECV", "fin-wait-1": "FIN_WAIT1", "fin-wait-2": "FIN_WAIT2",
	"time-wait": "TIME_WAIT", "close-wait": "CLOSE_WAIT", "last-ack": "LAST_ACK", "listening": "LISTEN", "closing": "CLOSING", "closed": "CLOSE",
}

// address reads host:port as ss and netstat write it and returns it as
// evidence.Socket has it: v4-mapped as v4, without the interface. * is any
// address and port 0 any port.
func address(text string) (string, bool) {
	at := strings.LastIndexByte(text, ':')
	if at < 0 || len(text) > 128 {
		return "", false
	}
	host, port := text[:at], text[at+1:]
	n, ok := portOf(port)
	if !ok {
		return "", false
	}
	// The interface stands inside the brackets, behind them, or behind a bare
	// address; only a link-local address needs it, and no Redis has one.
	host, _, _ = strings.Cut(strings.NewReplacer("[", "", "]", "").Replace(host), "%")
	if host == "*" || host == "" {
		host = "0.0.0.0"
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		if strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r > '~' }) || !isHostname(host) {
			return "", false
		}
		return host + ":" + strconv.Itoa(int(n)), true // a name: the command was not given -n
	}
	return netip.AddrPortFrom(a.Unmap(), n).String(), true
}

// portOf knows the names that /etc/services gives the ports that matter here.
func portOf(text string) (uint16, bool) {
	switch text {
	case "*":
		return 0, true
	case "redis":
		return 6379, true
	case "ssh":
		return 22, true
	case "https":
		return 443, true
	case "http":
		return 80, true
	}
	n, err := strconv.ParseUint(text, 10, 16)
	return uint16(n), err == nil
}

func (s *Sock) add(pid int, comm string) {
	if pid > 0 && len(s.Procs) < 64 {
		s.Procs = append(s.Procs, evidence.Peer{Local: s.Socket.Local, Inode: s.Socket.Inode, Pid: pid, Comm: comm})
	}
}
