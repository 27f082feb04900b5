package kernel

import (
	"sync"

	"github.com/lockscene/lockscene/evidence"
)

// The classes of events. They are strings of the frozen format.
const (
	OOMKill        = "oom-kill"            // the kernel killed a process for memory; Kill says which
	OOMNone        = "oom-none"            // it wanted to and found nobody
	OOMExiting     = "oom-already-exiting" // its victim was dying already; no new kill
	ReaperFailed   = "reaper-failed"       // a victim's memory could not be taken back
	SysrqOOM       = "sysrq-oom"           // an operator asked for a kill
	Segfault       = "segfault"
	Protection     = "general-protection"
	Trap           = "trap"       // invalid opcode, divide error, int3
	KernelBug      = "kernel-bug" // the current task dies, the host may live
	Oops           = "oops"
	Panic          = "panic"
	PanicEnd       = "panic-end"
	Hardware       = "hardware"
	PoisonKill     = "hwpoison-kill"
	HungTask       = "hung-task"
	HungOwner      = "hung-task-owner"
	Suppressed     = "reports-suppressed"
	SoftLockup     = "soft-lockup"
	HardLockup     = "hard-lockup"
	RCUStall       = "rcu-stall"
	RCUStarved     = "rcu-starved"
	Latency        = "latency"
	Link           = "link"
	NICReset       = "nic-reset"
	TxTimeout      = "tx-timeout"
	ConntrackFull  = "conntrack-full"
	RateLimited    = "suppressed" // the kernel dropped repeats of a line
	SynFlood       = "syn-flood"
	TCPMem         = "tcp-mem"
	ARPOverflow    = "arp-overflow"
	IOError        = "io-error"
	IOTimeout      = "io-timeout"
	FSError        = "fs-error"
	FSReadonly     = "fs-readonly"
	FSShutdown     = "fs-shutdown"
	Clocksource    = "clocksource"
	TimeJump       = "time-jump"    // somebody saw the wall clock move
	ClockStep      = "clock-step"   // somebody moved it; Seconds is signed
	ClockWrong     = "clock-wrong"  // it was found to be off; Seconds is signed
	ClockAnchor    = "clock-anchor" // not an event: the wall time at a known printk second
	Leap           = "leap"
	Suspend        = "suspend"
	Resume         = "resume"
	Freeze         = "freeze" // user space is stopped, for suspend or hibernation
	Slept          = "slept"  // how long the machine was asleep, on kernels that say
	FreezerLegacy  = "freezer-legacy"
	VMHint         = "vm-hint"     // a hypervisor paused or moved the machine, perhaps
	OomdKill       = "oomd-kill"   // systemd-oomd killed a cgroup
	OomdMark       = "oomd-mark"   // … or announced it
	UnitOomd       = "unit-oomd"   // systemd about a unit whose processes systemd-oomd killed
	UnitOOM        = "unit-oom"    // … whose process the kernel's killer took
	UnitExit       = "unit-exit"   // … whose main process ended
	UnitFailed     = "unit-failed" //
	UnitRestart    = "unit-restart"
	EarlyoomKill   = "earlyoom-kill"
	KubeletEvict   = "kubelet-evict"   // the kubelet decided to evict
	KubeletEvicted = "kubelet-evicted" // it evicted a pod
)

// A rule ties a word that seldom occurs to what it means.
type rule struct {
	anchor string
	class  string
	from   string // the program whose word it is; empty is the kernel
	// find fills the event from the text; at is where the anchor stands. A nil
	// find accepts the anchor at the beginning of the text, and nowhere else.
	find func(ev *evidence.KernelEvent, text string, at int) bool
	// note is for lines that only explain others: they feed the collector and
	// make no event.
	note func(c *collector, r *Record, at int) bool
}

// rules are all anchors, sorted by subject. Their order matters only where one
// anchor begins with another: the longer stands first.
var rules = concat(oomRules, crashRules, stallRules, netRules, diskRules, clockRules, userRules)

// It is built on first use: most commands never read a log.
var anchors = sync.OnceValue(func() *anchorSet { return newAnchorSet(words(rules)) })

func concat(lists ...[]rule) (all []rule) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func words(rules []rule) []string {
	out := make([]string, len(rules))
	for i, r := range rules {
		out[i] = r.anchor
	}
	return out
}

// anywhere accepts the anchor wherever it stands.
func anywhere(*evidence.KernelEvent, string, int) bool { return true }
