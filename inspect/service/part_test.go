package service

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

const statusesJSON = `[{"name":"worker","containerID":"containerd://9f31","restartCount":4,
 "lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled","startedAt":"2026-11-09T18:00:00Z","finishedAt":"2026-11-09T18:22:06Z"}},
 "state":{"running":{"startedAt":"2026-11-09T18:22:08Z"}}},
{"name":"proxy","restartCount":0,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]`

const stateJSON = `{"Status":"exited","Running":false,"OOMKilled":true,"Pid":0,"ExitCode":137,"StartedAt":"2026-11-09T18:00:00Z","FinishedAt":"2026-11-09T18:22:06Z"}`

const inspected = "[\n{\n\"Id\": \"5be0cd19137e\",\n\"Args\": [\n\"dist/worker.js\"\n],\n\"State\": " + stateJSON + ",\n\"Image\": \"sha256:9d1e\",\n\"ResolvConf"

// piped splits a command at its pipes, as far as these tests need it.
func piped(typed string) (argv []string, filters [][]string) {
	for i, part := range strings.Split(typed, " | ") {
		var words []string
		for w := range strings.FieldsSeq(part) {
			words = append(words, strings.ReplaceAll(strings.Trim(w, "'"), "␣", " "))
		}
		if i == 0 {
			argv = words
		} else {
			filters = append(filters, words)
		}
	}
	return argv, filters
}

func TestParts(t *testing.T) {
	for _, tt := range []struct {
		name, command, printed string
		want                   string // pod, container, status and how the run before ended; empty: nothing is read
	}{
		{"one field of a pod", "kubectl get pod ledger-0 -n pay -o json | jq .status.containerStatuses", statusesJSON, "pay/ledger-0 worker running 137, pay/ledger-0 proxy waiting"},
		{"its elements", "kubectl -n pay get po/ledger-0 -o json | jq -r '.status.containerStatuses[]'", strings.Trim(strings.Replace(statusesJSON, "},\n{\"name\":\"proxy", "}\n{\"name\":\"proxy", 1), "[]"), "pay/ledger-0 worker running 137, pay/ledger-0 proxy waiting"},
		{"a query in two steps", "kubectl get pod ledger-0 -o json | jq '.status␣|␣.containerStatuses'", statusesJSON, "ledger-0 worker running 137, ledger-0 proxy waiting"},
		{"the status", "kubectl get pod ledger-0 -o json | jq .status", `{"phase":"Running","containerStatuses":` + statusesJSON + `}`, "ledger-0 worker running 137, ledger-0 proxy waiting"},
		{"jsonpath", "kubectl get pod ledger-0 -o jsonpath='{.status}'", `{"containerStatuses":` + statusesJSON + `}`, "ledger-0 worker running 137, ledger-0 proxy waiting"},
		{"jsonpath, attached", "kubectl get pod ledger-0 -o=jsonpath={.status.containerStatuses[0]}", strings.Split(statusesJSON, ",\n{")[0][1:], "ledger-0 worker running 137"},
		{"YAML by yq", "kubectl get pod ledger-0 -o yaml | yq .status", "containerStatuses:\n- name: worker\n  restartCount: 0\n  state:\n    running:\n      startedAt: \"2026-11-09T18:22:08Z\"\n", "ledger-0 worker running"},
		{"lines of YAML", "kubectl get pod ledger-0 -o yaml | grep -A9 containerStatuses", "  containerStatuses:\n  - name: worker\n    state:\n      terminated:\n        exitCode: 1\n        startedAt: \"2026-11-09T18:22:08Z\"\n  hostIP: 10.0.0.1\n", "ledger-0 worker exited"},
		{"lines of JSON", "kubectl get pod ledger-0 -o json | tail -40", "\"x\": 1 },\n\"containerStatuses\": " + statusesJSON + ",\n\"hostIP\": \"10.0.0.1\"}}", "ledger-0 worker running 137, ledger-0 proxy waiting"},
		{"cut within the second container", "kubectl get pod ledger-0 -o json | jq .status.containerStatuses | head -20", statusesJSON[:strings.Index(statusesJSON, "CrashLoop")], "ledger-0 worker running 137"},
		{"cut within the state", "kubectl get pod ledger-0 -o yaml | grep -A4 containerStatuses", "  containerStatuses:\n  - name: worker\n    state:\n      terminated:\n        exitCode: 1\n", ""},
		{"a run without a name", "kubectl get pod ledger-0 -o json | jq .status.containerStatuses[0].lastState", `{"terminated":{"exitCode":137}}`, ""},
		{"a query that makes something", "kubectl get pod ledger-0 -o json | jq '.status.containerStatuses|map(.name)'", `["worker"]`, ""},
		{"lines missing in the middle", "kubectl get pod ledger-0 -o json | grep -v exitCode", `"containerStatuses":` + statusesJSON, ""},
		{"nobody says which pod", "kubectl get pods -o json | jq '.items[].status'", `{"containerStatuses":` + statusesJSON + `}`, ""},
		{"the head of docker inspect", "docker inspect mailer-2 | head -25", inspected, " mailer-2 exited"},
		{"sudo's head of two", "docker inspect mailer-1 mailer-2 | head -25", inspected, " 5be0cd19137e exited"},
		{"its State", "docker inspect mailer-2 | jq '.[0].State'", stateJSON, " mailer-2 exited"},
		{"its State by a template", "docker inspect --format '{{json␣.State}}' mailer-2", stateJSON, " mailer-2 exited"},
		{"lines of it", "docker inspect mailer-2 | grep -A12 State", "\"State\": " + stateJSON + ",\n\"Image\"", " mailer-2 exited"},
		{"cut within the State", "docker inspect mailer-2 | head -12", inspected[:strings.Index(inspected, `,"Pid"`)], ""},
		{"lines of the State", "docker inspect mailer-2 | grep -i oom", `"OOMKilled":true,`, ""},
	} {
		argv, filters := piped(tt.command)
		parse := ParsePodPart
		if argv[0] == "docker" {
			parse = ParseDockerPart
		}
		list, err := parse(argv, filters, []byte(tt.printed), frame())
		if got := told(list); got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s: got %q (%v), want %q", tt.name, got, err, tt.want)
		}
	}
}

