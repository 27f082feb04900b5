package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redact"
)

func testKey() []byte { return bytes.Repeat([]byte("k"), redact.KeySize) }

func recordedIncidents(t *testing.T) []string {
	t.Helper()
	paths, _ := filepath.Glob("testdata/incidents/*.tar.gz")
	if len(paths) < 50 {
		t.Fatalf("%d incidents: the folder lost some", len(paths))
	}
	return paths
}

// Every recorded incident survives redaction: the copy is whole, re-derives, and
// is judged as the original is; and no name of the original is in it.
func TestRedactIncidents(t *testing.T) {
	for _, path := range recordedIncidents(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".tar.gz"), func(t *testing.T) {
			b, err := openBundle(path)
			if err != nil {
				t.Fatal(err)
			}
			if b, err = rejudge(b, nil); err != nil {
				t.Fatal(err)
			}
			copied, dropped, err := redacted(b, redact.Options{Key: testKey()})
			if err != nil || len(dropped) > 0 {
				t.Fatalf("redact: %v, left out %v", err, dropped)
			}
			frozen := freezeBytes(t, copied)
			sameVerdict(t, b.Verdict, copied.Verdict)
			wholeCopy(t, frozen)
			for _, name := range identifying(b) {
				for file, text := range membersOf(t, frozen) {
					if at := wordIn(text, name); at >= 0 {
						t.Errorf("%s still holds %q: …%q…", file, name, text[max(0, at-40):min(len(text), at+60)])
					}
				}
			}
		})
	}
}

func freezeBytes(t *testing.T, b evidence.Bundle) []byte {
	t.Helper()
	var buf bytes.Buffer
	if _, _, err := evidence.Freeze(&buf, b); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func wholeCopy(t *testing.T, frozen []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "copy.tar.gz")
	if err := os.WriteFile(path, frozen, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, talk strings.Builder
	if code := run(context.Background(), []string{"evidence", "verify", path}, &out, &talk); code != 0 {
		t.Errorf("verify: exit %d: %s%s", code, out.String(), talk.String())
	}
}

// sameVerdict compares all that a verdict says but the names in it.
func sameVerdict(t *testing.T, a, b evidence.Verdict) {
	t.Helper()
	if x, y := plain(a), plain(b); x != y {
		t.Errorf("judged otherwise:\n%s\n%s", x, y)
	}
}

func plain(v evidence.Verdict) string {
	var ids []string
	for _, f := range v.Findings {
		ids = append(ids, f.ID+" "+string(f.Severity))
	}
	out := fmt.Sprint(v.Label, v.Cause, v.Grade, v.Open, v.Also, v.State, v.NotRuledOut, len(v.Next), ids)
	for _, a := range []evidence.Answer{v.Answers.Lease, v.Answers.Owner, v.Answers.Path, v.Answers.Clock, v.Answers.Coordinator} {
		at, _ := evidence.Line(withoutClock(a.At))
		out += fmt.Sprint("\n", a.Value, a.Possible, a.Grade, len(a.Because), len(a.Missing), string(at))
	}
	for _, i := range []*evidence.Interval{v.Times.Acquired, v.Times.LastRenewal, v.Times.Due, v.Times.Disappeared, v.Times.LeaseEnds, v.Times.SafeRelease, v.Times.SafeTransfer} {
		at, _ := evidence.Line(withoutClock(i))
		out += "\n" + string(at)
	}
	return out
}

func withoutClock(i *evidence.Interval) *evidence.Interval {
	if i == nil {
		return nil
	}
	out := i.On("")
	return &out
}

// identifying lists what names somebody in a bundle, by looking at the snapshot
// itself: nothing of the redaction's own code is asked.
func identifying(b evidence.Bundle) []string {
	s := b.Snapshot
	out := []string{s.Subject.Key, s.Subject.Container, s.Subject.Unit}
	for _, v := range s.Vantages {
		out = append(out, v.BootID)
		if len(v.Host) > 3 {
			out = append(out, v.Host)
		}
	}
	for _, l := range s.Looks {
		out = append(out, l.Value.Value)
		for f := range strings.SplitSeq(l.Value.Value, ":") {
			if len(f) >= 6 && strings.Trim(f, "0123456789") != "" {
				out = append(out, f)
			}
		}
	}
	for _, i := range s.Node.Infos {
		out = append(out, i.RunID.Value, i.ReplID.Value)
	}
	for _, p := range s.Processes {
		for _, l := range p.Looks {
			for segment := range strings.SplitSeq(l.Cgroup.Memory, "/") {
				if strings.Contains(segment, "drill") || strings.Contains(segment, "ledger") {
					out = append(out, segment)
				}
			}
			for _, k := range l.Sockets.Value {
				out = append(out, outsideLoopback(k.Local), outsideLoopback(k.Remote))
			}
		}
	}
	for _, list := range s.Node.Clients {
		for _, c := range list.Clients.Value {
			out = append(out, outsideLoopback(c.Addr))
		}
	}
	out = append(out, "ledgerd", "drill.test", "ledger.service")
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(n string) bool { return n == "" || strings.Trim(n, "0") == "" })
}

