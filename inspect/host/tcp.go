package host

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// tcpStates are the kernel's socket states by number (include/net/tcp_states.h),
// under the names ss and netstat print.
var tcpStates = [...]string{
	1: "ESTABLISHED", 2: "SYN_SENT", 3: "SYN_RECV", 4: "FIN_WAIT1", 5: "FIN_WAIT2", 6: "TIME_WAIT",
	7: "CLOSE", 8: "CLOSE_WAIT", 9: "LAST_ACK", 10: "LISTEN", 11: "CLOSING", 12: "NEW_SYN_RECV",
}

// tcpTimers are the values of the tr column, as get_tcp4_sock prints them.
// "keepalive" is any use of the socket's long timer, and in state SYN_RECV the
// one that repeats the answer.
var tcpTimers = [...]string{"none", "retransmit", "keepalive", "timewait", "zero-window"}

// ParseTCP reads /proc/PID/net/tcp, or tcp6 when v6 is set: every socket of
// that process's network namespace, not of the process alone.
//
// The kernel prints each address as 32-bit words in the byte order of the
// host; they are read as little-endian, the order of every machine lockscene
// is built for. Sockets that could be read are returned even with an error,
// which names the first row that could not: a cut table still has its rows.
func ParseTCP(b []byte, v6 bool) ([]evidence.Socket, error) {
	return ParseTCPWhere(b, v6, func(local, remote netip.AddrPort) bool { return true })
}

// ParseTCPWhere is ParseTCP for the rows that keep asks for. On a busy host
// the table has tens of thousands of rows and the incident one or two.
func ParseTCPWhere(b []byte, v6 bool, keep func(local, remote netip.AddrPort) bool) ([]evidence.Socket, error) {
	var (
		out   []evidence.Socket
		first error
		n     int
		cols  = make([][]byte, 0, 17)
	)
	for line := range bytes.Lines(b) {
		n++
		cols = columns(line, cols[:0])
		if len(cols) == 0 || string(cols[0]) == "sl" {
			continue
		}
		s, kept, err := tcpRow(cols, v6, keep)
		if err != nil && first == nil {
			first = fmt.Errorf("parse net/tcp: line %d: %w", n, err)
		}
		if err == nil && kept {
			out = append(out, s)
		}
	}
	return out, first
}

// columns splits a row into at most 17 words; what follows them is ignored.
func columns(line []byte, into [][]byte) [][]byte {
	for len(into) < 17 {
		line = bytes.TrimLeft(line, " \t\r\n")
		if len(line) == 0 {
			break
		}
		end := bytes.IndexAny(line, " \t\r\n")
		if end < 0 {
			end = len(line)
		}
		into = append(into, line[:end])
		line = line[end:]
	}
	return into
}

// tcpRow reads one row. Sockets in TIME_WAIT and half-open ones are printed by
// other functions of the kernel and end after 12 columns.
func tcpRow(c [][]byte, v6 bool, keep func(local, remote netip.AddrPort) bool) (evidence.Socket, bool, error) {
	var s evidence.Socket
	if len(c) < 12 || !bytes.HasSuffix(c[0], []byte(":")) {
		return s, false, fmt.Errorf("%d columns", len(c))
	}
	local, err := endpoint(c[1], v6)
	if err != nil {
		return s, false, fmt.Errorf("local address: %w", err)
	}
	remote, err := endpoint(c[2], v6)
	if err != nil {
		return s, false, fmt.Errorf("remote address: %w", err)
	}
	if !keep(local, remote) {
		return s, false, nil
	}
	s.Local, s.Remote = local.String(), remote.String()
	var w words
	s.State = w.name(c[3], tcpStates[:])
	s.TxQueue, s.RxQueue = w.pair(c[4])
	timer, expires := w.pair(c[5])
	s.Timer, s.Expires = pick(tcpTimers[:], timer), w.ticks(expires)
	s.Retrans = int(w.number(c[6], 16, 31))
	s.UID, s.Probes = int(w.number(c[7], 10, 63)), int(w.number(c[8], 10, 31))
	s.Inode = w.number(c[9], 10, 64)
	if len(c) > 15 {
		s.RTO = w.ticks(w.number(c[12], 10, 64))
		s.Cwnd = int(w.number(c[15], 10, 31))
	}
	if w.err == nil && (s.State == "" || s.Timer == "") {
		w.err = errors.New("unknown state or timer")
	}
	return s, true, w.err
}

// endpoint reads ADDRESS:PORT. A v4-mapped address comes back as plain v4,
// which is how the other side and CLIENT LIST print it.
func endpoint(b []byte, v6 bool) (netip.AddrPort, error) {
	size := 4
	if v6 {
		size = 16
	}
	var raw [16]byte
	if len(b) != 2*size+5 || b[2*size] != ':' {
		return netip.AddrPort{}, fmt.Errorf("%q", b)
	}
	if _, err := hex.Decode(raw[:size], b[:2*size]); err != nil {
		return netip.AddrPort{}, err
	}
	for i := 0; i < size; i += 4 {
		raw[i], raw[i+1], raw[i+2], raw[i+3] = raw[i+3], raw[i+2], raw[i+1], raw[i]
	}
	port, err := strconv.ParseUint(string(b[2*size+1:]), 16, 16)
	if err != nil {
		return netip.AddrPort{}, err
	}
	addr, _ := netip.AddrFromSlice(raw[:size])
	return netip.AddrPortFrom(addr.Unmap(), uint16(port)), nil
}

// words reads the numbers of one row and keeps the first error.
type words struct{ err error }

func (w *words) number(b []byte, base, bits int) uint64 {
	n, err := strconv.ParseUint(string(b), base, bits)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n
}

func (w *words) pair(b []byte) (uint64, uint64) {
	left, right, _ := bytes.Cut(b, []byte(":"))
	return w.number(left, 16, 64), w.number(right, 16, 64)
}

func (w *words) name(b []byte, names []string) string { return pick(names, w.number(b, 16, 8)) }

// ticks turns the kernel's hundredths of a second into a Duration. No TCP timer
// runs longer than a few hours, so a year is a damaged row.
func (w *words) ticks(n uint64) time.Duration {
	const year = 365 * 24 * time.Hour
	if n > uint64(year/tick) {
		if w.err == nil {
			w.err = fmt.Errorf("timer of %d ticks", n)
		}
		return 0
	}
	return time.Duration(n) * tick
}

func pick(names []string, i uint64) string {
	if i >= uint64(len(names)) {
		return ""
	}
	return names[i]
}
