package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/classify/proof"
	"github.com/lockscene/lockscene/evidence"
)

// Whatever the table of the runbooks' points names is there: probes that captures
// carry, findings and assertions that rules make, verbs and flags that the commands
// have.
func TestRunbookCoverage(t *testing.T) {
	b, err := os.ReadFile("docs/runbook-coverage.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string][]string{
		"finding":   classify.FindingIDs(),
		"assertion": proof.Assertions(),
		"probe":     probeNames(t),
		"answer":    {"lease", "owner", "path", "clock", "coordinator"},
		"label": {string(evidence.NoFailure), string(evidence.Crash), string(evidence.Stall), string(evidence.Partition), string(evidence.ClockAnomaly),
			string(evidence.CoordinatorFault), string(evidence.ContractFault), string(evidence.RenewalAfterLoss)},
		"text": append(explained(), "decision"),
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`([a-z]+) ([^`]+)`(?: \\(([^)]*)\\))?").FindAllStringSubmatch(string(b), -1) {
		kind, name, in := m[1], m[2], m[3]
		if kind == "verb" {
			wantVerb(t, name, in)
			continue
		}
		if !slices.Contains(known[kind], name) {
			t.Errorf("there is no %s %s", kind, name)
		}
		named[kind+" "+name] = true
	}
	for _, id := range proof.Assertions() {
		if !named["assertion "+id] {
			t.Errorf("no point asks for the assertion %s", id)
		}
	}
	for prefix, want := range map[string]int{"| A ": 69, "| B ": 58} { // as many as the runbooks have
		if n := strings.Count(string(b), "\n"+prefix); n != want {
			t.Errorf("%d points of %s, want %d", n, strings.Trim(prefix, "| "), want)
		}
	}
}

func wantVerb(t *testing.T, name, in string) {
	t.Helper()
	cmd, rest, err := rootCommand(new(bool)).Find(strings.Fields(name))
	if err != nil || len(rest) > 0 {
		t.Errorf("there is no verb %s", name)
		return
	}
	for _, flag := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(in, -1) {
		if cmd.Flags().Lookup(flag[1]) == nil {
			t.Errorf("%s has no flag --%s", name, flag[1])
		}
	}
}

// probeNames are those of every recorded capture.
func probeNames(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, b := range incidents(t) {
		for _, p := range b.Probes {
			if !slices.Contains(out, p.Name) {
				out = append(out, p.Name)
			}
		}
	}
	return out
}
