package kernel

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// Lines about interfaces and the network stack.
var netRules = []rule{
	{anchor: "Link is ", class: Link, find: findLink},
	{anchor: "Link up", class: Link, find: findLink},
	{anchor: "Link Up", class: Link, find: findLink},
	{anchor: "Link down", class: Link, find: findLink},
	{anchor: "Link Down", class: Link, find: findLink},
	{anchor: "link up", class: Link, find: findLink},
	{anchor: "link down", class: Link, find: findLink},
	{anchor: "link is up", class: Link, find: findLink},
	{anchor: "link is down", class: Link, find: findLink},
	{anchor: "link status definitely ", class: Link, find: findSlave},
	{anchor: "Keep alive watchdog timeout", class: NICReset, find: findReset},
	{anchor: "NETDEV WATCHDOG: ", class: TxTimeout, find: findTxTimeout},
	{anchor: "nf_conntrack: table full", class: ConntrackFull, find: anywhere},
	{anchor: " callbacks suppressed", class: RateLimited, find: findSuppressed},
	{anchor: "Possible SYN flooding on port ", class: SynFlood, find: anywhere},
	{anchor: "TCP: out of memory", class: TCPMem},
	{anchor: "neighbor table overflow", class: ARPOverflow, find: anywhere},
	{anchor: "eighbour table overflow", class: ARPOverflow, find: anywhere},
	{anchor: "Data path switched ", class: VMHint, find: anywhere},
}

// findLink reads a driver's "… IF: [IF ][NIC ]Link [is ]Up|Down…". The words are
// every driver's own; what they share is the interface right before them.
func findLink(ev *evidence.KernelEvent, text string, at int) bool {
	rest := strings.TrimPrefix(text[at+len("Link "):], "is ")
	up, ok := state(rest)
	if !ok || strings.Contains(rest, "oom-killer") {
		return false
	}
	head := strings.TrimSuffix(strings.TrimSuffix(text[:at], " "), "NIC")
	words := strings.Fields(head)
	// Drivers put at most five words in front; more is prose, or a task's
	// name in a report about it. SATA and PCI slots have links, too.
	if len(words) == 0 || len(words) > 5 || strings.Contains(head, "omm: ") || !strings.HasSuffix(text[:at], " ") {
		return false
	}
	dev := strings.TrimSuffix(words[len(words)-1], ":")
	if !isInterface(dev) {
		return false
	}
	ev.Device, ev.Up = dev, &up
	return true
}

// state reads up or down, in any case, as a whole word.
func state(s string) (up, ok bool) {
	for _, word := range [...]string{"up", "down"} {
		if len(s) >= len(word) && strings.EqualFold(s[:len(word)], word) {
			rest := s[len(word):]
			return word == "up", rest == "" || strings.ContainsRune(" .,(-", rune(rest[0]))
		}
	}
	return false, false
}

// isInterface says whether s can name a network interface: at most 15 bytes,
// none of them blank, a slash or a bracket.
func isInterface(s string) bool {
	return s != "" && len(s) <= 15 && s != "SATA" && s != "link" && !strings.ContainsAny(s, "/()[]{}\"'<>=")
}

// findSlave reads "bond0: (slave eno1): link status definitely down, …".
func findSlave(ev *evidence.KernelEvent, text string, at int) bool {
	up, ok := state(text[at+len("link status definitely "):])
	if !ok {
		return false
	}
	ev.Up = &up
	if _, rest, ok := strings.Cut(text[:at], "(slave "); ok {
		ev.Device, _, _ = strings.Cut(rest, ")")
	} else if _, rest, ok := strings.Cut(text[at:], "for interface "); ok {
		// Before 5.9: "bond0: link status definitely down for interface eno1, …".
		ev.Device, _, _ = strings.Cut(rest, ",")
	}
	return ev.Device != "" && isInterface(ev.Device)
}

// findReset reads "ena 0000:00:05.0 ens5: Keep alive watchdog timeout.".
func findReset(ev *evidence.KernelEvent, text string, at int) bool {
	ev.Device = wordBefore(text[:at])
	return isInterface(ev.Device)
}

// findTxTimeout reads "NETDEV WATCHDOG: IF (DRV): transmit queue N timed out"
// and the newer form with the interface in front and milliseconds behind.
func findTxTimeout(ev *evidence.KernelEvent, text string, at int) bool {
	if at == 0 {
		ev.Device, _, _ = strings.Cut(text[len("NETDEV WATCHDOG: "):], " ")
	} else {
		ev.Device = wordBefore(text[:at])
	}
	if i := strings.LastIndex(text, " timed out "); i >= 0 {
		if ms, w := number(text[i+len(" timed out "):]); w > 0 {
			ev.Seconds = float64(ms) / 1e3
		}
	}
	return isInterface(ev.Device) && strings.Contains(text[at:], " timed out")
}

// wordBefore is the last word of s without its colon.
func wordBefore(s string) string {
	s = strings.TrimSuffix(strings.TrimRight(s, " "), ":")
	return s[strings.LastIndexByte(s, ' ')+1:]
}

// findSuppressed reads "net_ratelimit: N callbacks suppressed": repeats of some
// line are missing from the log.
func findSuppressed(_ *evidence.KernelEvent, text string, at int) bool {
	_, rest, ok := strings.Cut(text[:at], ": ")
	_, w := number(rest)
	return ok && w > 0 && w == len(rest)
}
