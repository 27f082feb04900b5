package network

import (
	"encoding/json"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// ParseCounters reads the kernel's counters of TCP and its neighbours, from
// /proc/net/snmp, /proc/net/netstat, `netstat -s` or `nstat`. Names are those of
// the files, group and counter: Tcp.RetransSegs, TcpExt.TCPTimeouts. What
// netstat says in words that are not known is left out; nstat without -a tells
// what was counted since it was last run.
func ParseCounters(b []byte) (evidence.NetCounters, error) {
	c := counters{}
	if err := bounded("network counters", b); err != nil {
		return evidence.NetCounters{}, err
	}
	if head := strings.TrimSpace(string(b[:min(len(b), 16)])); strings.HasPrefix(head, "{") {
		c.nstatJSON(b)
		return c.evidence("network counters")
	}
	var names []string // of the line before, in the files' pairs of lines
	group := ""        // of netstat's indented lines
	eachLine(b, func(line string) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
		case names != nil && len(fields) == len(names) && fields[0] == names[0]:
			for i := 1; i < len(fields); i++ {
				c.set(strings.TrimSuffix(names[0], ":")+"."+names[i], fields[i])
			}
			names = nil
		case strings.HasSuffix(fields[0], ":") && len(fields) > 2 && line[0] != ' ' && line[0] != '\t':
			names = fields
		case strings.HasSuffix(line, ":") && len(fields) == 1 && line[0] != ' ' && line[0] != '\t':
			group, names = strings.TrimSuffix(fields[0], ":"), nil
		case line[0] == ' ' || line[0] == '\t':
			c.phrase(group, strings.TrimSpace(line))
		case len(fields) <= 3 && len(fields) > 1 && !strings.Contains(fields[0], ":"):
			c.set(split(fields[0]), fields[1])
		}
	})
	return c.evidence("network counters")
}

// groups are the kernel's groups of counters, the longer names first where one
// begins with another.
var groups = [...]string{"TcpExt", "MPTcpExt", "IpExt", "UdpLite6", "UdpLite", "Udp6", "Icmp6", "Icmp", "Ip6", "Tcp", "Udp", "Ip"}

// split parts a name of nstat, which joins group and counter.
func split(name string) string {
	for _, g := range groups {
		if rest, ok := strings.CutPrefix(name, g); ok && rest != "" {
			return g + "." + rest
		}
	}
	return ""
}

// nstatJSON reads `nstat --json`: an object of counters inside another.
func (c counters) nstatJSON(b []byte) {
	var doc map[string]map[string]json.Number
	if json.Unmarshal(b, &doc) != nil {
		return
	}
	for _, group := range doc {
		for name, v := range group {
			c.set(split(name), v.String())
		}
	}
}
