package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/lockscene/lockscene/evidence"
)

// A document is one kind of JSON that lockscene writes.
type document struct {
	schema string // its name and major version
	file   string // the member of a bundle that holds it, or empty
	where  string
	is     reflect.Type
}

// writtenProbes is probes.json; evidence keeps its own type to itself.
type writtenProbes struct {
	Schema string           `json:"schema"`
	Probes []evidence.Probe `json:"probes"` // in the order in which they ended
}

// documents are all that have a schema. The last two stand in no bundle, and of the
// timeline each line is one.
func documents() []document {
	return []document{
		{evidence.CaptureSchema, "data/capture.json", "capture.json of a bundle.", reflect.TypeFor[evidence.Capture]()},
		{evidence.ProbesSchema, "data/probes.json", "probes.json of a bundle: every read.", reflect.TypeFor[writtenProbes]()},
		{evidence.SnapshotSchema, "data/snapshot.json", "snapshot.json of a bundle.", reflect.TypeFor[evidence.Snapshot]()},
		{evidence.VerdictSchema, "data/verdict.json", "verdict.json of a bundle, and what classify and report print with --format json.", reflect.TypeFor[evidence.Verdict]()},
		{"lockscene/timeline/1", "data/timeline.ndjson", "One line of timeline.ndjson of a bundle.", reflect.TypeFor[evidence.Event]()},
		{evidence.ProofSchema, "", "What prove prints with --format json.", reflect.TypeFor[evidence.Proof]()},
		{"lockscene/inspect/1", "", "What inspect, evidence import and evidence merge print with --format json.", reflect.TypeFor[answerJSON]()},
	}
}

// id is a name and no address: nothing is to be fetched to check a document.
func (d document) id() string { return "urn:" + strings.ReplaceAll(d.schema, "/", ":") }

// path is where the schema lies: evidence/schema/verdict-1.json.
func (d document) path() string {
	parts := strings.Split(d.schema, "/")
	return filepath.Join("evidence", "schema", parts[1]+"-"+parts[2]+".json")
}

var update = flag.Bool("update", false, "write the files that are generated anew")

// The files say what the types say.
func TestSchemasAreCurrent(t *testing.T) {
	for _, d := range documents() {
		root, _ := generate(t, d, published)
		want, err := evidence.Indented(root)
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(d.path(), want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(d.path())
		if err != nil {
			t.Error(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the Go types say; after a change of them run: go test . -run TestSchemasAreCurrent -update", d.path())
		}
	}
}

// compiled is a schema ready to hold documents against, at a definition or at its root.
type compiled struct {
	id       string
	compiler *jsonschema.Compiler
}

func compile(t testing.TB, id string, text []byte) compiled {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource(id, root); err != nil {
		t.Fatal(err)
	}
	return compiled{id, c}
}

func (c compiled) at(t testing.TB, fragment string) *jsonschema.Schema {
	t.Helper()
	s, err := c.compiler.Compile(c.id + fragment)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validator is for documents of a kind: by the file that is published, or by the
// stricter form of it.
func validator(t testing.TB, d document, admits admission) *jsonschema.Schema {
	t.Helper()
	if admits == published {
		text, err := os.ReadFile(d.path())
		if err != nil {
			t.Fatal(err)
		}
		return compile(t, d.id(), text).at(t, "")
	}
	root, _ := generate(t, d, admits)
	text, err := evidence.Indented(root)
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, d.id(), text).at(t, "")
}

func validate(s *jsonschema.Schema, text []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}
