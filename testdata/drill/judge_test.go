package drill

import (
	"slices"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

func TestWantNamesEveryDifference(t *testing.T) {
	right := Inspection{Exit: 3, Verdict: evidence.Verdict{
		Label: evidence.Crash, Cause: "oom-kill", Grade: evidence.Proven, State: evidence.StaleHolder,
		Open:        []evidence.Label{evidence.Crash},
		NotRuledOut: []evidence.Label{evidence.Stall},
		Answers:     evidence.Answers{Lease: evidence.Answer{Value: "lapsing"}, Owner: evidence.Answer{Value: "gone"}},
		Findings:    []evidence.Finding{{ID: "no-lease"}},
	}}
	tests := []struct {
		name string
		want Want
		says []string
	}{
		{"nothing asked but the label", Want{Label: evidence.Crash}, nil},
		{"all of it right", Want{
			Label: evidence.Crash, Cause: "oom-kill", Grade: evidence.Proven, Lease: "lapsed|lapsing", Owner: "gone",
			State: "stale-holder", Findings: []string{"no-lease"}, NotRuledOut: []evidence.Label{evidence.Stall},
		}, nil},
		{"another label has another exit code", Want{Label: evidence.NoFailure}, []string{`label is "crash", want none`, `exit code is "3", want 0`}},
		{"an answer outside the alternatives", Want{Label: evidence.Crash, Lease: "lapsed|lost"}, []string{`lease is "lapsing", want lapsed|lost`}},
		{"a likely verdict is not a proven one", Want{Label: evidence.Crash, Grade: evidence.Likely}, []string{`grade is "proven", want likely`}},
		{"a finding that is missing", Want{Label: evidence.Crash, Findings: []string{"throttled"}}, []string{"findings [no-lease] lacks throttled"}},
		{"a finding that must not be there", Want{Label: evidence.Crash, Absent: []string{"no-lease"}}, []string{"finding no-lease is there and must not be"}},
		{"an open label that is missing", Want{Label: evidence.Crash, Open: []evidence.Label{evidence.Stall}}, []string{"open [crash] lacks stall"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.want.differences(&right); !slices.Equal(got, test.says) {
				t.Errorf("differences are %q, want %q", got, test.says)
			}
		})
	}
}

func TestSweepSparesTheLiving(t *testing.T) {
	tests := map[string]bool{
		itoa(1) + "-3": false, // somebody's run, alive
		"4194304-3":    true,  // above the largest pid there can be
		"x-3":          false, // not ours to judge
		"":             false,
	}
	for name, want := range tests {
		if got := ended(name); got != want {
			t.Errorf("ended(%q) = %v, want %v", name, got, want)
		}
	}
}
