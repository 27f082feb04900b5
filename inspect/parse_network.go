package inspect

import (
	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/language"
	"github.com/lockscene/lockscene/inspect/network"
)

// What text tells of the way to the coordinator, and the last words of programs.

// parseNetwork reads the kernel's TCP counters and what tools say of links and
// tracked connections.
func (p *parser) parseNetwork(name string, probe evidence.Probe, b []byte) {
	if !answered(probe) {
		return
	}
	switch name {
	case "counters":
		if c, err := network.ParseCounters(b); err == nil {
			p.addCounters(probe, c)
		}
	case "text":
		c, notices := network.Status(b, p.frame(probe))
		p.addCounters(probe, c)
		p.addNetwork(notices)
	}
}

func (p *parser) addCounters(probe evidence.Probe, c evidence.NetCounters) {
	h := &p.snap.Host
	if len(c.Values) == 0 || len(h.Counters) >= maxListed {
		return
	}
	c.Span = spanOf(probe)
	h.Counters = append(h.Counters, c)
}

func (p *parser) addNetwork(list []evidence.NetworkNotice) {
	h := &p.snap.Host
	for _, n := range list {
		if len(h.Network) < maxListed && p.logs.first("net %v %s %s", n.At, n.Class, n.Text) {
			h.Network = append(h.Network, n)
		}
	}
}

// lastWords finds what a log says of its program's own end, and of the network as
// its program met it.
func (p *parser) lastWords(probe evidence.Probe, b []byte) {
	f, h := p.frame(probe), &p.snap.Host
	for _, d := range language.Deaths(b, f) {
		if len(h.Deaths) < maxListed && p.logs.first("death %v %s %s", d.At, d.What, d.Text) {
			h.Deaths = append(h.Deaths, d)
		}
	}
	p.addNetwork(network.Notices(b, f))
}

// parseDumps reads thread dumps; a text may hold several.
func (p *parser) parseDumps(probe evidence.Probe, b []byte) {
	h := &p.snap.Host
	dumps, err := language.Dumps(b, p.frame(probe))
	if err != nil {
		return
	}
	for _, d := range dumps {
		if len(h.Dumps) >= maxDumps {
			return
		}
		d.Span = spanOf(probe)
		if d.Pid == 0 {
			d.Pid = pidIn(probe, "jstack", "jcmd", "kill")
		}
		h.Dumps = append(h.Dumps, d)
	}
}

// maxDumps bounds the dumps kept: each holds every thread of a process.
const maxDumps = 64
