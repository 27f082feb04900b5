package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

// What the pages show is what the program does: links lead somewhere, pictures are drawn
// anew, commands are played as they stand, and numbers come from the recordings.

// pages are the README and all below docs/.
func pages(t *testing.T) []string {
	t.Helper()
	out := []string{"README.md"}
	mustDo(t, filepath.WalkDir("docs", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			out = append(out, path)
		}
		return err
	}))
	if len(out) < 10 {
		t.Fatalf("only %d pages", len(out))
	}
	return out
}

// links are the targets of a page's relative links and pictures, without anchors.
func links(page string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(outsideBlocks(page), -1) {
		if target, _, _ := strings.Cut(m[1], "#"); target != "" && !strings.Contains(target, "://") {
			out = append(out, target)
		}
	}
	return out
}

// outsideBlocks is a page without its blocks.
func outsideBlocks(page string) string {
	var out strings.Builder
	for i, part := range strings.Split(page, "\n```") {
		if i%2 == 0 {
			out.WriteString(part)
		}
	}
	return out.String()
}

func TestDocsLinksLeadSomewhere(t *testing.T) {
	seen := 0
	for _, page := range pages(t) {
		for _, target := range links(textOf(t, page)) {
			seen++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), target)); err != nil {
				t.Errorf("%s links to %s: %v", page, target, err)
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d links", seen)
	}
}

const pictures = "docs/pictures"

// A picture NAME.svg is what report draws of the recording NAME, and some page shows it.
func TestDocsPicturesAreCurrent(t *testing.T) {
	shown := map[string]bool{}
	for _, page := range pages(t) {
		for _, target := range links(textOf(t, page)) {
			if path := filepath.Join(filepath.Dir(page), target); filepath.Dir(path) == pictures {
				shown[path] = true
			}
		}
	}
	for path := range shown {
		want := pictureOf(t, recording(t, strings.TrimSuffix(filepath.Base(path), ".svg")))
		if *update {
			mustDo(t, os.WriteFile(path, want, 0o644))
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what report draws (%v); look at the new one: go test . -run TestDocsPictures -update", path, err)
		}
	}
	have, err := filepath.Glob(pictures + "/*")
	mustDo(t, err)
	for _, path := range have {
		if !shown[path] {
			t.Errorf("no page shows %s", path)
		}
	}
	if len(shown) < 10 {
		t.Errorf("only %d pictures", len(shown))
	}
}

// recording is where the bundle of this name lies.
func recording(t *testing.T, name string) string {
	t.Helper()
	for _, folder := range []string{"incidents", "proofs"} {
		path := filepath.Join("testdata", folder, name+".tar.gz")
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Fatalf("no recording is called %s", name)
	return ""
}

func pictureOf(t *testing.T, bundle string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"report", bundle, "--format", "svg"}, &out, &errs); code != exitNone {
		t.Fatalf("draw %s: exit %d: %s", bundle, code, errs.String())
	}
	return out.Bytes()
}

// Every label has its page, and that page a recording that is judged so.
func TestDocsHaveEveryLabel(t *testing.T) {
	index := textOf(t, "docs/labels/README.md")
	for _, label := range mustExplain()["labels"] {
		page := textOf(t, "docs/labels/"+label+".md")
		if !strings.Contains(index, "("+label+".md)") {
			t.Errorf("docs/labels/README.md does not lead to %s", label)
		}
		first := regexp.MustCompile(`testdata/(?:incidents|proofs)/[a-z0-9-]+\.tar\.gz`).FindString(page)
		if first == "" {
			t.Errorf("%s has no recording", label)
			continue
		}
		var out, errs bytes.Buffer
		if run(t.Context(), []string{"classify", first, "--expect", label}, &out, &errs) != exitNone {
			t.Errorf("docs/labels/%s.md shows %s: %s", label, first, errs.String())
		}
		if !strings.Contains(page, "`lockscene explain "+label+"`") {
			t.Errorf("docs/labels/%s.md does not name its text", label)
		}
	}
}

// A shownStep is one command of a page and what the page shows of its output.
type shownStep struct {
	command string
	shown   []string
}

// shownSteps are the commands in a page's blocks: lines that begin with "$ ", as in docs/bundle.md.
func shownSteps(page string) []shownStep {
	var out []shownStep
	for i, block := range strings.Split("\n"+page, "\n```") {
		if i%2 == 0 {
			continue
		}
		inside := false
		for _, line := range strings.Split(block, "\n")[1:] {
			command, is := strings.CutPrefix(line, "$ ")
			switch {
			case is:
				out, inside = append(out, shownStep{command: command}), true
			case inside:
				out[len(out)-1].shown = append(out[len(out)-1].shown, strings.TrimRight(line, " "))
			}
		}
	}
	return out
}

