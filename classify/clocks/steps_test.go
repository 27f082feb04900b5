package clocks_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lockscene/lockscene/classify/clocks"
)

const ms = time.Millisecond

// A bend changes the simulated server clock at one moment: by a jump, or by
// standing still for a while and then going on or catching up.
type bend struct {
	at      time.Duration
	jump    time.Duration
	freeze  time.Duration
	catchUp bool
}

// A world is a server clock, and a network that samples of it go through.
type world struct {
	ppm    float64
	bends  []bend
	trip   time.Duration // longest time either way
	period time.Duration
	cached bool // TIME may be up to a millisecond old
}

var epoch = time.Date(2026, 3, 3, 2, 0, 0, 0, time.UTC)

// server is what the server's clock shows at a moment of the steady clock.
func (w world) server(boot time.Duration) time.Time {
	shown := boot + time.Duration(float64(boot)*w.ppm/1e6)
	for _, b := range w.bends {
		if boot < b.at {
			continue
		}
		shown += b.jump
		switch over := boot >= b.at+b.freeze; {
		case !over:
			// The drift part is far below a microsecond at these lengths, but a
			// clock that stands still must not show any of it.
			return epoch.Add(b.at + time.Duration(float64(b.at)*w.ppm/1e6) + b.jump).Truncate(time.Microsecond)
		case !b.catchUp:
			shown -= b.freeze
		}
	}
	return epoch.Add(shown).Truncate(time.Microsecond)
}

// watch takes n samples through the network.
func (w world) watch(r *rand.Rand, n int) []clocks.Sample {
	part := func(d time.Duration) time.Duration { return time.Duration(r.Int64N(int64(d) + 1)) }
	out := make([]clocks.Sample, n)
	for i := range out {
		sent := time.Hour + time.Duration(i)*w.period + part(ms)
		first := sent + part(w.trip)
		second := first + part(ms/2)
		old := func(at time.Duration) time.Duration {
			if w.cached {
				return at - part(ms)
			}
			return at
		}
		out[i] = clocks.Sample{
			Boot0: sent, Server0: w.server(old(first)), Server1: w.server(second),
			Boot1: second + part(w.trip),
		}
		if out[i].Server1.Before(out[i].Server0) && len(w.bends) == 0 {
			out[i].Server1 = out[i].Server0 // a cache never runs backwards
		}
	}
	return out
}

// networks are round trips from a quiet host to a bad day.
var networks = []time.Duration{50 * time.Microsecond, ms, 20 * ms, 150 * ms}

func TestNoStepWithoutOne(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := world{
			ppm: r.Float64()*900 - 450, trip: networks[seed%4], period: 50*ms + time.Duration(r.Int64N(int64(time.Second))),
			cached: seed%2 == 0,
		}
		samples := w.watch(r, 60)
		if got := clocks.Steps(samples); len(got) > 0 {
			t.Fatalf("seed %d, %+v: steps %+v", seed, w, got)
		}
		if lo, hi := clocks.Frozen(samples); lo != 0 || hi != 0 {
			t.Fatalf("seed %d, %+v: frozen %v to %v", seed, w, lo, hi)
		}
		lo, hi, ok := clocks.Latest(samples)
		last := samples[len(samples)-1]
		truth := time.Duration(w.server(last.Boot1).UnixNano()) - last.Boot1
		// The clock may drift once more between the last reading and Boot1.
		if tolerance := (last.Boot1 - last.Boot0) / 1000; !ok || truth < lo-tolerance || truth > hi+tolerance {
			t.Fatalf("seed %d, %+v: offset %v to %v, truly %v", seed, w, lo, hi, truth)
		}
	}
}

