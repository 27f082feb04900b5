package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestCheckFindsEveryChange(t *testing.T) {
	tests := []struct {
		name   string
		change func(map[string][]byte)
		want   map[string]ProblemKind // by path; every one of them, and no other
	}{
		{"nothing", func(map[string][]byte) {}, map[string]ProblemKind{}},
		{"one byte of a raw file", func(f map[string][]byte) { f["data/raw/owner/redis/sample"][0] ^= 1 },
			map[string]ProblemKind{"data/raw/owner/redis/sample": ChangedBytes}},
		{"a verdict that cannot be opened", func(f map[string][]byte) { f[verdictFile] = []byte("{}") },
			map[string]ProblemKind{verdictFile: ChangedBytes, bagInfoFile: Malformed}},
		{"a file gone", func(f map[string][]byte) { delete(f, reportFile) },
			map[string]ProblemKind{reportFile: MissingFile, bagInfoFile: Malformed}},
		{"a file more", func(f map[string][]byte) { f["data/raw/more"] = nil },
			map[string]ProblemKind{"data/raw/more": ExtraFile, bagInfoFile: Malformed}},
		{"a tag file more", func(f map[string][]byte) { f["notes.txt"] = nil },
			map[string]ProblemKind{"notes.txt": ExtraFile}},
		{"a changed tag file", func(f map[string][]byte) { f[bagInfoFile] = append(f[bagInfoFile], "Ticket: 7\n"...) },
			map[string]ProblemKind{bagInfoFile: ChangedBytes}},
		{"no manifest", func(f map[string][]byte) { delete(f, manifestFile) },
			map[string]ProblemKind{manifestFile: MissingFile}},
		{"no tag manifest", func(f map[string][]byte) { delete(f, tagFile) },
			map[string]ProblemKind{tagFile: MissingFile}},
		{"a manifest nobody can read", func(f map[string][]byte) { f[manifestFile] = []byte("hello\n") },
			map[string]ProblemKind{manifestFile: Malformed}},
		{"a manifest that lists a way out", func(f map[string][]byte) {
			f[manifestFile] = []byte(strings.Repeat("0", 64) + "  data/../../x\n")
		}, map[string]ProblemKind{manifestFile: Malformed}},
		{"another BagIt", func(f map[string][]byte) { f[bagitFile] = []byte("BagIt-Version: 9\n") },
			map[string]ProblemKind{bagitFile: Malformed}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			problems, err := Check(bytes.NewReader(pack(t, members(t, tt.change)...)))
			if err != nil {
				t.Fatal(err)
			}
			got := make(map[string]ProblemKind)
			for _, p := range problems {
				// One path may have two problems; the table names the last.
				got[p.Path] = p.Kind
				if p.Text == "" {
					t.Errorf("%s has no sentence", p.Path)
				}
			}
			for path, kind := range tt.want {
				if !has(problems, path, kind) {
					t.Errorf("want %s for %s, got %v", kind, path, problems)
				}
			}
			for path := range got {
				// A rewritten manifest or tag file is seen by the list above it too.
				if _, expected := tt.want[path]; !expected && path != manifestFile {
					t.Errorf("unexpected %v", got)
				}
			}
		})
	}
}

func has(problems []Problem, path string, kind ProblemKind) bool {
	for _, p := range problems {
		if p.Path == path && p.Kind == kind {
			return true
		}
	}
	return false
}

// parseSample and judgeSample stand for the real parser and judge: what they
// return is what the sample bundle says.
func parseSample(Capture, []Probe, map[string][]byte) (Snapshot, error) {
	return sample().Snapshot, nil
}
func judgeSample(Snapshot) Verdict { return sample().Verdict }