// Every page is played from top to bottom in a folder of its own, as a reader would.
func TestDocsCommandsSayWhatIsShown(t *testing.T) {
	seen := 0
	for _, page := range pages(t) {
		text := textOf(t, page)
		if len(shownSteps(text)) == 0 {
			continue
		}
		seen += len(shownSteps(text))
		t.Run(page, func(t *testing.T) {
			if _, err := exec.LookPath("jq"); err != nil && strings.Contains(text, "jq ") {
				t.Skip("NOT RUN: no jq here; make setup installs it where it can")
			}
			for i, said := range played(t, shownSteps(text)) {
				s := shownSteps(text)[i]
				if missing := unsaid(s.shown, strings.Split(said, "\n")); missing != "" {
					t.Errorf("$ %s\ndoes not say, where the page has it:\n%s\nbut:\n%s", s.command, missing, said)
				}
			}
			if strings.HasPrefix(page, "docs/labels/") || page == "docs/walkthrough.md" {
				numbersAreRead(t, text)
			}
		})
	}
	if seen < 40 {
		t.Errorf("only %d commands", seen)
	}
}

// played runs the steps in one shell: a folder that one made is there for the next, and
// $? is the last one's.
func played(t *testing.T, all []shownStep) []string {
	t.Helper()
	dir, out := t.TempDir(), t.TempDir()
	mustDo(t, os.Symlink(filepath.Join(mustWd(t), "testdata"), filepath.Join(dir, "testdata")))
	mustDo(t, os.Symlink(filepath.Join(mustWd(t), "docs"), filepath.Join(dir, "docs")))
	var script strings.Builder
	for i, s := range all {
		n := strconv.Itoa(i)
		script.WriteString("{ " + s.command + "\n} >" + out + "/" + n + " 2>&1\nlast=$?\necho $last >" + out + "/" + n + ".code\n(exit $last)\n")
	}
	cmd := exec.Command("sh", "-c", script.String()+"exit 0\n")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "TERM=dumb", "LANG=C.UTF-8", "TZ=UTC", "COLUMNS=80", "SSH_AUTH_SOCK=")
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("play: %v: %s", err, b)
	}
	var said []string
	for i, s := range all {
		path := filepath.Join(out, strconv.Itoa(i))
		said = append(said, textOf(t, path))
		switch code := strings.TrimSpace(textOf(t, path+".code")); code {
		case "1", "2", "126", "127", "130":
			t.Errorf("$ %s\nends with %s: %s", s.command, code, said[i])
		}
	}
	return said
}

// unsaid is the first run of shown lines that the output has not, in order. A line of
// three dots stands for any lines left out, three dots at a line's end for its rest.
func unsaid(shown, said []string) string {
	from := 0
	for _, run := range runs(shown) {
		at := slices.IndexFunc(starts(said, from, len(run)), func(at []string) bool { return slices.EqualFunc(run, at, shows) })
		if at < 0 {
			return strings.Join(run, "\n")
		}
		from += at + len(run)
	}
	return ""
}

func shows(shown, said string) bool {
	said = strings.TrimRight(said, " \r")
	begin, cut := strings.CutSuffix(shown, " ...")
	return shown == said || cut && strings.HasPrefix(said, begin)
}

// runs are the lines between those of three dots.
func runs(shown []string) [][]string {
	out := [][]string{nil}
	for _, line := range shown {
		if line == "..." {
			out = append(out, nil)
			continue
		}
		out[len(out)-1] = append(out[len(out)-1], line)
	}
	return slices.DeleteFunc(out, func(run []string) bool { return len(run) == 0 })
}

// starts are all stretches of n lines from a line on.
func starts(lines []string, from, n int) [][]string {
	var out [][]string
	for i := from; i+n <= len(lines); i++ {
		out = append(out, lines[i:i+n])
	}
	return out
}

// numbersAreRead holds each number and each quotation of the prose against the recordings
// that the page names: what the report says in full, and the snapshot.
func numbersAreRead(t *testing.T, page string) {
	t.Helper()
	known := recordedIn(t, page)
	text := regexp.MustCompile(`\]\([^)]*\)`).ReplaceAllString(outsideBlocks(page), "]")
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(text, -1) {
		if strings.ContainsAny(m[1], "0123456789") && !strings.Contains(m[1], "testdata/") && !strings.HasPrefix(m[1], "lockscene ") && !strings.Contains(known, m[1]) {
			t.Errorf("no recording of this page says %q", m[1])
		}
	}
	text = regexp.MustCompile("`[^`\n]+`").ReplaceAllString(text, "")
	for _, n := range regexp.MustCompile(`[0-9][0-9:.,]*[0-9]|[0-9]+`).FindAllString(text, -1) {
		if !strings.Contains(known, n) {
			t.Errorf("no recording of this page says %s", n)
		}
	}
}

// recordedIn is all that is to be read in the recordings of a page.
func recordedIn(t *testing.T, page string) string {
	t.Helper()
	var all strings.Builder
	for _, path := range slices.Compact(regexp.MustCompile(`testdata/(?:incidents|proofs)/[a-z0-9-]+\.tar\.gz`).FindAllString(page, -1)) {
		var errs bytes.Buffer
		for _, args := range [][]string{{"report", path, "--full"}, {"evidence", "show", path}} {
			if code := run(t.Context(), args, &all, &errs); code != exitNone {
				t.Fatalf("%q: exit %d: %s", args, code, errs.String())
			}
		}
		b, err := openBundle(path)
		mustDo(t, err)
		for _, document := range []any{b.Snapshot, b.Verdict, b.Capture} {
			line, err := evidence.Line(document)
			mustDo(t, err)
			all.Write(line)
		}
	}
	return strings.Join(strings.Fields(all.String()), " ")
}
