package proof

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
)

// Runs as a harness records them: what the worker, its successor and the resource
// wrote down, and the coordinator's append-only file.

var base = time.Date(2026, 11, 2, 3, 0, 0, 0, time.UTC)

func at(t float64) time.Time { return base.Add(time.Duration(t * float64(time.Second))) }

func moment(t float64) evidence.Interval {
	return evidence.At(at(t), time.Millisecond, evidence.Coordinator)
}

var lease = evidence.Contract{
	Key: "lock:orders", Lease: 30 * time.Second, RenewEvery: 10 * time.Second, MaxSkew: 250 * time.Millisecond,
	WorstStall: 4 * time.Second, WorstRenew: 300 * time.Millisecond, Margin: 1.5, LeaseMax: time.Minute,
	ReleaseIn: 31 * time.Second, TakeoverIn: 35 * time.Second, NeedsToken: true,
	Modes: []evidence.Mode{evidence.ModeCrash},
}

const lost, taker = "quince-3:41207", "quince-4:100"

// A tale is one run being told.
type tale struct{ s evidence.Snapshot }

func tell() *tale {
	t := &tale{}
	t.s.Schema, t.s.Subject.Key, t.s.Contract = evidence.SnapshotSchema, "lock:orders", lease
	t.s.Subject.Redis = "10.0.0.5:6379"
	t.s.History = evidence.Saw("aof", evidence.History{Source: "aof"})
	return t
}

func (t *tale) did(when float64, who string, deed evidence.Deed, more ...func(*evidence.AppEvent)) *tale {
	e := evidence.AppEvent{At: moment(when), Actor: who, Owner: who, Event: deed, Source: fmt.Sprintf("events.ndjson:%d", len(t.s.Events)+1)}
	for _, m := range more {
		m(&e)
	}
	t.s.Events = append(t.s.Events, e)
	return t
}

func token(n string) func(*evidence.AppEvent) { return func(e *evidence.AppEvent) { e.Token = n } }
func text(s string) func(*evidence.AppEvent)  { return func(e *evidence.AppEvent) { e.Text = s } }
func request(s string) func(*evidence.AppEvent) {
	return func(e *evidence.AppEvent) { e.Request = s }
}
func failed(e *evidence.AppEvent) { no := false; e.OK = &no }
func worked(e *evidence.AppEvent) { yes := true; e.OK = &yes }

// stored is a change of the key in the append-only file.
func (t *tale) stored(when float64, deed evidence.Deed, value string, ends float64) *tale {
	h := t.s.History.Value
	w := evidence.KeyWrite{Command: "set", Deed: deed, Value: value, At: moment(when)}
	if ends > 0 {
		w.Ends = at(ends)
	}
	h.Writes = append(h.Writes, w)
	t.s.History = evidence.Saw("aof", h)
	return t
}

func (t *tale) run(name string) Run {
	return Of(name, evidence.Bundle{Snapshot: t.s, Verdict: classify.Judge(t.s), Capture: evidence.Capture{Contract: t.s.Contract}})
}

// killed is an owner that was killed inside a renewal; its successor waits for the
// lease's end, and the resource refuses what the dead one had sent.
func killed() *tale {
	t := tell()
	t.did(0, lost, evidence.DeedAcquire, token("41"), worked).stored(0, evidence.DeedAcquire, lost, 30)
	t.did(10, lost, evidence.DeedRenew, worked).stored(10, evidence.DeedRenew, lost, 40)
	t.did(12, lost, evidence.DeedWrite, token("41"), request("r1"), worked)
	t.did(20, lost, evidence.DeedRenewSent)
	t.did(20.1, lost, evidence.DeedExit, text("killed by signal 9"))
	t.stored(40, evidence.DeedGone, "", 0)
	t.did(40.1, taker, evidence.DeedAcquire, token("42"), worked).stored(40.1, evidence.DeedAcquire, taker, 70.1)
	t.did(41, taker, evidence.DeedWrite, token("42"), request("r2"), worked)
	return t.did(42, lost, evidence.DeedReject, token("41"), request("r1"), text("replayed by the harness"))
}

// outcomes are a proof's, by assertion.
func outcomes(p evidence.Proof) map[string]evidence.ProofOutcome {
	out := map[string]evidence.ProofOutcome{}
	for _, r := range p.Results {
		out[r.ID] = r.Outcome
	}
	return out
}

