package pasted

import (
	"bytes"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/service"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// notePart says of what a supervisor printed how much of it is read: a part that
// jq, a template or a line filter cut out is truncated, and one in which nothing
// is whole says why it is of no use.
func (im *importer) notePart(p *evidence.Probe, e entry) {
	if p.Status != evidence.OK || len(bytes.TrimSpace(e.Output)) == 0 || readWhole(p.Name, e.Output) {
		return
	}
	list, err := partOf(p.Name, e)
	switch {
	case len(list) > 0:
		p.Status, p.Truncated, p.Why = evidence.Truncated, true, "only a part was printed; what stands whole in it was read"
	case err != nil && (e.Partial() || len(e.Argv) > 0 && asksPart(e.Argv)):
		p.Truncated, p.Why = true, evidence.Clip(err.Error(), 160)
	}
}

// partOf reads the part of a document that a command printed.
func partOf(probe string, e entry) ([]evidence.Container, error) {
	switch probe {
	case "container/inspect":
		return service.ParseDockerPart(e.Argv, e.Filters, e.Output, stamp.Frame{})
	case "pod/get", "pod/describe":
		return service.ParsePodPart(e.Argv, e.Filters, e.Output, stamp.Frame{})
	}
	return nil, nil
}

// readWhole says whether the parsers of whole documents understand an output.
func readWhole(probe string, b []byte) bool {
	parsers := []func([]byte, stamp.Frame) ([]evidence.Container, error){service.ParsePod, service.ParsePods}
	switch probe {
	case "container/inspect":
		parsers = []func([]byte, stamp.Frame) ([]evidence.Container, error){service.ParseDocker, service.ParseCrictl}
	case "pod/describe":
		list, _, err := service.ParseDescribe(b, stamp.Frame{})
		return err == nil && len(list) > 0
	case "pod/get":
		if list, err := service.ParseEvents(b, stamp.Frame{}); err == nil && len(list) > 0 {
			return true
		}
	default:
		return true
	}
	for _, parse := range parsers {
		if list, err := parse(b, stamp.Frame{}); err == nil && len(list) > 0 {
			return true
		}
	}
	return false
}

// asksPart says whether a command prints by a template of its own.
func asksPart(argv []string) bool {
	for _, w := range argv {
		if anyOf(w, "jsonpath", "go-template", "custom-columns", "{{") || w == "-o" && len(argv) > 1 {
			return true
		}
	}
	return false
}
