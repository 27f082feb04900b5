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

func modesCovered(courses []*course, _ word) word {
	if len(courses) == 0 {
		return lacks("no run was given")
	}
	var missing, asked, broken, counts []string
	for _, m := range modesOf(courses[0].contract) {
		c := countMode(courses, m)
		switch {
		case c.runs == 0 && c.asked > 0:
			asked = append(asked, string(m))
		case c.runs == 0:
			missing = append(missing, string(m))
		case c.sound == 0:
			broken = append(broken, string(m))
		}
		counts = append(counts, fmt.Sprintf("%s %d of %d", m, c.sound, c.runs))
	}
	missing = append(asked, missing...)
	switch {
	case len(broken) > 0:
		return fail("", "no sound run of "+strings.Join(broken, ", "))
	case len(missing) > 0 && !slices.ContainsFunc(courses, func(k *course) bool { return !k.released() }):
		return lacks("no run of " + strings.Join(missing, ", ") + ": " + gracefulWords)
	case len(asked) > 0:
		return lacks("no run of " + strings.Join(missing, ", ") + ": its owner was asked to end by SIGTERM, and a graceful shutdown proves nothing about an abrupt end")
	case len(missing) > 0:
		return lacks("no run of " + strings.Join(missing, ", "))
	}
	return pass("", "sound runs: "+strings.Join(counts, ", "))
}

// A modeCount is how many runs there are of a mode.
type modeCount struct{ runs, sound, asked int }

// countMode counts them. One that was asked to end is no crash, whatever it left
// behind: its unlock code could run.
func countMode(courses []*course, m evidence.Mode) modeCount {
	var c modeCount
	for _, k := range courses {
		switch {
		case k.mode() != m:
		case m == evidence.ModeCrash && !k.killed():
			c.asked++
		default:
			c.runs++
			if !k.failed {
				c.sound++
			}
		}
	}
	return c
}
