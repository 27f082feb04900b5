package classify

import (
	"slices"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// bootedAt makes the scene one that came as text: its clocks agree, and its host
// began its life between two moments.
func (s *scene) bootedAt(from, to float64) *scene {
	s.Vantages[0].Reckoned = &evidence.Reckoning{Coordinator: noon.Add(-upSince), WallFrom: noon.Add(-upSince), WallTo: noon.Add(-upSince + time.Millisecond),
		Booted: true, BootFrom: boot(from), BootTo: boot(to)}
	return s
}

// missedAtNoon is a lease that was last renewed at -10 and due at noon.
func missedAtNoon(value string) *scene {
	return newScene().look(6, heldBy(value, 20)).look(12, heldBy(value, 20)).info(6).info(12)
}

func absent(s *scene) *scene { s.process(pidOne, "value").missing(9); return s }

var rebootStories = stories{
	"the host booted after the last renewal, and nobody looked at the process": {"the value names the host", func() *scene {
		return missedAtNoon(holder).bootedAt(-6, -5)
	}, want{label: evidence.Crash, cause: "host-rebooted", grade: evidence.Likely, owner: "gone", gone: []float64{-10, -5}}},
	"the process is not there either": {"two sources, and the boot bounds its end", func() *scene {
		return absent(missedAtNoon(holder).bootedAt(-6, -5))
	}, want{label: evidence.Crash, cause: "host-rebooted", owner: "gone", gone: []float64{-10, -5}}},
	"the host booted only after the renewal was missed": {"it may have hung before somebody rebooted it", func() *scene {
		return missedAtNoon(holder).bootedAt(6, 7)
	}, want{label: evidence.Crash, cause: "host-rebooted", owner: "gone", doubts: []evidence.Label{evidence.Stall, evidence.Partition}}},
	"the host booted long before": {"most hosts have, some time", func() *scene {
		return missedAtNoon(holder).bootedAt(-3600, -3599)
	}, want{label: evidence.Inconclusive, owner: "running|stalled|gone"}},
	"the boot may have come before the renewal": {"what overlaps is unordered", func() *scene {
		return missedAtNoon(holder).bootedAt(-12, -6)
	}, want{label: evidence.Inconclusive, owner: "running|stalled|gone"}},
	"another host than the value's booted": {"somebody's bastion", func() *scene {
		return missedAtNoon(rival).bootedAt(-6, -5)
	}, want{label: evidence.Inconclusive, owner: "running|stalled|gone"}},
	"nothing says whose host it is": {"a token names nobody", func() *scene {
		return missedAtNoon("9b1e77c4").bootedAt(-6, -5)
	}, want{label: evidence.Inconclusive, owner: "running|stalled|gone"}},
	"it was seen at work after the renewal was missed": {"a later boot is not why", func() *scene {
		s := missedAtNoon(holder).bootedAt(10, 11)
		p := s.process(pidOne, "value")
		p.look(8, "S", 1, func(l *evidence.ProcLook) { l.Stat = evidence.Reading[evidence.ProcStat]{} })
		return s
	}, want{owner: "running|stalled"}},
}

func TestRebooted(t *testing.T) { rebootStories.tell(t) }

// A run-time counter says that a process is at least as old as it has run.
func TestOlderThanItsRun(t *testing.T) {
	told := func(run float64) *scene {
		s := missedAtNoon("9b1e77c4").bootedAt(-9e5, -9e5+1)
		s.process(pidOne, "flag").look(4, "S", 0).look(8, "S", 0)
		for i := range s.Processes[0].Looks {
			l := &s.Processes[0].Looks[i]
			l.Stat = evidence.Reading[evidence.ProcStat]{}
			l.Tasks = saw([]evidence.Task{{Tid: pidOne, Run: secs(run + float64(i)), Slices: uint64(i + 1)}})
		}
		return s
	}
	if v := told(400).judge(); slices.Contains(v.Answers.Owner.Possible, gone) {
		t.Errorf("one that has run for longer than the lease's life may be another: %v", v.Answers.Owner.Possible)
	}
	if v := told(30).judge(); !slices.Contains(v.Answers.Owner.Possible, gone) {
		t.Error("one that has run for less is taken for the holder")
	}
}
