package aof

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A part is one file of a multi-part append-only file.
type part struct {
	name string
	seq  int64
	base bool
}

const maxManifest = 1 << 20

// findParts finds the append-only file in a folder and lists its parts in the
// order they are read.
func findParts(fsys fs.FS) (dir string, parts []part, err error) {
	for _, dir := range []string{".", "appendonlydir"} {
		found, _ := fs.Glob(fsys, path.Join(dir, "*.manifest"))
		found = slices.DeleteFunc(found, func(name string) bool { return strings.HasPrefix(path.Base(name), "temp") })
		switch len(found) {
		case 0:
		case 1:
			parts, err := readManifest(fsys, found[0])
			return dir, parts, err
		default:
			return "", nil, fmt.Errorf("find append-only file: %d manifests; name the folder of one", len(found))
		}
	}
	found, _ := fs.Glob(fsys, "*.aof")
	found = slices.DeleteFunc(found, func(name string) bool { return strings.HasPrefix(name, "temp") })
	if len(found) == 1 {
		return ".", []part{{name: found[0]}}, nil
	}
	return "", nil, fmt.Errorf("find append-only file: no manifest, and %d files called *.aof", len(found))
}

func readManifest(fsys fs.FS, name string) ([]part, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open manifest: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	if len(text) > maxManifest {
		return nil, errors.New("read manifest: too long to be one")
	}
	return parseManifest(text)
}

// parseManifest reads lines of `file NAME seq N type b|h|i`: the base, what a
// rewrite made needless and the server has not deleted yet, and the increments.
// The history parts are passed over: the base holds their outcome.
func parseManifest(text []byte) ([]part, error) {
	var parts []part
	for line := range bytes.Lines(text) {
		s := strings.TrimSpace(string(line))
		if s == "" || s[0] == '#' {
			continue
		}
		p, kind, ok := parseEntry(s)
		if !ok {
			return nil, fmt.Errorf("read manifest: %.60q is no entry", s)
		}
		if p.base = kind == "b"; p.base || kind == "i" {
			parts = append(parts, p)
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		if a.base != b.base {
			return cmp.Compare(rank(a), rank(b))
		}
		return cmp.Compare(a.seq, b.seq)
	})
	return parts, nil
}

// rank puts the base first.
func rank(p part) int {
	if p.base {
		return 0
	}
	return 1
}

// parseEntry reads one line. A name with blanks stands in quotes.
func parseEntry(s string) (p part, kind string, ok bool) {
	rest, ok := strings.CutPrefix(s, "file ")
	if !ok {
		return p, "", false
	}
	if strings.HasPrefix(rest, `"`) {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return p, "", false
		}
		p.name, _ = strconv.Unquote(quoted)
		rest = rest[len(quoted):]
	} else {
		p.name, rest, _ = strings.Cut(rest, " ")
	}
	words := strings.Fields(rest)
	for i := 0; i+1 < len(words); i += 2 {
		switch words[i] {
		case "seq":
			p.seq, _ = strconv.ParseInt(words[i+1], 10, 64)
		case "type":
			kind = words[i+1]
		}
	}
	// A part lies beside its manifest, never elsewhere.
	return p, kind, kind != "" && p.name != "" && p.name != ".." && !strings.ContainsAny(p.name, `/\`)
}