func TestVerify(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Bundle)
		kind   ProblemKind
		says   string
	}{
		{"untouched", func(*Bundle) {}, "", ""},
		{"doctored label", func(b *Bundle) { b.Verdict.Label = NoFailure }, VerdictDiffers, `label: the file says "none", deriving it again gives "crash"`},
		{"doctored answer", func(b *Bundle) { b.Verdict.Answers.Owner.Value = "running" }, VerdictDiffers, "answers.owner.value"},
		{"finding dropped", func(b *Bundle) { b.Verdict.Findings = []Finding{{ID: "x"}} }, VerdictDiffers, "findings"},
		{"other rules", func(b *Bundle) { b.Verdict.Rules, b.Verdict.Grade = Rules+1, Likely }, OtherRules, "grade"},
		{"other rules, same result", func(b *Bundle) { b.Verdict.Rules = Rules + 1 }, "", ""},
		{"rules that never were", func(b *Bundle) { b.Verdict.Rules, b.Verdict.Grade = 0, Likely }, VerdictDiffers, "grade"},
		{"doctored snapshot", func(b *Bundle) { b.Snapshot.Looks[0].PTTL = Saw("redis/pttl", int64(99)) }, SnapshotDiffers, "looks[0].pttl.value: the file says 99"},
		{"raw file gone", func(b *Bundle) { delete(b.Raw, "owner/redis/sample") }, MissingFile, "which is not there"},
		{"raw file shorter", func(b *Bundle) { b.Raw["owner/redis/sample"] = nil }, MissingFile, "does not have"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := Open(bytes.NewReader(freeze(t, sample())))
			if err != nil {
				t.Fatal(err)
			}
			tt.change(&b)
			problems := Verify(b, parseSample, judgeSample)
			if tt.kind == "" {
				if len(problems) > 0 {
					t.Errorf("problems %v", problems)
				}
				return
			}
			if len(problems) != 1 || problems[0].Kind != tt.kind || !strings.Contains(problems[0].Text, tt.says) {
				t.Errorf("got %v, want one %s with %q", problems, tt.kind, tt.says)
			}
		})
	}
}

func TestVerifyReportsRawThatNoLongerParses(t *testing.T) {
	broken := func(Capture, []Probe, map[string][]byte) (Snapshot, error) {
		return Snapshot{}, errors.New("parse INFO: no colon")
	}
	if p := Verify(sample(), broken, judgeSample); len(p) != 1 || p[0].Kind != SnapshotDiffers || !strings.Contains(p[0].Text, "no colon") {
		t.Errorf("got %v", p)
	}
}

func TestDifferencesAreBoundedAndOutermostFirst(t *testing.T) {
	b := sample()
	b.Verdict.Label = Stall
	for _, a := range []*Answer{&b.Verdict.Answers.Lease, &b.Verdict.Answers.Owner, &b.Verdict.Answers.Path} {
		*a = Answer{Value: "x", Possible: []string{"x", "y"}, Grade: Likely, Says: "z"}
	}
	got := Verify(b, parseSample, judgeSample)
	if len(got) != maxDiffs+1 || !strings.HasPrefix(got[0].Text, "label:") || !strings.Contains(got[maxDiffs].Text, "more fields") {
		t.Errorf("got %v", got)
	}
}

func TestVerdictListsAreNeverNull(t *testing.T) {
	line, err := Line(Verdict{Findings: []Finding{{}}, Next: []Step{{Command: "a && b > c"}}})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(line), "null") || !strings.Contains(string(line), `"a && b > c"`) {
		t.Errorf("got %s", line)
	}
}

func TestIntervalsOnlyGrow(t *testing.T) {
	in := Interval{From: testEnd.Add(1999), To: testEnd.Add(1001), Clock: Coordinator}
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out Interval
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	want := Interval{From: testEnd.Add(1000), To: testEnd.Add(2000), Clock: Coordinator}
	if !reflect.DeepEqual(out, want) {
		t.Errorf("got %v, want %v", out, want)
	}
	again, err := json.Marshal(out)
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("writing it again gave %s after %s (%v)", again, data, err)
	}
}

func TestIntervalBeyondCalendarsIsUnbounded(t *testing.T) {
	data, err := json.Marshal(Interval{From: testEnd, To: testEnd.AddDate(20_000, 0, 0), Clock: Coordinator})
	if want := `{"from":"2026-11-29T03:12:11.120000Z","clock":"coordinator"}`; err != nil || string(data) != want {
		t.Errorf("got %s, %v", data, err)
	}
}
