package proof

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What is asserted over all runs.

func runAssertions() []assertion {
	return []assertion{
		{id: "within-slo", asserts: "the lock was free, and taken over, within what was promised, in every run", every: true, look: withinSLO, all: sloOf,
			mistake: "One fast run is no promise: repeat it."},
		{id: "modes-covered", asserts: "each way to disappear has a run in which nothing failed", look: func(*course) word { return none() }, all: modesCovered,
			mistake: "A graceful shutdown runs the unlock code that a crash does not; use SIGKILL, a cut network and a moved clock."},
	}
}

func withinSLO(k *course) word {
	if k.released() {
		return none()
	}
	c := k.contract
	if c.ReleaseIn == 0 || c.TakeoverIn == 0 {
		return lacks("the contract does not state release_within and takeover_within")
	}
	free, taken := k.toRelease(), k.toTransfer()
	if free == nil {
		free = taken // it was free by then
	}
	if free == nil || taken == nil {
		return lacks("the release or the takeover is not dated")
	}
	text := fmt.Sprintf("free after at most %s of %s, taken over after at most %s of %s", round(free.Most), c.ReleaseIn, round(taken.Most), c.TakeoverIn)
	switch {
	case free.Least > c.ReleaseIn || taken.Least > c.TakeoverIn:
		return fail("times", text)
	case free.Most <= c.ReleaseIn && taken.Most <= c.TakeoverIn:
		return pass("times", text)
	}
	return lacks(text + ": not certain")
}

// sloOf adds the spread over all runs.
func sloOf(courses []*course, w word) word {
	free, taken := spread(courses, (*course).toRelease), spread(courses, (*course).toTransfer)
	if w.outcome == evidence.Pass {
		w.text = fmt.Sprintf("free after %s, taken over after %s", spreadWords(free), spreadWords(taken))
	}
	return w
}

func spreadWords(s evidence.Spread) string {
	return fmt.Sprintf("%s / %s / %s (least, median, most of %d)", round(s.Min), round(s.Median), round(s.Max), s.Runs)
}

// spread is a duration over the runs that tell it, each by its upper bound.
func spread(courses []*course, of func(*course) *evidence.Range) evidence.Spread {
	var all []time.Duration
	for _, k := range courses {
		if r := of(k); r != nil {
			all = append(all, r.Most)
		}
	}
	if len(all) == 0 {
		return evidence.Spread{}
	}
	slices.Sort(all)
	return evidence.Spread{Runs: len(all), Min: all[0], Median: all[(len(all)-1)/2], Max: all[len(all)-1]}
}

// defaultModes are those that the runbooks ask for.
func defaultModes() []evidence.Mode {
	return []evidence.Mode{evidence.ModeCrash, evidence.ModePartition, evidence.ModeClock}
}

func modesCovered(courses []*course, _ word) word {
	if len(courses) == 0 {
		return lacks("no run was given")
	}
	modes := courses[0].contract.Modes
	if len(modes) == 0 {
		modes = defaultModes()
	}
	var missing, broken, counts []string
	graceful := 0
	for _, m := range modes {
		runs, sound := 0, 0
		for _, k := range courses {
			if k.mode() == m {
				runs++
				if !k.failed {
					sound++
				}
			}
		}
		switch {
		case runs == 0:
			missing = append(missing, string(m))
		case sound == 0:
			broken = append(broken, string(m))
		}
		counts = append(counts, fmt.Sprintf("%s %d of %d", m, sound, runs))
	}
	for _, k := range courses {
		if k.released() {
			graceful++
		}
	}
	switch {
	case len(broken) > 0:
		return fail("", "no sound run of "+strings.Join(broken, ", "))
	case len(missing) > 0 && graceful == len(courses):
		return lacks("every run ended with a release by its owner: a graceful shutdown proves nothing about " + strings.Join(missing, ", "))
	case len(missing) > 0:
		return lacks("no run of " + strings.Join(missing, ", "))
	}
	return pass("", "sound runs: "+strings.Join(counts, ", "))
}
