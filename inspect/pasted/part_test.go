package pasted_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/pasted"
)

// A part of what a supervisor prints is read where it is whole, and says that it is
// a part; one of no use says so too, and is not silently kept.
func TestPartsAreReadOrSaid(t *testing.T) {
	const statuses = `[{"name":"worker","restartCount":1,"state":{"running":{"startedAt":"2026-10-05T09:30:20Z"}},"lastState":{"terminated":{"exitCode":139,"startedAt":"2026-10-05T08:00:00Z","finishedAt":"2026-10-05T09:30:18Z"}}}]`
	const state = `"State": {"Status":"running","Running":true,"Pid":4120,"StartedAt":"2026-10-05T08:00:00Z","FinishedAt":"0001-01-01T00:00:00Z"}`
	for _, tt := range []struct {
		command, printed string
		read             int
		status           evidence.Status
		why              string
	}{
		{"kubectl get pod w-0 -o json | jq .status.containerStatuses", statuses, 1, evidence.Truncated, "only a part was printed"},
		{"kubectl get pod w-0 -o jsonpath='{.status}'", `{"containerStatuses":` + statuses + `}`, 1, evidence.Truncated, "only a part was printed"},
		{"kubectl get pod w-0 -o json | jq '.status.containerStatuses[].name'", `"worker"`, 0, evidence.OK, "a part was cut out"},
		{"kubectl get pod w-0 -o jsonpath='{.status.phase}'", "Running", 0, evidence.OK, "a part was cut out"},
		{"kubectl describe pod w-0 | grep -A5 'Last State'", "    Last State:     Terminated\n      Reason:       OOMKilled\n", 0, evidence.OK, "a part was cut out"},
		{"kubectl get pods", "NAME   READY   STATUS    RESTARTS   AGE\nw-0    1/1     Running   0          2d\n", 1, evidence.OK, ""},
		{"sudo docker inspect worker | head -25", "[\n{\n\"Id\": \"5be0cd19137e\",\n" + state + ",\n\"Image\": \"x", 1, evidence.Truncated, "only a part was printed"},
		{"docker inspect worker | grep Pid", `"Pid": 4120,`, 0, evidence.OK, "a part was cut out"},
	} {
		s, got := imported(t, session("fig-1$ "+tt.command+"\n"+tt.printed+"\n"), pasted.Options{Subject: evidence.Subject{Key: "lk", Container: "worker"}})
		i := slices.IndexFunc(got.Probes, func(p evidence.Probe) bool {
			return strings.HasPrefix(p.Name, "pod/") || strings.HasPrefix(p.Name, "container/")
		})
		if p := got.Probes[i]; p.Status != tt.status || !strings.Contains(p.Why, tt.why) || (tt.why == "") != (p.Why == "") || len(s.Host.Containers) != tt.read {
			t.Errorf("%s: %d containers read, %s %q", tt.command, len(s.Host.Containers), p.Status, p.Why)
		}
		if strings.Contains(tt.printed, state) && !slices.ContainsFunc(got.Capture.Vantages[0].Candidates, func(c evidence.Candidate) bool { return c.Pid == 4120 }) {
			t.Errorf("%s: its process is no candidate: %+v", tt.command, got.Capture.Vantages[0].Candidates)
		}
	}
}
