package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The repository's laws. Each is a sentence of the design; the test is what
// keeps it true.

const module = "github.com/lockscene/lockscene"

// A unit is one parsed Go file, with its folder as its package.
type unit struct {
	path string // from the repository's root
	dir  string
	test bool
	src  []byte
	file *ast.File
	set  *token.FileSet
}

func units(t *testing.T) []unit {
	t.Helper()
	var out []unit
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != "." {
			if d != nil && d.IsDir() && err == nil {
				return filepath.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		set := token.NewFileSet()
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(set, path, src, parser.ParseComments)
		if err != nil {
			return err
		}
		out = append(out, unit{path, filepath.ToSlash(filepath.Dir(path)), strings.HasSuffix(path, "_test.go"), src, file, set})
		return nil
	})
	if err != nil || len(out) < 50 {
		t.Fatalf("read the tree: %v, %d files", err, len(out))
	}
	return out
}

func imports(u unit) []string {
	var out []string
	for _, i := range u.file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		out = append(out, path)
	}
	return out
}

// room is the top folder of a package: the verb it belongs to.
func room(dir string) string { top, _, _ := strings.Cut(dir, "/"); return top }

func product(u unit) bool { return !u.test && room(u.dir) != "testdata" }

// Imports are a star: the rooms know evidence and themselves, never each other.
func TestLawStar(t *testing.T) {
	for _, u := range units(t) {
		if !product(u) || u.dir == "." {
			continue
		}
		for _, path := range imports(u) {
			rest, ours := strings.CutPrefix(path, module+"/")
			if !ours {
				continue
			}
			if to := room(rest); to != "evidence" && to != room(u.dir) || room(u.dir) == "evidence" {
				t.Errorf("%s imports %s: rooms share only evidence", u.path, rest)
			}
		}
	}
}

// What touches the world stays in inspect and the doors.
func TestLawPure(t *testing.T) {
	banned := map[string]string{
		"os": "reads the machine", "os/exec": "runs programs", "net": "opens connections", "net/http": "opens connections",
		"github.com/redis/go-redis/v9": "talks to Redis", "github.com/spf13/cobra": "belongs to the doors",
		"golang.org/x/sys/unix": "calls the kernel", "syscall": "calls the kernel", "math/rand": "is not reproducible", "math/rand/v2": "is not reproducible",
	}
	for _, u := range units(t) {
		if !product(u) {
			continue
		}
		pure := room(u.dir) == "evidence" || room(u.dir) == "classify" || room(u.dir) == "report"
		for _, path := range imports(u) {
			if why, bad := banned[path]; bad && pure {
				t.Errorf("%s imports %s, which %s", u.path, path, why)
			}
			if strings.Contains(path, "lipgloss") && room(u.dir) != "report" {
				t.Errorf("%s imports lipgloss: looks are report's", u.path)
			}
			if path == "github.com/spf13/cobra" && u.dir != "." {
				t.Errorf("%s imports cobra: only the doors know it", u.path)
			}
		}
		if pure && bytes.Contains(u.src, []byte("time.Now(")) {
			t.Errorf("%s asks for the time: judging yesterday's bundle must not depend on today", u.path)
		}
	}
}

// No init, no package variable that changes, one package comment each.
func TestLawPlain(t *testing.T) {
	comments := map[string][]string{}
	for _, u := range units(t) {
		if u.test {
			continue
		}
		if u.file.Doc != nil {
			comments[u.dir] = append(comments[u.dir], u.path)
		} else if _, ok := comments[u.dir]; !ok {
			comments[u.dir] = nil
		}
		if slices.Contains([]string{"util", "utils", "common", "helpers", "misc", "types"}, filepath.Base(u.dir)) {
			t.Errorf("%s: a package called %s says nothing", u.path, filepath.Base(u.dir))
		}
		for _, d := range u.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Name.Name == "init" && f.Recv == nil {
				t.Errorf("%s has an init", u.path)
			}
		}
	}
	for dir, where := range comments {
		if len(where) != 1 {
			t.Errorf("%s has %d package comments: %v", dir, len(where), where)
		}
	}
	reassigned(t)
}

// reassigned looks for assignments to package variables, by name within their
// package: coarse, and enough to notice one.
func reassigned(t *testing.T) {
	vars := map[string]map[string]bool{}
	all := units(t)
	for _, u := range all {
		if !product(u) {
			continue
		}
		for _, d := range u.file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				for _, n := range s.(*ast.ValueSpec).Names {
					if vars[u.dir] == nil {
						vars[u.dir] = map[string]bool{}
					}
					vars[u.dir][n.Name] = true
				}
			}
		}
	}
	for _, u := range all {
		if !product(u) {
			continue
		}
		ast.Inspect(u.file, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok || a.Tok == token.DEFINE {
				return true
			}
			for _, lhs := range a.Lhs {
				// Obj is nil for what the file itself does not declare in a scope.
				if id, ok := lhs.(*ast.Ident); ok && vars[u.dir][id.Name] && (id.Obj == nil || id.Obj.Kind == ast.Var && u.file.Scope.Lookup(id.Name) == id.Obj) {
					t.Errorf("%s: package variable %s is assigned to", u.set.Position(a.Pos()), id.Name)
				}
			}
			return true
		})
	}
}

// Small files, small functions: caps, not goals.
func TestLawSmall(t *testing.T) {
	for _, u := range units(t) {
		if lines := bytes.Count(u.src, []byte("\n")); lines > 400 {
			t.Errorf("%s has %d lines, the cap is 400", u.path, lines)
		}
		for _, d := range u.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			from, to := u.set.Position(f.Pos()).Line, u.set.Position(f.End()).Line
			if n := to - from + 1; n > 70 {
				t.Errorf("%s:%d: %s has %d lines, the cap is 70", u.path, from, f.Name.Name, n)
			}
		}
	}
}

// The top level is the list of rooms and doors.
func TestLawTopLevel(t *testing.T) {
	out, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Logf("not a git checkout, so the top level is not checked: %v", err)
		return
	}
	rooms := []string{"inspect", "classify", "evidence", "report", "testdata", "docs", ".ci"}
	files := []string{"go.mod", "go.sum", "README.md", "CHANGELOG.md", "LICENSE", "Makefile", ".gitignore"}
	for _, path := range strings.Fields(string(out)) {
		top, _, deep := strings.Cut(path, "/")
		switch {
		case deep && slices.Contains(rooms, top), !deep && slices.Contains(files, path), !deep && strings.HasSuffix(path, ".go"):
		default:
			t.Errorf("%s has no place on the top level", path)
		}
	}
}

// The project speaks only of itself.
func TestLawOwnWords(t *testing.T) {
	out, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Logf("not a git checkout, so its words are not checked: %v", err)
		return
	}
	// Put together here so that this file does not hold what it looks for.
	words := []string{"/work" + "/", "../sha" + "red", "proxy.go" + "lang.org", "deb." + "debian.org"}
	for _, path := range strings.Fields(string(out)) {
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		for _, w := range words {
			if bytes.Contains(b, []byte(w)) {
				t.Errorf("%s mentions %s", path, w)
			}
		}
	}
}

// Every number of a third party's module has its reason in the README.
func TestLawDependenciesExplained(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mod)) {
		f := strings.Fields(line)
		if len(f) < 2 || !strings.Contains(f[0], ".") || strings.Contains(line, "// indirect") {
			continue
		}
		if !bytes.Contains(readme, []byte(f[0])) {
			t.Errorf("README.md does not say why %s is there", f[0])
		}
	}
}
