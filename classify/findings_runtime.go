package classify

import (
	"fmt"

	"github.com/lockscene/lockscene/evidence"
)

// What supervisors and runtimes show that is worth fixing whatever the label.
func runtimeRules() []rule {
	return []rule{
		{"owner-restarted", "A new run under the same name is not the holder: make it take the lock anew, and refuse the old run's token.", ownerRestarted},
		{"thread-deadlock", "Take the dump to whoever owns the code, and let the renewer check the worker's progress.", threadDeadlock},
		{"node-not-ready", "Look at the node from outside: dead, stalled and cut off look the same to its control plane.", nodeNotReady},
		{"swap-storm", "Give the owner memory or take its swap away: a process that pages is stopped by its own disk.", swapStorm},
	}
}

// ownerRestarted: the unit or container has a newer run than the one that held the
// lock. Its supervisor shows it running and well.
func ownerRestarted(c *incident, _ evidence.Verdict) evidence.Finding {
	for _, s := range c.supervisors() {
		run, ok := c.holdersRun(s)
		if !ok || !run.over || !run.hidden {
			continue
		}
		return found(evidence.Warning, s.name, fmt.Sprintf("%s has another run in place of the one that held the lock%s", quote(s.name), atMoment(run.ended)))
	}
	return nothing()
}

func threadDeadlock(c *incident, _ evidence.Verdict) evidence.Finding {
	d, ok := c.stuckDump()
	if !ok || d.text == "" {
		return nothing()
	}
	return found(evidence.Warning, "thread dump", d.text)
}

func nodeNotReady(c *incident, _ evidence.Verdict) evidence.Finding {
	e, ok := c.nodeLost()
	if !ok {
		return nothing()
	}
	return found(evidence.Warning, "cluster events", fmt.Sprintf("%s at %s: %s", quote(e.Reason), clockTime(e.At), line(e.Text)))
}

// swapped is how much of a process in swap is worth a word: one that keeps this
// much there and runs brings it back page by page.
const swapped = 64 << 10 // kB

// swapStorm: a good part of the owner was in swap, and it waited for it.
func swapStorm(c *incident, v evidence.Verdict) evidence.Finding {
	if c.owner == nil {
		return nothing()
	}
	for _, l := range c.owner.proc.Looks {
		st, ok := l.Status.Get()
		if !ok || st.VmSwapKB < swapped || st.VmSwapKB < st.VmRSSKB/4 {
			continue
		}
		text := fmt.Sprintf("%d MB of the owner are in swap, %d MB in memory", st.VmSwapKB>>10, st.VmRSSKB>>10)
		if memoryPressure(c, v).Severity == "" {
			return found(evidence.Notice, l.Status.Source, text)
		}
		return found(evidence.Warning, l.Status.Source, text+", and it waits for memory")
	}
	return nothing()
}
