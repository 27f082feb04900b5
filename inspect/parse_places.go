package inspect

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// places sorts reads by where they were taken. A capture with one vantage has one
// place. Of several, a pid means something on the owner's machine only: what was
// read elsewhere is parsed by the same code into a snapshot of its own.
type places struct {
	away     map[string]int             // vantages on other machines than the owner's -> index
	answered map[string]map[string]bool // kinds of reads of the server -> vantages that it answered
	hosts    map[string]*parser         // by vantage
	clashes  []string                   // what the merged captures were told differently
}

// survey learns what must be known of all reads before the first is parsed.
func (p *parser) survey(probes []evidence.Probe) {
	at := &p.places
	at.away, at.answered = map[string]int{}, map[string]map[string]bool{}
	at.hosts = map[string]*parser{}
	for i, v := range p.snap.Vantages {
		if i > 0 && !evidence.SameProcesses(p.snap.Vantages[0], v) {
			at.away[v.Name] = i
		}
	}
	if !p.several() {
		return
	}
	for _, probe := range probes {
		if p.ofServer(probe) && probe.Status == evidence.OK {
			if at.answered[probe.Name] == nil {
				at.answered[probe.Name] = map[string]bool{}
			}
			at.answered[probe.Name][probe.Vantage] = true
		}
	}
}

func (p *parser) several() bool { return len(p.snap.Vantages) > 1 }

// ofServer says whether a read asked a server about the lock or about itself.
func (p *parser) ofServer(probe evidence.Probe) bool {
	switch probe.Name {
	case "redis/sample", "redis/get", "redis/hash", "redis/info", "redis/clients", "redis/slowlog", "redis/roles", "redis/members", "redis/companions", "redis/scripts":
		return true
	}
	return false
}

// route hands a read to the parser of the place it was taken at.
func (p *parser) route(probe evidence.Probe, b []byte) {
	q := p
	if p.ofServer(probe) {
		if p.answeredElsewhere(probe) {
			return
		}
	} else if i, away := p.places.away[probe.Vantage]; away && !placeless(probe) {
		q = p.hostOf(i)
		probe = onItsOwnClock(probe, p.snap.Vantages[i])
	}
	q.parse(probe, b)
	if p.several() {
		q.sign(probe)
	}
}

// answeredElsewhere says whether a read of the server failed from one vantage and
// not from another: its failure is counted, and hides nothing. Samples are told
// apart by their time, later.
func (p *parser) answeredElsewhere(probe evidence.Probe) bool {
	if probe.Name == "redis/sample" || probe.Status == evidence.OK || probe.Status == evidence.Truncated {
		return false
	}
	by := p.places.answered[probe.Name]
	return len(by) > 1 || len(by) == 1 && !by[probe.Vantage]
}

// placeless says whether a read tells of something else than the machine it was
// taken on: of the lock, of the server, or of a cluster.
func placeless(probe evidence.Probe) bool {
	switch probe.Name {
	case "redis/log", "redis/aof", "redis/sentinel", "log/app", "log/mapping", "text/beat", "pod/get", "pod/describe":
		return true
	}
	return false
}

// hostOf is the parser of what one vantage saw of its own machine.
func (p *parser) hostOf(i int) *parser {
	v := p.snap.Vantages[i]
	if p.places.hosts[v.Name] == nil {
		c := evidence.Capture{Subject: p.snap.Subject, Contract: p.snap.Contract, Vantages: []evidence.Vantage{v}}
		p.places.hosts[v.Name] = newParser(c, p.raw)
		p.places.hosts[v.Name].zone = p.zone
	}
	return p.places.hosts[v.Name]
}

// onItsOwnClock takes back what merging did to the stamps of a kernel's log: its
// records are dated by the clock of the machine that wrote them.
func onItsOwnClock(p evidence.Probe, v evidence.Vantage) evidence.Probe {
	if strings.HasPrefix(p.Name, "kernel/") && v.Reckoned == nil {
		p.Start.Boot += v.Width - v.Shift
		p.End.Boot -= v.Width + v.Shift
	}
	return p
}

// sign notes whose eyes saw what was parsed last.
func (p *parser) sign(probe evidence.Probe) {
	kind, _, _ := strings.Cut(probe.Name, "/")
	switch {
	case probe.Name == "redis/sample":
		node := p.nodeOf(probe)
		looks := node.Looks
		if node == &p.snap.Node {
			looks = p.snap.Looks
		}
		if n := len(looks); n > 0 {
			looks[n-1].Vantage = probe.Vantage
		}
	case probe.Name == "redis/info":
		if infos := p.nodeOf(probe).Infos; len(infos) > 0 {
			infos[len(infos)-1].Vantage = probe.Vantage
		}
	case (kind == "proc" || kind == "task") && !isBackground(probe):
		p.processes.look(probe).Vantage = probe.Vantage
	}
}

// atHome are the vantages on the owner's machine, whose candidates count.
func (p *parser) atHome() []evidence.Vantage {
	var out []evidence.Vantage
	for _, v := range p.snap.Vantages {
		if _, away := p.places.away[v.Name]; !away {
			out = append(out, v)
		}
	}
	return out
}

// readAtHome leaves out what other machines say of themselves.
func readAtHome(c evidence.Capture, probes []evidence.Probe) []evidence.Probe {
	p := &parser{snap: evidence.Snapshot{Vantages: c.Vantages}}
	p.survey(nil)
	if len(p.places.away) == 0 {
		return probes
	}
	return slices.DeleteFunc(slices.Clone(probes), func(probe evidence.Probe) bool {
		_, away := p.places.away[probe.Vantage]
		return away
	})
}

// joinPlaces puts what was read elsewhere beside what was read here.
func (p *parser) joinPlaces() {
	for _, v := range p.snap.Vantages {
		q := p.places.hosts[v.Name]
		if q == nil {
			continue
		}
		q.finish()
		h := q.snap.Host
		h.Vantage, h.Processes = v.Name, q.snap.Processes
		p.snap.Others = append(p.snap.Others, h)
		delete(p.places.hosts, v.Name) // two vantages of one name share what was read
	}
	if p.several() {
		p.snap.Looks, p.snap.Unanswered = evidence.SplitUnanswered(p.snap.Looks)
		p.snap.Contradictions = evidence.Contradict(p.snap, p.places.clashes)
	}
}

// byTime orders looks by the middle of their spans: a span that was widened by
// an error reaches as far to one side as to the other.
func byTime(a, b evidence.Look) int {
	x, y := a.Span.Start.Boot/2+a.Span.End.Boot/2, b.Span.Start.Boot/2+b.Span.End.Boot/2
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
