package transcript

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// FuzzScan: no text is fatal, the same text gives the same entries, and every
// line of it is somebody's: a prompt's, an output's, a remark's or a code
// block's.
func FuzzScan(f *testing.F) {
	cases, _ := filepath.Glob("../../testdata/cases/*.txt")
	for _, path := range cases {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, text := range []string{
		"$ a; b && c || d\nx\ny\n", "q$ for i in 1 2; do a; b; done\n1\n2\n", "q$ x <<E\na\nE\nb\n", "```\n$ a\n```\nb\n", "> q$ a\n> b\n",
		"q$ a \\\n> b\n", "┌──(o㉿q)-[~]\n└─$ a\n", "[09:31] q$ a\n[09:30] q$ b\n", "1:1> \"\\x\n", "q$ ssh b 'a; b'\n\r\x1b[\b\xff", "## ...\n$ a\n## ^\n", "\ufeff$ a",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		entries := scan(t, string(text))
		if again := scan(t, string(text)); !slices.EqualFunc(entries, again, func(a, b Entry) bool { return brief(a) == brief(b) }) {
			t.Error("the same text gave other entries")
		}
		accountFor(t, text, entries)
	})
}

// accountFor checks that what no entry's output covers is a line of some other
// use.
func accountFor(t *testing.T, text []byte, entries []Entry) {
	t.Helper()
	last, end := 0, int64(0)
	for i, e := range entries {
		if e.Line < last && !e.Remark && !e.Loose {
			t.Errorf("entry %d goes back from line %d to %d", i, last, e.Line)
		}
		last = max(last, e.Line)
		if e.Offset < 0 || e.Bytes < 0 || e.Offset+e.Bytes > int64(len(text)) {
			t.Errorf("entry %d: %d bytes at %d of %d", i, e.Bytes, e.Offset, len(text))
			continue
		}
		if !e.Truncated && e.Loose && e.Bytes < int64(len(e.Output)) {
			t.Errorf("entry %d: %d bytes of output from %d", i, len(e.Output), e.Bytes)
		}
		if e.Offset > end {
			used(t, text, end, e.Offset, e.Line)
		}
		end = max(end, e.Offset+e.Bytes)
	}
	if end < int64(len(text)) {
		used(t, text, end, int64(len(text)), 1<<62)
	}
}

// used checks a gap between outputs: from the line of the next entry's prompt on
// it is that entry's command, and before it there are only code blocks' fences,
// first lines of prompts, and nothing.
func used(t *testing.T, text []byte, from, to int64, prompt int) {
	t.Helper()
	number := 1 + bytes.Count(text[:from], []byte("\n"))
	for line := range bytes.Lines(text[from:to]) {
		bare := strings.TrimSpace(string(clean(bytes.TrimRight(line, "\n"))))
		bare = strings.TrimPrefix(strings.TrimLeft(bare, "> \t"), "\ufeff")
		if _, _, head := headIn(bare); number < prompt && bare != "" && !isFence([]byte(bare)) && !head {
			t.Errorf("nobody has line %d: %q", number, line)
		}
		number++
	}
}

// FuzzSplit: no command line is fatal, and what is found in one is bounded.
func FuzzSplit(f *testing.F) {
	for _, typed := range []string{"a 'b' | c", "ssh h 'a; b' | c", "echo \"x\" | redis-cli", "for i in 1; do a; done", "a $(b `c", "watch 'a | b'", "x <<E", "sudo -u", "docker exec c sh -c 'a'", "\\", "((", "a 2>&1 &>b"} {
		f.Add(typed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		argv, filters := Split(typed)
		n := len(argv)
		for _, w := range filters {
			if len(w) == 0 {
				t.Error("a filter without a name")
			}
			n += len(w)
		}
		if n > len(typed)+1 {
			t.Errorf("%d words of %d bytes", n, len(typed))
		}
	})
}
