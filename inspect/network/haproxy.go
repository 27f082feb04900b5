package network

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// haproxy reads HAProxy's log of a TCP session that did not end in order:
//
//	10.0.0.4:51234 [09/Nov/2026:18:22:06.123] redis_in redis_out/redis-1 1/0/3600123 8123 cD 12/3/3/1/0 0/0
//
// The date is when the session was accepted, the last of the three times how
// long it lasted; the two letters say who ended it, and when.
func haproxy(line string, at evidence.Interval, f stamp.Frame) (evidence.NetworkNotice, bool) {
	head, tail, ok := strings.Cut(line, " [")
	date, tail, closed := strings.Cut(tail, "] ")
	fields := strings.Fields(tail)
	if !ok || !closed || len(date) > 40 || len(fields) < 6 || len(fields[4]) != 2 || !connections.MatchString(fields[5]) {
		return evidence.NetworkNotice{}, false
	}
	times := strings.Split(fields[2], "/")
	class := sessionEnd(fields[4][0], fields[4][1])
	if len(times) != 3 || class == "" {
		return evidence.NetworkNotice{}, false
	}
	if accepted, ok := f.Time(date); ok {
		// A plus stands before the time of a session that was logged early.
		ms, _ := strconv.ParseInt(strings.TrimPrefix(times[2], "+"), 10, 40)
		lasted := time.Duration(max(ms, 0)) * time.Millisecond
		at = stamp.Nearer(at, accepted.Shift(lasted, lasted))
	}
	client := head[strings.LastIndexByte(head, ' ')+1:]
	return evidence.NetworkNotice{At: at, Class: class, Peer: clip(client), Device: clip(fields[1])}, true
}

// connections are the numbers of connections that follow the two letters.
var connections = regexp.MustCompile(`^\d{1,9}/\d{1,9}/\d{1,9}/\d{1,9}/\+?\d{1,9}$`)

// sessionEnd gives the class of a pair of letters. Small ones are timeouts, of
// the client's side or the server's; D is the phase in which data flow.
func sessionEnd(who, phase byte) string {
	switch {
	case (who == 'c' || who == 's') && phase == 'D':
		return "idle-close"
	case (who == 'C' || who == 'S') && phase == 'D':
		return "reset"
	case who == 's' && phase == 'C':
		return "timeout"
	case who == 'S' && phase == 'C':
		return "refused"
	case strings.IndexByte("KDU", who) >= 0:
		return "closed" // by the operator, or because the server was marked down
	}
	return ""
}
