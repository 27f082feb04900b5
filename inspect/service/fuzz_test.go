package service

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/kernel"
)

// Whatever a text holds, the parsers return, and what they return can be frozen.
func FuzzParse(f *testing.F) {
	for _, s := range []string{podYAML, podJSON, described, failed, "LAST SEEN   TYPE   REASON   OBJECT   MESSAGE\n5s   x   y   z   w\n",
		"CONTAINER ID   STATUS   NAMES\n4f3e   Exited (137) 2 minutes ago   x\n", "NAME   READY   STATUS   RESTARTS   AGE\nx   1/1   Running   4 (7m ago)   1d\n",
		"Id=a.service\nExecMainExitTimestamp=Mon 2026-11-09 18:22:06 UTC\n", "2026-11-09T18:22:06Z container die 4f (exitCode=137, name=x)\n",
		`{"status":{"id":"9f","startedAt":1}}`, "I1109 18:22:06.120456 1 a.go:1] PLEG is not healthy"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var out struct {
			Containers []evidence.Container
			Events     []evidence.ClusterEvent
			Units      []evidence.Unit
		}
		keep := func(list []evidence.Container, _ error) { out.Containers = append(out.Containers, list...) }
		keep(ParseDocker(b, frame()))
		keep(ParseDockerPS(b, frame()))
		keep(ParseCrictl(b, frame()))
		keep(ParsePod(b, frame()))
		keep(ParsePods(b, frame()))
		list, events, err := ParseDescribe(b, frame())
		keep(list, err)
		out.Events = append(events, ParseDockerEvents(b, frame())...)
		more, _ := ParseEvents(b, frame())
		records, _ := kernel.Parse(b)
		out.Events = append(append(out.Events, more...), Notices(records, frame())...)
		out.Units, _ = ParseShow(b, frame())
		units, _, _ := ParseStatus(b, frame())
		out.Units = append(out.Units, units...)
		if _, err := json.Marshal(out); err != nil {
			t.Fatal(err)
		}
	})
}

// What would cost far more than its length is refused.
func TestHostileYAML(t *testing.T) {
	for name, text := range map[string]string{
		"one mapping of many keys": strings.Repeat("a: b\n", maxYAML/5),
		"references":               "a: &a [x, x]\nitems: [*a, *a]\n",
		"too much":                 strings.Repeat("x", maxYAML+1),
		"too deep":                 strings.Repeat("[", 100_000),
	} {
		if list, err := ParsePod([]byte(text), frame()); err == nil {
			t.Errorf("%s gives %d containers", name, len(list))
		}
	}
}
