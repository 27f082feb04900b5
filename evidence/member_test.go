package evidence

import (
	"strings"
	"testing"
)

func TestMemberName(t *testing.T) {
	tests := map[string]string{
		"/proc/41207/net/tcp": "proc/41207/net/tcp",
		"redis/[::1]:6379":    "redis/@5B::1@5D:6379",
		"/a/../b":             "a/@2E@2E/b",
		"/a/./b":              "a/@2E/b",
		"/a//b":               "a/@/b",
		"":                    "@",
		"/sys/fs/cgroup/x.slice/ledger@1.service": "sys/fs/cgroup/x.slice/ledger@401.service",
		"tab\tnul\x00\\": "tab@09nul@00@5C",
		"größe":          "gr@C3@B6@C3@9Fe",
	}
	for path, want := range tests {
		got := MemberName(path)
		if got != want {
			t.Errorf("MemberName(%q) = %q, want %q", path, got, want)
		}
		if err := checkPath(got); err != nil {
			t.Errorf("MemberName(%q) is no safe path: %v", path, err)
		}
	}
}

func TestMemberNameKeepsLongPathsApart(t *testing.T) {
	long := strings.Repeat("/kubepods.slice", 40)
	a, b := MemberName(long+"/a"), MemberName(long+"/b")
	if a == b || len(a) > maxMemberName || checkPath(a) != nil {
		t.Errorf("%q and %q", a, b)
	}
}

func TestStoredNamesReadBack(t *testing.T) {
	large := make([]byte, deflateAt+1)
	raw := map[string][]byte{
		"a": nil, "a/b": nil, "a/b/c": large, "x@": nil, "y@": large, "z.gz": nil, "z.gz.gz": large, "@": nil, "w.gz@": nil, "v@.gz": nil, "big": large,
	}
	seen := make(map[string]bool)
	for key, stored := range storedNames(raw) {
		got, gzipped := keyOf(stored)
		if got != key || seen[stored] {
			t.Errorf("%q is stored as %q and read back as %q", key, stored, got)
		}
		if len(raw[key]) > deflateAt && !gzipped {
			t.Errorf("%q is large and stored plain as %q", key, stored)
		}
		seen[stored] = true
	}
}

func FuzzMemberName(f *testing.F) {
	f.Add("/proc/1/stat", "proc//1")
	f.Add("../../etc", "@2E")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := MemberName(a), MemberName(b)
		if err := checkPath(x); err != nil {
			t.Errorf("%q: %v", a, err)
		}
		if x == y && strings.TrimPrefix(a, "/") != strings.TrimPrefix(b, "/") {
			t.Errorf("%q and %q share the name %q", a, b, x)
		}
	})
}
