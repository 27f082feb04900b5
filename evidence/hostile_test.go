package evidence

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// archive packs headers and contents as an attacker would: unchecked.
type entry struct {
	header tar.Header
	data   string
}

func pack(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	tw := tar.NewWriter(zw)
	for _, e := range entries {
		h := e.header
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		h.Mode, h.Size = 0o644, int64(len(e.data))
		if err := tw.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(tw, e.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(tw.Close(), zw.Close()); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func file(name, data string) entry { return entry{tar.Header{Name: name}, data} }

// members is the sample bundle as entries, after edit has changed its files.
func members(t testing.TB, edit func(map[string][]byte)) []entry {
	t.Helper()
	files, err := sample().files()
	if err != nil {
		t.Fatal(err)
	}
	if edit != nil {
		edit(files)
	}
	var out []entry
	for _, name := range slices.Sorted(maps.Keys(files)) {
		out = append(out, file("x/"+name, string(files[name])))
	}
	return out
}

func TestOpenRefusesHostileArchives(t *testing.T) {
	with := func(extra ...entry) []byte { return pack(t, append(members(t, nil), extra...)...) }
	replace := func(name, data string) []byte {
		return pack(t, members(t, func(files map[string][]byte) { files[name] = []byte(data) })...)
	}
	without := func(name string) []byte {
		return pack(t, members(t, func(files map[string][]byte) { delete(files, name) })...)
	}
	zeros := string(make([]byte, maxMember+1))
	whole := with()
	tests := []struct {
		name string
		data []byte
		want error
		says string
	}{
		{"nothing", nil, ErrNotBundle, ""},
		{"no gzip", []byte("hello"), ErrNotBundle, ""},
		{"gzip of text", deflate([]byte("hello")), ErrNotBundle, ""},
		{"gzip of long text", deflate(bytes.Repeat([]byte("hello "), 1000)), ErrNotBundle, ""},
		{"empty archive", pack(t), ErrNotBundle, "empty archive"},
		{"some other archive", pack(t, file("src/main.c", "int main;")), ErrNotBundle, "no bagit.txt"},
		{"two folders", with(file("y/a", "")), ErrNotBundle, "outside one folder"},
		{"cut short", whole[:len(whole)/2], ErrDamaged, ""},
		{"last bytes gone", whole[:len(whole)-4], ErrDamaged, ""},
		{"path that climbs", with(file("x/../../etc/passwd", "")), ErrDamaged, "leaves its folder"},
		{"absolute path", with(file("/etc/passwd", "")), ErrDamaged, "unsafe name"},
		{"backslash", with(file(`x\..\y`, "")), ErrDamaged, "unsafe name"},
		{"control character", with(file("x/a\x1b[2J", "")), ErrDamaged, "unsafe name"},
		{"symbolic link", with(entry{tar.Header{Name: "x/l", Typeflag: tar.TypeSymlink, Linkname: "/etc/shadow"}, ""}), ErrDamaged, "link"},
		{"hard link", with(entry{tar.Header{Name: "x/l", Typeflag: tar.TypeLink, Linkname: "x/bagit.txt"}, ""}), ErrDamaged, "link"},
		{"device", with(entry{tar.Header{Name: "x/d", Typeflag: tar.TypeChar}, ""}), ErrDamaged, "device"},
		{"fifo", with(entry{tar.Header{Name: "x/f", Typeflag: tar.TypeFifo}, ""}), ErrDamaged, "special file"},
		{"duplicate member", with(file("x/data/verdict.json", "{}")), ErrDamaged, "there twice"},
		{"duplicate by dot slash", with(file("./x/data/verdict.json", "{}")), ErrDamaged, "there twice"},
		{"member too large", with(file("x/data/raw/a", zeros)), ErrDamaged, "more than"},
		{"bomb in raw", with(file("x/data/raw/a.gz", string(deflate([]byte(zeros))))), ErrDamaged, "more bytes than"},
		{"raw that is no gzip", with(file("x/data/raw/a.gz", "hello")), ErrDamaged, "inflate"},
		{"raw name twice", with(file("x/data/raw/owner/redis/sample@", "")), ErrDamaged, "ambiguous"},
		{"no verdict", without(verdictFile), ErrDamaged, "data/verdict.json is missing"},
		{"no capture", without(captureFile), ErrDamaged, "data/capture.json is missing"},
		{"newer schema", replace(snapshotFile, `{"schema":"lockscene/snapshot/2"}`), ErrNewer, "written by a newer lockscene"},
		{"other schema", replace(snapshotFile, `{"schema":"lockscene/verdict/1"}`), ErrDamaged, "has schema"},
		{"no json", replace(verdictFile, "{"), ErrDamaged, "data/verdict.json"},
		{"two documents", replace(verdictFile, `{"schema":"lockscene/verdict/1"} {}`), ErrDamaged, "data/verdict.json"},
		{"key twice", replace(verdictFile, `{"schema":"lockscene/verdict/1","label":"crash","label":"none"}`), ErrDamaged, "duplicate"},
		{"deep json", replace(snapshotFile, `{"schema":"lockscene/snapshot/1","x":`+strings.Repeat("[", 100_000)), ErrDamaged, "exceeded max depth"},
		{"many processes", replace(snapshotFile, `{"schema":"lockscene/snapshot/1","processes":[{}`+strings.Repeat(",{}", maxLarge)+`]}`), ErrDamaged, "more than"},
		{"many elements", replace(probesFile, `{"schema":"lockscene/probes/1","probes":[{}`+strings.Repeat(",{}", maxElements)+`]}`), ErrDamaged, "more than"},
		{"endless line of timeline", replace(timelineFile, strings.Repeat(" ", maxEventLine)+"{}"), ErrDamaged, "timeline"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Open(bytes.NewReader(tt.data))
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want %v with %q", err, tt.want, tt.says)
			}
		})
	}
}

func TestOpenRefusesBombs(t *testing.T) {
	many := make([]entry, 0, maxMembers+1)
	for i := range maxMembers + 1 {
		many = append(many, file("x/"+strings.Repeat("a", 1+i/100)[:min(1+i/100, 200)]+"/"+string(rune('a'+i%26))+strings.Repeat("b", i%100), ""))
	}
	if _, err := Open(bytes.NewReader(pack(t, many...))); !errors.Is(err, ErrDamaged) {
		t.Errorf("many members: %v", err)
	}
	// 600 MiB of zeros in small members, some hundred kilobytes packed.
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	tw := tar.NewWriter(zw)
	chunk := make([]byte, 60<<20)
	for i := range 10 {
		h := tar.Header{Name: "x/data/raw/" + string(rune('a'+i)), Typeflag: tar.TypeReg, Size: int64(len(chunk))}
		if err := tw.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := tw.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(tw.Close(), zw.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Check(&buf); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "more bytes than") {
		t.Errorf("inflating too far: %v", err)
	}
}

func TestHiddenTailIsRefused(t *testing.T) {
	var plain bytes.Buffer
	z, err := gzip.NewReader(bytes.NewReader(freeze(t, sample())))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plain.ReadFrom(z); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(bytes.NewReader(deflate(append(plain.Bytes(), make([]byte, 9000)...)))); err != nil {
		t.Errorf("zeros behind the end, as tar pads: %v", err)
	}
	if _, err := Open(bytes.NewReader(deflate(append(plain.Bytes(), "secret"...)))); !errors.Is(err, ErrDamaged) {
		t.Errorf("data behind the end: %v", err)
	}
}

func TestOpenFSRefusesLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("/etc/passwd", dir+"/bagit.txt"); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFS(os.DirFS(dir)); !errors.Is(err, ErrDamaged) {
		t.Errorf("symbolic link: %v", err)
	}
	if _, err := OpenFS(fstest.MapFS{}); !errors.Is(err, ErrNotBundle) {
		t.Errorf("empty folder: %v", err)
	}
}

// FuzzOpen mutates the archive before it is compressed, since a checksum stops
// nearly every mutation after.
func FuzzOpen(f *testing.F) {
	for _, packed := range [][]byte{
		freeze(f, Bundle{
			Capture: Capture{Schema: CaptureSchema}, Snapshot: Snapshot{Schema: SnapshotSchema}, Verdict: Verdict{Schema: VerdictSchema},
			Raw: map[string][]byte{"a/b.gz": []byte("x")},
		}),
		pack(f, file("x/bagit.txt", bagitText)),
	} {
		plain, err := inflate(packed, maxTotal)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(plain)
	}
	f.Fuzz(func(t *testing.T, plain []byte) {
		b, err := Open(bytes.NewReader(deflate(plain)))
		if err != nil {
			if !errors.Is(err, ErrNotBundle) && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNewer) {
				t.Errorf("error without a kind: %v", err)
			}
			return
		}
		for key := range b.Raw {
			if err := checkPath(key); err != nil {
				t.Errorf("raw key: %v", err)
			}
		}
		if _, _, err := Freeze(io.Discard, b); err != nil {
			t.Errorf("what was opened cannot be frozen: %v", err)
		}
	})
}

func FuzzVerdictJSON(f *testing.F) {
	f.Add([]byte(`{"schema":"lockscene/verdict/1","open":["crash"],"times":{"acquired":{"from":"2026-11-29T03:12:11Z"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var v Verdict
		if decodeJSON(data, &v) != nil {
			return
		}
		if _, err := Line(v); err != nil {
			t.Errorf("what was read cannot be written: %v", err)
		}
	})
}
