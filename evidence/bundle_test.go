package evidence

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

var testEnd = time.Date(2026, 11, 29, 3, 12, 11, 120_000_000, time.UTC)

// sample is a small incident with a raw file of each kind: plain, large, one
// that is also a folder, and one that already ends in .gz.
func sample() Bundle {
	stamp := Stamp{Wall: testEnd, Boot: 90 * time.Second}
	died := At(testEnd.Add(-14*time.Second), 4*time.Millisecond, Coordinator)
	return Bundle{
		Name: "lockscene-lock-orders-20261129T031211Z",
		Capture: Capture{
			Schema: CaptureSchema, Tool: "lockscene 0.1.0",
			Subject:  Subject{Key: "lock:orders", Redis: "10.0.0.5:6379"},
			Vantages: []Vantage{{Name: "owner", Host: "quince-3", BootID: "b-1", Start: stamp, End: stamp}},
		},
		Probes: []Probe{{
			Name: "redis/sample", Source: "redis/10.0.0.5:6379", Commands: []string{"TIME", "PTTL lock:orders"},
			Start: stamp, End: stamp, Status: OK, Vantage: "owner", File: "owner/redis/sample", Bytes: 12,
		}},
		Raw: map[string][]byte{
			"owner/redis/sample":         []byte("*2\r\n:1\r\n:2\r\n"),
			"owner/redis/clients":        bytes.Repeat([]byte("id=7 addr=10.0.0.9:4411\n"), 60_000),
			"owner/proc/41207/task":      []byte("1\n"),
			"owner/proc/41207/task/1/st": []byte("S"),
			"owner/pasted/kern.log.gz":   []byte("not really gzip"),
		},
		Snapshot: Snapshot{
			Schema: SnapshotSchema, Subject: Subject{Key: "lock:orders", Redis: "10.0.0.5:6379"},
			Looks:   []Look{{PTTL: Saw("redis/pttl", int64(11_500))}},
			Sources: map[string]Outcome{"redis/sample": {Status: OK, Reads: 1}},
		},
		Timeline: []Event{{At: died, What: "killed", Lane: LaneOwner, Text: "out of memory", Source: "kernel/kmsg"}},
		Verdict: Verdict{
			Schema: VerdictSchema, Rules: Rules, Key: "lock:orders", Label: Crash, Cause: "oom-kill", Grade: Proven,
			Open: []Label{Crash}, Also: []Label{}, Findings: []Finding{}, NotRuledOut: []Label{}, Next: []Step{},
			Answers: Answers{
				Lease: sampleAnswer("lapsing"), Owner: sampleAnswer("gone"), Path: sampleAnswer(Unknown),
				Clock: sampleAnswer("steady"), Coordinator: sampleAnswer("kept"),
			},
			Times: Times{Disappeared: &died},
		},
		Report: "# crash\n", Summary: "crash\n", Access: "# access\n",
	}
}

func sampleAnswer(value string) Answer {
	return Answer{Value: value, Possible: []string{value}, Because: []Citation{}, Missing: []Citation{}}
}

func freeze(t testing.TB, b Bundle) []byte {
	t.Helper()
	var buf bytes.Buffer
	sum, n, err := Freeze(&buf, b)
	if err != nil {
		t.Fatal(err)
	}
	if len(sum) != 64 || n != int64(buf.Len()) {
		t.Fatalf("Freeze says sha256 %q and %d bytes, wrote %d", sum, n, buf.Len())
	}
	return buf.Bytes()
}

// sameBundle names the fields that differ, without printing raw files.
func sameBundle(t testing.TB, got, want Bundle) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range g.NumField() {
		if !reflect.DeepEqual(g.Field(i).Interface(), w.Field(i).Interface()) {
			t.Errorf("field %s differs: got %.500v, want %.500v", g.Type().Field(i).Name, g.Field(i), w.Field(i))
		}
	}
}

func TestRoundTrip(t *testing.T) {
	want := sample()
	got, err := Open(bytes.NewReader(freeze(t, want)))
	if err != nil {
		t.Fatal(err)
	}
	sameBundle(t, got, want)
	if problems, err := Check(bytes.NewReader(freeze(t, want))); err != nil || len(problems) > 0 {
		t.Errorf("Check of a fresh bundle: %v, %v", problems, err)
	}
}

