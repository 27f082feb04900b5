package network

import (
	"regexp"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// A saying is what lines of logs have in common that tell one thing.
type saying struct {
	class string
	holds []string
}

// sayings stand in order: the first that a line holds names it. A link and a
// translation that ran out say more than the error that follows from them.
var sayings = [...]saying{
	{"link-down", []string{": Lost carrier", "carrier: link disconnected", "link disconnected (", "carrier lost", "(reason 'carrier-changed'"}},
	{"link-up", []string{": Gained carrier", "carrier: link connected"}},
	{"nat-exhausted", []string{"ErrorPortAllocation", "PortAllocationError", "NAT port exhaustion", "SNAT port exhaustion", "no free ports for SNAT"}},
	{"idle-close", []string{"idle timeout", "idle_timeout", "idleTimeout", "IdleTimeout", "IDLE_TIMEOUT", "IdleTimeOut", "closing idle connection", "Closing idle client"}},
	{"refused", []string{"onnection refused", "ECONNREFUSED"}},
	{"unreachable", []string{"No route to host", "no route to host", "EHOSTUNREACH", "etwork is unreachable", "ENETUNREACH", "Host is unreachable"}},
	{"unresolved", []string{"no such host", "ENOTFOUND", "EAI_AGAIN", "UnknownHostException", "Name or service not known", "emporary failure in name resolution"}},
	{"reset", []string{"onnection reset by peer", "ECONNRESET", "onnection reset", "roken pipe", "EPIPE"}},
	{"timeout", []string{
		"i/o timeout", "ETIMEDOUT", "onnection timed out", "ead timed out", "onnect timed out", "peration timed out", "ommand timed out",
		"Timeout reading from socket", "Timeout connecting to server", "RedisTimeoutException", "RedisCommandTimeoutException", "TimeoutError",
	}},
	{"closed", []string{
		"onnection closed by server", "Server closed the connection", "server has closed the connection", "Socket closed unexpectedly", "unexpected EOF",
		"nexpected end of stream", "RedisConnectionException", "JedisConnectionException", "onnection to Redis lost", "CLOSED BY SERVER",
	}},
}

// Notices finds what logs of clients, proxies, gateways and network daemons say
// of connections and links. Most of them speak of all their connections: Peer is
// the address that a line names, and of HAProxy's lines Device is the server.
func Notices(b []byte, f stamp.Frame) []evidence.NetworkNotice {
	if bounded("log", b) != nil {
		return nil
	}
	var out []evidence.NetworkNotice
	eachLine(b, func(line string) {
		if len(out) == maxItems {
			return
		}
		if n, ok := notice(line, f); ok {
			n.Text = clip(line)
			out = append(out, n)
		}
	})
	return out
}

func notice(line string, f stamp.Frame) (evidence.NetworkNotice, bool) {
	if strings.Contains(line, "] ") && strings.Count(line, "/") > 5 {
		at, _ := f.Line(line)
		if n, ok := haproxy(line, at, f); ok {
			return n, true
		}
	}
	class := classOf(line)
	// Frames of a stack trace repeat the error of the line above them.
	if class == "" || strings.HasPrefix(strings.TrimSpace(line), "at ") {
		return evidence.NetworkNotice{}, false
	}
	at, text := f.Line(line)
	n := evidence.NetworkNotice{At: at, Class: class, Peer: peer(text)}
	if strings.HasPrefix(class, "link-") {
		n.Device, n.Peer = device(text), ""
	}
	return n, true
}

func classOf(line string) string {
	for _, s := range sayings {
		for _, h := range s.holds {
			if strings.Contains(line, h) {
				return s.class
			}
		}
	}
	return ""
}

var (
	remote    = regexp.MustCompile(`(?:->|R:[^ /]{0,64}/|upstream: "|addr=|peer=|connect(?:ing)? to )(\[[0-9a-fA-F:.]{2,45}\]:\d{1,5}|\d{1,3}(?:\.\d{1,3}){3}:\d{1,5})`)
	anyRemote = regexp.MustCompile(`\[[0-9a-fA-F:.]{2,45}\]:\d{1,5}|\b\d{1,3}(?:\.\d{1,3}){3}:\d{1,5}\b`)
	deviceOf  = regexp.MustCompile(`(?:device \(([^)]{1,15})\)|\b([a-z][a-zA-Z0-9._-]{0,14}): (?:Lost|Gained) carrier)`)
)

// peer is the far end a line names: what stands behind an arrow or a word for
// it, else the last address.
func peer(text string) string {
	if m := remote.FindStringSubmatch(text); m != nil {
		return strings.Clone(m[1])
	}
	all := anyRemote.FindAllString(text, 8)
	if all == nil {
		return ""
	}
	return strings.Clone(all[len(all)-1])
}

func device(text string) string {
	m := deviceOf.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return strings.Clone(m[1] + m[2])
}
