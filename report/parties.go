package report

import (
	"fmt"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// Who can renew this lock.

// parties prints a row for each connection that did something to the lock, or could.
func (p *page) parties(all []evidence.Party) {
	label := "can renew"
	for _, one := range all {
		p.row(label, joined(" · ", show(one.Client, longName), does(one), runs(one), show(strings.Join(one.Because, "; "), longText)))
		label = ""
	}
}

func (m *document) parties(all []evidence.Party) {
	if len(all) == 0 {
		return
	}
	m.section("Who can renew this lock")
	m.line("| connection | does | runs | because |")
	m.line("|---|---|---|---|")
	for _, one := range all {
		m.line("| %s | %s | %s | %s |", md(one.Client), md(does(one)), md(runs(one)), md(strings.Join(one.Because, "; ")))
	}
}

// does says what a connection did to the lock, in words.
func does(p evidence.Party) string {
	past := map[evidence.Deed]string{evidence.DeedAcquire: "acquired it", evidence.DeedRenew: "renewed it", evidence.DeedRelease: "removed it"}
	sent := map[evidence.Deed]string{evidence.DeedAcquire: "asked for it", evidence.DeedRenew: "asked to renew it", evidence.DeedRelease: "asked to release it"}
	var words []string
	for _, d := range p.Did {
		words = append(words, past[d])
	}
	for _, d := range p.Tried {
		words = append(words, sent[d])
	}
	if len(words) == 0 {
		return "could"
	}
	return strings.Join(words, ", ")
}

// runs says which process is behind a connection, and what it is to the owner.
func runs(p evidence.Party) string {
	if p.Pid == 0 {
		if p.Where == evidence.Elsewhere {
			return "on another host"
		}
		return "where is not known"
	}
	who := fmt.Sprintf("pid %d", p.Pid)
	if p.Comm != "" {
		who += " (" + show(p.Comm, 32) + ")"
	}
	if p.Unit != "" {
		who += " in " + show(p.Unit, 80)
	}
	if p.Container != "" {
		who += " in container " + show(p.Container, 16)
	}
	switch p.Where {
	case evidence.OwnersOwn:
		return "the owner's process, " + who
	case evidence.Sidecar:
		return "beside the owner, " + who
	case evidence.Scheduled:
		return "a scheduled job, " + who
	}
	return "another process of this host, " + who
}

// partyLines are the same, a line each.
func partyLines(all []evidence.Party) []string {
	var out []string
	for _, one := range all {
		out = append(out, joined(" · ", show(one.Client, longName), does(one), runs(one), show(strings.Join(one.Because, "; "), longText)))
	}
	return out
}
