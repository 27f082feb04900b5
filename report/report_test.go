package report

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"

	"github.com/lockscene/lockscene/evidence"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const frozen = "lockscene-lock-orders-20261129T031211Z.tar.gz  41 kB  sha256 9f2c61"

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update after looking at it:\n%s", path, got)
	}
}

func text(t testing.TB, b evidence.Bundle, o Options) string {
	t.Helper()
	var out strings.Builder
	if err := Text(&out, b, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTextGolden(t *testing.T) {
	bundles := map[string]evidence.Bundle{"crash": crash(), "inconclusive": inconclusive(), "none": noneWithFindings()}
	options := map[string]Options{
		"80":       {Unicode: true, Width: 80, Frozen: frozen},
		"120":      {Unicode: true, Width: 120, Frozen: frozen},
		"80-color": {Unicode: true, Width: 80, Frozen: frozen, Color: true},
		"80-ascii": {Width: 80, Frozen: frozen},
		"120-full": {Unicode: true, Width: 120, Frozen: frozen, Full: true},
	}
	for name, b := range bundles {
		for kind, o := range options {
			t.Run(name+"-"+kind, func(t *testing.T) {
				got := text(t, b, o)
				golden(t, name+"-"+kind+".txt", got)
				checkCard(t, got, o)
			})
		}
	}
}

func checkCard(t *testing.T, got string, o Options) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if !o.Full && len(lines) > 25 {
		t.Errorf("%d lines do not fit on a screen", len(lines))
	}
	for _, l := range lines {
		// Commands are never broken, and stand alone on their line.
		if lipgloss.Width(l) > o.Width && !strings.Contains(l, "ssh quince-3") {
			t.Errorf("%d columns: %q", lipgloss.Width(l), l)
		}
		if l != strings.TrimRight(l, " ") {
			t.Errorf("trailing space: %q", l)
		}
	}
	if !o.Color && strings.Contains(got, "\x1b") {
		t.Error("escape sequences without colour")
	}
	if !o.Unicode && strings.ContainsFunc(got, func(r rune) bool { return r > 0x7e }) {
		t.Error("runes beyond ASCII")
	}
}

func TestOtherFormsGolden(t *testing.T) {
	for name, b := range map[string]evidence.Bundle{"crash": crash(), "inconclusive": inconclusive(), "none": noneWithFindings()} {
		var md, probes strings.Builder
		if err := errors.Join(Markdown(&md, b), Probes(&probes, b, Options{Unicode: true, Width: 100})); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".md", md.String())
		golden(t, name+"-summary.txt", Summary(b))
		golden(t, name+"-probes.txt", probes.String())
		golden(t, name+"-access.md", Access(b))
	}
}

func TestNoFailureNeverHidesFindings(t *testing.T) {
	got := text(t, noneWithFindings(), Options{Unicode: true})
	for _, want := range []string{"no failure found", "memory-pressure", "no-fencing-token"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing from\n%s", want, got)
		}
	}
	if strings.Contains(got, "healthy") {
		t.Error("it says healthy")
	}
}

// TestHostileStringsStayVisible feeds every field from outside with controls,
// turning marks and markup. Nothing of it may reach an output as it is.
func TestHostileStringsStayVisible(t *testing.T) {
	b := hostile()
	outputs := map[string]string{"summary": Summary(b), "access": Access(b)}
	for name, draw := range map[string]func(*bytes.Buffer) error{
		"text":     func(w *bytes.Buffer) error { return Text(w, b, Options{Unicode: true}) },
		"full":     func(w *bytes.Buffer) error { return Text(w, b, Options{Unicode: true, Full: true, Width: 120}) },
		"ascii":    func(w *bytes.Buffer) error { return Text(w, b, Options{Frozen: "a\x1b]0;b\nc"}) },
		"probes":   func(w *bytes.Buffer) error { return Probes(w, b, Options{Unicode: true, Full: true}) },
		"markdown": func(w *bytes.Buffer) error { return Markdown(w, b) },
		"json":     func(w *bytes.Buffer) error { return JSON(w, b) },
	} {
		var buf bytes.Buffer
		if err := draw(&buf); err != nil {
			t.Fatal(err)
		}
		outputs[name] = buf.String()
	}
	for name, out := range outputs {
		if !utf8.ValidString(out) {
			t.Errorf("%s is no UTF-8", name)
		}
		for _, r := range out {
			// The space of no width is our own, after an @.
			if r != '\n' && r != ' ' && r != '\u200b' && r != utf8.RuneError && !unicode.IsPrint(r) {
				t.Errorf("%s holds %U", name, r)
			}
		}
		if strings.Contains(out, "\n# y") {
			t.Errorf("%s: a newline came through", name)
		}
	}
	for _, name := range []string{"markdown", "access"} {
		checkMarkup(t, name, outputs[name])
	}
}

func checkMarkup(t *testing.T, name, out string) {
	t.Helper()
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "    ") {
			continue // a code block: nothing in it is markup
		}
		for _, raw := range []string{"<script", "@all", "](http:", "`z`"} {
			if strings.Contains(line, raw) {
				t.Errorf("%s holds raw %q in %q", name, raw, line)
			}
		}
		if !strings.HasPrefix(line, "|") && strings.Contains(strings.ReplaceAll(line, `\|`, ""), "|") {
			t.Errorf("%s: a bar came through in %q", name, line)
		}
	}
}

func TestSummaryIsBounded(t *testing.T) {
	for _, b := range []evidence.Bundle{crash(), inconclusive(), hostile()} {
		if n := utf8.RuneCountInString(Summary(b)); n > summaryLength {
			t.Errorf("%d characters", n)
		}
	}
}

func TestEmptyBundleIsDrawn(t *testing.T) {
	var b evidence.Bundle
	if got := text(t, b, Options{}); !strings.Contains(got, "no holder seen") {
		t.Errorf("got %s", got)
	}
	if err := errors.Join(Markdown(&bytes.Buffer{}, b), Probes(&bytes.Buffer{}, b, Options{})); err != nil {
		t.Error(err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestFailedWritesAreReported(t *testing.T) {
	b := crash()
	for name, err := range map[string]error{
		"text": Text(broken{}, b, Options{}), "markdown": Markdown(broken{}, b), "json": JSON(broken{}, b), "probes": Probes(broken{}, b, Options{}),
	} {
		if err == nil || !strings.Contains(err.Error(), "disk full") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