func TestFreezeIsDeterministic(t *testing.T) {
	first := freeze(t, sample())
	for range 5 {
		if !bytes.Equal(first, freeze(t, sample())) {
			t.Fatal("the same bundle gave other bytes")
		}
	}
	other := sample()
	other.Capture.Note = "seen twice this week"
	if bytes.Equal(first, freeze(t, other)) {
		t.Error("another bundle gave the same bytes")
	}
}

// TestUnpackedByPlainTools is the promise made to people without this program.
func TestUnpackedByPlainTools(t *testing.T) {
	dir := t.TempDir()
	archive := filepath.Join(dir, "x.tar.gz")
	want := sample()
	want.Signature = "-----BEGIN SSH SIGNATURE-----\n"
	if err := os.WriteFile(archive, freeze(t, want), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("sh", "-ec", `tar xzf x.tar.gz && cd "$1" && sha256sum -c manifest-sha256.txt && sha256sum -c tagmanifest-sha256.txt`, "sh", want.Name)
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	unpacked := os.DirFS(filepath.Join(dir, want.Name))
	got, err := OpenFS(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	sameBundle(t, got, want)
	if problems, err := CheckFS(unpacked); err != nil || len(problems) > 0 {
		t.Errorf("CheckFS: %v, %v", problems, err)
	}
	info, err := fs.Stat(unpacked, "data/verdict.json")
	if err != nil || !info.ModTime().Equal(testEnd.Truncate(time.Second)) || info.Mode().Perm() != 0o644 {
		t.Errorf("verdict.json has time %v and mode %v (%v)", info.ModTime(), info.Mode(), err)
	}
}

func TestOpenFSOfOneFolder(t *testing.T) {
	files := fstest.MapFS{}
	all, err := sample().files()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range all {
		files["some-folder/"+name] = &fstest.MapFile{Data: data}
	}
	got, err := OpenFS(files)
	if err != nil || got.Name != "some-folder" || got.Verdict.Label != Crash {
		t.Errorf("got %q %q, %v", got.Name, got.Verdict.Label, err)
	}
}

func TestFreezeRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Bundle)
		want   string
	}{
		{"no schema", func(b *Bundle) { b.Snapshot.Schema = "" }, "data/snapshot.json has schema"},
		{"raw path that climbs", func(b *Bundle) { b.Raw["../x"] = nil }, "leaves its folder"},
		{"raw path with a space", func(b *Bundle) { b.Raw["a b"] = nil }, "unsafe name"},
		{"raw file too large", func(b *Bundle) { b.Raw["a"] = make([]byte, maxMember+1) }, "more than a reader accepts"},
		{"folder in the name", func(b *Bundle) { b.Name = "a/b" }, "cannot be a folder"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := sample()
			tt.change(&b)
			if _, _, err := Freeze(&bytes.Buffer{}, b); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestBundleName(t *testing.T) {
	tests := map[string]string{
		"lock:orders":            "lockscene-lock-orders-20261129T031211Z",
		"":                       "lockscene-key-20261129T031211Z",
		"::":                     "lockscene-key-20261129T031211Z",
		"a/../../b \x1b[31m":     "lockscene-a-..-..-b-31m-20261129T031211Z",
		strings.Repeat("x", 500): "lockscene-" + strings.Repeat("x", 60) + "-20261129T031211Z",
	}
	for key, want := range tests {
		if got := BundleName(key, testEnd); got != want {
			t.Errorf("BundleName(%q) = %q, want %q", key, got, want)
		}
	}
}

func TestEmptyBundleFreezes(t *testing.T) {
	b := Bundle{Capture: Capture{Schema: CaptureSchema}, Snapshot: Snapshot{Schema: SnapshotSchema}, Verdict: Verdict{Schema: VerdictSchema}}
	got, err := Open(bytes.NewReader(freeze(t, b)))
	if err != nil || got.Name != "lockscene-key-undated" {
		t.Errorf("name %q, %v", got.Name, err)
	}
}
