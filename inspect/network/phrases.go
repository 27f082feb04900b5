package network

import "strings"

// phrases are netstat's words for counters, as several generations of it have
// them; each has one number in it, at the place of the number sign.
var phrases = [...]struct{ words, name string }{
	{"# active connection openings", "Tcp.ActiveOpens"},
	{"# active connections openings", "Tcp.ActiveOpens"},
	{"# passive connection openings", "Tcp.PassiveOpens"},
	{"# passive connections openings", "Tcp.PassiveOpens"},
	{"# failed connection attempts", "Tcp.AttemptFails"},
	{"# connection resets received", "Tcp.EstabResets"},
	{"# connections established", "Tcp.CurrEstab"},
	{"# segments received", "Tcp.InSegs"},
	{"# segments sent out", "Tcp.OutSegs"},
	{"# segments send out", "Tcp.OutSegs"},
	{"# segments retransmitted", "Tcp.RetransSegs"},
	{"# segments retransmited", "Tcp.RetransSegs"},
	{"# bad segments received", "Tcp.InErrs"},
	{"# bad segments received.", "Tcp.InErrs"},
	{"# resets sent", "Tcp.OutRsts"},
	{"# times the listen queue of a socket overflowed", "TcpExt.ListenOverflows"},
	{"# SYNs to LISTEN sockets dropped", "TcpExt.ListenDrops"},
	{"# SYNs to LISTEN sockets ignored", "TcpExt.ListenDrops"},
	{"# other TCP timeouts", "TcpExt.TCPTimeouts"},
	{"# connections aborted due to timeout", "TcpExt.TCPAbortOnTimeout"},
	{"# connections reset due to unexpected data", "TcpExt.TCPAbortOnData"},
	{"# connections reset due to early user close", "TcpExt.TCPAbortOnClose"},
	{"# connections aborted due to memory pressure", "TcpExt.TCPAbortOnMemory"},
	{"# fast retransmits", "TcpExt.TCPFastRetrans"},
	{"# retransmits in slow start", "TcpExt.TCPSlowStartRetrans"},
	{"# retransmits lost", "TcpExt.TCPLostRetransmit"},
	{"# resets received for embryonic SYN_RECV sockets", "TcpExt.EmbryonicRsts"},
	{"# packets pruned from receive queue because of socket buffer overrun", "TcpExt.PruneCalled"},
	{"# packets collapsed in receive queue due to low socket buffer", "TcpExt.TCPRcvCollapsed"},
	{"# times recovered from packet loss by selective acknowledgements", "TcpExt.TCPSackRecovery"},
	{"Quick ack mode was activated # times", "TcpExt.DelayedACKLost"},
}

// phrase reads one indented line of `netstat -s`: words around a number, or,
// for counters it has no words for, the kernel's name and a colon.
func (c counters) phrase(group, line string) {
	if name, value, ok := strings.Cut(line, ": "); ok && !strings.Contains(name, " ") {
		if group != "" {
			c.set(group+"."+name, strings.TrimSpace(value))
		}
		return
	}
	fields := strings.Fields(line)
	number := ""
	for i, w := range fields {
		if number == "" && w != "" && strings.Trim(w, "0123456789") == "" {
			number, fields[i] = w, "#"
		}
	}
	if number == "" {
		return
	}
	words := strings.Join(fields, " ")
	for _, p := range phrases {
		if p.words == words {
			c.set(p.name, number)
			return
		}
	}
}
