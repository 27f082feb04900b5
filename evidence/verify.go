package evidence

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// maxDiffs bounds how many differing fields are named for one document; the
// rest are counted.
const maxDiffs = 8

// Settled is the snapshot as its frozen form reads back: times to the digits
// JSON keeps, empty lists gone. Judge this one, so that the verdict of the hour
// and that of next year see the same numbers.
func Settled(s Snapshot) (Snapshot, error) {
	data, err := Line(s)
	if err != nil {
		return Snapshot{}, fmt.Errorf("write snapshot: %w", err)
	}
	var out Snapshot
	if err := json.Unmarshal(data, &out, strictly); err != nil {
		return Snapshot{}, fmt.Errorf("read snapshot: %w", err)
	}
	return out, nil
}

// A Parser makes a snapshot of what a capture recorded; a Judge concludes from it.
// They are handed in, because the vocabulary knows neither.
type (
	Parser func(Capture, []Probe, map[string][]byte) (Snapshot, error)
	Judge  func(Snapshot) Verdict
)

// Verify repeats the reasoning: it parses the raw bytes again, judges the snapshot
// again, and compares both with what the bundle says. Bytes are not checked here;
// [Check] does that on the archive.
func Verify(b Bundle, parse Parser, judge Judge) []Problem {
	_, problems := Rederive(b, parse, judge)
	return problems
}

// Rederive is [Verify] for those who go on with the result: the bundle comes back
// with the snapshot that its raw bytes give today.
func Rederive(b Bundle, parse Parser, judge Judge) (Bundle, []Problem) {
	problems := missingRaw(b)
	// The verdict is held against the snapshot in the bundle, so that a changed
	// snapshot and a changed verdict are told apart.
	verdict := judge(b.Snapshot)
	verdict.Rules = b.Verdict.Rules
	rejudged := compareDocuments(b.Verdict.Rules, VerdictDiffers, verdictFile, b.Verdict, verdict)
	fresh, err := parse(b.Capture, b.Probes, b.Raw)
	if err != nil {
		problems = append(problems, Problem{SnapshotDiffers, snapshotFile, "the raw bytes cannot be parsed again: " + err.Error()})
		return b, append(problems, rejudged...)
	}
	if differ := compareDocuments(b.Verdict.Rules, SnapshotDiffers, snapshotFile, b.Snapshot, fresh); differ != nil {
		problems = append(problems, differ...)
		if b.Snapshot, err = Settled(fresh); err != nil {
			problems = append(problems, Problem{SnapshotDiffers, snapshotFile, err.Error()})
		}
	}
	return b, append(problems, rejudged...)
}

// missingRaw lists the raw files that probes refer to and the bundle lacks.
func missingRaw(b Bundle) []Problem {
	lost := make(map[string]string)
	for _, p := range b.Probes {
		if p.File == "" {
			continue
		}
		data, there := b.Raw[p.File]
		switch {
		case !there:
			lost[p.File] = fmt.Sprintf("%s refers to %s, which is not there", p.Name, p.File)
		case p.Offset < 0 || p.Bytes < 0 || p.Offset > int64(len(data)) || p.Bytes > int64(len(data))-p.Offset:
			lost[p.File] = fmt.Sprintf("%s refers to bytes that %s does not have", p.Name, p.File)
		}
	}
	var out []Problem
	for _, file := range slices.Sorted(maps.Keys(lost)) {
		out = append(out, Problem{MissingFile, rawFolder + file, lost[file]})
	}
	return out
}

// compareDocuments names the fields in which a document differs from the same
// one derived again.
func compareDocuments(rules int, kind ProblemKind, file string, stored, fresh any) []Problem {
	if alike(stored, fresh) {
		return nil
	}
	a, err := generic(stored)
	if err != nil {
		return []Problem{{kind, file, "cannot be written: " + err.Error()}}
	}
	b, err := generic(fresh)
	if err != nil {
		return []Problem{{kind, file, "cannot be derived again: " + err.Error()}}
	}
	diffs := differences(a, b)
	if len(diffs) == 0 {
		return nil
	}
	suffix := ""
	// Rules below 1 never existed: a file that claims them hides something.
	if rules != Rules && rules >= 1 {
		kind, suffix = OtherRules, fmt.Sprintf(" (judged by rules %d, this program has %d)", rules, Rules)
	}
	var out []Problem
	for _, d := range diffs[:min(len(diffs), maxDiffs)] {
		out = append(out, Problem{kind, file, fmt.Sprintf("%s: the file says %s, deriving it again gives %s%s", d.path, d.a, d.b, suffix)})
	}
	if more := len(diffs) - maxDiffs; more > 0 {
		out = append(out, Problem{kind, file, fmt.Sprintf("and %d more fields differ%s", more, suffix)})
	}
	return out
}

// alike says whether two documents are written alike: nearly all are, and then
// nothing has to be taken apart.
func alike(a, b any) bool {
	if writtenAlike(reflect.ValueOf(a), reflect.ValueOf(b)) {
		return true
	}
	x, err1 := json.Marshal(a, asWritten)
	y, err2 := json.Marshal(b, asWritten)
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}

// asWritten encodes as the standard library does, faster.
var asWritten = json.JoinOptions(jsonv1.DefaultOptionsV1(), json.Deterministic(true))
