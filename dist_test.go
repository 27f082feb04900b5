package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// What people install is the same bytes wherever it is built: two checkouts of
// one commit in two folders, under other zones and masks, and with GOFLAGS that
// would drop the commit.
func TestDistTwice(t *testing.T) {
	first := distOf(t, "TZ=UTC")
	second := distOf(t, "TZ=Asia/Kathmandu", "GOFLAGS=-buildvcs=false", "GOAMD64=v3", "LC_ALL=C.UTF-8")
	names := folder(t, first)
	if other := folder(t, second); !slices.Equal(names, other) {
		t.Fatalf("made %q, then %q", names, other)
	}
	for _, name := range names {
		if read(t, filepath.Join(first, name)) != read(t, filepath.Join(second, name)) {
			t.Errorf("%s: two builds of one commit differ", name)
		}
	}
	want := []string{"SHA256SUMS", "-licences.txt", "-linux-amd64"}
	if hasDpkg() {
		want = append(want, "-1_amd64.deb")
	}
	if len(names) != len(want) {
		t.Fatalf("made %q, want %q", names, want)
	}
	for i, end := range want {
		if !strings.HasSuffix(names[i], end) {
			t.Errorf("made %q, want one that ends in %q", names[i], end)
		}
	}
	sums := read(t, filepath.Join(first, "SHA256SUMS"))
	for _, name := range names[1:] {
		if !strings.Contains(sums, "  "+name+"\n") {
			t.Errorf("SHA256SUMS lacks %s", name)
		}
	}
	licences := read(t, filepath.Join(first, names[1]))
	for _, part := range []string{"MIT License", "The Go Authors", "github.com/spf13/cobra", "Apache License"} {
		if !strings.Contains(licences, part) {
			t.Errorf("%s lacks %q", names[1], part)
		}
	}
	if hasDpkg() {
		checkPackage(t, first, names[2], names[3])
	}
}

// checkPackage looks into the package with dpkg-deb, as a system would.
func checkPackage(t *testing.T, dir, binary, deb string) {
	t.Helper()
	path, root := filepath.Join(dir, deb), t.TempDir()
	said(t, "dpkg-deb", "-x", path, root)
	for _, name := range []string{
		"usr/bin/lockscene",
		"usr/share/doc/lockscene/copyright", "usr/share/doc/lockscene/licences.gz",
		"usr/share/doc/lockscene/README.md", "usr/share/doc/lockscene/docs/events.md",
		"usr/share/doc/lockscene/docs/labels/crash.md", "usr/share/doc/lockscene/docs/pictures/partition.svg",
		"usr/share/doc/lockscene/changelog.gz", "usr/share/doc/lockscene/changelog.Debian.gz",
		"usr/share/bash-completion/completions/lockscene",
	} {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil || info.Size() == 0 {
			t.Errorf("the package lacks %s: %v", name, err)
		}
	}
	for line := range strings.Lines(said(t, "dpkg-deb", "-c", path)) {
		f := strings.Fields(line)
		mode, program := "-rw-r--r--", f[len(f)-1] == "./usr/bin/lockscene"
		if strings.HasSuffix(line, "/\n") || program {
			mode = "rwxr-xr-x"
		}
		if !strings.HasSuffix(f[0], mode) || f[1] != "root/root" {
			t.Errorf("mode or owner: %s", line)
		}
	}
	for field, want := range map[string]string{"Architecture": "amd64", "Section": "admin", "Depends": "", "Recommends": ""} {
		if got := strings.TrimSpace(said(t, "dpkg-deb", "-f", path, field)); got != want {
			t.Errorf("%s: %q, want %q", field, got, want)
		}
	}
	packed := filepath.Join(root, "usr/bin/lockscene")
	if read(t, packed) != read(t, filepath.Join(dir, binary)) {
		t.Error("the package holds another program than the one beside it")
	}
	version := strings.TrimSuffix(strings.TrimPrefix(binary, "lockscene-"), "-linux-amd64")
	if runtime.GOOS+runtime.GOARCH != "linuxamd64" {
		return
	}
	if got := said(t, packed, "--version"); !strings.HasPrefix(got, "lockscene "+version+" ") {
		t.Errorf("the file is called after version %s, and the program says %q", version, got)
	}
}

// distOf makes linux/amd64 of a fresh checkout of this tree.
func distOf(t *testing.T, env ...string) string {
	t.Helper()
	dir := t.TempDir()
	tree, out := filepath.Join(dir, "tree"), filepath.Join(dir, "out")
	copyTree(t, tree)
	env = append(os.Environ(), append(env, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")...)
	for _, args := range [][]string{{"git", "init", "-q"}, {"git", "add", "-A"}, {"git", "commit", "-qm", "all"},
		{"sh", "docs/packaging/dist.sh", out, "linux/amd64"}} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = tree, env
		said, err := cmd.CombinedOutput()
		switch lacking := args[0] == "sh" && !hasDpkg(); {
		case lacking && err != nil && strings.Contains(string(said), "dpkg-deb is not installed: left out lockscene_"):
		case lacking || err != nil:
			t.Fatalf("%q: %v\n%s", args, err, said)
		case len(said) > 0:
			t.Errorf("%q is not quiet:\n%s", args, said)
		}
	}
	return out
}

// copyTree copies what a build reads: all but tests' data and hidden files.
func copyTree(t *testing.T, to string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case name == "testdata" || name == "dist" || strings.HasPrefix(name, ".") && name != ".gitignore":
		case e.IsDir():
			err = errors.Join(err, os.CopyFS(filepath.Join(to, name), os.DirFS(name)))
		case e.Type().IsRegular() && !strings.HasPrefix(name, "lockscene"):
			err = errors.Join(err, os.MkdirAll(to, 0o755), os.WriteFile(filepath.Join(to, name), []byte(read(t, name)), 0o644))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

func hasDpkg() bool {
	_, err := exec.LookPath("dpkg-deb")
	return err == nil
}

func said(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %q: %v", name, args, err)
	}
	return string(out)
}

func folder(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
