package proof

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A story is one run, by name, that leaves an assertion with one outcome, and what the
// result must say of it. Most are told under the same contract.
type story struct {
	name  string
	told  func() *tale
	says  string
	under func(*evidence.Contract) // nil: the contract as it is
}

// Stories are what every assertion has: a run that passes it, one that fails it, and
// one that shows neither.
type stories map[evidence.ProofOutcome]story

const (
	passes = evidence.Pass
	fails  = evidence.Fail
	silent = evidence.NotEvidenced
)

func nothing() *tale { return tell() }

// unexpiring is a lock that was taken without an expiry.
func unexpiring() *tale {
	t := killed()
	t.s.History.Value.Writes[0].Ends = time.Time{}
	return t
}

// late is an owner whose lock stayed for half a minute behind its lease.
func late() *tale {
	t := killed()
	for i := range t.s.Events {
		if t.s.Events[i].At.From.After(at(30)) {
			t.s.Events[i].At = t.s.Events[i].At.Shift(20*time.Second, 20*time.Second)
		}
	}
	w := t.s.History.Value.Writes
	w[2].At, w[3].At, w[3].Ends = moment(60), moment(60.3), at(90.3)
	w[1].Ends = at(60)
	return t
}

// hasty is a successor that did not wait for the lease's end.
func hasty() *tale {
	t := killed()
	t.s.History.Value.Writes = append(t.s.History.Value.Writes[:2], evidence.KeyWrite{Command: "set", Deed: evidence.DeedReplace, Value: taker, At: moment(30), Ends: at(60)})
	return t.change(by(taker, evidence.DeedAcquire), func(e *evidence.AppEvent) { e.At = moment(30) })
}

// slow is a successor that came a minute after it could have.
func slow() *tale {
	t := killed()
	t.s.History.Value.Writes[3].At, t.s.History.Value.Writes[3].Ends = moment(90), at(120)
	return t.change(func(e evidence.AppEvent) bool { return e.Owner == taker }, func(e *evidence.AppEvent) { e.At = e.At.Shift(50*time.Second, 50*time.Second) })
}

// leaked is a resource that took what the dead owner had sent.
func leaked() *tale {
	return killed().change(by(lost, evidence.DeedReject), as(evidence.DeedWrite, worked))
}

func sameToken() *tale { return killed().change(by(taker, evidence.DeedAcquire), token("41")) }

// idle is an owner that was killed right behind a renewal that it wrote down as it was
// sent, and as it was answered.
func idle() *tale {
	return killed().change(by(lost, evidence.DeedRenewSent), when(9.9)).change(by(lost, evidence.DeedExit), when(15))
}

func when(t float64) func(*evidence.AppEvent) {
	return func(e *evidence.AppEvent) { e.At = moment(t) }
}

func told() map[string]stories {
	all := leaseStories()
	maps.Copy(all, resourceStories())
	maps.Copy(all, renewalStories())
	return all
}

func leaseStories() map[string]stories {
	return map[string]stories{
		"lease-explicit": {
			passes: {"the append-only file has an expiry at each acquire", killed, "an expiry at", nil},
			fails:  {"taken with a plain SET", unexpiring, "without an expiry", nil},
			silent: {"nobody looked", nothing, "nobody looked at the key", nil},
		},
		"lease-covers-stall": {
			passes: {"thirty seconds for what takes fifteen", killed, "lease 30s, 1.5 × (10s + 4s + 300ms)", nil},
			fails:  {"a pause of twenty seconds was seen", killed, "lease 30s, 1.5 × (10s + 20s + 300ms)", func(c *evidence.Contract) { c.WorstStall = 20 * time.Second }},
			silent: {"nobody measured a renewal", killed, "does not state worst_renewal", func(c *evidence.Contract) { c.WorstRenew = 0 }},
		},
		"released-after-lease": {
			passes: {"gone at the lease's end", killed, "30.25s are allowed", nil},
			fails:  {"stayed for half a minute more", late, "after the owner disappeared; at most 30.25s were promised", nil},
			silent: {"nobody looked", nothing, "nobody saw the key after the lease's end", nil},
		},
		"not-before-expiry": {
			passes: {"waited for the lease's end", killed, "the lease ended at", nil},
			fails:  {"took it ten seconds early", hasty, "before the lease ended", nil},
			silent: {"nobody came", forgotten, "nobody took the lock over", nil},
		},
	}
}

