package inspect

import (
	"bytes"
	"fmt"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/events"
	"github.com/lockscene/lockscene/inspect/redis/aof"
	"github.com/lockscene/lockscene/inspect/redis/serverlog"
)

// Logs of the application and of the server. They tell of the lock and not of the
// machine they were read on, and people paste the same lines more than once.

// logs is what must be known of all logs before the first is parsed, and what was
// taken from them.
type logs struct {
	mappings []*events.Mapping
	taken    map[string]bool
}

// first says whether something was not taken from another paste of the same log.
func (l *logs) first(format string, args ...any) bool {
	if l.taken == nil {
		l.taken = map[string]bool{}
	}
	key := fmt.Sprintf(format, args...)
	if l.taken[key] || len(l.taken) >= 8*maxListed {
		return false
	}
	l.taken[key] = true
	return true
}

// learnMappings reads the mappings that the capture carries: files in full, those
// that are ready-made by name.
func (p *parser) learnMappings(probes []evidence.Probe) {
	const most = 32
	for _, probe := range probes {
		if probe.Name != "log/mapping" || len(p.logs.mappings) >= most {
			continue
		}
		b, err := p.bytes(probe)
		if err != nil {
			continue // parsing refuses the bundle later, and says why
		}
		m, err := events.ParseMapping(probe.Source, b)
		if len(b) == 0 {
			m, err = events.Load(probe.Source, nil)
		}
		if err == nil {
			p.logs.mappings = append(p.logs.mappings, m)
		}
	}
}

// parseAppLog reads what an application, a container or the protected resource
// wrote down. Its dates are those of whoever wrote it, which is nobody's clock
// until something ties it to one.
func (p *parser) parseAppLog(probe evidence.Probe, b []byte) {
	if !answered(probe) {
		return
	}
	p.harvest(probe, b, evidence.Clock("app:"+probe.Source))
	p.parsePauses(probe, b)
	p.lastWords(probe, b)
}

// harvest reads one log with every mapping that was asked for, else with those
// that are ready-made.
func (p *parser) harvest(probe evidence.Probe, b []byte, clock evidence.Clock) {
	o := events.Options{Context: p.context(probe), Clock: clock, Key: p.snap.Subject.Key}
	mappings := p.logs.mappings
	if len(mappings) == 0 {
		mappings = []*events.Mapping{nil} // all ready-made ones
	}
	for _, m := range mappings {
		h, _ := events.Read(bytes.NewReader(b), probe.Source, m, o) // a reader of bytes does not fail
		p.takeHarvest(h)
	}
}

func (p *parser) takeHarvest(h events.Harvest) {
	for _, e := range h.Events {
		ok := "?"
		if e.OK != nil {
			ok = fmt.Sprint(*e.OK)
		}
		if len(p.snap.Events) < maxListed && p.logs.first("event %v %q %q %q %q %q %q %s %q", e.At, e.Actor, e.Event, e.Key, e.Owner, e.Token, e.Request, ok, e.Text) {
			p.snap.Events = append(p.snap.Events, e)
		}
	}
	for _, n := range h.Clock {
		p.addStep(n)
	}
	p.addCluster(h.Cluster)
	p.addNotices(h.Server)
}

func (p *parser) addStep(n evidence.ClockNotice) {
	h := &p.snap.Host
	if len(h.Steps) < maxListed && p.logs.first("step %v %s %d", n.At.From, n.Kind, n.By) {
		h.Steps = append(h.Steps, n)
	}
}

func (p *parser) addCluster(list []evidence.ClusterEvent) {
	h := &p.snap.Host
	for _, e := range list {
		if len(h.Cluster) < maxListed && p.logs.first("cluster %v %s %s %s", e.At, e.Reason, e.Object, e.Text) {
			h.Cluster = append(h.Cluster, e)
		}
	}
}

// parseServerLog reads a log of redis-server, Sentinel or Valkey.
func (p *parser) parseServerLog(probe evidence.Probe, b []byte) {
	if !answered(probe) {
		return
	}
	o := serverlog.Options{Context: p.context(probe)}
	log, _ := serverlog.Read(bytes.NewReader(b), probe.Source, o) // a reader of bytes does not fail
	p.addNotices(log.Notices)
}

// addNotices puts a server's own lines on the coordinator's clock: they are
// stamped by the wall clock that TIME shows. A Sentinel lives elsewhere.
func (p *parser) addNotices(list []evidence.ServerNotice) {
	for _, n := range list {
		if n.At.Known() && !n.BySentinel() {
			n.At.Clock = evidence.Coordinator
		}
		if len(p.snap.Notices) < maxListed && p.logs.first("notice %v %s %s %d %s", n.At, n.Class, n.Role, n.Pid, n.Text) {
			p.snap.Notices = append(p.snap.Notices, n)
		}
	}
}

// parseHistory reads what was kept of an append-only file. Of several, the one
// that tells most of the key is taken: the others are parts or replicas of it.
func (p *parser) parseHistory(probe evidence.Probe, b []byte) {
	h, err := aof.ParseLines(b)
	r := read(probe, h, err)
	have := p.snap.History
	if have.State == evidence.Seen && (r.State != evidence.Seen || len(have.Value.Writes) >= len(h.Writes)) {
		return
	}
	p.snap.History = r
}
