package proof

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What runs are held against: the contract's figures, and a few defaults with names
// where it has none. Nothing else is a threshold here.

const (
	// defaultSkew is what clocks may differ by, as in the verdict: far more than kept
	// clocks differ by, far less than a lease.
	defaultSkew = 250 * time.Millisecond
	// defaultMargin leaves a lease room for one and a half of the worst that was seen.
	defaultMargin = 1.5
	// defaultTokenFrom is where a fencing token stands: what the application wrote down.
	defaultTokenFrom = "events"
)

// defaultModes are those that the runbooks ask for.
func defaultModes() []evidence.Mode {
	return []evidence.Mode{evidence.ModeCrash, evidence.ModePartition, evidence.ModeClock}
}

func skewOf(c evidence.Contract) time.Duration { return cmp.Or(c.MaxSkew, defaultSkew) }
func marginOf(c evidence.Contract) float64     { return cmp.Or(c.Margin, defaultMargin) }
func tokenFrom(c evidence.Contract) string     { return cmp.Or(c.TokenFrom, defaultTokenFrom) }
func modesOf(c evidence.Contract) []evidence.Mode {
	if len(c.Modes) > 0 {
		return c.Modes
	}
	return defaultModes()
}

// limits lists them as a contract file spells them.
func limits(c evidence.Contract) []evidence.Limit {
	set := func(stated bool) evidence.LimitSource {
		if stated {
			return evidence.LimitContract
		}
		return evidence.LimitDefault
	}
	promised := func(name string, d time.Duration) evidence.Limit {
		if d == 0 {
			return evidence.Limit{Name: name, From: evidence.LimitUnstated}
		}
		return evidence.Limit{Name: name, Value: plain(d), From: evidence.LimitContract}
	}
	out := []evidence.Limit{
		promised("lease", c.Lease), promised("renew_every", c.RenewEvery),
		{Name: "max_clock_skew", Value: plain(skewOf(c)), From: set(c.MaxSkew > 0)},
		promised("worst_stall", c.WorstStall), promised("worst_renewal", c.WorstRenew),
		{Name: "margin", Value: fmt.Sprintf("%g", marginOf(c)), From: set(c.Margin > 0)},
		promised("lease_max", c.LeaseMax), promised("release_within", c.ReleaseIn), promised("takeover_within", c.TakeoverIn),
		{Name: "fencing.required", Value: fmt.Sprint(c.NeedsToken), From: set(c.NeedsToken)},
		{Name: "fencing.from", Value: tokenFrom(c), From: set(c.TokenFrom != "")},
	}
	if c.TokenFrom == "value" || c.TokenIn != "" {
		pattern := evidence.Limit{Name: "fencing.pattern", Value: c.TokenIn, From: evidence.LimitContract}
		if c.TokenIn == "" {
			pattern.From = evidence.LimitUnstated
		}
		out = append(out, pattern)
	}
	return append(out, evidence.Limit{Name: "modes", Value: modeWords(modesOf(c)), From: set(len(c.Modes) > 0)})
}

// plain is a duration as people write it in a contract: 1m, where Go says 1m0s.
func plain(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func modeWords(modes []evidence.Mode) string {
	var out []string
	for _, m := range modes {
		out = append(out, string(m))
	}
	return strings.Join(out, ", ")
}

const unfenced = "the contract does not require a fencing token: where an acquire carries none, nothing refuses what a paused or cut-off owner still sends, and that the lock comes free and is taken over proves no recovery"

// notes are what a contract leaves out, where a reader could take the proof for more
// than it is.
func notes(c evidence.Contract) []string {
	out := []string{}
	if !c.NeedsToken {
		out = append(out, unfenced)
	}
	if c.Lease == 0 || c.RenewEvery == 0 {
		out = append(out, "the contract does not state lease and renew_every: runs are judged by what their captures were told")
	}
	left := slices.DeleteFunc(defaultModes(), func(m evidence.Mode) bool { return slices.Contains(modesOf(c), m) })
	if len(left) > 0 {
		out = append(out, "the contract asks for no run of "+modeWords(left)+": what happens then is not covered")
	}
	return out
}