func resourceStories() map[string]stories {
	return map[string]stories{
		"token-carried": {
			passes: {"a token at both acquires", killed, "a token at each of 2 acquires", nil},
			fails:  {"an acquire that returned none", forgotten, "has no token", nil},
			silent: {"no acquire was written down", nothing, "no acquire was recorded", nil},
		},
		"higher-token": {
			passes: {"42 after 41", killed, "token 42 after 41", nil},
			fails:  {"the same token twice", sameToken, "token 41 after 41", nil},
			silent: {"the key is gone", forgotten, "nobody took the lock over", nil},
		},
		"stale-write-rejected": {
			passes: {"the replayed write was refused", killed, "1 writes of the lost owner were rejected", nil},
			fails:  {"the replayed write was taken", leaked, "was accepted at", nil},
			silent: {"nothing was replayed", func() *tale { return killed().without(by(lost, evidence.DeedReject)) }, "the lost owner wrote nothing after the transfer", nil},
		},
		"one-writer": {
			passes: {"the taker alone wrote behind its token", killed, "1 writes by the taker", nil},
			fails:  {"the dead owner's write came through", leaked, "token 41 wrote after token 42", nil},
			silent: {"the taker wrote nothing", func() *tale { return killed().without(by(taker, evidence.DeedWrite)) }, "the taker wrote nothing", nil},
		},
		"one-effect": {
			passes: {"two requests", killed, "2 requests, one effect each", nil},
			fails:  {"the taker did the dead owner's request again", func() *tale { return killed().change(by(taker, evidence.DeedWrite), request("r1")) }, "accepted twice", nil},
			silent: {"no write was written down", func() *tale {
				return killed().without(by(lost, evidence.DeedWrite)).without(by(taker, evidence.DeedWrite))
			}, "no write was recorded with its request", nil},
		},
		"work-stops-with-lease": {
			passes: {"told by a refusal, and stopped", healed, "it wrote nothing after", nil},
			fails:  {"told by a refusal, and wrote on", func() *tale { return healed().did(36, lost, evidence.DeedReject, token("41"), request("r3")) }, "after it was told", nil},
			silent: {"nothing of its loss was written down", func() *tale { return healed().without(by(lost, evidence.DeedReject, evidence.DeedRenew)) }, "was not recorded", nil},
		},
	}
}

func renewalStories() map[string]stories {
	return map[string]stories{
		"no-renewal-after-death": {
			passes: {"the lease ran out behind the kill", killed, "after the kill", nil},
			fails:  {"renewed five seconds after the kill", func() *tale { return killed().did(25, lost, evidence.DeedRenew, worked) }, "", nil},
			silent: {"nobody was killed", nothing, "no run shows it", nil},
		},
		"renewal-tied-to-work": {
			passes: {"the work was paused and the lease ran out", starved, "after the work was paused", nil},
			fails:  {"the work was paused and the lease renewed", func() *tale { return starved().did(25, lost, evidence.DeedRenew, worked) }, "though the work had been paused", nil},
			silent: {"the whole process was killed", killed, "no run shows it", nil},
		},
		"no-reassert": {
			passes: {"back, and turned away", healed, "turned away", nil},
			fails:  {"back, and took it again", func() *tale { return healed().did(36, lost, evidence.DeedAcquire, token("43"), worked) }, "took it back", nil},
			silent: {"never heard of again", func() *tale {
				return healed().without(func(e evidence.AppEvent) bool { return e.Owner == lost && e.At.From.After(at(31)) })
			}, "whether it came back is not recorded", nil},
		},
		"mid-renewal": {
			passes: {"killed behind a renewal that was sent", killed, "never ended", nil},
			fails:  {"killed at idle, with each renewal written down as it was sent", idle, "each kill came at idle, between two renewals (1 of 1)", nil},
			silent: {"what was sent was not written down", func() *tale {
				return killed().without(func(e evidence.AppEvent) bool { return e.Event == evidence.DeedRenewSent })
			}, "was not recorded", nil},
		},
		"within-slo": {
			passes: {"taken over as promised", killed, "taken over after", nil},
			fails:  {"taken over a minute later", slow, "of 35s", nil},
			silent: {"nobody came", forgotten, "is not dated", nil},
		},
		"modes-covered": {
			passes: {"a kill in which nothing failed", killed, "crash 1 of 1", nil},
			fails:  {"a kill whose successor got no greater token", sameToken, "no sound run of crash", nil},
			silent: {"a shutdown that let go", gentle, "a graceful shutdown proves nothing about an abrupt end", nil},
		},
	}
}

