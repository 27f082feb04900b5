package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/lockscene/lockscene/evidence"
)

// The accuracy test: every case is a transcript as somebody would paste it, with
// the right verdict beside it, and goes through the command line. Beside right
// and wrong the test prints which labels were taken for which.

// A wanted is what a case's YAML says.
type wanted struct {
	Key   string `yaml:"key"`
	Args  map[string]string
	Label string
	Grade string
	Cause string
	Open  []string

	Answers         map[string]string
	State           string
	FindingsInclude []string `yaml:"findings_include"`
	FindingsExclude []string `yaml:"findings_exclude"`
	Times           map[string]struct{ From, To time.Time }
	Why             string
}

func readWanted(t *testing.T, path string) wanted {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var w wanted
	if err := yaml.Unmarshal(b, &w); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return w
}

// commandLine is what a responder would type for a case.
func (w wanted) commandLine(text string) []string {
	args := []string{"evidence", "import", text, "--key", w.Key, "--no-bundle", "--format", "json"}
	var names []string
	for name := range w.Args {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		args = append(args, "--"+strings.ReplaceAll(name, "_", "-"), w.Args[name])
	}
	return args
}

// judged runs the command line and returns the verdict it prints.
func judged(t *testing.T, args []string) evidence.Verdict {
	t.Helper()
	var out, talk bytes.Buffer
	started := false
	cmd := rootCommand(&started)
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&talk)
	_ = cmd.ExecuteContext(context.Background()) // a failure that is named is an exit code
	var printed struct{ Verdict evidence.Verdict }
	if err := json.Unmarshal(out.Bytes(), &printed); err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, out.String(), talk.String())
	}
	return printed.Verdict
}

func TestCases(t *testing.T) {
	texts, _ := filepath.Glob("testdata/cases/*.txt")
	if len(texts) < 28 {
		t.Fatalf("%d cases", len(texts))
	}
	confusion := map[string]map[string]int{}
	var table strings.Builder
	right := 0
	for _, text := range texts {
		name := strings.TrimSuffix(filepath.Base(text), ".txt")
		t.Run(name, func(t *testing.T) {
			w := readWanted(t, strings.TrimSuffix(text, ".txt")+".yaml")
			v := judged(t, w.commandLine(text))
			if confusion[w.Label] == nil {
				confusion[w.Label] = map[string]int{}
			}
			confusion[w.Label][string(v.Label)]++
			wrong := w.compare(v)
			mark := "right"
			if len(wrong) > 0 {
				mark = "WRONG " + strings.Join(wrong, "; ")
				t.Error(strings.Join(wrong, "\n"))
			} else {
				right++
			}
			fmt.Fprintf(&table, "%-28s %-28s %-8s %s\n", name, v.Label, v.Grade, mark)
		})
	}
	fmt.Print(table.String())
	fmt.Printf("%d of %d right\n%s", right, len(texts), matrix(confusion))
}

// compare lists where a verdict differs from what is wanted.
func (w wanted) compare(v evidence.Verdict) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if string(v.Label) != w.Label {
		say("label %s, want %s (open %v)", v.Label, w.Label, v.Open)
	}
	if w.Grade != "" && string(v.Grade) != w.Grade {
		say("grade %s, want %s (not ruled out %v)", v.Grade, w.Grade, v.NotRuledOut)
	}
	for _, l := range w.Open {
		if !slices.Contains(v.Open, evidence.Label(l)) {
			say("%s is not open: %v", l, v.Open)
		}
	}
	if w.Cause != "" && v.Cause != w.Cause {
		say("cause %s, want %s", v.Cause, w.Cause)
	}
	if w.State != "" && string(v.State) != w.State {
		say("state %s, want %s", v.State, w.State)
	}
	answers := map[string]evidence.Answer{"lease": v.Answers.Lease, "owner": v.Answers.Owner, "path": v.Answers.Path, "clock": v.Answers.Clock, "coordinator": v.Answers.Coordinator}
	for q, want := range w.Answers {
		if got := answers[q].Value; got != want {
			say("%s %s %v, want %s (%s)", q, got, answers[q].Possible, want, answers[q].Says)
		}
	}
	var ids []string
	for _, f := range v.Findings {
		ids = append(ids, f.ID)
	}
	for _, id := range w.FindingsInclude {
		if !slices.Contains(ids, id) {
			say("finding %s is missing", id)
		}
	}
	for _, id := range w.FindingsExclude {
		if slices.Contains(ids, id) {
			say("finding %s is there", id)
		}
	}
	times := map[string]*evidence.Interval{"disappeared": v.Times.Disappeared, "last_renewal": v.Times.LastRenewal, "lease_ends": v.Times.LeaseEnds}
	for name, want := range w.Times {
		got := times[name]
		switch {
		case got == nil || !got.Known():
			say("%s is not told", name)
		case !got.To.IsZero() && got.To.Before(want.From) || !got.From.IsZero() && got.From.After(want.To):
			say("%s %s to %s, want %s to %s", name, evidence.FormatTime(got.From), evidence.FormatTime(got.To), evidence.FormatTime(want.From), evidence.FormatTime(want.To))
		}
	}
	return out
}

// matrix prints which label was taken for which.
func matrix(confusion map[string]map[string]int) string {
	var labels []string
	for want, row := range confusion {
		labels = append(labels, want)
		for got := range row {
			labels = append(labels, got)
		}
	}
	slices.Sort(labels)
	labels = slices.Compact(labels)
	var b strings.Builder
	b.WriteString("\nwanted \\ judged")
	for _, got := range labels {
		fmt.Fprintf(&b, " %6.6s", got)
	}
	for _, want := range labels {
		fmt.Fprintf(&b, "\n%-15.15s", want)
		for _, got := range labels {
			fmt.Fprintf(&b, " %6d", confusion[want][got])
		}
	}
	return b.String() + "\n"
}
