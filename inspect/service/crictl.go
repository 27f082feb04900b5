package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// criContainer is the part of `crictl inspect` that is read.
type criContainer struct {
	Status struct {
		ID       string `json:"id"`
		Metadata struct {
			Name    string `json:"name"`
			Attempt int    `json:"attempt"`
		} `json:"metadata"`
		State      string            `json:"state"`
		StartedAt  json.RawMessage   `json:"startedAt"`
		FinishedAt json.RawMessage   `json:"finishedAt"`
		ExitCode   int               `json:"exitCode"`
		Reason     string            `json:"reason"`
		Labels     map[string]string `json:"labels"`
	} `json:"status"`
	Info struct {
		Pid int `json:"pid"`
	} `json:"info"`
}

// ParseCrictl reads `crictl inspect` of one container, or a list of them. A
// container of this interface is one run: Kubernetes makes another for the next,
// and attempt counts them.
func ParseCrictl(b []byte, f stamp.Frame) ([]evidence.Container, error) {
	if err := bounded("crictl inspect", b); err != nil {
		return nil, err
	}
	var list []criContainer
	if text := strings.TrimSpace(string(b)); strings.HasPrefix(text, "[") {
		if err := json.Unmarshal(b, &list); err != nil {
			return nil, fmt.Errorf("parse crictl inspect: %w", err)
		}
	} else {
		list = make([]criContainer, 1)
		if err := json.Unmarshal(b, &list[0]); err != nil {
			return nil, fmt.Errorf("parse crictl inspect: %w", err)
		}
	}
	var out []evidence.Container
	for _, c := range list[:min(len(list), maxItems)] {
		if c.Status.ID == "" {
			return nil, errors.New("parse crictl inspect: entry without an id")
		}
		out = append(out, c.container(f))
	}
	return out, nil
}

func (c criContainer) container(f stamp.Frame) evidence.Container {
	s := c.Status
	out := evidence.Container{
		ID: s.ID, Name: s.Metadata.Name, Reason: s.Reason, Restarts: s.Metadata.Attempt,
		Status:    strings.ToLower(strings.TrimPrefix(s.State, "CONTAINER_")),
		Pod:       qualified(s.Labels["io.kubernetes.pod.namespace"], s.Labels["io.kubernetes.pod.name"]),
		OOMKilled: s.Reason == "OOMKilled",
		Started:   criTime(f, s.StartedAt),
	}
	if out.Status == "exited" {
		out.Exit = evidence.Saw("crictl/exitCode", s.ExitCode)
		out.Finished = criTime(f, s.FinishedAt)
	} else {
		out.Pid = c.Info.Pid
	}
	return out
}

// criTime reads a time as text, or as nanoseconds since the epoch, as older
// versions print it; zero is never.
func criTime(f stamp.Frame, raw json.RawMessage) evidence.Interval {
	var text string
	var ns int64
	if json.Unmarshal(raw, &text) == nil {
		t, err := time.Parse(time.RFC3339Nano, text)
		if err != nil || t.Year() < 1971 {
			return evidence.Interval{}
		}
		return instant(f, t)
	}
	if json.Unmarshal(raw, &ns) == nil && ns > 0 {
		return instant(f, time.Unix(0, ns).UTC())
	}
	return evidence.Interval{}
}