func TestStepsHaveTheirSize(t *testing.T) {
	for _, jump := range []time.Duration{45 * time.Second, -30 * time.Second, 120 * time.Second, 2 * time.Second, -800 * ms} {
		for seed := range uint64(80) {
			r := rand.New(rand.NewPCG(seed, 2))
			w := world{ppm: r.Float64()*200 - 100, trip: networks[seed%4], period: 400 * ms, cached: seed%2 == 0}
			at := time.Hour + 2*time.Second + time.Duration(r.Int64N(int64(8*time.Second)))
			w.bends = []bend{{at: at, jump: jump}}
			name := fmt.Sprintf("%v, seed %d, trips up to %v", jump, seed, w.trip)
			samples := w.watch(r, 40)
			steps := clocks.Steps(samples)
			if len(steps) != 1 {
				t.Fatalf("%s: steps %+v", name, steps)
			}
			checkStep(t, name, steps[0], jump, w)
			if s := steps[0]; samples[s.After].Boot0-ms > at || samples[s.Before].Boot1 < at {
				t.Fatalf("%s: stepped at %v, placed between %v and %v", name, at, samples[s.After].Boot0, samples[s.Before].Boot1)
			}
		}
	}
}

func checkStep(t *testing.T, name string, s clocks.Step, jump time.Duration, w world) {
	t.Helper()
	if s.Lo > jump || s.Hi < jump {
		t.Fatalf("%s: says %v to %v", name, s.Lo, s.Hi)
	}
	// Both sides of the jump are known to within one full round trip, the
	// reply's age twice, and drift.
	if wide := 4*w.trip + 8*ms; s.Hi-s.Lo > wide {
		t.Fatalf("%s: bounds %v to %v are wider than %v", name, s.Lo, s.Hi, wide)
	}
}

func TestTwoStepsAreTwo(t *testing.T) {
	w := world{trip: ms, period: 100 * ms, bends: []bend{
		{at: time.Hour + time.Second, jump: 45 * time.Second},
		{at: time.Hour + 3*time.Second, jump: -45 * time.Second},
	}}
	steps := clocks.Steps(w.watch(rand.New(rand.NewPCG(1, 3)), 50))
	if len(steps) != 2 {
		t.Fatalf("steps %+v", steps)
	}
	checkStep(t, "forward", steps[0], 45*time.Second, w)
	checkStep(t, "back", steps[1], -45*time.Second, w)
}

func TestStepInTheMiddleOfASample(t *testing.T) {
	at := func(boot, server0, server1 time.Duration) clocks.Sample {
		return clocks.Sample{Boot0: boot, Boot1: boot + 10*ms, Server0: epoch.Add(server0), Server1: epoch.Add(server1)}
	}
	steady := []clocks.Sample{at(0, 5*ms, 6*ms), at(100*ms, 105*ms, 106*ms)}
	after := []clocks.Sample{at(300*ms, 30305*ms, 30306*ms), at(400*ms, 30405*ms, 30406*ms)}
	torn := append(append(append([]clocks.Sample{}, steady...), at(200*ms, 205*ms, 30206*ms)), after...)
	steps := clocks.Steps(torn)
	equal(t, "steps", len(steps), 1)
	equal(t, "in sample 2", steps[0].After == 2 && steps[0].Before == 2, true)
	checkStep(t, "torn", steps[0], 30*time.Second, world{trip: 10 * ms})
	if _, _, ok := torn[2].Offset(); ok {
		t.Error("a torn sample has one offset")
	}

	// A small jump inside a long round trip: the replies meet half way, and the
	// two halves are one.
	small := []clocks.Sample{at(0, 0, 0), at(100*ms, 105*ms, 115*ms), at(200*ms, 210*ms, 210*ms)}
	small[0].Boot1, small[2].Boot1 = 0, 200*ms
	steps = clocks.Steps(small)
	equal(t, "one step of two halves", len(steps), 1)
	equal(t, "around the middle", steps[0].After == 0 && steps[0].Before == 2, true)
	checkStep(t, "halves", steps[0], 10*ms, world{trip: ms})
}

