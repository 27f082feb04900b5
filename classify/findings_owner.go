package classify

import (
	"fmt"
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

func ownerRules() []rule {
	return []rule{
		{"pid-reused", "Compare the process's start with the lock's history before trusting a pid.", pidReused},
		{"traced", "Detach the debugger or profiler: a tracer slows every system call and can stop the process at any time.", traced},
		{"throttled", "Raise the CPU quota or shorten the work between renewals: a throttled process renews late.", throttledRule},
		{"memory-pressure", "Give the owner's group more memory or less work: reclaim stalls renewals before the OOM killer ends them.", memoryPressure},
		{"oom-risk", "The group is at its limit; the next allocation may end the owner.", oomRisk},
		{"lease-shorter-than-stall", "Size the lease above the longest stall ever observed, with a stated margin.", shorterThanStall},
		{"owner-clash", "Two sources name different processes; make sure the flags speak of this lock's holder.", ownerClash},
		{"half-open-connection", "Use keepalives and request timeouts, so that a cut connection is noticed within the lease.", halfOpen},
	}
}

func pidReused(c *incident, _ evidence.Verdict) evidence.Finding {
	if c.owner != nil && c.owner.heir != "" {
		return found(evidence.Warning, "/proc/"+itoa(c.owner.proc.Pid)+"/stat", c.owner.heir)
	}
	if c.owner == nil || c.owner.same != another || c.owner.group {
		return nothing()
	}
	for _, l := range c.owner.proc.Looks {
		if st, ok := l.Stat.Get(); ok {
			return found(evidence.Warning, l.Stat.Source, fmt.Sprintf("pid %d is %s now, begun after the holder last renewed", c.owner.proc.Pid, quote(st.Comm)))
		}
	}
	return nothing()
}

func traced(c *incident, _ evidence.Verdict) evidence.Finding {
	if c.owner == nil {
		return nothing()
	}
	for _, l := range slices.Backward(c.owner.proc.Looks) {
		if st, ok := l.Status.Get(); ok && st.TracerPid > 0 {
			return found(evidence.Warning, l.Status.Source, fmt.Sprintf("process %d traces pid %d", st.TracerPid, c.owner.proc.Pid))
		}
	}
	return nothing()
}

// throttledRule speaks of a share that is worth fixing but may be far from a
// stall: one tenth of the time.
func throttledRule(c *incident, _ evidence.Verdict) evidence.Finding {
	a, b, ok := c.ownerSpan()
	if c.reckoned() != nil {
		a, b, ok = c.widest(func(l evidence.ProcLook) bool { return l.Cgroup.Throttled.State == evidence.Seen })
	}
	if !ok {
		return nothing()
	}
	before, ok1 := a.Cgroup.Throttled.Get()
	after, ok2 := b.Cgroup.Throttled.Get()
	span := wide(a, b)
	if !ok1 || !ok2 || after-before < span/10 {
		return nothing()
	}
	return found(evidence.Warning, b.Cgroup.Throttled.Source, fmt.Sprintf("throttled for %s of %s", round(after-before), round(span)))
}

// ownerSpan is the owner's first and last look with the process there.
func (c *incident) ownerSpan() (a, b evidence.ProcLook, ok bool) {
	if c.owner == nil {
		return a, b, false
	}
	var alive []evidence.ProcLook
	for _, l := range c.owner.proc.Looks {
		if there(l) {
			alive = append(alive, l)
		}
	}
	if len(alive) < 2 || wide(alive[0], alive[len(alive)-1]) < minWatched {
		return a, b, false
	}
	return alive[0], alive[len(alive)-1], true
}

// pressured is the share of time in which some task waited for memory that is
// worth a word: PSI's own guides call a tenth noticeable.
const pressured = 10.0

func memoryPressure(c *incident, _ evidence.Verdict) evidence.Finding {
	if c.owner != nil {
		for _, l := range slices.Backward(c.owner.proc.Looks) {
			if p, ok := l.Cgroup.Mem.Get(); ok && p.Some != nil && p.Some.Avg10 >= pressured {
				return found(evidence.Warning, l.Cgroup.Mem.Source, fmt.Sprintf("some avg10=%.0f in the owner's cgroup", p.Some.Avg10))
			}
		}
	}
	for _, h := range slices.Backward(c.s.Host.Pressure) {
		if p, ok := h.Mem.Get(); ok && p.Some != nil && p.Some.Avg10 >= pressured {
			return found(evidence.Warning, h.Mem.Source, fmt.Sprintf("some avg10=%.0f on the host", p.Some.Avg10))
		}
	}
	return nothing()
}

func oomRisk(c *incident, v evidence.Verdict) evidence.Finding {
	if c.owner == nil || v.Answers.Owner.Value == gone {
		return nothing()
	}
	for _, l := range slices.Backward(c.owner.proc.Looks) {
		most, ok1 := l.Cgroup.MemoryMax.Get()
		now, ok2 := l.Cgroup.MemoryNow.Get()
		if ok1 && ok2 && most > 0 && now >= most-most/20 {
			return found(evidence.Warning, l.Cgroup.MemoryNow.Source, fmt.Sprintf("the group uses %d of %d bytes", now, most))
		}
	}
	return nothing()
}

func shorterThanStall(c *incident, v evidence.Verdict) evidence.Finding {
	if v.Answers.Owner.Value != stalled || v.Answers.Lease.Value != lapsed || c.leaseLo == 0 {
		return nothing()
	}
	return found(evidence.Warning, c.read("pexpiretime"), fmt.Sprintf("the stall outlasted the lease of %s", round(c.leaseLo)))
}

func ownerClash(c *incident, _ evidence.Verdict) evidence.Finding {
	if c.owner == nil || c.owner.clash == "" {
		return nothing()
	}
	return found(evidence.Warning, c.read("value"), c.owner.clash+"; the value was believed")
}

// halfOpen: the coordinator still lists a connection whose process is gone or
// whose other end has stopped answering.
func halfOpen(c *incident, v evidence.Verdict) evidence.Finding {
	if v.Answers.Path.Value != broken || c.owner == nil {
		return nothing()
	}
	k, age := c.stuck()
	if k == nil || !c.inList(k.Local) {
		return nothing()
	}
	return found(evidence.Warning, c.read("client-list"), fmt.Sprintf("Redis still lists %s, whose host has waited %s for an answer", k.Local, round(age)))
}
