package kernel

import (
	"strconv"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Lines about clocks, sleep and the machine's being paused.
var clockRules = []rule{
	{anchor: "Marking clocksource ", class: Clocksource, find: afterWord("clocksource: ")},
	{anchor: "Marking TSC unstable ", class: Clocksource, find: afterWord("tsc: ")},
	{anchor: "TSC found unstable ", class: Clocksource},
	{anchor: "Switched to clocksource ", class: Clocksource, find: findSwitched},
	{anchor: "setting system clock to ", note: (*collector).rtcAnchor},
	{anchor: "audit(", note: (*collector).auditAnchor},
	{anchor: "Clock: inserting leap second", class: Leap},
	{anchor: "Clock: deleting leap second", class: Leap},
	{anchor: "PM: suspend entry", class: Suspend},
	{anchor: "PM: suspend exit", class: Resume},
	{anchor: "hibernation entry", class: Suspend, find: afterWord("PM: ")},
	{anchor: "hibernation exit", class: Resume, find: afterWord("PM: ")},
	{anchor: "Freezing user space processes", class: Freeze},
	{anchor: "Timekeeping suspended for ", class: Slept, find: findSlept},
	{anchor: "Freezing with imperfect legacy cgroup freezer", class: FreezerLegacy, find: anywhere},
	{anchor: "crng reseeded due to virtual machine fork", class: VMHint, find: afterWord("random: ")},
	{anchor: "Suspending xenstore", class: VMHint, find: anywhere},
}

// afterWord accepts an anchor in a line that begins with word.
func afterWord(word string) func(*evidence.KernelEvent, string, int) bool {
	return func(_ *evidence.KernelEvent, text string, at int) bool { return strings.HasPrefix(text, word) }
}

// findSwitched keeps the switch to a slow clock source. Every boot switches to
// its good one.
func findSwitched(_ *evidence.KernelEvent, text string, at int) bool {
	name := text[at+len("Switched to clocksource "):]
	return strings.HasPrefix(name, "hpet") || strings.HasPrefix(name, "acpi_pm") || strings.HasPrefix(name, "jiffies")
}

// findSlept reads "PM: Timekeeping suspended for 3696.450 seconds".
func findSlept(ev *evidence.KernelEvent, text string, at int) bool {
	n, _, ok := strings.Cut(text[at+len("Timekeeping suspended for "):], " ")
	s, err := strconv.ParseFloat(n, 64)
	ev.Seconds = s
	return ok && err == nil && s >= 0 && s < maxSeconds
}

// rtcAnchor reads "rtc_cmos 00:00: setting system clock to 2026-03-03T02:14:07
// UTC (1772504047)": the wall time at a known printk second.
func (c *collector) rtcAnchor(r *Record, at int) bool {
	text := clip(r.Text)
	open := strings.LastIndexByte(text, '(')
	if open < at || !r.fromKernel() {
		return false
	}
	n, w := number(text[open+1:])
	if w == 0 || n > 1<<33 || !strings.HasPrefix(text[open+1+w:], ")") {
		return false
	}
	c.keepAnchor(r, time.Unix(n, 0), time.Second)
	return true
}

// auditAnchor reads "audit: type=1400 audit(1772504047.331:123): …".
func (c *collector) auditAnchor(r *Record, at int) bool {
	text := clip(r.Text)
	if !strings.HasPrefix(text, "audit: type=") || !r.fromKernel() {
		return false
	}
	stamp := text[at+len("audit("):]
	n, w := number(stamp)
	if w == 0 || n > 1<<33 || len(stamp) < w+5 || stamp[w] != '.' {
		return false
	}
	frac, ok := fraction(stamp[w+1 : w+4])
	if !ok {
		return false
	}
	c.keepAnchor(r, time.Unix(n, int64(frac)), time.Millisecond)
	return true
}

// moved is how much wall time and printk time may drift between two anchors
// before the second is worth keeping. Audit lines come by the thousand, and may
// be held back for a while before they are printed.
const moved = time.Second

// keepAnchor stores the first anchor, and every one that shows that wall clock
// and printk clock moved against each other: a step, a sleep, or a pause.
func (c *collector) keepAnchor(r *Record, wall time.Time, precision time.Duration) {
	if c.anchor != nil {
		if !r.HasPrintk {
			return
		}
		d := wall.Sub(c.anchor.Wall.Time) - (r.Printk - c.anchor.Printk)
		if d > -moved && d < moved {
			return
		}
	}
	at := *r
	at.Wall = Wall{Time: wall.UTC(), Precision: precision, Zone: true}
	c.anchor = &at
	c.events = append(c.events, newEvent(ClockAnchor, &at))
}
