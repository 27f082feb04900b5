package network

import (
	"regexp"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// Status reads the tools that show links, neighbours and tracked connections as
// they are now: `ip -s link`, `ip addr`, `ip neigh`, `ethtool`, `conntrack -L`
// and `-S`, and carrier_changes as `grep .` prints them. It returns counters,
// named DEVICE.rx_dropped, DEVICE.carrier_changes or conntrack.insert_failed,
// and what is wrong, dated by the moment of reading.
func Status(b []byte, f stamp.Frame) (evidence.NetCounters, []evidence.NetworkNotice) {
	if bounded("network status", b) != nil {
		return evidence.NetCounters{}, nil
	}
	s := status{frame: f, values: counters{}}
	eachLine(b, s.line)
	if len(s.values) == 0 {
		return evidence.NetCounters{}, s.notices
	}
	return evidence.NetCounters{Values: s.values}, s.notices
}

type status struct {
	frame   stamp.Frame
	values  counters
	notices []evidence.NetworkNotice
	device  string
	side    string   // rx or tx, of the columns below
	columns []string // of the line below
}

var (
	ipLink   = regexp.MustCompile(`^\d{1,9}: ([^ @:]{1,15})(?:@[^ :]{1,15})?: <([A-Za-z0-9_,-]{0,200})>`)
	ethtool  = regexp.MustCompile(`^Settings for ([^ :]{1,15}):$`)
	carriers = regexp.MustCompile(`^/sys/class/net/([^/]{1,15})/(carrier(?:_changes|_up_count|_down_count)?):(\d{1,10})$`)
	neighbor = regexp.MustCompile(`^([0-9a-fA-F:.]{2,45}) dev ([^ ]{1,15}) .*\b(FAILED|INCOMPLETE)\b`)
	tracked  = regexp.MustCompile(`^(?:ipv[46] +\d{1,3} +)?tcp +6 +\d{1,9} +([A-Z_0-9]{4,12}) +src=(\S{2,45}) dst=(\S{2,45}) sport=(\d{1,5}) dport=(\d{1,5})`)
	perCPU   = regexp.MustCompile(`^cpu=\d{1,6}\s+(.*=.*)$`)
)

func (s *status) line(line string) {
	text := strings.TrimSpace(line)
	if m := ipLink.FindStringSubmatch(line); m != nil {
		s.device, s.columns = strings.Clone(m[1]), nil
		flags := "," + m[2] + ","
		if strings.Contains(flags, ",NO-CARRIER,") || !strings.Contains(flags, ",UP,") && strings.Contains(line, "state DOWN") {
			s.note("link-down", s.device, "", text)
		}
		return
	}
	if m := ethtool.FindStringSubmatch(text); m != nil {
		s.device = strings.Clone(m[1])
		return
	}
	switch {
	case text == "Link detected: no":
		s.note("link-down", s.device, "", text)
	case strings.HasPrefix(text, "RX") && strings.Contains(text, ":"), strings.HasPrefix(text, "TX") && strings.Contains(text, ":"):
		_, names, _ := strings.Cut(text, ":")
		s.side, s.columns = strings.ToLower(text[:2]), strings.Fields(names)
	case s.columns != nil:
		s.row(strings.Fields(text))
	default:
		s.other(text)
	}
}

// row reads the numbers below a line of headings.
func (s *status) row(fields []string) {
	for i, name := range s.columns {
		if i < len(fields) && s.device != "" {
			s.values.set(s.device+"."+s.side+"_"+name, fields[i])
		}
	}
	s.columns = nil
}

func (s *status) other(text string) {
	if m := carriers.FindStringSubmatch(text); m != nil {
		s.values.set(m[1]+"."+m[2], m[3])
		if m[2] == "carrier" && m[3] == "0" {
			s.note("link-down", m[1], "", text)
		}
		return
	}
	if m := neighbor.FindStringSubmatch(text); m != nil {
		s.note("unreachable", m[2], m[1], text)
		return
	}
	if m := tracked.FindStringSubmatch(text); m != nil {
		// A flow that was never answered, or that is still asking.
		if strings.Contains(text, "[UNREPLIED]") || m[1] == "SYN_SENT" {
			s.note("unanswered", "", address(m[3], m[5]), text)
		}
		return
	}
	if m := perCPU.FindStringSubmatch(text); m != nil {
		for _, pair := range strings.Fields(m[1]) {
			name, value, _ := strings.Cut(pair, "=")
			s.values.add("conntrack."+name, value)
		}
	}
}

func (s *status) note(class, device, peer, text string) {
	if len(s.notices) < maxItems {
		at := s.frame.Now
		at.Clock = s.frame.Clock
		s.notices = append(s.notices, evidence.NetworkNotice{At: at, Class: class, Device: strings.Clone(device), Peer: strings.Clone(peer), Text: clip(text)})
	}
}

func address(host, port string) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + port
}

// Carrier is the content of /sys/class/net/DEVICE/carrier_changes: how often
// the link went up or down since the device appeared.
func Carrier(device string, b []byte) (evidence.NetCounters, error) {
	c := counters{}
	if len(b) < 64 && device != "" {
		c.set(device+".carrier_changes", strings.TrimSpace(string(b)))
	}
	return c.evidence("carrier_changes")
}
