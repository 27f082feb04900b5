package kernel

import (
	"strconv"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// What programs say that watch memory, units and the clock. Each line counts
// only from the program whose word it is.
var userRules = []rule{
	{anchor: " due to memory pressure for ", class: OomdKill, from: "systemd-oomd", find: findOomd},
	{anchor: " due to memory used ", class: OomdKill, from: "systemd-oomd", find: findOomd},
	{anchor: ": systemd-oomd killed ", class: UnitOomd, from: "systemd", find: anywhere},
	{anchor: ": A process of this unit has been killed by the OOM killer", class: UnitOOM, from: "systemd", find: anywhere},
	{anchor: ": Main process exited, code=", class: UnitExit, from: "systemd", find: anywhere},
	{anchor: ": Failed with result '", class: UnitFailed, from: "systemd", find: anywhere},
	{anchor: ", restart counter is at ", class: UnitRestart, from: "systemd", find: anywhere},
	{anchor: "Time has been changed", class: TimeJump, from: "systemd", find: anywhere},
	{anchor: "Time jumped backwards", class: TimeJump, from: "systemd-journald", find: anywhere},
	{anchor: "clock jumped backwards", class: TimeJump, from: "systemd-journald", find: anywhere},
	{anchor: "Killing process ", class: EarlyoomKill, from: "earlyoom", find: findEarlyoom},
	{anchor: "sending SIG", class: EarlyoomKill, from: "earlyoom", find: findEarlyoom},
	{anchor: "Eviction manager: must evict pod(s) to reclaim", class: KubeletEvict, from: "kubelet", find: anywhere},
	{anchor: "Eviction manager: pod is evicted successfully", class: KubeletEvicted, from: "kubelet", find: anywhere},
	{anchor: "eviction manager: pods ", class: KubeletEvicted, from: "kubelet", find: anywhere},
	{anchor: "System clock wrong by ", class: ClockWrong, from: "chronyd", find: stepAfter("System clock wrong by ")},
	{anchor: "System clock was stepped by ", class: ClockStep, from: "chronyd", find: stepAfter("System clock was stepped by ")},
	{anchor: "System clock was stepped for leap second", class: Leap, from: "chronyd", find: anywhere},
	{anchor: "Forward time jump detected", class: TimeJump, from: "chronyd", find: anywhere},
	{anchor: "Backward time jump detected", class: TimeJump, from: "chronyd", find: anywhere},
	{anchor: "time reset ", class: ClockStep, from: "ntpd", find: stepAfter("time reset ")},
}

// findOomd tells a kill from its announcement, the first words of newer
// versions.
func findOomd(ev *evidence.KernelEvent, text string, at int) bool {
	head := text[:at]
	switch {
	case strings.Contains(head, "Marked ") && strings.HasSuffix(head, " for killing"):
		ev.Class = OomdMark
		return true
	}
	_, group, killed := strings.Cut(head, "Killed ")
	ev.Group = evidence.Clip(group, maxGroup)
	return killed
}

// maxGroup is how much of a control group's path is kept: as much as Linux allows.
const maxGroup = 4096

// findEarlyoom reads the forms of three generations:
//
//	Killing process P NAME
//	sending SIGTERM to process P uid U "NAME": badness N, …
//	sending SIGKILL to process P uid U "NAME": oom_score N, …
//
// NAME may hold quotes, so its end is what follows it.
func findEarlyoom(ev *evidence.KernelEvent, text string, at int) bool {
	_, rest, ok := strings.Cut(text[at:], " process ")
	if old, found := strings.CutPrefix(text[at:], "Killing process "); found {
		rest, ok = old, true
	}
	pid, w := number(rest)
	if !ok || w == 0 || w > 10 {
		return false
	}
	ev.Pid = int(pid)
	rest = strings.TrimPrefix(rest[w:], " ")
	ev.Comm = rest
	if open := strings.IndexByte(rest, '"'); open >= 0 && strings.HasPrefix(rest, "uid ") {
		ev.Comm = rest[open+1:]
		for _, mark := range [...]string{`": badness `, `": oom_score `} {
			if name, ok := cutLast(rest[open+1:], mark); ok {
				ev.Comm = name
			}
		}
	}
	ev.Comm = ev.Comm[:min(len(ev.Comm), maxComm)]
	return true
}

// stepAfter reads the signed seconds behind the anchor: positive when the clock
// was behind and moved forward.
func stepAfter(anchor string) func(*evidence.KernelEvent, string, int) bool {
	return func(ev *evidence.KernelEvent, text string, at int) bool {
		n, _, _ := strings.Cut(text[at+len(anchor):], " ")
		s, err := strconv.ParseFloat(strings.TrimSuffix(n, "s"), 64)
		if err != nil || s != s || s > 1e12 || s < -1e12 {
			return false
		}
		ev.Seconds = s
		return true
	}
}
