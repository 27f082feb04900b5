package evidence

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
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
	if err := json.Unmarshal(data, &out); err != nil {
		return Snapshot{}, fmt.Errorf("read snapshot: %w", err)
	}
	return out, nil
}

// Verify repeats the reasoning: it parses the raw bytes again, judges the
// snapshot again, and compares both with what the bundle says. The functions
// are handed in, because the vocabulary knows neither parser nor judge. Bytes
// are not checked here; [Check] does that on the archive.
func Verify(b Bundle, parse func(Capture, []Probe, map[string][]byte) (Snapshot, error), judge func(Snapshot) Verdict) []Problem {
	problems := missingRaw(b)
	if fresh, err := parse(b.Capture, b.Probes, b.Raw); err != nil {
		problems = append(problems, Problem{SnapshotDiffers, snapshotFile, "the raw bytes cannot be parsed again: " + err.Error()})
	} else {
		problems = append(problems, compareDocuments(b.Verdict.Rules, SnapshotDiffers, snapshotFile, b.Snapshot, fresh)...)
	}
	// The verdict is held against the snapshot in the bundle, so that a changed
	// snapshot and a changed verdict are told apart.
	fresh := judge(b.Snapshot)
	fresh.Rules = b.Verdict.Rules
	return append(problems, compareDocuments(b.Verdict.Rules, VerdictDiffers, verdictFile, b.Verdict, fresh)...)
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

// generic is v as JSON sees it.
func generic(v any) (any, error) {
	data, err := Line(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var out any
	return out, d.Decode(&out)
}

// A diff is one field with two values.
type diff struct{ path, a, b string }

// differences lists the innermost fields that differ, the outermost first: a
// changed label is worth more than a changed citation.
func differences(a, b any) []diff {
	var out []diff
	walkDiff("", a, b, &out)
	slices.SortStableFunc(out, func(x, y diff) int {
		return depth(x.path) - depth(y.path)
	})
	return out
}

func depth(path string) int { return strings.Count(path, ".") + strings.Count(path, "[") }

func walkDiff(path string, a, b any, out *[]diff) {
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			keys := maps.Clone(x)
			maps.Copy(keys, y)
			for _, k := range slices.Sorted(maps.Keys(keys)) {
				walkDiff(strings.TrimPrefix(path+"."+k, "."), x[k], y[k], out)
			}
			return
		}
	case []any:
		if y, ok := b.([]any); ok && len(x) == len(y) {
			for i := range x {
				walkDiff(fmt.Sprintf("%s[%d]", path, i), x[i], y[i], out)
			}
			return
		}
	}
	if empty(a) && empty(b) {
		return
	}
	if s, t := brief(a), brief(b); s != t || !same(a, b) {
		*out = append(*out, diff{path, s, t})
	}
}

// empty says whether v holds nothing: decoding turns an empty list into none.
func empty(v any) bool {
	list, ok := v.([]any)
	return v == nil || ok && len(list) == 0
}

// same compares leaves, and branches of another shape.
func same(a, b any) bool {
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}

// brief is a value as a sentence can hold it.
func brief(v any) string {
	if v == nil {
		return "nothing"
	}
	data, err := Line(v)
	if err != nil {
		return "something unwritable"
	}
	return Clip(Printable(strings.TrimSpace(string(data))), 60)
}
