package kernel

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// Lines about tasks and machines that died of something other than memory.
var crashRules = []rule{
	{anchor: "]: segfault at ", class: Segfault, find: findTrapped},
	{anchor: "] general protection ", class: Protection, find: findTrapped},
	{anchor: "] trap ", class: Trap, find: findTrapped},
	{anchor: "general protection fault", class: Oops, find: func(_ *evidence.KernelEvent, text string, at int) bool {
		return at == 0 && strings.Contains(text, " [#")
	}},
	{anchor: "BUG: kernel NULL pointer dereference", class: KernelBug},
	{anchor: "BUG: unable to handle ", class: KernelBug},
	{anchor: "kernel BUG at ", class: KernelBug},
	{anchor: "Oops: ", class: Oops, find: func(_ *evidence.KernelEvent, text string, at int) bool {
		return at == 0 || text[:at] == "Internal error: "
	}},
	{anchor: "---[ end Kernel panic", class: PanicEnd},
	{anchor: "Kernel panic - not syncing", class: Panic},
	{anchor: "[Hardware Error]: ", class: Hardware, find: findHardware},
	{anchor: "EDAC MC", class: Hardware, find: findEDAC},
	{anchor: " due to hardware memory corruption", class: PoisonKill, find: findPoison},
	{anchor: " Comm: ", note: func(c *collector, r *Record, at int) bool { return c.nameTask(r, at+2) }},
	{anchor: ", comm: ", note: func(c *collector, r *Record, at int) bool { return c.nameTask(r, at+3) }},
}

// maxComm is the longest name a task can have. Kernel workers show more, up to
// 64 bytes.
const maxComm = 64

// findTrapped reads "C[P]: segfault at …" and "traps: C[P] trap …". at is where
// the bracket closes; the name may hold any byte, so the pid is read from there
// leftwards.
func findTrapped(ev *evidence.KernelEvent, text string, at int) bool {
	name := text[:at]
	open := strings.LastIndexByte(name, '[')
	if open < 0 || open > maxComm {
		return false
	}
	pid := digits(name[open+1:])
	if pid == Unknown {
		return false
	}
	ev.Pid, ev.Comm = pid, strings.TrimPrefix(name[:open], "traps: ")
	return true
}

// findHardware keeps one line of the five to ten a report has.
func findHardware(_ *evidence.KernelEvent, text string, at int) bool {
	if at > len("mce: ") {
		return false
	}
	said := text[at+len("[Hardware Error]: "):]
	return strings.HasPrefix(said, "event severity: ") || strings.Contains(said, "Machine check events logged") ||
		strings.Contains(said, "Machine Check")
}

// findEDAC reads "EDAC MC0: 1 CE …" or UE, and leaves the driver's greetings.
func findEDAC(_ *evidence.KernelEvent, text string, at int) bool {
	if at != 0 {
		return false
	}
	_, rest, _ := strings.Cut(text, ": ")
	_, w := number(rest)
	return w > 0 && (strings.HasPrefix(rest[w:], " CE ") || strings.HasPrefix(rest[w:], " UE "))
}

// findPoison reads "Memory failure: 0xPFN: Killing C:P due to …", "… Sending
// SIGBUS to C:P …" and "MCE: Killing C:P …".
func findPoison(ev *evidence.KernelEvent, text string, at int) bool {
	head := text[:at]
	if !strings.HasPrefix(head, "Memory failure: ") && !strings.HasPrefix(head, "MCE: ") {
		return false
	}
	for _, verb := range [...]string{": Killing ", ": Sending SIGBUS to "} {
		if _, who, ok := strings.Cut(head, verb); ok {
			return commColonPid(ev, who)
		}
	}
	return false
}

// commColonPid reads "C:P" to the end of s; the name may hold colons.
func commColonPid(ev *evidence.KernelEvent, s string) bool {
	colon := strings.LastIndexByte(s, ':')
	if colon < 0 || colon > maxComm {
		return false
	}
	pid := digits(s[colon+1:])
	if pid == Unknown {
		return false
	}
	ev.Pid, ev.Comm = pid, s[:colon]
	return true
}
