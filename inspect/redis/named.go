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
	if len(values) != 1 || len(values[0].Array) != 2 || len(commands) != 1 {
		return evidence.NamedPrimary{}, false
	}
	words := strings.Fields(commands[0])
	host, port := values[0].Array[0].Str, values[0].Array[1].Str
	if len(words) < 3 || host == "" || port == "" || strings.Trim(port, "0123456789") != "" {
		return evidence.NamedPrimary{}, false
	}
	return evidence.NamedPrimary{
		Span: span, Sentinel: strings.TrimPrefix(source, "redis/"),
		Name: evidence.Clip(words[2], 128), Address: net.JoinHostPort(evidence.Clip(host, 253), port),
	}, true
}