// Every assertion can pass, fail and stay open. An assertion without one of the three
// either cannot be failed, which is no assertion, or was never seen to be.
func TestEachAssertionHasThreeStories(t *testing.T) {
	all := told()
	for _, id := range Assertions() {
		for _, want := range []evidence.ProofOutcome{passes, fails, silent} {
			s, there := all[id][want]
			if !there || s.name == "" || s.told == nil {
				t.Errorf("%s: no story tells of a run that leaves it %s", id, want)
				continue
			}
			t.Run(id+"/"+string(want)+"/"+s.name, func(t *testing.T) { s.check(t, id, want) })
		}
		delete(all, id)
	}
	for id := range all {
		t.Errorf("stories of %s, which is no assertion", id)
	}
}

func (s story) check(t *testing.T, id string, want evidence.ProofOutcome) {
	c := lease
	if s.under != nil {
		s.under(&c)
	}
	run := s.told().run("run")
	for _, r := range Check([]Run{run}, c).Results {
		if r.ID != id {
			continue
		}
		if r.Outcome != want || !strings.Contains(r.Text, s.says) {
			v := run.verdict
			t.Errorf("%s: %s; want %s: %s; judged %s, lease %s, owner %s", r.Outcome, r.Text, want, s.says, v.Label, v.Answers.Lease.Value, v.Answers.Owner.Value)
		}
		if (r.Mistake != "") != (want != passes) {
			t.Errorf("%s, and says %q of what people take for it", r.Outcome, r.Mistake)
		}
	}
}

// One kill inside a renewal will do, however many came at idle; and a kill whose record
// stops an interval before it may have come inside a renewal.
func TestMidRenewalOverRuns(t *testing.T) {
	quiet := idle().run("idle")
	for name, w := range map[string]struct {
		runs []Run
		want evidence.ProofOutcome
	}{
		"idle, and inside":        {[]Run{quiet, killed().run("inside")}, passes},
		"idle, and partition":     {[]Run{quiet, healed().run("healed")}, fails},
		"idle, and not recorded":  {[]Run{quiet, forgotten().run("forgotten")}, silent},
		"only a partition":        {[]Run{healed().run("healed")}, silent},
		"idle, its record stops":  {[]Run{idle().change(by(lost, evidence.DeedExit), when(20.1)).run("later")}, silent},
		"idle twice":              {[]Run{quiet, quiet}, fails},
		"idle, the sent untold":   {[]Run{killed().without(by(lost, evidence.DeedRenewSent)).run("untold")}, silent},
		"a contract of no period": {[]Run{quiet}, silent},
	} {
		under := lease
		if strings.HasPrefix(name, "a contract") {
			under.RenewEvery = 0
		}
		p := Check(w.runs, under)
		if got := outcomes(p)["mid-renewal"]; got != w.want {
			t.Errorf("%s: %s, want %s", name, got, w.want)
		}
		for _, r := range p.Runs {
			if r.Name == "idle" && !r.Sound {
				t.Errorf("%s: a kill at idle made its run unsound", name)
			}
		}
	}
}
