package main

import (
	"encoding/json"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/report"
)

// incidents are the recorded drills that ship with the repository.
func incidents(t testing.TB) map[string]evidence.Bundle {
	t.Helper()
	paths, err := filepath.Glob("testdata/incidents/*.tar.gz")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no recorded incidents: %v", err)
	}
	out := map[string]evidence.Bundle{}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := evidence.Open(f)
		f.Close()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		out[strings.TrimSuffix(filepath.Base(path), ".tar.gz")] = b
	}
	return out
}

// Every recorded incident is judged today as it was when it was recorded, and
// has a story.
func TestIncidentsRejudge(t *testing.T) {
	for name, b := range incidents(t) {
		again, err := rejudge(b, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want, _ := evidence.Line(b.Verdict)
		got, _ := evidence.Line(again.Verdict)
		if string(want) != string(got) {
			t.Errorf("%s: judged otherwise today:\n%s%s", name, want, got)
		}
		story, err := os.ReadFile("testdata/incidents/" + name + ".md")
		if err != nil || len(story) < 80 {
			t.Errorf("%s has no story: %v", name, err)
		}
	}
}

// Less evidence can only widen what is open: hide any subset of readings, and
// the label stays, or becomes inconclusive with the old label among the open
// ones, or the old label stands among those not ruled out.
func TestLessEvidenceNeverContradicts(t *testing.T) {
	tries := 60
	if n, err := strconv.Atoi(os.Getenv("LOCKSCENE_TRIES")); err == nil {
		tries = n // a longer search, by hand
	}
	for name, b := range incidents(t) {
		random := rand.New(rand.NewPCG(7, uint64(crc32.ChecksumIEEE([]byte(name))))) // the same on every run, whatever the map's order
		full := classify.Judge(b.Snapshot)
		for range tries {
			less, hidden := hide(t, b.Snapshot, random)
			v := classify.Judge(less)
			stillDrawn(t, b, less, v)
			if allows(v, full.Label) {
				continue
			}
			t.Errorf("%s: %s became %s (open %v, not ruled out %v)\nanswers %s\nafter hiding %v", name, full.Label, v.Label, v.Open, v.NotRuledOut,
				answersOf(v), smallest(t, b.Snapshot, hidden, full.Label))
			break
		}
	}
}

func allows(v evidence.Verdict, label evidence.Label) bool {
	return v.Label == label || v.Label == evidence.Inconclusive && slices.Contains(v.Open, label) || slices.Contains(v.NotRuledOut, label)
}

func answersOf(v evidence.Verdict) string {
	a := v.Answers
	var out []string
	for _, x := range []evidence.Answer{a.Lease, a.Owner, a.Path, a.Clock, a.Coordinator} {
		out = append(out, strings.Join(x.Possible, "|"))
	}
	return strings.Join(out, " · ")
}

// copyOf is a deep copy, so that hiding never reaches the original.
func copyOf(t *testing.T, s evidence.Snapshot) evidence.Snapshot {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var out evidence.Snapshot
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// hide blanks a random subset of a copy's readings, of random density, and
// tells which by their number.
func hide(t *testing.T, s evidence.Snapshot, random *rand.Rand) (evidence.Snapshot, []int) {
	out := copyOf(t, s)
	density := random.Float64()
	var hidden []int
	n := 0
	eachReading(reflect.ValueOf(&out).Elem(), "", func(_ string, r reflect.Value) {
		if random.Float64() < density {
			r.Set(reflect.Zero(r.Type()))
			hidden = append(hidden, n)
		}
		n++
	})
	return out, hidden
}

// smallest shrinks a set of hidden readings to what still contradicts, and
// names it.
func smallest(t *testing.T, s evidence.Snapshot, hidden []int, label evidence.Label) []string {
	contradicts := func(set []int) bool {
		out := copyOf(t, s)
		n := 0
		eachReading(reflect.ValueOf(&out).Elem(), "", func(_ string, r reflect.Value) {
			if slices.Contains(set, n) {
				r.Set(reflect.Zero(r.Type()))
			}
			n++
		})
		return !allows(classify.Judge(out), label)
	}
	for i := 0; i < len(hidden); {
		less := slices.Delete(slices.Clone(hidden), i, i+1)
		if contradicts(less) {
			hidden = less
		} else {
			i++
		}
	}
	var names []string
	n := 0
	eachReading(reflect.ValueOf(&s).Elem(), "", func(name string, _ reflect.Value) {
		if slices.Contains(hidden, n) {
			names = append(names, name)
		}
		n++
	})
	return names
}

// eachReading visits every Reading of a snapshot but those of identity: hiding
// which process or which holder it is about asks a different question.
func eachReading(v reflect.Value, name string, visit func(string, reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		if strings.HasPrefix(v.Type().Name(), "Reading[") {
			visit(name, v)
			return
		}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.IsExported() && f.Name != "Value" && f.Name != "Fields" && f.Name != "Inodes" {
				eachReading(v.Field(i), name+"."+f.Name, visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachReading(v.Index(i), name+"["+string(rune('0'+i%10))+"]", visit)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			eachReading(v.Elem(), name, visit)
		}
	}
}

func BenchmarkJudge(b *testing.B) {
	var snaps []evidence.Snapshot
	for _, bundle := range incidents(b) {
		snaps = append(snaps, bundle.Snapshot)
	}
	i := 0
	for b.Loop() {
		classify.Judge(snaps[i%len(snaps)])
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "snapshots/s")
}

// stillDrawn draws what was judged, in every way: a picture that fails would take the capture
// with it.
func stillDrawn(t *testing.T, b evidence.Bundle, less evidence.Snapshot, v evidence.Verdict) {
	t.Helper()
	b.Snapshot, b.Verdict = less, v
	b.Scene = classify.Scene(less, v)
	if len(b.Scene.Lanes) > 0 && !b.Scene.To.After(b.Scene.From) {
		t.Errorf("a picture from %s to %s", b.Scene.From, b.Scene.To)
	}
	for _, err := range []error{report.Picture(io.Discard, b, report.Options{}), report.HTML(io.Discard, b)} {
		if err != nil {
			t.Error(err)
		}
	}
}
