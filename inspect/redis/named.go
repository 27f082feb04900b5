package redis

import (
	"net"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// ParseNamedPrimary reads a Sentinel's answer to SENTINEL GET-MASTER-ADDR-BY-NAME:
// the host and the port of the node that it sends clients to.
func ParseNamedPrimary(source string, commands []string, raw []byte, span evidence.Span) (evidence.NamedPrimary, bool) {
	values, _ := ParseReplies(raw)
	if len(values) != 1 || len(commands) != 1 {
		return evidence.NamedPrimary{}, false
	}
	words := strings.Fields(commands[0])
	at, ok := namedAt(values[0])
	if len(words) < 3 || !ok {
		return evidence.NamedPrimary{}, false
	}
	return evidence.NamedPrimary{
		Span: span, Sentinel: strings.TrimPrefix(source, "redis/"),
		Name: evidence.Clip(words[2], 128), Address: at,
	}, true
}

// namedAt is the address in a reply of a host and a port.
func namedAt(v Value) (string, bool) {
	if len(v.Array) != 2 {
		return "", false
	}
	host, port := v.Array[0].Str, v.Array[1].Str
	if host == "" || port == "" || strings.Trim(port, "0123456789") != "" {
		return "", false
	}
	return net.JoinHostPort(evidence.Clip(host, 253), port), true
}
