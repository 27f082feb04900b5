package service

import (
	"errors"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// ParsePods reads the table of `kubectl get pods`. It speaks of pods, not of
// their containers: an entry has no container's name, its restarts are the sum
// over all of them, and Previous dates the end
// of the latest run that a restart followed.
func ParsePods(b []byte, f stamp.Frame) ([]evidence.Container, error) {
	if err := bounded("kubectl get pods", b); err != nil {
		return nil, err
	}
	var t table
	var out []evidence.Container
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.Contains(line, "NAME") && strings.Contains(line, "READY") && strings.Contains(line, "STATUS") {
			t = headings(line)
			continue
		}
		name, status := t.cell(line, "NAME"), t.cell(line, "STATUS")
		if name == "" || status == "" || len(out) == maxItems {
			continue
		}
		out = append(out, podRow(t, line, name, status, f))
	}
	if !t.has("STATUS") {
		return nil, errors.New("parse kubectl get pods: no headings")
	}
	return out, nil
}

func podRow(t table, line, name, status string, f stamp.Frame) evidence.Container {
	c := evidence.Container{Pod: clip(qualified(t.cell(line, "NAMESPACE"), name)), Status: strings.ToLower(clip(status))}
	if node := t.cell(line, "NODE"); node != "<none>" {
		c.Node = clip(node)
	}
	switch status {
	case "Running", "Pending", "Succeeded", "Failed", "Unknown":
	case "Completed", "Error", "OOMKilled", "Evicted":
		// These are reasons of an end that the column puts in the phase's place.
		c.Status, c.Reason = "exited", status
		c.OOMKilled = status == "OOMKilled"
	default:
		c.Status, c.Reason = "waiting", clip(status)
	}
	restarts, ago, restarted := strings.Cut(t.cell(line, "RESTARTS"), " (")
	c.Restarts = count(restarts)
	if restarted {
		at, ok := f.Age(strings.TrimSuffix(strings.TrimSuffix(ago, ")"), " ago"))
		if ok {
			c.Previous = &evidence.Run{Exit: Untold, Finished: at}
		}
	}
	return c
}
