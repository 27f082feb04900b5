package classify

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// headline gives the verdict's cause, one word for scripts, and the clause that
// stands behind the label on the card.
func (c *incident) headline(v evidence.Verdict) (cause, text string) {
	switch v.Label {
	case evidence.Inconclusive:
		return "", "the evidence leaves " + plural(len(v.Open), "label") + " open"
	case evidence.NoFailure:
		if v.Answers.Lease.Value == released {
			return "", "released by its holder"
		}
		return "", "no failure found"
	case evidence.RenewalAfterLoss:
		return cmpOr(c.cause, "lost-liveness"), "renewed although its owner is " + inWords(v.Answers.Owner)
	case evidence.Partition:
		return "unreachable", "the owner lives and cannot reach Redis"
	case evidence.ContractFault:
		return c.contractCause(v)
	case evidence.ClockAnomaly:
		if c.frozen {
			return "clock-frozen", "Redis's clock stands still"
		}
		return "clock-step", "Redis's clock stepped"
	}
	return c.ownerCause(v)
}

// inWords is an answer for people: what it is, or what is left of it.
func inWords(a evidence.Answer) string { return strings.Join(a.Possible, " or ") }

// causes gives each cause its clause. Where none is known the text says what
// was seen and nothing more.
func causes() map[string]string {
	return map[string]string{
		"oom-kill": "OOM-killed", "killed": "killed by signal 9", "gone": "the owner's process is gone",
		earlyoomKill: "killed for memory by earlyoom", oomdKill: "killed for memory by systemd-oomd",
		"segfault": "segmentation fault", "general-protection": "general protection fault",
		"stopped": "stopped by a signal", "frozen": "frozen by its control group", "traced": "held by a tracer",
		"throttled": "throttled by its CPU quota", "starved": "starved of CPU", "blocked": "blocked in the kernel",
		"aborted": "it aborted", "terminated": "ended by a signal to terminate", "signalled": "ended by a signal", "exited": "its process exited",
		"watchdog": "killed by its unit's watchdog", "pod-evicted": "its pod was evicted", "paused": "paused", "gc-pause": "stopped by its garbage collector",
		"deadlock": "its threads are deadlocked", "suspended": "its machine slept", "host-rebooted": "its host rebooted", "panic": "it panicked", "out-of-memory": "out of memory by its own word",
		"no-progress": "not running on any thread", "heartbeat-stale": "its heartbeat is stale",
		"redis-restarted": "Redis was restarted", "evicted": "the key was evicted", "failover": "Redis failed over", "another-server": "another server answers", "flushed": "the database was flushed", "refused-writes": "Redis refused writes", "failover-split": "two masters hold the lock", "quorum-lost": "no majority of the servers holds the lock",
		"redis-stall": "Redis was busy",
	}
}

func (c *incident) ownerCause(v evidence.Verdict) (cause, text string) {
	cause = cmpOr(c.cause, "unknown")
	if v.Label == evidence.CoordinatorFault {
		cause = c.coordCause(cause)
	}
	return cause, cmpOr(causes()[cause], cause)
}

func (c *incident) coordCause(cause string) string {
	for _, known := range []string{"redis-restarted", "evicted", "failover", "failover-split", "quorum-lost", "redis-stall", "another-server", "flushed", "refused-writes"} {
		if cause == known {
			return known
		}
	}
	return "broken-promise"
}

func (c *incident) contractCause(v evidence.Verdict) (cause, text string) {
	switch {
	case v.Answers.Lease.Value == lost:
		return "removed-by-another", "removed before its end, not by its holder"
	case len(c.renewals) == 0 && c.s.Contract.RenewEvery == 0:
		return "not-renewed", "the lease ran out under a working owner"
	}
	return "renewal-missing", "a working owner did not renew"
}
