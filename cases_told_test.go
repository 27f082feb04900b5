package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// One incident may be pasted in many ways. Every case is rewritten in each of
// these ways, none of which changes what happened, and is judged again through
// the command line: what was right must stay right.

// A telling is one way to tell a case. It gets a copy of the case, and says
// whether it had anything to change.
type telling struct {
	name   string
	change func(*story) bool
	strict strictness
	loses  string // why less may be known after it; empty for those that must change nothing
}

// A strictness says what has to hold of a case that was told otherwise.
type strictness int

const (
	same    strictness = iota // everything in the case's YAML
	coarse                    // all but the grade: stamps, or a second source, were lost
	weaker                    // the same label, or it is left standing
	notElse                   // as weaker; a case that was inconclusive may be anything
)

// A story is a case on its way to being told otherwise.
type story struct {
	want  wanted
	steps []step
	text  string // wins over the steps where a telling works on the text
}

func (s *story) whole() string {
	if s.text != "" {
		return s.text
	}
	return render(s.steps)
}

// asText lets a telling work on the text.
func asText(change func(string) string) func(*story) bool {
	return func(s *story) bool {
		before := s.whole()
		s.text = change(before)
		return s.text != before
	}
}

// eachStep lets a telling work on one step after the other.
func eachStep(change func(*step) bool) func(*story) bool {
	return func(s *story) bool {
		changed := false
		for i := range s.steps {
			changed = change(&s.steps[i]) || changed
		}
		return changed
	}
}

func TestCasesToldOtherwise(t *testing.T) {
	var texts []string
	all, _ := filepath.Glob("testdata/cases/*.txt")
	for _, text := range all {
		w := readStory(t, text).want
		if len(w.compare(judged(t, w.commandLine(text)))) == 0 { // what is wrong as it stands TestCases tells
			texts = append(texts, text)
		}
	}
	var table strings.Builder
	for _, tell := range tellings() {
		t.Run(strings.ReplaceAll(tell.name, " ", "-"), func(t *testing.T) {
			told, right := 0, 0
			for _, text := range texts {
				name := strings.TrimSuffix(filepath.Base(text), ".txt")
				s := readStory(t, text)
				if !tell.change(&s) {
					continue
				}
				told++
				path := filepath.Join(t.TempDir(), name+".txt")
				if err := os.WriteFile(path, []byte(s.whole()), 0o600); err != nil {
					t.Fatal(err)
				}
				wrong := tell.holds(s.want, judged(t, s.want.commandLine(path)))
				if len(wrong) == 0 {
					right++
					continue
				}
				t.Errorf("%s: %s", name, strings.Join(wrong, "; "))
				if dir := os.Getenv("LOCKSCENE_TOLD"); dir != "" { // keeps what was judged wrongly
					os.WriteFile(filepath.Join(dir, name+"."+strings.ReplaceAll(tell.name, " ", "-")+".txt"), []byte(s.whole()), 0o600)
				}
			}
			if told == 0 {
				t.Error("no case can be told so")
			}
			fmt.Fprintf(&table, "%-44s %3d of %3d %s\n", tell.name, right, told, tell.loses)
		})
	}
	fmt.Print(table.String())
}

// holds lists what should have stayed and did not.
func (tell telling) holds(w wanted, v evidence.Verdict) []string {
	if tell.strict >= weaker {
		want := evidence.Label(w.Label)
		if tell.strict == notElse && want == evidence.Inconclusive || stands(want, v) {
			return nil
		}
		return []string{fmt.Sprintf("label %s, want %s or it among the open (%v) or not ruled out (%v)", v.Label, want, v.Open, v.NotRuledOut)}
	}
	if tell.strict == coarse {
		w.Grade = ""
	}
	return w.compare(v)
}

func readStory(t *testing.T, path string) story {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := story{want: readWanted(t, strings.TrimSuffix(path, ".txt")+".yaml"), steps: steps(string(b))}
	if s.want.Args == nil {
		s.want.Args = map[string]string{}
	}
	if got := render(s.steps); got != string(b) {
		t.Fatalf("%s: its steps are another text:\n%s", path, got)
	}
	return s
}

func tellings() []telling {
	return slices.Concat(wrappedTellings(), promptTellings(), shellTellings(), programTellings(), redisTellings(), clockTellings(), worldTellings())
}
