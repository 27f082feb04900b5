package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What a library's own beats in Redis tell.

// signed is a lock of a library whose processes beat.
func (s *scene) signed(all ...evidence.Alive) *scene {
	s.Dialect = saw(evidence.Dialect{OneOf: []evidence.Library{{Name: "asynq", Fit: evidence.Certain}}, Form: "unique task", Alive: all})
	return s
}

func beating(t float64) evidence.Alive {
	return evidence.Alive{Key: "asynq:servers", Who: "quince-9 pid 77", Host: "quince-9.example", Pid: 77, Beat: at(t), Every: 5 * time.Second, Text: "a server's state, to the second"}
}

func silentSign() evidence.Alive {
	a := beating(-80)
	a.Dead = true
	return a
}

const farHolder = "quince-9:77:9b1e77c4"

var signStories = stories{
	"its process beat after the renewal was missed": {
		"so it lived, and reached Redis",
		func() *scene {
			return newScene().looks(0, 19, 1, heldBy(farHolder, 29)).info(0).info(19).signed(beating(15))
		},
		want{label: evidence.Inconclusive, owner: "running|stalled", path: "up", notOpen: []evidence.Label{evidence.Crash, evidence.Partition}},
	},
	"it beat before": {
		"which tells nothing of that moment",
		func() *scene {
			return newScene().looks(0, 19, 1, heldBy(farHolder, 29)).info(0).info(19).signed(beating(4))
		},
		want{label: evidence.Inconclusive, owner: "running|stalled|gone", path: "up|broken"},
	},
	"nothing was missed, and it beats": {
		"",
		func() *scene {
			return newScene().looks(0, 4, 1, heldBy(farHolder, 25)).looks(5, 9, 1, heldBy(farHolder, 35)).info(0).info(9).signed(beating(6))
		},
		want{owner: "running|stalled", without: []string{"no-sign-of-life"}},
	},
	"another process beats": {
		"",
		func() *scene {
			other := beating(15)
			other.Pid = 78
			return newScene().looks(0, 19, 1, heldBy(farHolder, 29)).info(0).info(19).signed(other)
		},
		want{owner: "running|stalled|gone", path: "up|broken"},
	},
	"its beat is gone": {
		"the dead, the stalled and the cut off are silent alike",
		func() *scene {
			return newScene().looks(0, 19, 1, heldBy(farHolder, 29)).info(0).info(19).signed(silentSign())
		},
		want{label: evidence.Inconclusive, owner: "running|stalled|gone", path: "up|broken", open: []evidence.Label{evidence.Crash, evidence.Stall, evidence.Partition}, with: []string{"no-sign-of-life"}},
	},
	"a server extends its lease on the task": {
		"whoever that is holds the lock",
		func() *scene {
			a := evidence.Alive{Key: "asynq:{q}:lease", Who: "task 41", Holder: true, Beat: at(6), Every: 5 * time.Second, Text: "a server's lease on the task, to the second"}
			return newScene().looks(0, 4, 1, heldBy("41", 25)).looks(5, 9, 1, heldBy("41", 35)).info(0).info(9).signed(a)
		},
		want{owner: "running|stalled"},
	},
}

func TestSigns(t *testing.T) { signStories.tell(t) }