func told(list []evidence.Container) string {
	var out []string
	for _, c := range list {
		name := c.Name
		if name == "" {
			name = c.ID
		}
		s := c.Pod + " " + name + " " + c.Status
		if c.Previous != nil {
			s += fmt.Sprint(" ", c.Previous.Exit)
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// Whatever is cut off the end of a part, what is read of the rest is what the
// whole says.
func TestPartsCutAnywhere(t *testing.T) {
	argv, filters := piped("docker inspect mailer-2 | head -25")
	for n := range len(inspected) {
		list, _ := ParseDockerPart(argv, filters, []byte(inspected[:n]), frame())
		if got := told(list); got != "" && (got != " mailer-2 exited" || !list[0].OOMKilled || list[0].Exit.Or(0) != 137) {
			t.Errorf("cut at %d: %s", n, got)
		}
	}
	argv, filters = piped("kubectl get pod ledger-0 -o json | jq .status.containerStatuses | head")
	for n := range len(statusesJSON) {
		list, _ := ParsePodPart(argv, filters, []byte(statusesJSON[:n]), frame())
		if got := told(list); !strings.HasPrefix("ledger-0 worker running 137, ledger-0 proxy waiting", got) {
			t.Errorf("cut at %d: %s", n, got)
		}
	}
}

func FuzzParts(f *testing.F) {
	f.Add(inspected, ".State")
	f.Add(statusesJSON, ".status.containerStatuses[]")
	f.Fuzz(func(t *testing.T, text, query string) {
		for _, program := range []string{"docker inspect a", "kubectl get pod a -o json"} {
			argv, _ := piped(program)
			for _, filters := range [][][]string{nil, {{"jq", query}}, {{"head", "-25"}}} {
				_, _ = ParseDockerPart(argv, filters, []byte(text), stamp.Frame{})
				_, _ = ParsePodPart(argv, filters, []byte(text), stamp.Frame{})
			}
		}
	})
}
