package report

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func someProof() evidence.Proof {
	return evidence.Proof{
		Schema: evidence.ProofSchema, Key: "lock:orders",
		Results: []evidence.Result{
			{ID: "lease-explicit", Asserts: "every acquire carries an expiry", Outcome: evidence.Pass, Text: "an expiry at each of 5 looks", Because: []evidence.Citation{cite("kill-1: pttl", "an expiry at each of 5 looks")}, Passed: 2},
			{ID: "higher-token", Asserts: "the taker's token is strictly greater than the lost owner's", Outcome: evidence.Fail, Text: "token 41 after 41", Mistake: "That the key is gone proves only that a lease ended.", Because: []evidence.Citation{cite("kill-2: events.ndjson:4", "token 41 after 41")}, Passed: 1, Failed: 1},
			{ID: "one-effect", Asserts: "each logical request had exactly one accepted effect", Outcome: evidence.NotEvidenced, Text: "no write was recorded with its request", Mistake: "Without request ids a double effect does not show.", Silent: 2},
		},
		Runs:     []evidence.ProofRun{{Name: "kill-1", Mode: evidence.ModeCrash, Label: evidence.Crash, Sound: true}, {Name: "kill-2", Mode: evidence.ModeCrash, Label: evidence.Crash}},
		Release:  evidence.Spread{Runs: 2, Min: 28 * time.Second, Median: 28 * time.Second, Max: 29500 * time.Millisecond},
		Transfer: evidence.Spread{Runs: 2, Min: 29 * time.Second, Median: 29 * time.Second, Max: 31 * time.Second},
		Gap:      evidence.Spread{Runs: 2, Min: 10 * time.Second, Median: 10 * time.Second, Max: 12 * time.Second},
		Rejected: 3, Margin: 2.1,
		Limits: []evidence.Limit{{Name: "lease", Value: "30s", From: evidence.LimitContract}, {Name: "margin", Value: "1.5", From: evidence.LimitDefault}, {Name: "lease_max", From: evidence.LimitUnstated}, {Name: "modes", Value: "crash", From: evidence.LimitContract}},
		Notes:  []string{"the contract asks for no run of partition, clock-anomaly: what happens then is not covered"},
	}
}

// What is not evidenced is no pass anywhere: not for people, not for CI, not on a
// dashboard.
func TestProofForms(t *testing.T) {
	p := someProof()
	var text, junit, metrics strings.Builder
	if err := Proof(&text, p, Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	golden(t, "proof-100.txt", text.String())
	if err := ProofJUnit(&junit, p); err != nil {
		t.Fatal(err)
	}
	golden(t, "proof.xml", junit.String())
	var s suite
	if err := xml.Unmarshal([]byte(junit.String()), &s); err != nil || s.Tests != 3 || s.Failures != 2 {
		t.Errorf("%d tests, %d failures, %v", s.Tests, s.Failures, err)
	}
	if err := ProofMetrics(&metrics, p); err != nil {
		t.Fatal(err)
	}
	golden(t, "proof.metrics", metrics.String())
}

// Text from outside keeps its place in every form.
func TestProofHostile(t *testing.T) {
	const evil = "x\x1b[2J\"}\n# EOF\n]]><&\x00\u202e"
	p := someProof()
	p.Key, p.Runs[0].Name = evil, evil
	p.Results[1].Text, p.Results[1].Because = evil, []evidence.Citation{cite(evil, evil)}
	var text, junit, metrics strings.Builder
	for _, err := range []error{Proof(&text, p, Options{Width: 100}), ProofJUnit(&junit, p), ProofMetrics(&metrics, p)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var s suite
	if err := xml.Unmarshal([]byte(junit.String()), &s); err != nil || s.Tests != 3 {
		t.Errorf("JUnit: %v", err)
	}
	if n := strings.Count(metrics.String(), "# EOF"); n != 1 && !strings.HasSuffix(metrics.String(), "\n# EOF\n") {
		t.Errorf("metrics: %s", metrics.String())
	}
	for line := range strings.Lines(metrics.String()) {
		if !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "lockscene_") {
			t.Errorf("metrics: a line of its own: %q", line)
		}
	}
	if strings.ContainsAny(text.String()+junit.String()+metrics.String(), "\x1b\x00\u202e") {
		t.Error("something hidden came through")
	}
}
