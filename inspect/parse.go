package inspect

import (
	"fmt"
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

// Parse turns what a capture recorded into a snapshot. It is pure: the same
// capture.json, probes.json and raw bytes always give the same snapshot, on any
// machine, years later.
func Parse(c evidence.Capture, probes []evidence.Probe, raw map[string][]byte) (evidence.Snapshot, error) {
	p := newParser(c, raw)
	colour := stageBackground(readAtHome(c, probes), p.bytes)
	err := p.all(probes)
	colour(p) // staging writes files: it went on beside the parsing
	if err != nil {
		return p.snap, err
	}
	p.finish()
	return p.snap, nil
}

// foreground parses only what rules decide by: what the watch needs at every
// look.
func foreground(c evidence.Capture, probes []evidence.Probe, raw map[string][]byte) evidence.Snapshot {
	p := newParser(c, raw)
	_ = p.all(probes) // a live recording holds the bytes its probes name
	p.finish()
	return p.snap
}

func newParser(c evidence.Capture, raw map[string][]byte) *parser {
	p := &parser{raw: raw, snap: evidence.Snapshot{
		Schema: evidence.SnapshotSchema, Subject: c.Subject, Contract: c.Contract,
		Vantages: c.Vantages, Cut: c.Cut, Sources: map[string]evidence.Outcome{},
		Node: evidence.Node{Address: c.Subject.Redis},
	}}
	p.processes.of, p.processes.texts = map[int]*evidence.Process{}, map[lookKey]*threadSet{}
	p.snap.At, p.places.clashes = c.At, c.Clashes
	p.zone, _ = Zone(c.Zone) // what names no zone leaves local times local
	return p
}

func (p *parser) all(probes []evidence.Probe) error {
	p.survey(probes)
	p.learnMappings(probes)
	for _, probe := range probes {
		b, err := p.bytes(probe)
		if err != nil {
			return err
		}
		p.count(probe)
		p.route(probe, b)
	}
	return nil
}

type parser struct {
	raw       map[string][]byte
	snap      evidence.Snapshot
	processes processes
	groups    groups
	places    places
	zone      *time.Location // of times that were written without one; nil: not said
	logs      logs
	lore      lore
}

// bytes are the bytes a probe brought. A bundle may lie about where they are.
func (p *parser) bytes(probe evidence.Probe) ([]byte, error) {
	if probe.File == "" {
		return nil, nil
	}
	file, ok := p.raw[probe.File]
	end := probe.Offset + probe.Bytes
	if !ok || probe.Offset < 0 || probe.Bytes < 0 || end < probe.Offset || end > int64(len(file)) {
		return nil, fmt.Errorf("parse probe %s: raw file %s does not hold bytes %d to %d", probe.Name, probe.File, probe.Offset, end)
	}
	return file[probe.Offset:end:end], nil
}

// count sums up how reads of one kind ended: one success makes the kind ok.
func (p *parser) count(probe evidence.Probe) {
	o := p.snap.Sources[probe.Name]
	o.Reads++
	if o.Reads == 1 || probe.Status == evidence.OK && o.Status != evidence.OK {
		o.Status, o.Why = probe.Status, probe.Why
	}
	p.snap.Sources[probe.Name] = o
}

func (p *parser) parse(probe evidence.Probe, b []byte) {
	source, span := probe.Source, spanOf(probe)
	node := &p.snap.Node
	if probe.Name != "redis/sentinel" && probe.Name != "redis/replicas" { // one is asked about nodes and is none
		node = p.nodeOf(probe)
	}
	switch probe.Name {
	case "redis/sample":
		p.addLook(probe, b)
	case "redis/get":
		if look := p.lastSample(node); look != nil {
			redis.AddValue(look, source, b)
		}
	case "redis/hash":
		if look := p.lastSample(node); look != nil {
			redis.AddFields(look, source, b)
		}
	case "redis/members":
		if look := p.lastSample(node); look != nil {
			redis.AddMembers(look, source, probe.Commands, b)
		}
	case "redis/companions":
		p.lore.addCompanions(probe, b)
	case "redis/scripts":
		p.lore.addScripts(probe, b)
	case "redis/info":
		node.Infos = append(node.Infos, redis.ParseInfo(source, b, span, probe.Status, probe.Why))
	case "redis/clients":
		list := redis.ParseClients(source, b, span, probe.Status, probe.Why)
		list.Partial = probe.Truncated || probe.Status == evidence.Truncated
		node.Clients = append(node.Clients, list)
	case "redis/slowlog":
		node.Slowlog = redis.ParseSlowlog(source, b, probe.Status, probe.Why)
	case "redis/roles":
		redis.ParseRoles(node, source, probe.Commands, b, probe.Status, probe.Why)
	case "redis/sentinel":
		if named, ok := redis.ParseNamedPrimary(source, probe.Commands, b, span); ok && len(p.snap.Primaries) < maxListed {
			p.snap.Primaries = append(p.snap.Primaries, named)
		}
	case "redis/heartbeat":
		p.snap.Heartbeat = append(p.snap.Heartbeat, parseBeatKey(probe, b, p.snap.Subject.Heartbeat))
	case "redis/log":
		p.parseServerLog(probe, b)
	case "redis/aof":
		p.parseHistory(probe, b)
	case "log/app":
		p.parseAppLog(probe, b)
	case "text/beat":
		p.parseBeatText(probe, b)
	case "beat/file":
		p.snap.Heartbeat = append(p.snap.Heartbeat, parseBeatFile(probe, b, p.snap.Subject.Heartbeat))
	default:
		p.parseHost(probe, b)
	}
}

// lastSample is the look whose type a follow-up read completes.
func (p *parser) lastSample(node *evidence.Node) *evidence.Look {
	looks := node.Looks
	if node == &p.snap.Node {
		looks = p.snap.Looks
	}
	if n := len(looks); n > 0 {
		return &looks[n-1]
	}
	return nil
}

func (p *parser) finish() {
	slices.SortStableFunc(p.snap.Looks, byTime)
	p.finishGroups()
	p.processes.finishThreads()
	p.snap.Processes = p.processes.list(p.atHome())
	if p.snap.Processes == nil {
		p.snap.Processes = []evidence.Process{}
	}
	p.joinPlaces()
	p.placeNotices()
	p.finishDialect()
}

func lookOf(probe evidence.Probe, b []byte) evidence.Look {
	return redis.ParseSample(probe.Source, probe.Commands, b, spanOf(probe), probe.Status, probe.Why)
}

func spanOf(p evidence.Probe) evidence.Span {
	return evidence.Span{Start: p.Start, End: p.End, Step: p.Step}
}
