package drill

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Tally counts how every drill ended, so that what was not run is said aloud.
type Tally struct {
	mu    sync.Mutex
	lines []string
	why   map[string]string // reasons, by slug
}

func (t *Tally) notRun(slug, why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.why == nil {
		t.why = map[string]string{}
	}
	t.why[slug] = why
}

func (t *Tally) end(s *Scene, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	outcome := "ok"
	switch {
	case s.T.Failed():
		outcome = "FAILED"
	case t.why[s.Row.Slug] != "":
		outcome = "NOT RUN: " + t.why[s.Row.Slug]
	case s.Lab.Bin == "":
		outcome = "injected"
	}
	said := ""
	if s.seen != nil && s.seen.Verdict.Label != "" {
		said = strings.TrimSpace(fmt.Sprint(s.seen.Verdict.Label, " ", s.seen.Verdict.Cause, " ", s.seen.Verdict.Grade))
	}
	t.lines = append(t.lines, fmt.Sprintf("%-30s %5.1fs  %-44s %s", s.Row.Slug, took.Seconds(), said, outcome))
}

// Table is one line per drill, sorted.
func (t *Tally) Table() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	slices.Sort(t.lines)
	return fmt.Sprintf("%d drills, %d not run\n%s\n", len(t.lines), len(t.why), strings.Join(t.lines, "\n"))
}

// record keeps the bundle and its story.
func (s *Scene) record() {
	s.T.Helper()
	dir := s.Lab.Record
	if dir == "" {
		return
	}
	bundle, err := os.ReadFile(s.seen.Bundle)
	s.check(err, "read the bundle")
	s.check(os.WriteFile(filepath.Join(dir, s.Row.Slug+".tar.gz"), bundle, 0o644), "record the bundle")
	if s.Lab.Script {
		s.check(os.WriteFile(filepath.Join(dir, s.Row.Slug+".txt"), s.seen.transcript, 0o644), "record the transcript")
	}
	text := fmt.Sprintf("# %s\n\n%s\n\nRight verdict: %s\n", s.Row.Slug, s.Row.Story, s.Row.Want.Label)
	s.check(os.WriteFile(filepath.Join(dir, s.Row.Slug+".md"), []byte(text), 0o644), "record the story")
}