func outsideLoopback(addr string) string {
	host := addr[:max(0, strings.LastIndexByte(addr, ':'))]
	if strings.HasPrefix(host, "127.") || host == "0.0.0.0" || strings.HasPrefix(host, "[::1") || strings.HasPrefix(host, "-") {
		return ""
	}
	return host
}

// wordIn finds a name that stands by itself.
func wordIn(text, name string) int {
	letter := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z')
	}
	for at := 0; ; at++ {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return -1
		}
		if at += i; !letter(at-1) && !letter(at+len(name)) {
			return at
		}
	}
}

// membersOf is every file of an archive, inflated, under its name; the names
// themselves stand in one more.
func membersOf(t *testing.T, archive []byte) map[string]string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for tr := tar.NewReader(z); ; {
		h, err := tr.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		if inner, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, _ = io.ReadAll(inner)
		}
		out[h.Name] = string(data)
		out["names"] += h.Name + "\n"
	}
}

// The key is made beside the bundle, for its owner's eyes only, and used again:
// the same copy comes out. A copy can be copied. A wrong key file is refused.
func TestRedactCommand(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	call := func(want int, args ...string) string {
		t.Helper()
		var out, talk strings.Builder
		if code := run(context.Background(), append([]string{"evidence", "redact"}, args...), &out, &talk); code != want {
			t.Fatalf("%v: exit %d, want %d: %s", args, code, want, talk.String())
		}
		return talk.String()
	}
	const original = "testdata/incidents/partition.tar.gz"
	if talk := call(0, original, "-o", at("a.tar.gz"), "--key-file", at("key")); !strings.Contains(talk, at("key")) {
		t.Errorf("did not say where the key is: %s", talk)
	}
	if info, err := os.Stat(at("key")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key file: %v, %v", info, err)
	}
	call(0, original, "-o", at("b.tar.gz"), "--key-file", at("key"))
	a, _ := os.ReadFile(at("a.tar.gz"))
	b, _ := os.ReadFile(at("b.tar.gz"))
	if !bytes.Equal(a, b) {
		t.Error("the same key gave another copy")
	}
	secret, _ := os.ReadFile(at("key"))
	for name, text := range membersOf(t, a) {
		if strings.Contains(text, strings.TrimSpace(string(secret))) {
			t.Errorf("%s holds the key", name)
		}
	}
	if access := membersOf(t, a); !slices.ContainsFunc(keys(access), func(n string) bool {
		return strings.HasSuffix(n, "ACCESS.md") && strings.Contains(access[n], "redacted copy")
	}) {
		t.Error("ACCESS.md does not say that this is a redacted copy")
	}
	call(0, at("a.tar.gz"), "-o", at("c.tar.gz"), "--key-file", at("other"))
	c, _ := os.ReadFile(at("c.tar.gz"))
	wholeCopy(t, c)
	call(2, original)
	os.WriteFile(at("bad"), []byte("not a key\n"), 0o600)
	call(2, original, "-o", at("d.tar.gz"), "--key-file", at("bad"))
	call(2, at("missing"), "-o", at("d.tar.gz"), "--key-file", at("never"))
	if _, err := os.Stat(at("never")); err == nil {
		t.Error("a key was made for a bundle that is not there")
	}
}

func keys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}
