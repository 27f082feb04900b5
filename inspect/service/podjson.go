package service

import (
	"errors"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

type metadata struct {
	Name      string `json:"name" yaml:"name"`
	Namespace string `json:"namespace" yaml:"namespace"`
}

// A pod is the part of a pod that is read.
type pod struct {
	Kind     string   `json:"kind" yaml:"kind"`
	Metadata metadata `json:"metadata" yaml:"metadata"`
	Spec     struct {
		NodeName string `json:"nodeName" yaml:"nodeName"`
	} `json:"spec" yaml:"spec"`
	Status podStatus `json:"status" yaml:"status"`
}

type podStatus struct {
	Phase      string            `json:"phase" yaml:"phase"`
	Reason     string            `json:"reason" yaml:"reason"`
	Message    string            `json:"message" yaml:"message"`
	Containers []containerStatus `json:"containerStatuses" yaml:"containerStatuses"`
	Init       []containerStatus `json:"initContainerStatuses" yaml:"initContainerStatuses"`
	Ephemeral  []containerStatus `json:"ephemeralContainerStatuses" yaml:"ephemeralContainerStatuses"`
}

type containerStatus struct {
	Name      string         `json:"name" yaml:"name"`
	ID        string         `json:"containerID" yaml:"containerID"`
	Restarts  int            `json:"restartCount" yaml:"restartCount"`
	State     containerState `json:"state" yaml:"state"`
	LastState containerState `json:"lastState" yaml:"lastState"`
}

type containerState struct {
	Waiting *struct {
		Reason string `json:"reason" yaml:"reason"`
	} `json:"waiting" yaml:"waiting"`
	Running *struct {
		Started string `json:"startedAt" yaml:"startedAt"`
	} `json:"running" yaml:"running"`
	Terminated *struct {
		Exit     int    `json:"exitCode" yaml:"exitCode"`
		Signal   int    `json:"signal" yaml:"signal"`
		Reason   string `json:"reason" yaml:"reason"`
		Started  string `json:"startedAt" yaml:"startedAt"`
		Finished string `json:"finishedAt" yaml:"finishedAt"`
		ID       string `json:"containerID" yaml:"containerID"`
	} `json:"terminated" yaml:"terminated"`
}

// ParsePod reads `kubectl get pod -o json` or `-o yaml`, of one pod or a list:
// one entry for every container, and one without a name for a pod that has lost
// its containers.
func ParsePod(b []byte, f stamp.Frame) ([]evidence.Container, error) {
	var doc struct {
		pod   `yaml:",inline"`
		Items []pod `json:"items" yaml:"items"`
	}
	if err := decode("pod", b, &doc); err != nil {
		return nil, err
	}
	pods := doc.Items
	if doc.Kind == "Pod" {
		pods = []pod{doc.pod}
	}
	var out []evidence.Container
	for _, p := range pods {
		if p.Metadata.Name != "" && (p.Kind == "Pod" || p.Kind == "") && len(out) < maxItems {
			out = append(out, p.containers(f)...)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("parse pod: no pod in it")
	}
	return out, nil
}

func (p pod) containers(f stamp.Frame) []evidence.Container {
	name := qualified(p.Metadata.Namespace, p.Metadata.Name)
	var out []evidence.Container
	for _, group := range [][]containerStatus{p.Status.Containers, p.Status.Init, p.Status.Ephemeral} {
		for _, s := range group {
			c := s.container(f)
			c.Pod, c.Node = name, p.Spec.NodeName
			out = append(out, c)
		}
	}
	for i := range out {
		podReason(&out[i], p.Status.Reason)
	}
	if len(out) == 0 {
		out = append(out, evidence.Container{Pod: name, Node: p.Spec.NodeName, Status: strings.ToLower(p.Status.Phase), Reason: p.Status.Reason})
	}
	return out
}

// podReason gives a container the reason of its whole pod, such as Evicted or
// NodeLost: it says why the runtime stopped it. OOMKilled says more.
func podReason(c *evidence.Container, reason string) {
	if reason != "" && c.Reason != "OOMKilled" {
		c.Reason = reason
	}
}

func (s containerStatus) container(f stamp.Frame) evidence.Container {
	c := evidence.Container{Name: s.Name, ID: bareID(s.ID), Restarts: s.Restarts, Status: "waiting"}
	switch st := s.State; {
	case st.Running != nil:
		c.Status, c.Started = "running", podTime(f, st.Running.Started)
	case st.Terminated != nil:
		run := st.run(f)
		c.Status, c.Reason, c.Started, c.Finished = "exited", run.Reason, run.Started, run.Finished
		c.Exit = evidence.Saw("pod/exitCode", run.Exit)
		c.OOMKilled = run.Reason == "OOMKilled"
	case st.Waiting != nil:
		c.Reason = st.Waiting.Reason
	}
	if s.LastState.Terminated != nil {
		c.Previous = s.LastState.run(f)
	}
	return c
}

func (s containerState) run(f stamp.Frame) *evidence.Run {
	t := s.Terminated
	return &evidence.Run{
		Reason: t.Reason, Exit: t.Exit, Signal: t.Signal, ID: bareID(t.ID),
		Started: podTime(f, t.Started), Finished: podTime(f, t.Finished),
	}
}

// bareID takes the runtime's scheme off: containerd://9f31….
func bareID(s string) string {
	if _, id, ok := strings.Cut(s, "://"); ok {
		return id
	}
	return s
}

// podTime reads the whole seconds Kubernetes keeps. The epoch itself stands for
// a container that never started.
func podTime(f stamp.Frame, s string) evidence.Interval {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || t.Year() < 1971 {
		return evidence.Interval{}
	}
	return f.Instant(t, max(time.Second, precision(t)))
}