// healed is an owner that was cut off, and is turned away when it is back.
func healed() *tale {
	t := tell()
	t.did(0, lost, evidence.DeedAcquire, token("41"), worked).stored(0, evidence.DeedAcquire, lost, 30)
	t.did(9, lost, evidence.DeedHeartbeat).did(9.5, lost, evidence.DeedRenew, failed, text("i/o timeout"))
	for _, beat := range []float64{12, 15, 18, 21, 24, 27, 30, 33, 36} {
		t.did(beat, lost, evidence.DeedHeartbeat)
	}
	t.did(19.5, lost, evidence.DeedRenew, failed, text("i/o timeout")).stored(30, evidence.DeedGone, "", 0)
	t.did(30.2, taker, evidence.DeedAcquire, token("42"), worked).stored(30.2, evidence.DeedAcquire, taker, 60.2)
	t.did(31, taker, evidence.DeedWrite, token("42"), request("r2"), worked)
	t.did(34, lost, evidence.DeedReject, token("41"), request("r1"), text("replayed by the harness"))
	return t.did(35, lost, evidence.DeedRenew, failed, text("not the owner"))
}

// starved is a worker whose work was paused; its renewer saw that, and stopped.
func starved() *tale {
	t := tell()
	t.did(0, lost, evidence.DeedAcquire, token("41"), worked).stored(0, evidence.DeedAcquire, lost, 30)
	t.did(1, lost, evidence.DeedHeartbeat).did(3, lost, evidence.DeedPause, text("work paused, renewer alive"))
	t.stored(30, evidence.DeedGone, "", 0)
	t.did(30.5, taker, evidence.DeedAcquire, token("42"), worked).stored(30.5, evidence.DeedAcquire, taker, 60.5)
	return t.did(31, taker, evidence.DeedWrite, token("42"), worked)
}

// gentle is an owner that was asked to stop, and let go.
func gentle() *tale {
	t := tell()
	t.did(0, lost, evidence.DeedAcquire, token("41"), worked).stored(0, evidence.DeedAcquire, lost, 30)
	t.did(5, lost, evidence.DeedRelease, worked).stored(5, evidence.DeedGone, "", 0)
	return t.did(6, taker, evidence.DeedAcquire, token("42"), worked).stored(6, evidence.DeedAcquire, taker, 36)
}

// forgotten is an owner that died, a key that is gone, and nothing else.
func forgotten() *tale {
	t := tell()
	t.did(0, lost, evidence.DeedAcquire, worked).stored(0, evidence.DeedAcquire, lost, 30)
	t.did(5, lost, evidence.DeedExit, text("killed by signal 9"))
	return t.stored(30, evidence.DeedGone, "", 0)
}

// without leaves out events that a test does not want.
func (t *tale) without(is func(evidence.AppEvent) bool) *tale {
	t.s.Events = slices.DeleteFunc(t.s.Events, is)
	return t
}

// change alters events.
func (t *tale) change(is func(evidence.AppEvent) bool, to func(*evidence.AppEvent)) *tale {
	for i := range t.s.Events {
		if is(t.s.Events[i]) {
			to(&t.s.Events[i])
		}
	}
	return t
}

func by(who string, deeds ...evidence.Deed) func(evidence.AppEvent) bool {
	return func(e evidence.AppEvent) bool { return e.Owner == who && slices.Contains(deeds, e.Event) }
}

func as(deed evidence.Deed, ok func(*evidence.AppEvent)) func(*evidence.AppEvent) {
	return func(e *evidence.AppEvent) { e.Event = deed; ok(e) }
}

// The whole of it: a proof needs every mode, and says so until it has them.
func TestProven(t *testing.T) {
	clock := killed().run("clock")
	clock.verdict.Label = evidence.ClockAnomaly
	runs := []Run{killed().run("killed"), healed().run("healed"), starved().run("starved"), clock}
	c := lease
	c.Modes = nil
	p := Check(runs, c)
	for _, r := range p.Results {
		if r.Outcome != evidence.Pass {
			t.Errorf("%s: %s, %s", r.ID, r.Outcome, r.Text)
		}
	}
	if !p.Proven || p.Transfer.Runs != 4 || p.Rejected != 3 {
		t.Errorf("proven %v, %+v, %d rejections", p.Proven, p.Transfer, p.Rejected)
	}
	for left := range runs {
		some := slices.Delete(slices.Clone(runs), left, left+1)
		if p := Check(some, c); p.Proven {
			t.Errorf("proven without %s", runs[left].Name)
		}
	}
}

