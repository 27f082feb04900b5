package shell

import (
	"path"
	"strings"
)

func hasWildcard(p string) bool { return strings.ContainsAny(p, "*?[") }

// severalPaths says whether the shell may have made several words of one.
func severalPaths(p string) bool { return hasWildcard(p) || len(braces(p)) > 1 }

// braces expands {a,b} as the shell does, so that the order is known. More
// words than anybody types are left unexpanded.
func braces(word string) []string {
	todo, done := []string{word}, []string(nil)
	for len(todo) > 0 {
		w := todo[0]
		todo = todo[1:]
		open := strings.IndexByte(w, '{')
		end := -1
		if open >= 0 {
			end = strings.IndexByte(w[open:], '}')
		}
		if end < 0 || !strings.Contains(w[open:open+end], ",") {
			done = append(done, w)
			continue
		}
		var next []string
		for choice := range strings.SplitSeq(w[open+1:open+end], ",") {
			next = append(next, w[:open]+choice+w[open+end+1:])
		}
		if todo = append(next, todo...); len(todo)+len(done) > 256 || len(w) > 4096 {
			return []string{word}
		}
	}
	return done
}

// words are the paths of a command, sorted for looking up.
type words struct {
	plain map[string]bool
	globs []string
	deep  bool // a typed folder stands for everything in it
}

// maxGlobs bounds the patterns that each line is held against. People type one
// or two.
const maxGlobs = 8

func wordsOf(paths []string, deep bool) (words, bool) {
	w := words{plain: map[string]bool{}, deep: deep}
	for _, p := range paths {
		if hasWildcard(p) {
			w.globs = append(w.globs, p)
		} else {
			w.plain[p] = true
		}
	}
	return w, len(w.globs) <= maxGlobs
}

// stands says whether a path is what one of the typed words stands for.
func (w words) stands(p string) bool {
	if w.plain[p] {
		return true
	}
	if len(p) > 1024 {
		return false
	}
	for _, g := range w.globs {
		if ok, err := path.Match(g, p); err == nil && ok {
			return true
		}
	}
	for dir := p; w.deep && len(dir) > 1; {
		dir = path.Dir(dir)
		if w.plain[dir] || w.plain[dir+"/"] {
			return true
		}
	}
	return false
}

// prefix finds the path that grep wrote before a line. A path may hold colons
// itself, so each of the first few is tried.
func (w words) prefix(line string) (p, rest string, ok bool) {
	head := line[:min(len(line), 1024)]
	for i, colons := 0, 0; colons < 8; colons++ {
		at := strings.IndexByte(head[i:], ':')
		if at < 0 {
			break
		}
		i += at
		if w.stands(head[:i]) {
			return head[:i], line[i+1:], true
		}
		i++
	}
	return "", "", false
}
