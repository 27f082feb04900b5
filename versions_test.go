package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
)

// Bundles stay readable for ever: one of each schema version is kept as it was frozen,
// and its bytes with it.
func TestBundlesOfEveryVersionStayReadable(t *testing.T) {
	paths, err := filepath.Glob("testdata/versions/*.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("testdata/versions/README.md")
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]bool{}
	for _, path := range paths {
		major, label, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".tar.gz"), "-")
		kept[major] = true
		t.Run(filepath.Base(path), func(t *testing.T) {
			archive, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(archive)
			if !bytes.Contains(readme, []byte(hex.EncodeToString(sum[:]))) {
				t.Error("it was frozen anew: its SHA-256 is not the one that README.md keeps")
			}
			stayReadable(t, archive, major, evidence.Label(label))
		})
	}
	for _, name := range []string{evidence.CaptureSchema, evidence.ProbesSchema, evidence.SnapshotSchema, evidence.VerdictSchema} {
		for major := 1; major <= majorOf(t, name); major++ {
			if !kept[strconv.Itoa(major)] {
				t.Errorf("no bundle of version %d is kept, and %s is written", major, name)
			}
		}
	}
}

// majorOf is the major version in lockscene/KIND/MAJOR.MINOR.
func majorOf(t *testing.T, schema string) int {
	t.Helper()
	text, _, _ := strings.Cut(schema[strings.LastIndexByte(schema, '/')+1:], ".")
	major, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%q names no version", schema)
	}
	return major
}

func stayReadable(t *testing.T, archive []byte, major string, label evidence.Label) {
	b, problems, err := evidence.OpenChecked(bytes.NewReader(archive))
	if err != nil || len(problems) > 0 {
		t.Fatalf("%v, %v", err, problems)
	}
	highest := 0
	for _, schema := range []string{b.Capture.Schema, b.Snapshot.Schema, b.Verdict.Schema} {
		highest = max(highest, majorOf(t, schema))
	}
	if strconv.Itoa(highest) != major {
		t.Errorf("its documents are of version %d, and it is kept for version %s", highest, major)
	}
	again, problems := evidence.Rederive(b, inspect.Parse, classify.Judge)
	for _, p := range problems {
		if p.Kind != evidence.OtherRules {
			t.Errorf("%s: %s: %s", p.Kind, p.Path, p.Text)
		}
	}
	if v := classify.Judge(again.Snapshot); v.Label != label || b.Verdict.Label != label {
		t.Errorf("said %s, judged %s today, want %s", b.Verdict.Label, v.Label, label)
	}
}