// What people take for a proof, and why it is none.
func TestCommonMistakes(t *testing.T) {
	for name, m := range map[string]struct {
		run        func() *tale
		id, reason string
	}{
		"a key that is gone":            {forgotten, "higher-token", "somebody must hold it next"},
		"no tokens":                     {func() *tale { return killed().change(func(evidence.AppEvent) bool { return true }, token("")) }, "token-carried", "Without a token"},
		"a graceful shutdown":           {gentle, "modes-covered", "graceful shutdown"},
		"a kill in a graceful shutdown": {gentle, "mid-renewal", "each owner let go of the lock itself"},
		"a signal to terminate":         {func() *tale { return killed().change(by(lost, evidence.DeedExit), text("ended by SIGTERM")) }, "modes-covered", "asked to end by SIGTERM"},
	} {
		p := Check([]Run{m.run().run(name)}, lease)
		if p.Proven {
			t.Errorf("%s: proven", name)
		}
		for _, r := range p.Results {
			if r.ID == m.id && (r.Outcome == evidence.Pass || !strings.Contains(r.Mistake+r.Text, m.reason)) {
				t.Errorf("%s: %s %s: %s %s", name, r.ID, r.Outcome, r.Text, r.Mistake)
			}
		}
	}
	if p := Check(nil, lease); p.Proven {
		t.Error("proven by nothing")
	}
}

// The margin is arithmetic on what the contract states.
func TestLeaseCovers(t *testing.T) {
	for text, change := range map[string]func(*evidence.Contract){
		"pass":          func(*evidence.Contract) {},
		"fail":          func(c *evidence.Contract) { c.WorstStall = 20 * time.Second },
		"fail: longest": func(c *evidence.Contract) { c.LeaseMax = 20 * time.Second },
		"not-evidenced": func(c *evidence.Contract) { c.WorstRenew = 0 },
	} {
		c := lease
		change(&c)
		want, _, _ := strings.Cut(text, ":")
		if got := outcomes(Check([]Run{killed().run("run")}, c))["lease-covers-stall"]; string(got) != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// A contract file is read whole or not at all.
func TestReadContract(t *testing.T) {
	c, err := ReadContract([]byte("key: lock:orders\nlease: 30s\nrenew_every: 10s\nmax_clock_skew: 250ms\nworst_stall: 4s\nworst_renewal: 300ms\nmargin: 1.5\nlease_max: 60s\n" +
		"release_within: 31s\ntakeover_within: 35s\nfencing: {required: true, from: value, pattern: \":([0-9]+)$\"}\nmodes: [crash, partition, clock-anomaly]\n"))
	if err != nil || c.Key != "lock:orders" || c.TokenIn != ":([0-9]+)$" || len(c.Modes) != 3 || !c.NeedsToken {
		t.Errorf("%+v, %v", c, err)
	}
	for _, bad := range []string{
		"leese: 30s", "lease: -1s", "lease: 10s\nrenew_every: 10s", "margin: 0.5", "lease: 2m\nlease_max: 1m", "modes: [crsh]", "fencing: {from: nowhere}", "fencing: {pattern: \"(\"}", "lease: [1]", "",
	} {
		if _, err := ReadContract([]byte(bad)); err == nil {
			t.Errorf("%q: accepted", bad)
		}
	}
}

// A token may stand in the lock's value.
func TestTokenInValue(t *testing.T) {
	c := lease
	c.TokenFrom, c.TokenIn = "value", ":([0-9]+)$"
	run := killed().change(func(evidence.AppEvent) bool { return true }, token("")).run("run")
	broken := c
	broken.TokenIn = "("
	if got := outcomes(Check([]Run{run}, broken)); got["token-carried"] == evidence.Pass {
		t.Error("a pattern that cannot be read finds tokens")
	}
	if got := outcomes(Check([]Run{run}, c)); got["token-carried"] != evidence.Pass || got["higher-token"] != evidence.Fail {
		t.Errorf("%v", got) // 41207, and then 100
	}
}
