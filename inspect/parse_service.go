package inspect

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/service"
	"github.com/lockscene/lockscene/inspect/shell"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// What supervisors say: systemd, container runtimes, Kubernetes.

// parseUnit reads what systemctl printed.
func (p *parser) parseUnit(probe evidence.Probe, b []byte) {
	if !answered(probe) {
		return
	}
	argv, _ := words(probe, "systemctl")
	verb, named := "", []string(nil)
	if args := shell.Operands(argv, "-p", "-P", "-n", "--lines", "-o", "--output", "-M", "-H"); len(args) > 0 {
		verb, named = args[0], args[1:]
	}
	f := p.frame(probe)
	var units []evidence.Unit
	var journal []byte
	switch verb {
	case "is-active", "is-failed":
		for line := range bytes.Lines(b) {
			if u, err := service.ParseIsActive(line); err == nil && len(units) < len(named) {
				units = append(units, u)
			}
		}
	case "status":
		units, journal, _ = service.ParseStatus(b, f) // what is no unit stays raw
	default:
		units, _ = service.ParseShow(b, f)
	}
	for i, u := range units {
		if u.Name == "" && i < len(named) {
			u.Name = unitName(named[i])
		}
		u.Span = spanOf(probe)
		if len(p.snap.Host.Units) < maxListed {
			p.snap.Host.Units = append(p.snap.Host.Units, u)
		}
	}
	if len(journal) > 0 {
		probe.Truncated = true // status prints the last lines only
		p.joinKernel("journal", probe, journal)
	}
}

// unitName completes a name as systemctl does.
func unitName(typed string) string {
	if typed != "" && !strings.Contains(typed, ".") {
		return typed + ".service"
	}
	return typed
}

// parseContainer reads what docker, podman, nerdctl or crictl printed.
func (p *parser) parseContainer(name string, probe evidence.Probe, b []byte) {
	if !answered(probe) {
		return
	}
	f := p.frame(probe)
	readers := []func([]byte, stamp.Frame) ([]evidence.Container, error){service.ParseDocker, service.ParseCrictl}
	switch name {
	case "ps":
		readers = readers[:0]
		readers = append(readers, service.ParseDockerPS)
	case "crictl":
		slices.Reverse(readers)
	case "events":
		p.addCluster(service.ParseDockerEvents(b, f))
		return
	}
	for _, parse := range readers {
		list, err := parse(b, f)
		if err == nil && len(list) > 0 {
			p.addContainers(probe, list)
			return
		}
	}
	if argv, filters := words(probe, "docker", "podman", "nerdctl"); name == "inspect" && argv != nil {
		list, _ := service.ParseDockerPart(argv, filters, b, f) // what is no part stays raw
		p.addContainers(probe, list)
	}
}

// parsePod reads what kubectl printed. Its dates are those of the cluster's own
// machines, which are the owner's host only where somebody typed it there.
func (p *parser) parsePod(name string, probe evidence.Probe, b []byte) {
	if !answered(probe) {
		return
	}
	f := p.frame(probe)
	if _, away := p.places.away[probe.Vantage]; away {
		f.Clock = "app:kubernetes"
		f.Now.Clock = f.Clock
	}
	if name == "describe" {
		list, happened, _ := service.ParseDescribe(b, f) // what is no pod stays raw
		p.addContainers(probe, list)
		p.addCluster(happened)
		return
	}
	if happened, err := service.ParseEvents(b, f); err == nil && len(happened) > 0 {
		p.addCluster(happened)
		return
	}
	for _, parse := range []func([]byte, stamp.Frame) ([]evidence.Container, error){service.ParsePod, service.ParsePods} {
		if list, err := parse(b, f); err == nil && len(list) > 0 {
			p.addContainers(probe, list)
			return
		}
	}
	if argv, filters := words(probe, "kubectl", "oc", "k", "k3s", "microk8s.kubectl"); argv != nil {
		list, _ := service.ParsePodPart(argv, filters, b, f) // what is no part stays raw
		p.addContainers(probe, list)
	}
}

func (p *parser) addContainers(probe evidence.Probe, list []evidence.Container) {
	for _, c := range list {
		c.Span = spanOf(probe)
		if len(p.snap.Host.Containers) < maxListed {
			p.snap.Host.Containers = append(p.snap.Host.Containers, c)
		}
	}
}