func TestFreezes(t *testing.T) {
	for _, catchUp := range []bool{false, true} {
		for seed := range uint64(80) {
			r := rand.New(rand.NewPCG(seed, 4))
			long := 500*ms + time.Duration(r.Int64N(int64(5*time.Second)))
			w := world{trip: networks[seed%3], period: 100 * ms, cached: seed%2 == 0,
				bends: []bend{{at: time.Hour + time.Second + time.Duration(r.Int64N(int64(time.Second))), freeze: long, catchUp: catchUp}}}
			name := fmt.Sprintf("frozen %v, catch up %v, seed %d", long, catchUp, seed)
			samples := w.watch(r, 100)
			lo, hi := clocks.Frozen(samples)
			if lo > long || hi < long {
				t.Fatalf("%s: says %v to %v", name, lo, hi)
			}
			if hi-lo > 2*w.period+8*w.trip+8*ms {
				t.Fatalf("%s: bounds %v to %v are too wide", name, lo, hi)
			}
			steps := clocks.Steps(samples)
			switch {
			case !catchUp && len(steps) > 0:
				t.Fatalf("%s: a clock that went on stepped: %+v", name, steps)
			case catchUp && len(steps) != 1:
				t.Fatalf("%s: the jump out of it: %+v", name, steps)
			case catchUp && (steps[0].Lo > long || steps[0].Hi < long):
				t.Fatalf("%s: the jump out of it is %v to %v", name, steps[0].Lo, steps[0].Hi)
			}
		}
	}
}

func TestTwoAlikeInOneTurnAreNoFreeze(t *testing.T) {
	same := epoch.Add(time.Second)
	quick := []clocks.Sample{
		{Boot0: 0, Boot1: 2 * ms, Server0: same, Server1: same},
		{Boot0: 3 * ms, Boot1: 21 * ms, Server0: same, Server1: same},
	}
	equal(t, "freezes", len(clocks.Freezes(quick)), 0)
	slow := []clocks.Sample{quick[0], {Boot0: 22 * ms, Boot1: 23 * ms, Server0: same, Server1: same}}
	freezes := clocks.Freezes(slow)
	equal(t, "freezes 20 ms apart", len(freezes), 1)
	equal(t, "at least", freezes[0].Lo, 19*ms)
	equal(t, "at most", freezes[0].Hi, 24*ms)
	equal(t, "stood at", freezes[0].At, same)
}

func TestSamplesNobodyCanHaveTaken(t *testing.T) {
	good := clocks.Sample{Boot0: time.Second, Boot1: time.Second + ms, Server0: epoch, Server1: epoch}
	for name, bad := range map[string]clocks.Sample{
		"zero":           {},
		"ends early":     {Boot0: 2 * time.Second, Boot1: time.Second, Server0: epoch},
		"before boot":    {Boot0: -1, Boot1: 1, Server0: epoch},
		"a million days": {Boot0: 1, Boot1: 1 << 62, Server0: epoch},
		"year 9999":      {Boot0: 2 * time.Second, Boot1: 2 * time.Second, Server0: epoch.AddDate(7973, 0, 0)},
		"out of order":   {Boot0: 0, Boot1: 1, Server0: epoch.Add(time.Hour)},
	} {
		if steps := clocks.Steps([]clocks.Sample{good, bad, bad}); len(steps) > 0 {
			t.Errorf("%s: steps %+v", name, steps)
		}
	}
	if _, _, ok := clocks.Latest(nil); ok {
		t.Error("an offset out of nothing")
	}
	once := clocks.Sample{Boot0: 1, Boot1: 1, Server0: epoch}
	lo, hi, ok := once.Offset()
	equal(t, "one reply is enough", ok, true)
	equal(t, "its offset", hi-lo, 2*ms)
}

// TestLongWatchesStayLinear would take minutes if any pair of samples were
// compared: a hostile bundle may hold very many.
func TestLongWatchesStayLinear(t *testing.T) {
	var samples []clocks.Sample
	for i := range 200_000 {
		boot := time.Duration(i) * 10 * ms
		server := boot
		if i > 100_000 {
			server += time.Duration(i-100_000) * time.Second // a jump at every sample
		}
		samples = append(samples, clocks.Sample{Boot0: boot, Boot1: boot + ms, Server0: epoch.Add(server)})
	}
	steps := clocks.Steps(samples)
	equal(t, "one way is one step", len(steps), 1)
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
