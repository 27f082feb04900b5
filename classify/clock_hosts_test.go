package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// Whose clock it was, of text.

// pastedFrom makes the scene a text's, typed at the owner's host and at a bastion.
func pastedFrom(s *scene) *scene {
	s.Vantages = append(s.Vantages, evidence.Vantage{Name: "bastion", Host: "quay-1", Remote: server})
	for i := range s.Vantages {
		s.Vantages[i].Reckoned = &evidence.Reckoning{Coordinator: noon.Add(-upSince), Terminals: 1}
	}
	s.Others = append(s.Others, evidence.Host{Vantage: "bastion"})
	return s
}

// typedAt says where the looks of some moments were typed, and how far that host's
// dates are ahead.
func (s *scene) typedAt(vantage string, ahead float64, moments ...float64) *scene {
	for i := range s.Looks {
		l := &s.Looks[i]
		for _, t := range moments {
			if l.Span.Start.Boot == boot(t) {
				l.Vantage, l.After = vantage, evidence.Reading[time.Time]{}
				l.Span.Start.Wall, l.Span.End.Wall = at(t+ahead-1), at(t+ahead+1)
			}
		}
	}
	return s
}

func setBy(by float64) evidence.ClockNotice {
	return evidence.ClockNotice{Kind: "stepped", By: secs(by), At: evidence.At(at(0), secs(3600), "host:x"), Text: "System clock was stepped"}
}

var hostClockStories = stories{
	"two hosts that are always apart": {
		"the owner's clock is fast, Redis's and the bastion's are right",
		func() *scene {
			s := pastedFrom(newScene().look(0, heldBy(holder, 25)).look(5, heldBy(holder, 25)).look(10, heldBy(holder, 35)).look(14, heldBy(holder, 35)))
			return s.typedAt("bastion", 0, 0, 10, 14).typedAt("owner", 47, 5)
		},
		want{clock: "steady", notOpen: []evidence.Label{evidence.ClockAnomaly}, with: []string{"clock-skew"}},
	},
	"two hosts that are always apart, one look each": {
		"nothing tells whose clock is wrong, and nothing moved",
		func() *scene {
			s := pastedFrom(newScene().look(0, heldBy(holder, 25)).look(5, heldBy(holder, 25)))
			return s.typedAt("bastion", 0, 0).typedAt("owner", 47, 5)
		},
		want{clock: "steady|off", notOpen: []evidence.Label{evidence.ClockAnomaly}, with: []string{"clock-skew"}},
	},
	"one host's difference changed": {
		"TIME went back by the bastion's own dates",
		func() *scene {
			s := pastedFrom(newScene().look(0, heldBy(holder, 25)).look(5, heldBy(holder, 25)).look(10, heldBy(holder, 25)))
			return s.typedAt("bastion", 0, 0).typedAt("owner", 47, 5).typedAt("bastion", 40, 10)
		},
		want{label: evidence.ClockAnomaly, cause: "clock-step", clock: "off"},
	},
	"the host that dated it was set itself": {
		"its own daemon says so: TIME stayed where it was",
		func() *scene {
			s := pastedFrom(newScene().look(0, heldBy(holder, 25)).look(9, heldBy(holder, 25)))
			s.Host.Steps = append(s.Host.Steps, setBy(-47))
			return s.typedAt("owner", 47, 0).typedAt("owner", 0, 9)
		},
		want{notOpen: []evidence.Label{evidence.ClockAnomaly}, with: []string{"clock-step"}},
	},
	"set back before the text began": {
		"more is left than a lease, and TIME is behind by as much",
		func() *scene {
			s := pastedFrom(newScene().look(0, heldBy(holder, 3600)))
			return s.typedAt("bastion", 3590, 0)
		},
		want{label: evidence.ClockAnomaly, cause: "clock-step", grade: evidence.Likely, clock: "off", without: []string{"lease-too-long"}},
	},
	"set back, and its machine logged it": {
		"",
		func() *scene {
			s := pastedFrom(newScene().look(0, heldBy(holder, 3600)))
			s.Others = append(s.Others, evidence.Host{Vantage: "sorrel-2", Steps: []evidence.ClockNotice{setBy(-3590)}})
			return s.typedAt("bastion", 3590, 0)
		},
		want{label: evidence.ClockAnomaly, grade: evidence.Proven, clock: "off"},
	},
	"set back, and only its machine tells": {
		"named by the address that Redis was reached at",
		func() *scene {
			s := pastedFrom(newScene().look(0, heldBy(holder, 3600)))
			s.Vantages = append(s.Vantages, evidence.Vantage{Name: "10.0.0.5", Host: "10.0.0.5"})
			s.Others = append(s.Others, evidence.Host{Vantage: "10.0.0.5", Steps: []evidence.ClockNotice{setBy(-3590)}})
			return s
		},
		want{label: evidence.ClockAnomaly, grade: evidence.Likely, clock: "off"},
	},
	"more left than a lease, and the clocks agree": {
		"somebody took it for longer than the contract says",
		func() *scene {
			return pastedFrom(newScene().look(0, heldBy(holder, 3600))).typedAt("bastion", 0, 0)
		},
		want{clock: "steady|off", notOpen: []evidence.Label{evidence.ClockAnomaly}, with: []string{"lease-too-long"}},
	},
	"more left than a lease, and two hosts disagree": {
		"which of their clocks is right nobody knows",
		func() *scene {
			s := pastedFrom(newScene().look(0, heldBy(holder, 3600)).look(3, heldBy(holder, 3600)))
			return s.typedAt("bastion", 3590, 0).typedAt("owner", 0, 3)
		},
		want{notOpen: []evidence.Label{evidence.ClockAnomaly}, with: []string{"clock-skew"}},
	},
}

func TestHostClocks(t *testing.T) { hostClockStories.tell(t) }

// What is left of a lease is an age, however wide the look is.
func TestAgeOfALease(t *testing.T) {
	wide := func(left float64) *scene {
		s := newScene().look(0, olderServer(holder, left))
		l := &s.Looks[0]
		l.After = saw(at(13))
		l.Span.End = span(13).End
		return s
	}
	stories{
		"past its renewal": {
			"9.6 s of 30 are left: the renewal is 20.4 s old in every second of the look",
			func() *scene { return wide(9.6) },
			want{lease: "lapsing"},
		},
		"not yet past it": {
			"16 s of 30 are left: within half an interval of grace",
			func() *scene { return wide(16) },
			want{lease: "renewing|held"},
		},
	}.tell(t)
}
