package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/lockscene/lockscene/evidence"
)

// recorded is every bundle that ships with the repository.
func recorded(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, folder := range []string{"incidents", "proofs", "versions"} {
		paths, err := filepath.Glob("testdata/" + folder + "/*.tar.gz")
		if err != nil || len(paths) == 0 {
			t.Fatalf("no bundles in testdata/%s: %v", folder, err)
		}
		out = append(out, paths...)
	}
	return out
}

// A fitting holds documents against all schemas at once.
type fitting map[string]*jsonschema.Schema

func fit(t testing.TB, admits admission) fitting {
	t.Helper()
	out := fitting{}
	for _, d := range documents() {
		out[d.schema] = validator(t, d, admits)
	}
	return out
}

// bundle holds each document of an archive, as its bytes are, against its schema.
func (f fitting) bundle(t *testing.T, path string) {
	t.Helper()
	archive, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	members := map[string]string{}
	for name, text := range membersOf(t, archive) {
		_, inside, _ := strings.Cut(name, "/")
		members[inside] = text
	}
	for _, d := range documents() {
		if d.file == "" {
			continue
		}
		text, there := members[d.file]
		if !there {
			t.Errorf("%s has no %s", path, d.file)
		}
		texts := []string{text}
		if strings.HasSuffix(d.file, ".ndjson") {
			texts = strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
		}
		for _, text := range texts {
			if err := validate(f[d.schema], []byte(text)); err != nil {
				t.Errorf("%s: %s: %v", path, d.file, err)
			}
		}
	}
}

// All that was ever frozen fits, and nothing stands in it that its schema does not
// describe; nor in what inspect would have printed.
func TestRecordedBundlesFitTheirSchemas(t *testing.T) {
	open, shut := fit(t, published), fit(t, closed)
	for _, path := range recorded(t) {
		if strings.Contains(path, "/versions/") {
			open.bundle(t, path) // an older one may hold what is not written any more
		} else {
			shut.bundle(t, path)
		}
		b, err := openBundle(path)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := printJSON(&out, b, frozen{path, strings.Repeat("0", 64), 1}); err != nil {
			t.Fatal(err)
		}
		if err := validate(shut["lockscene/inspect/1"], out.Bytes()); err != nil {
			t.Errorf("%s: inspect --format json: %v", path, err)
		}
	}
}

// What comes of pasted text fits as well: it fills members that no live look does.
func TestImportedCasesFitTheirSchemas(t *testing.T) {
	shut := fit(t, closed)
	texts, _ := filepath.Glob("testdata/cases/*.txt")
	if len(texts) < 28 {
		t.Fatalf("%d cases", len(texts))
	}
	for _, text := range texts {
		w := readWanted(t, strings.TrimSuffix(text, ".txt")+".yaml")
		path := filepath.Join(t.TempDir(), "case.tar.gz")
		var args []string
		for _, arg := range w.commandLine(text) {
			if arg == "--no-bundle" {
				arg = "--out=" + path
			}
			args = append(args, arg)
		}
		var out, errs bytes.Buffer
		run(t.Context(), args, &out, &errs)
		if err := validate(shut["lockscene/inspect/1"], out.Bytes()); err != nil {
			t.Errorf("%s: %v\n%s", text, err, errs.String())
		}
		shut.bundle(t, path)
	}
}

// A merged bundle and a redacted one are written by the same types, and fill others of
// their members.
func TestDerivedBundlesFitTheirSchemas(t *testing.T) {
	const recording = "testdata/incidents/partition.tar.gz"
	shut, dir := fit(t, closed), t.TempDir()
	pasted, merged, redacted := filepath.Join(dir, "pasted.tar.gz"), filepath.Join(dir, "merged.tar.gz"), filepath.Join(dir, "redacted.tar.gz")
	for _, args := range [][]string{
		{"evidence", "import", "testdata/cases/01-healthy-renewal.txt", "--key", "lock:partition", "--out", pasted, "--format", "json"},
		{"evidence", "merge", recording, pasted, "--out", merged, "--format", "json"},
		{"evidence", "redact", recording, "--out", redacted, "--key-file", filepath.Join(dir, "key")},
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), args, &out, &errs); code == exitUsage || code == exitCannotLook {
			t.Fatalf("%v: exit %d: %s", args, code, errs.String())
		}
		if err := validate(shut["lockscene/inspect/1"], out.Bytes()); args[len(args)-1] == "json" && err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
	for _, path := range []string{merged, redacted} {
		shut.bundle(t, path)
	}
}

// A live run prints the same document, even where nothing answers.
func TestInspectPrintsItsSchema(t *testing.T) {
	shut := fit(t, closed)
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"inspect", "lock:orders", "--redis", "unix:///nowhere/redis.sock", "--watch", "0", "--no-bundle", "--format", "json"}, &out, &errs)
	if code != exitCannotLook {
		t.Errorf("exit %d: %s", code, errs.String())
	}
	if err := validate(shut["lockscene/inspect/1"], out.Bytes()); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// A proof fits, and so does what is none.
