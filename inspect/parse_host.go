package inspect

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
)

// parseHost parses what was read on the owner's host.
func (p *parser) parseHost(probe evidence.Probe, b []byte) {
	kind, name, _ := strings.Cut(probe.Name, "/")
	h := &p.snap.Host
	if isBackground(probe) {
		return
	}
	switch kind {
	case "proc":
		if name == "ps" || name == "ss" || name == "alive" {
			p.textProcess(name, probe, b)
			return
		}
		p.processes.look(probe).parseProc(name, probe, b)
	case "task":
		if p.reckoned(probe) {
			p.textThread(name, probe, b)
			return
		}
		p.processes.look(probe).parseTask(name, probe, b)
	case "cgroup":
		if name != "procs" && name != "find" {
			p.groups.add(name, probe, b)
		}
	case "pressure":
		p.parsePressure(name, probe, b)
	case "kernel":
		p.parseKernel(name, probe, b)
	case "clock":
		p.parseClock(name, probe, b)
	case "unit":
		p.parseUnit(probe, b)
	case "container":
		p.parseContainer(name, probe, b)
	case "pod":
		p.parsePod(name, probe, b)
	case "runtime":
		p.parseRuntime(name, probe, b)
	case "net":
		p.parseNetwork(name, probe, b)
	}
	switch probe.Name {
	case "host/hostname":
		h.Name = textOf(probe, b)
	case "host/boot_id":
		h.BootID = textOf(probe, b)
	case "host/vmstat":
		kills, ok, err := host.ParseVMKills(b)
		if h.VMKills = read(probe, kills, err); !ok && err == nil && probe.Status == evidence.OK {
			h.VMKills = evidence.Refused[int64](probe.Source, evidence.Unsupported, "this kernel does not count its kills")
		}
	case "host/peers":
		h.Peers = evidence.Saw(probe.Source, append(h.Peers.Or([]evidence.Peer{}), parsePeers(b)...))
	}
}

// read makes a reading of a parsed value: unread with the probe's reason when
// the read failed, with the parser's when the bytes made no sense.
func read[T any](probe evidence.Probe, v T, err error) evidence.Reading[T] {
	switch {
	case probe.Status != evidence.OK && probe.Status != evidence.Truncated:
		return evidence.Refused[T](probe.Source, probe.Status, probe.Why)
	case err != nil:
		return evidence.Refused[T](probe.Source, evidence.Failed, evidence.Clip(evidence.Printable(err.Error()), 160))
	}
	return evidence.Saw(probe.Source, v)
}

func textOf(probe evidence.Probe, b []byte) evidence.Reading[string] {
	return read(probe, strings.TrimSpace(string(b)), nil)
}

// slept is all sleep since boot, by which the printk clock is behind.
func (p *parser) slept() time.Duration {
	if len(p.snap.Vantages) == 0 {
		return 0
	}
	return p.snap.Vantages[0].Slept
}

func (p *parser) hostClock() evidence.Clock {
	if len(p.snap.Vantages) == 0 {
		return ""
	}
	return p.snap.Vantages[0].HostClock()
}

func (p *parser) parsePressure(name string, probe evidence.Probe, b []byte) {
	h := &p.snap.Host
	if n := len(h.Pressure); n == 0 || h.Pressure[n-1].Look != probe.Look {
		h.Pressure = append(h.Pressure, evidence.HostPressure{Look: probe.Look, Span: spanOf(probe)})
	}
	look := &h.Pressure[len(h.Pressure)-1]
	v, err := host.ParsePressure(b)
	r := read(probe, v, err)
	switch name {
	case "cpu":
		look.CPU = r
	case "io":
		look.IO = r
	case "memory":
		look.Mem = r
	}
}
