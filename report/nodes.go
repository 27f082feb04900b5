package report

import (
	"cmp"
	"fmt"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What every node that was asked says of the lock, side by side, and which primary
// each Sentinel names.

// A nodeRow is one of them in words.
type nodeRow struct{ node, says string }

// nodeRows has the node that was looked at first; nothing where it was the only one.
func nodeRows(b evidence.Bundle) []nodeRow {
	s := b.Snapshot
	if len(s.Nodes) == 0 && len(s.Primaries) == 0 {
		return nil
	}
	own := s.Node
	own.Address, own.Looks = s.Subject.Redis, s.Looks
	var out []nodeRow
	for _, n := range append([]evidence.Node{own}, s.Nodes...) {
		out = append(out, nodeRow{n.Address, joined(" · ", role(n, own), holds(n, b.Verdict.Holder.Value), clockOf(n, own))})
	}
	for _, p := range latestNamed(s.Primaries) {
		out = append(out, nodeRow{p.Sentinel, "a Sentinel, names " + show(p.Address, longName) + " as " + show(p.Name, longName)})
	}
	return out
}

// latestNamed is each Sentinel's last word.
func latestNamed(all []evidence.NamedPrimary) []evidence.NamedPrimary {
	var out []evidence.NamedPrimary
	at := map[string]int{}
	for _, p := range all {
		key := p.Sentinel + "\x00" + p.Name
		if i, known := at[key]; known {
			out[i] = p
			continue
		}
		at[key] = len(out)
		out = append(out, p)
	}
	return out
}

// role is primary or replica, and how far a replica is behind the node that was looked
// at, in bytes of its stream.
func role(n, own evidence.Node) string {
	if len(n.Infos) == 0 {
		return ""
	}
	last := n.Infos[len(n.Infos)-1]
	name := map[string]string{"master": "primary", "slave": "replica"}[last.Role.Or("")]
	if name != "replica" || len(own.Infos) == 0 {
		return name
	}
	if link := n.Role.Value.Link; link != "" && link != "connected" {
		return name + ", its link is " + show(link, 24)
	}
	head := own.Infos[len(own.Infos)-1]
	if head.Role.Or("") != "master" || head.ReplID.Or("a") != last.ReplID.Or("b") {
		return name
	}
	behind := head.Offset.Value - last.Offset.Value
	if head.Offset.State != evidence.Seen || last.Offset.State != evidence.Seen || behind <= 0 {
		return name
	}
	return fmt.Sprintf("%s, %d bytes behind", name, behind)
}

// holds is the lock at a node's last look. A holder is named where it is not the one
// that the verdict names.
func holds(n evidence.Node, holder string) string {
	if len(n.Looks) == 0 {
		return "not asked about the key"
	}
	sights := evidence.Snapshot{Looks: n.Looks}.Sights()
	if len(sights) == 0 || sights[len(sights)-1].Look != len(n.Looks)-1 {
		l := n.Looks[len(n.Looks)-1]
		return "no answer: " + show(cmp.Or(l.Before.Why, l.PTTL.Why, l.End.Why, string(l.Before.Status), "not known why"), longName)
	}
	last := sights[len(sights)-1]
	if !last.Here {
		return "no such key"
	}
	text := "held"
	switch {
	case last.Holder == "":
		text = "held, its value was not read"
	case last.Holder != holder:
		text = "held by " + show(last.Holder, longName)
	}
	switch {
	case last.Endless:
		text += ", without an end"
	case last.Ends.Known() && last.Ends.Before(last.Now):
		text += ", past its end and still shown"
	case last.Ends.Known() && last.Now.Known():
		text += ", " + last.Ends.Mid().Sub(last.Now.Mid()).Round(100*time.Millisecond).String() + " left"
	}
	return text
}

// clockOf is how far a node's clock is from that of the node that was looked at,
// where one host's clock stood beside both.
func clockOf(n, own evidence.Node) string {
	a, okA := ahead(own)
	b, okB := ahead(n)
	apart := b - a
	if !okA || !okB || apart.Abs() < 10*time.Millisecond {
		return ""
	}
	return fmt.Sprintf("its clock is %+.3f s off the first's", apart.Seconds())
}

// ahead is how far a node's clock was ahead of the capturing host's.
func ahead(n evidence.Node) (time.Duration, bool) {
	for i := len(n.Looks) - 1; i >= 0; i-- {
		l := n.Looks[i]
		if now := l.Now(); now.Closed() && !l.Span.Start.Wall.IsZero() && l.Span.Step == 0 {
			return now.Mid().Sub(l.Span.Start.Wall.Add(l.Span.End.Wall.Sub(l.Span.Start.Wall) / 2)), true
		}
	}
	return 0, false
}

// nodes prints a row for each.
func (p *page) nodes(b evidence.Bundle) {
	rows, label, column := nodeRows(b), "nodes", 0
	for _, r := range rows {
		column = max(column, len(show(r.node, longName))+2)
	}
	for _, r := range rows {
		p.put(label, show(r.node, longName), column, r.says)
		label = ""
	}
}

func (m *document) nodes(b evidence.Bundle) {
	rows := nodeRows(b)
	if len(rows) == 0 {
		return
	}
	m.section("Nodes")
	m.line("| node | says |")
	m.line("|---|---|")
	for _, r := range rows {
		m.line("| %s | %s |", md(r.node), md(r.says))
	}
}

// nodeLines are the rows as clauses.
func nodeLines(b evidence.Bundle) []string {
	var out []string
	for _, r := range nodeRows(b) {
		out = append(out, show(r.node, longName)+": "+show(r.says, longText))
	}
	return out
}
