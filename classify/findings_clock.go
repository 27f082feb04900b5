package classify

import (
	"fmt"
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

func clockRules() []rule {
	return []rule{
		{"clock-step", "Alarm on steps of the coordinator's clock; every lease it runs moves by as much.", clockStep},
		{"clock-skew", "Synchronise both hosts; where a value carries client time, this skew moves the lease.", clockSkew},
		{"clock-unsynchronised", "Start time synchronisation on this host: its times cannot be compared with others'.", clockUnsynchronised},
		{"vm-suspended", "A machine that slept does not renew; its leases ran out meanwhile.", vmSuspended},
	}
}

func clockStep(c *incident, v evidence.Verdict) evidence.Finding {
	if v.Answers.Clock.Value != off {
		if moved := c.steppedLater(); moved != "" {
			return found(evidence.Warning, c.read("time"), moved+", outside this lease's life")
		}
		return c.ownersStep()
	}
	return found(evidence.Critical, c.read("time"), v.Answers.Clock.Says)
}

// ownersStep: the owner's own wall clock was stepped. It runs no lease, but dates
// its logs, and moves what it writes as absolute times.
func (c *incident) ownersStep() evidence.Finding {
	for _, n := range slices.Backward(c.s.Host.Steps) {
		if (n.Kind == "stepped" || n.Kind == "jump-forward" || n.Kind == "jump-backward") && (n.By == 0 || n.By.Abs() > c.skew()) {
			return found(evidence.Warning, "clock daemon", "the owner's clock moved: "+line(n.Text))
		}
	}
	return nothing()
}

func clockSkew(c *incident, v evidence.Verdict) evidence.Finding {
	if v.Answers.Clock.Value == off {
		return nothing()
	}
	if d := c.behind(); d.Abs() > c.skew() {
		return found(evidence.Warning, c.read("time"), fmt.Sprintf("Redis's clock is %s off this host's", signed(d)))
	}
	if c.reckoned() == nil {
		return nothing()
	}
	for _, from := range c.askers() { // one of the two clocks is wrong, whichever
		if d := c.apart(from); d.Abs() > c.skew() {
			return found(evidence.Warning, c.read("time"), fmt.Sprintf("Redis's clock is at least %s off that of %s", signed(d), quote(c.hostNamed(from))))
		}
	}
	return nothing()
}

// clockUnsynchronised needs both witnesses: chronyd without rtcsync leaves the
// kernel's flag set although it keeps the clock.
func clockUnsynchronised(c *incident, _ evidence.Verdict) evidence.Finding {
	t, chronyd := c.s.Host.Chrony.Get()
	n, daemon := c.s.Host.NTP.Get()
	switch {
	case chronyd && t.Synchronised():
		return nothing()
	case daemon && !n.Synced:
		return found(evidence.Notice, n.Daemon, quote(n.Daemon)+" says that this host's clock is not synchronised")
	case daemon:
		return nothing()
	}
	for _, s := range c.s.Host.Steps {
		if s.Kind == "unsynchronised" {
			return found(evidence.Notice, "clock daemon", line(s.Text))
		}
	}
	a, ok := c.s.Host.Adjtimex.Get()
	if !ok || a.Synchronised() {
		return nothing()
	}
	return found(evidence.Notice, "adjtimex", "the kernel does not claim that this host's clock is synchronised")
}

func vmSuspended(c *incident, _ evidence.Verdict) evidence.Finding {
	for _, e := range slices.Backward(c.s.Host.Kernel.Value.Events) {
		if (e.Class == "suspend" || e.Class == "resume") && !e.Forged && c.renewed.Known() && c.kernelTime(e).After(c.renewed.Shift(-c.leaseHi, -c.leaseHi)) {
			return found(evidence.Warning, c.s.Host.Kernel.Source, "the host slept in this lease's life: "+quote(e.Text))
		}
	}
	return nothing()
}
