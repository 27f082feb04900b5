package main

import (
	"slices"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// The picture of every recording is possible: nothing runs backwards, no bar certainly
// overlaps its neighbour, no lease is drawn while the key was gone.
func TestScenesArePossible(t *testing.T) {
	for name, b := range pictured(t) {
		s := b.Scene
		if !s.To.After(s.From) || s.To.Sub(s.From) > 24*time.Hour {
			t.Errorf("%s: from %s to %s", name, s.From, s.To)
		}
		for _, l := range s.Lanes {
			for i, p := range l.Curve {
				if i > 0 && p.At.Mid().Before(l.Curve[i-1].At.Mid()) || p.Low > p.High {
					t.Errorf("%s, %s: a curve runs backwards at %s", name, l.Lane, p.At.Mid())
				}
			}
			for i, bar := range l.Bars {
				if bar.End.Closed() && bar.Start.Closed() && bar.End.To.Before(bar.Start.From) || bar.State == "" {
					t.Errorf("%s, %s: a bar ends before it begins: %+v", name, l.Lane, bar)
				}
				if i > 0 && bar.Start.From.Before(l.Bars[i-1].End.From) {
					t.Errorf("%s, %s %s: bars overlap: %+v, %+v", name, l.Lane, l.Name, l.Bars[i-1], bar)
				}
				if l.Lane == evidence.LaneLease && bar.State == evidence.BarAbsent {
					for _, p := range l.Curve {
						if at := p.At.Mid(); p.High > 0 && at.After(bar.Start.To) && at.Before(bar.End.From) {
							t.Errorf("%s: %.3g s of the lease left while the key was gone", name, p.High)
						}
					}
				}
			}
		}
	}
}

// What a label rests on can be seen in the picture.
func TestScenesShowWhatTheLabelRestsOn(t *testing.T) {
	all := pictured(t)
	bar := func(lane evidence.Lane, state evidence.BarState) func(evidence.Scene) bool {
		return func(s evidence.Scene) bool {
			return slices.ContainsFunc(s.Lanes, func(l evidence.SceneLane) bool {
				return l.Lane == lane && slices.ContainsFunc(l.Bars, func(b evidence.Bar) bool { return b.State == state })
			})
		}
	}
	mark := func(lane evidence.Lane, what string) func(evidence.Scene) bool {
		return func(s evidence.Scene) bool {
			return slices.ContainsFunc(s.Lanes, func(l evidence.SceneLane) bool {
				return l.Lane == lane && slices.ContainsFunc(l.Marks, func(m evidence.Mark) bool { return m.What == what })
			})
		}
	}
	for name, shows := range map[string]func(evidence.Scene) bool{
		"oom-kill-while-watched":        mark(evidence.LaneOwner, "disappeared"),
		"sigkill-idle":                  bar(evidence.LaneOwner, evidence.BarAbsent),
		"zombie":                        bar(evidence.LaneOwner, evidence.BarZombie),
		"sigstop":                       bar(evidence.LaneOwner, evidence.BarStopped),
		"frozen-cgroup-v2":              bar(evidence.LaneOwner, evidence.BarStopped),
		"debugger":                      bar(evidence.LaneOwner, evidence.BarStopped),
		"partition":                     bar(evidence.LanePath, evidence.BarSilent),
		"partition-from-inside":         bar(evidence.LanePath, evidence.BarSilent),
		"sidecar-outlives-worker":       mark(evidence.LaneRenewer, "renewed by another"),
		"sidecar-renews-stopped-worker": bar(evidence.LaneOwner, evidence.BarStopped),
		"renewer-dead":                  mark(evidence.LaneLease, "missed"),
		"deleted-by-another":            bar(evidence.LaneLease, evidence.BarAbsent),
		"sentinel-failover":             bar(evidence.LaneCoordinator, evidence.BarSilent),
		"replica-promoted":              bar(evidence.LaneCoordinator, evidence.BarOther),
		"redlock-three-lost":            bar(evidence.LaneCoordinator, evidence.BarSilent),
		"evicted-lru":                   mark(evidence.LaneCoordinator, "evicted"),
		"redis-restarted":               mark(evidence.LaneCoordinator, "restarted"),
		"deadlocked-worker-renews":      mark(evidence.LaneOwner, "last heartbeat"),
		"pid-reused":                    bar(evidence.LaneOwner, evidence.BarAbsent),
		"clock-back":                    mark(evidence.LaneClock, "clock"),
		"clock-forward":                 mark(evidence.LaneClock, "clock"),
		"clock-frozen":                  func(s evidence.Scene) bool { return s.Axis == evidence.AxisSteady },
		"host-lost":                     func(s evidence.Scene) bool { return len(s.Open) > 1 && len(s.Open[0].If) > 0 },
		"throttled": func(s evidence.Scene) bool {
			return slices.ContainsFunc(s.Lanes, func(l evidence.SceneLane) bool { return l.Name == "CPU quota" && len(l.Curve) > 1 })
		},
		"fenced-paused-0": mark(evidence.LaneResource, "reject"),
		"unfenced-paused": mark(evidence.LaneResource, "write"),
	} {
		b, ok := all[name]
		if !ok {
			t.Errorf("%s is not recorded", name)
			continue
		}
		if !shows(b.Scene) {
			t.Errorf("%s: the picture does not show what %s rests on", name, b.Verdict.Label)
			for _, l := range b.Scene.Lanes {
				t.Logf("  %s %s: %d bars, %d points", l.Lane, l.Name, len(l.Bars), len(l.Curve))
				for _, x := range l.Bars {
					t.Logf("    %s %s", x.State, x.Text)
				}
				for _, m := range l.Marks {
					t.Logf("    %s %s", m.What, m.Text)
				}
			}
		}
	}
}
