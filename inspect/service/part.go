package service

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/shell"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// A part of a document is what kubectl get or docker inspect print once jq, a
// template or a line filter has cut something out. The command says what the
// text no longer does: whose it is, and where in the whole the part stood.

// errPart is the refusal of a part in which nothing is whole that is read.
var errPart = errors.New("a part was cut out, and nothing that is read stands whole in it")

// ParsePodPart reads a part of what `kubectl get pod -o json` or `-o yaml` prints.
// A container is taken only where its name and its state stand in it to the last
// field: of a run without a name nobody can say whether it is a sidecar's.
func ParsePodPart(argv []string, filters [][]string, b []byte, f stamp.Frame) ([]evidence.Container, error) {
	if err := bounded("pod", b); err != nil {
		return nil, err
	}
	var statuses []byte
	path, plain := pathOf(argv, filters)
	switch {
	case plain:
		if values := documents(b); len(values) > 0 {
			statuses, _ = json.Marshal(wrap(path, values))
		}
	case contiguous(filters):
		statuses = podFragment(b)
	}
	var p pod
	if len(statuses) == 0 || decode("pod", statuses, &p) != nil {
		return nil, errPart
	}
	name, namespace := podAsked(argv)
	if p.Metadata.Name == "" {
		p.Metadata = metadata{Name: name, Namespace: namespace}
	}
	if p.keepWhole(); p.Metadata.Name == "" || len(p.Status.Containers)+len(p.Status.Init)+len(p.Status.Ephemeral) == 0 {
		return nil, errPart
	}
	return p.containers(f), nil
}

// podAsked is the one pod that a command of kubectl names.
func podAsked(argv []string) (name, namespace string) {
	for i, w := range argv {
		value, attached := strings.CutPrefix(w, "--namespace=")
		switch {
		case attached:
			namespace = value
		case (w == "-n" || w == "--namespace") && i+1 < len(argv):
			namespace = argv[i+1]
		}
	}
	words := shell.Operands(argv, "-n", "--namespace", "--context", "--kubeconfig", "-o", "--output", "-s", "--server", "--cluster", "--user", "--as")
	if len(words) > 0 && words[0] == "kubectl" { // k3s kubectl
		words = words[1:]
	}
	if len(words) < 2 {
		return "", namespace
	}
	kind, of, joined := strings.Cut(words[1], "/")
	switch {
	case !strings.HasPrefix(kind, "po"):
	case joined && len(words) == 2:
		return of, namespace
	case !joined && len(words) == 3:
		return words[2], namespace
	}
	return "", namespace
}

// podFragment is what stands of a pod's status in lines that were cut out of it.
func podFragment(b []byte) []byte {
	list := member(b, "containerStatuses", '[')
	if list == nil {
		list = block(b, "containerStatuses")
	}
	if list == nil {
		return nil
	}
	var statuses any
	if decode("pod", list, &statuses) != nil {
		return nil
	}
	out, _ := json.Marshal(wrap([]string{"status", "containerStatuses"}, []any{statuses}))
	return out
}

// keepWhole drops the containers that a cut left without their name or state.
func (p *pod) keepWhole() {
	for _, list := range []*[]containerStatus{&p.Status.Containers, &p.Status.Init, &p.Status.Ephemeral} {
		var kept []containerStatus
		for _, c := range *list {
			if c.Name != "" && c.State.whole() {
				kept = append(kept, c)
			}
		}
		*list = kept
	}
}

// whole: kubectl sorts the fields, and these are the last of each state.
func (s containerState) whole() bool {
	switch {
	case s.Running != nil:
		return s.Running.Started != ""
	case s.Terminated != nil:
		return s.Terminated.Started != ""
	case s.Waiting != nil:
		return s.Waiting.Reason != ""
	}
	return false
}

// ParseDockerPart reads a part of what `docker inspect` prints: a container is
// taken only where its whole State block stands in it.
func ParseDockerPart(argv []string, filters [][]string, b []byte, f stamp.Frame) ([]evidence.Container, error) {
	if err := bounded("docker inspect", b); err != nil {
		return nil, err
	}
	var values []any
	path, plain := pathOf(argv, filters)
	switch {
	case plain:
		if values = documents(b); len(path) > 0 && (path[0] == "[]" || isNumber(path[0])) {
			path = path[1:]
		}
	case contiguous(filters):
		values = dockerFragments(b)
	}
	asked := containersAsked(argv)
	var out []evidence.Container
	for i, v := range values {
		doc, ok := wrap(path, []any{v}).(map[string]any)
		if state, whole := doc["State"].(map[string]any); !ok || !whole || state["FinishedAt"] == nil || len(out) == maxItems {
			continue
		}
		if doc["Name"] == nil && len(asked) == len(values) {
			doc["Name"] = asked[i]
		}
		text, _ := json.Marshal(doc)
		if list, err := ParseDocker(text, f); err == nil {
			out = append(out, list...)
		}
	}
	if len(out) == 0 {
		return nil, errPart
	}
	return out, nil
}

// containersAsked are the containers that a docker inspect names.
func containersAsked(argv []string) []string {
	words := shell.Operands(argv, "-H", "--host", "--context", "-c", "-n", "--namespace", "-f", "--format", "--type")
	for i, w := range words {
		if w == "inspect" {
			return words[i+1:]
		}
	}
	return nil
}

// dockerFragments are the containers of a text that was cut at its end, and of
// one that begins somewhere in the middle the State block in it.
func dockerFragments(b []byte) []any {
	if values := documents(b); len(values) == 1 {
		switch v := values[0].(type) {
		case []any:
			return v
		case map[string]any:
			return values
		}
	}
	var state any
	if text := member(b, "State", '{'); json.Unmarshal(text, &state) != nil {
		return nil
	}
	return []any{map[string]any{"State": state}}
}
