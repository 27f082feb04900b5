package kernel

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Lines about tasks and processors that did not get on.
var stallRules = []rule{
	{anchor: "INFO: task ", class: HungTask, find: findHung},
	{anchor: "Future hung task reports are suppressed", class: Suppressed},
	{anchor: "BUG: soft lockup - CPU#", class: SoftLockup, find: findSoftLockup},
	{anchor: "self-detected stall on CPU", class: RCUStall, find: afterINFO},
	{anchor: "detected stalls on CPUs/tasks", class: RCUStall, find: afterINFO},
	{anchor: "detected expedited stalls on CPUs/tasks", class: RCUStall, find: afterINFO},
	{anchor: " jiffies, g=", note: (*collector).stallAge},
	{anchor: " jiffies g=", note: (*collector).stallAge},
	{anchor: "kthread starved for ", class: RCUStarved, find: func(_ *evidence.KernelEvent, text string, at int) bool {
		return strings.HasPrefix(text, "rcu")
	}},
	{anchor: "Watchdog detected hard LOCKUP", class: HardLockup, find: func(_ *evidence.KernelEvent, text string, at int) bool {
		return at == 0 || text[:at] == "watchdog: " || text[:at] == "NMI watchdog: "
	}},
	{anchor: "hrtimer: interrupt took ", class: Latency, find: findHrtimer},
	{anchor: " hogged CPU for >", class: Latency, find: func(_ *evidence.KernelEvent, text string, at int) bool {
		return strings.HasPrefix(text, "workqueue: ")
	}},
}

// findHung reads "INFO: task C:P blocked for more than N seconds." (newer: "in
// I/O wait"), and "INFO: task C:P is blocked on a mutex likely owned by task
// C:P.", which is of its own class. N is the time since the last switch on newer
// kernels, the detector's limit on old ones.
func findHung(ev *evidence.KernelEvent, text string, at int) bool {
	if at != 0 {
		return false
	}
	who := text[len("INFO: task "):]
	if i := strings.LastIndex(who, " for more than "); i >= 0 {
		n, w := number(who[i+len(" for more than "):])
		task, ok := cutLast(who[:i], " blocked")
		if w == 0 || !ok {
			return false
		}
		ev.Seconds = float64(n)
		return commColonPid(ev, task)
	}
	if task, ok := cutLast(who, " is blocked on a"); ok {
		ev.Class = HungOwner
		return commColonPid(ev, task)
	}
	return false
}

// cutLast returns what stands before the last occurrence of mark.
func cutLast(s, mark string) (string, bool) {
	i := strings.LastIndex(s, mark)
	return s[:max(i, 0)], i >= 0
}

// findSoftLockup reads "BUG: soft lockup - CPU#2 stuck for 26s! [C:P]".
func findSoftLockup(ev *evidence.KernelEvent, text string, at int) bool {
	if at != 0 && !strings.HasSuffix(text[:at], "watchdog: ") {
		return false
	}
	_, rest, ok := strings.Cut(text[at:], " stuck for ")
	n, w := number(rest)
	if !ok || w == 0 {
		return false
	}
	ev.Seconds = float64(n)
	if _, who, ok := strings.Cut(rest, "! ["); ok {
		commColonPid(ev, strings.TrimSuffix(who, "]"))
	}
	return true
}

// afterINFO accepts what follows "INFO: rcu_X ", alone or behind "rcu: ".
func afterINFO(_ *evidence.KernelEvent, text string, _ int) bool {
	return strings.HasPrefix(text, "INFO: rcu") || strings.HasPrefix(text, "rcu: INFO: rcu")
}

// stallDetail is how far behind an RCU stall the line with its age may come:
// the list of processors stands between.
const stallDetail = time.Second

// stallAge joins the line that tells an RCU stall's age to the event.
func (c *collector) stallAge(r *Record, at int) bool {
	text := clip(r.Text)
	if len(c.events) == 0 || !r.fromKernel() || strings.Contains(text, "INFO: ") {
		return false
	}
	ev := &c.events[len(c.events)-1]
	if ev.Class != RCUStall || strings.Contains(ev.Text, " jiffies") || r.HasPrintk && r.Printk-ev.Printk > stallDetail {
		return false
	}
	ev.Text += " " + strings.TrimSpace(strings.TrimPrefix(text, "rcu:"))
	return true
}

func findHrtimer(ev *evidence.KernelEvent, text string, at int) bool {
	n, w := number(text[at+len("hrtimer: interrupt took "):])
	ev.Seconds = float64(n) / 1e9
	return at == 0 && w > 0
}
