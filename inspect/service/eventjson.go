package service

import (
	"errors"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// An event is the part of a cluster's event that is read. Its two generations
// call the dates differently.
type event struct {
	Kind      string   `json:"kind" yaml:"kind"`
	Metadata  metadata `json:"metadata" yaml:"metadata"`
	Reason    string   `json:"reason" yaml:"reason"`
	Message   string   `json:"message" yaml:"message"`
	Note      string   `json:"note" yaml:"note"`
	Count     int      `json:"count" yaml:"count"`
	First     string   `json:"firstTimestamp" yaml:"firstTimestamp"`
	Last      string   `json:"lastTimestamp" yaml:"lastTimestamp"`
	EventTime string   `json:"eventTime" yaml:"eventTime"`
	Series    *struct {
		Count int    `json:"count" yaml:"count"`
		Last  string `json:"lastObservedTime" yaml:"lastObservedTime"`
	} `json:"series" yaml:"series"`
	Object    *object `json:"involvedObject" yaml:"involvedObject"`
	Regarding *object `json:"regarding" yaml:"regarding"`
}

type object struct {
	Kind      string `json:"kind" yaml:"kind"`
	Name      string `json:"name" yaml:"name"`
	Namespace string `json:"namespace" yaml:"namespace"`
}

func parseEventList(b []byte, f stamp.Frame) ([]evidence.ClusterEvent, error) {
	var doc struct {
		event `yaml:",inline"`
		Items []event `json:"items" yaml:"items"`
	}
	if err := decode("kubectl events", b, &doc); err != nil {
		return nil, err
	}
	if doc.Kind == "Event" {
		doc.Items = []event{doc.event}
	}
	var out []evidence.ClusterEvent
	for _, e := range doc.Items[:min(len(doc.Items), maxItems)] {
		if e.Reason != "" {
			out = append(out, e.event(f))
		}
	}
	if len(out) == 0 && doc.Kind != "List" && doc.Kind != "EventList" {
		return nil, errors.New("parse kubectl events: no event in it")
	}
	return out, nil
}

func (e event) event(f stamp.Frame) evidence.ClusterEvent {
	out := evidence.ClusterEvent{Reason: clip(e.Reason), Text: clip(orElse(e.Message, e.Note)), Count: e.Count}
	first, last := orElse(e.First, e.EventTime), orElse(e.Last, e.EventTime)
	if e.Series != nil {
		out.Count, last = e.Series.Count, orElse(e.Series.Last, last)
	}
	out.At = podTime(f, last)
	if first != last {
		out.Since = podTime(f, first)
	}
	o := e.Object
	if o == nil {
		o = e.Regarding
	}
	if o != nil {
		out.Object = clip(strings.ToLower(o.Kind) + "/" + qualified(o.Namespace, o.Name))
	}
	return out
}
