package transcript

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// scan reads a text whole.
func scan(t testing.TB, text string) []Entry {
	t.Helper()
	var out []Entry
	err := Scan(strings.NewReader(text), Options{}, func(e Entry) error {
		out = append(out, e)
		return nil
	})
	if err != nil {
		t.Fatalf("scan: %v", err)
	}
	return out
}

// brief is an entry in one line: where, what, and what it printed.
//
//	user@host{container} <node/db> argv | filters → output
func brief(e Entry) string {
	var b strings.Builder
	if e.User != "" {
		b.WriteString(e.User + "@")
	}
	b.WriteString(e.Host)
	if e.In.Name != "" {
		b.WriteString("{" + e.In.Name + "}")
	}
	if r := e.Redis; r != nil {
		fmt.Fprintf(&b, " <%s/%d>", r.Addr, r.DB)
	}
	switch {
	case e.Remark:
		b.WriteString(" ## " + e.Typed)
	case e.Loose:
		b.WriteString(" loose")
	}
	for _, w := range e.Argv {
		b.WriteString(" " + strings.ReplaceAll(w, " ", "_"))
	}
	for _, f := range e.Filters {
		b.WriteString(" | " + strings.Join(f, " "))
	}
	if len(e.Output) > 0 {
		b.WriteString(" → " + strings.ReplaceAll(strings.TrimSuffix(string(e.Output), "\n"), "\n", "/"))
	}
	return strings.TrimSpace(b.String())
}

func briefs(t testing.TB, text string) []string {
	t.Helper()
	var out []string
	for _, e := range scan(t, text) {
		out = append(out, brief(e))
	}
	return out
}

// expect compares entries in brief.
func expect(t *testing.T, text string, want ...string) {
	t.Helper()
	if got := briefs(t, text); !slices.Equal(got, want) {
		t.Errorf("text:\n%s\ngot:\n  %s\nwant:\n  %s", text, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func newReader(text string) *strings.Reader { return strings.NewReader(text) }
