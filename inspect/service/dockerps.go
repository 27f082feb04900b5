package service

import (
	"errors"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// ParseDockerPS reads the table of `docker ps`, `podman ps` or `nerdctl ps`. The
// columns are found by their headings, since any of them may be left out.
func ParseDockerPS(b []byte, f stamp.Frame) ([]evidence.Container, error) {
	if err := bounded("docker ps", b); err != nil {
		return nil, err
	}
	var t table
	var out []evidence.Container
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "CONTAINER ID") || strings.Contains(line, "STATUS") && t == nil {
			t = headings(line)
			continue
		}
		if t == nil || strings.TrimSpace(line) == "" || len(out) == maxItems {
			continue
		}
		c := evidence.Container{ID: t.cell(line, "CONTAINER ID"), Name: lastName(t.cell(line, "NAMES"))}
		if dockerStatus(&c, t.cell(line, "STATUS"), f) {
			out = append(out, c)
		}
	}
	if t == nil {
		return nil, errors.New("parse docker ps: no headings")
	}
	return out, nil
}

// lastName is the container's own name among those that links gave it.
func lastName(s string) string { return clip(s[strings.LastIndexByte(s, ',')+1:]) }

// dockerStatus reads the STATUS column: "Up 3 minutes (Paused)", "Exited (137) 2
// minutes ago", "Restarting (1) 5 seconds ago", "Created", "Dead".
func dockerStatus(c *evidence.Container, s string, f stamp.Frame) bool {
	word, rest, _ := strings.Cut(s, " ")
	switch word {
	case "Up":
		c.Status = "running"
		since, note, _ := strings.Cut(rest, " (")
		if strings.HasPrefix(note, "Paused") {
			c.Status = "paused"
		}
		c.Started, _ = f.Words(since)
	case "Exited", "Restarting":
		c.Status = strings.ToLower(word)
		code, ago, ok := strings.Cut(strings.TrimPrefix(rest, "("), ") ")
		if ok && strings.Trim(code, "0123456789") == "" && code != "" {
			c.Exit = evidence.Saw("docker/ps", count(code))
		}
		c.Finished, _ = f.Words(ago)
	case "Created", "Dead", "Removal", "Initialized":
		c.Status = strings.ToLower(word)
	default:
		return false
	}
	return true
}

// ParseDockerEvents reads the lines of `docker events`: a date, the kind, what
// happened, and to whom.
//
//	2026-11-09T18:22:06.120456789Z container die 9f31… (exitCode=137, image=…, name=worker)
func ParseDockerEvents(b []byte, f stamp.Frame) []evidence.ClusterEvent {
	var out []evidence.ClusterEvent
	for line := range strings.Lines(string(b)) {
		at, rest, ok := f.Leading(strings.TrimRight(line, "\r\n"))
		rest, isContainer := strings.CutPrefix(rest, "container ")
		if !ok || !isContainer || len(out) == maxItems || len(line) > 1<<16 {
			continue
		}
		what, attributes, _ := strings.Cut(rest, " (")
		words := strings.Fields(what)
		if len(words) < 2 {
			continue
		}
		id := words[len(words)-1]
		out = append(out, evidence.ClusterEvent{
			At: at, Reason: clip(strings.TrimSuffix(words[0], ":")), Text: clip(rest),
			Object: clip("container/" + orElse(attribute(attributes, "name"), id)),
		})
	}
	return out
}

// attribute finds one of "exitCode=137, image=…, name=worker)".
func attribute(s, key string) string {
	for part := range strings.SplitSeq(strings.TrimSuffix(s, ")"), ", ") {
		if k, v, ok := strings.Cut(part, "="); ok && k == key {
			return v
		}
	}
	return ""
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