func TestProofsFitTheirSchema(t *testing.T) {
	shut := fit(t, closed)
	for pattern, want := range map[string]int{"fenced-*": exitNone, "unfenced-*": exitAssertion} {
		paths, _ := filepath.Glob("testdata/proofs/" + pattern + ".tar.gz")
		var out, errs bytes.Buffer
		code := run(t.Context(), append([]string{"prove", "--contract", "testdata/proofs/lease.yaml", "--format", "json"}, paths...), &out, &errs)
		if code != want {
			t.Errorf("%s: exit %d: %s", pattern, code, errs.String())
		}
		if err := validate(shut[evidence.ProofSchema], out.Bytes()); err != nil {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

// sound is a document of each kind, as it is written.
func sound(t *testing.T, d document) []byte {
	t.Helper()
	b, err := openBundle("testdata/incidents/oom-kill.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Timeline) == 0 || len(b.Verdict.Findings) == 0 {
		t.Fatal("the incident shows too little")
	}
	all := map[string]any{
		evidence.CaptureSchema: b.Capture, evidence.ProbesSchema: writtenProbes{evidence.ProbesSchema, b.Probes},
		evidence.SnapshotSchema: b.Snapshot, evidence.VerdictSchema: b.Verdict, "lockscene/timeline/1": b.Timeline[0],
		evidence.ProofSchema:  evidence.Proof{Schema: evidence.ProofSchema, Results: []evidence.Result{{Outcome: evidence.Pass}}},
		"lockscene/inspect/1": answerJSON{Verdict: b.Verdict, Probes: []probeJSON{{Status: evidence.OK}}},
	}
	line, err := evidence.Line(all[d.schema])
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// What is changed in a way that matters fits no longer; what a minor version adds does.
func TestSchemasRefuse(t *testing.T) {
	tests := []struct {
		schema string
		path   string // of the member, with numbers for places in lists
		value  any    // nil: the member is taken out
		fits   bool
	}{
		{evidence.VerdictSchema, "label", "haunted", false},
		{evidence.VerdictSchema, "label", nil, false},
		{evidence.VerdictSchema, "open/0", "haunted", false},
		{evidence.VerdictSchema, "grade", "certain", false},
		{evidence.VerdictSchema, "grade", nil, true},
		{evidence.VerdictSchema, "state", "lost", false},
		{evidence.VerdictSchema, "schema", nil, false},
		{evidence.VerdictSchema, "schema", "lockscene/verdict/2", false},
		{evidence.VerdictSchema, "schema", "lockscene/verdict/1.1", true},
		{evidence.VerdictSchema, "schema", "lockscene/snapshot/1", false},
		{evidence.VerdictSchema, "weather", "rain", true},
		{evidence.VerdictSchema, "rules", "5", false},
		{evidence.VerdictSchema, "findings/0/severity", "fatal", false},
		{evidence.VerdictSchema, "findings/0/because", "a log", false},
		{evidence.VerdictSchema, "answers/owner", nil, false},
		{evidence.VerdictSchema, "times/disappeared/from", "2026-11-30 03:35:50", false},
		{evidence.VerdictSchema, "times/disappeared/from", "2026-11-30T03:35:50Z", false},
		{evidence.VerdictSchema, "times/disappeared/from", nil, true},
		{evidence.CaptureSchema, "schema", nil, false},
		{evidence.CaptureSchema, "contract/lease", "3s", false},
		{evidence.CaptureSchema, "vantages/0/start/wall", "yesterday", false},
		{evidence.ProbesSchema, "schema", nil, false},
		{evidence.ProbesSchema, "probes/0/status", "fine", false},
		{evidence.SnapshotSchema, "schema", nil, false},
		{evidence.SnapshotSchema, "looks/0/pttl/state", "guessed", false},
		{evidence.SnapshotSchema, "looks/0/pttl/value", 1.5, false},
		{evidence.SnapshotSchema, "looks/0/pttl/state", "", true},
		{evidence.SnapshotSchema, "processes/0/looks/0/stat/value/starttime", -1, false},
		{"lockscene/timeline/1", "lane", "weather", false},
		{"lockscene/timeline/1", "at", nil, false},
		{evidence.ProofSchema, "results/0/outcome", "maybe", false},
		{evidence.ProofSchema, "to_safe_release/median", "1s", false},
		{"lockscene/inspect/1", "verdict/label", "haunted", false},
		{"lockscene/inspect/1", "bundle", nil, false},
		{"lockscene/inspect/1", "probes/0/took_ms", "1", false},
	}
	for _, d := range documents() {
		s := validator(t, d, published)
		if err := validate(s, sound(t, d)); err != nil {
			t.Errorf("%s, unchanged: %v", d.schema, err)
		}
		for _, tt := range tests {
			if tt.schema != d.schema {
				continue
			}
			var doc any
			if err := json.Unmarshal(sound(t, d), &doc); err != nil {
				t.Fatal(err)
			}
			set(t, doc, strings.Split(tt.path, "/"), tt.value)
			changed, err := evidence.Line(doc)
			if err != nil {
				t.Fatal(err)
			}
			if err := validate(s, changed); (err == nil) != tt.fits {
				t.Errorf("%s with %s %v: %v", d.schema, tt.path, tt.value, err)
			}
		}
	}
}
