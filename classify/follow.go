package classify

import (
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// follow puts looks at a primary, and those at the node that was promoted in its
// place, behind one another: whoever asks for the lock is sent from the one to the
// other, and it is one lock. Which of the two was named when the text was judged
// makes no difference. Nodes that answered side by side are left apart: each may
// hold the lock for another owner.
//
// serves is the node that answers at the end, and from is where its INFOs begin;
// empty where nothing was joined.
func follow(s evidence.Snapshot) (joined evidence.Snapshot, serves string, from int) {
	own := s.Node
	own.Address, own.Looks = s.Subject.Redis, s.Looks
	for i, other := range s.Nodes {
		former, heir := own, sincePromoted(other)
		if !tookOver(s, former, heir) {
			former, heir = other, sincePromoted(own)
		}
		if !tookOver(s, former, heir) || rivals(former, heir) {
			continue
		}
		s.Looks = slices.Concat(untilHeir(former.Looks, heir), heir.Looks)
		s.Node.Infos = slices.Concat(former.Infos, heir.Infos)
		s.Node.Clients = slices.Concat(former.Clients, heir.Clients)
		s.Node.Role = heir.Role
		if heir.Slowlog.State == evidence.Seen {
			slow := slices.Concat(heir.Slowlog.Value, former.Slowlog.Value)
			s.Node.Slowlog = evidence.Saw(heir.Slowlog.Source, slow)
		}
		s.Nodes = slices.Delete(slices.Clone(s.Nodes), i, i+1)
		return s, heir.Address, len(former.Infos)
	}
	return s, "", 0
}

// sincePromoted leaves out what a node said while it was a replica: it spoke beside
// its primary then, not in its place.
func sincePromoted(n evidence.Node) evidence.Node {
	last := -1
	for i, info := range n.Infos {
		if info.Role.Or("") == "slave" {
			last = i
		}
	}
	if last < 0 || last == len(n.Infos)-1 {
		return n
	}
	then := n.Infos[last].Span
	n.Infos = n.Infos[last+1:]
	n.Looks = slices.DeleteFunc(slices.Clone(n.Looks), func(l evidence.Look) bool { return !later(l.Span, then) })
	return n
}

// tookOver says whether a node was promoted in another's place, after the other
// had answered for the last time: by a Sentinel's answers or its log, which tell
// where clients are sent; or by its own history, where the other does not answer
// any more. One that may still answer may still be somebody's primary.
func tookOver(s evidence.Snapshot, former, heir evidence.Node) bool {
	if !answered(former) || !answered(heir) || !inOrder(former, heir) {
		return false
	}
	last := evidence.Info{}
	if n := len(heir.Infos); n > 0 {
		last = heir.Infos[n-1]
	}
	if last.Role.Or("") == "slave" {
		return false
	}
	inherits := slices.ContainsFunc(former.Infos, func(i evidence.Info) bool { return carriesOn(i, last) })
	return inherits && silentSince(former) != "" || renamed(s.Primaries, former.Address, heir.Address) || slices.ContainsFunc(s.Notices, func(n evidence.ServerNotice) bool {
		old := strings.Replace(former.Address, ":", " ", 1)
		return n.Class == evidence.NoticeSwitch && n.Node == heir.Address && strings.Contains(n.Text, " "+old+" ")
	})
}

// rivals says whether the two nodes hold the lock for two holders while the former
// may still serve its own: it was not seen to refuse connections.
func rivals(former, heir evidence.Node) bool {
	one, _ := holderOn(former)
	two, there := holderOn(heir)
	return there && one != two && !strings.Contains(strings.ToLower(silentSince(former)), "refused")
}

// silentSince is why a try at a node, after it had answered for the last time,
// brought nothing; empty where it was not tried again.
func silentSince(n evidence.Node) string {
	sights := (evidence.Snapshot{Looks: n.Looks}).Sights()
	if len(sights) == 0 {
		return ""
	}
	last := n.Looks[sights[len(sights)-1].Look].Span
	why := ""
	for _, l := range n.Looks {
		tried := l.Before.State == evidence.Unread && l.Before.Status != "" && l.Before.Status != evidence.Skipped && l.Before.Status != evidence.Denied
		if tried && l.After.State == evidence.Unread && later(l.Span, last) {
			why = cmpOr(l.Before.Why, string(l.Before.Status))
		}
	}
	return why
}

// renamed says whether a Sentinel named one node as the primary, and then another.
func renamed(named []evidence.NamedPrimary, former, heir string) bool {
	for i, a := range named {
		for _, b := range named[i+1:] {
			if a.Name == b.Name && a.Address == former && b.Address == heir && later(b.Span, a.Span) {
				return true
			}
		}
	}
	return false
}

// answered says whether a node said anything about the key.
func answered(n evidence.Node) bool {
	return len(evidence.Snapshot{Looks: n.Looks}.Sights()) > 0
}

// inOrder says whether everything that one node said came before what the other did.
func inOrder(a, b evidence.Node) bool {
	said := func(n evidence.Node) []evidence.Span {
		var out []evidence.Span
		for _, s := range (evidence.Snapshot{Looks: n.Looks}).Sights() {
			out = append(out, n.Looks[s.Look].Span)
		}
		for _, i := range n.Infos {
			out = append(out, i.Span)
		}
		return out
	}
	for _, x := range said(a) {
		for _, y := range said(b) {
			if !later(y, x) {
				return false
			}
		}
	}
	return true
}

// untilHeir leaves out tries at a node that came after another had answered in its
// place.
func untilHeir(looks []evidence.Look, heir evidence.Node) []evidence.Look {
	first := heir.Looks[evidence.Snapshot{Looks: heir.Looks}.Sights()[0].Look]
	return slices.DeleteFunc(slices.Clone(looks), func(l evidence.Look) bool { return !later(first.Span, l.Span) })
}

// later says whether one span came after another: by their order in a text, where
// both have one, else by the clock.
func later(a, b evidence.Span) bool {
	if a.Step > 0 && b.Step > 0 {
		return a.Step > b.Step
	}
	return a.Start.Boot > b.End.Boot
}
