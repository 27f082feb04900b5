package classify

import (
	"fmt"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// A Redlock is one lock on several servers that know nothing of each other: it is
// held where most of them hold it for one owner. What one server says is then no
// verdict on the lock, and a server that is lost or wrong is a finding.

// A quorum is what the servers of such a set say at their last looks.
type quorum struct {
	nodes  []evidence.Node // the subject's own first
	holder string          // whom most of those that hold it name
	holds  int             // servers that hold it for that one
	others int             // servers that hold it for somebody else
	free   int             // servers that answered and have no such key
	silent int             // servers that did not answer, and may hold it
	down   int             // hosts that answered that no server listens there: nobody can renew on it
}

// least is how many servers make a majority.
func (q quorum) least() int { return len(q.nodes)/2 + 1 }

// held says whether a majority holds the lock for one owner.
func (q quorum) held() bool { return q.holds >= q.least() }

// lost says whether no majority can hold it, whatever the silent ones have.
func (q quorum) lost() bool { return q.holds+q.silent < q.least() }

// redlock gathers the set: at least three servers of no common history, as far as
// that was read, that were asked about the same key.
func redlock(s evidence.Snapshot) (quorum, bool) {
	own := s.Node
	own.Looks = s.Looks
	q := quorum{nodes: []evidence.Node{own}}
	for _, n := range s.Nodes {
		apart := all(q.nodes, func(o evidence.Node) bool { return independent(o, n) })
		if len(n.Looks) > 0 && apart {
			q.nodes = append(q.nodes, n)
		}
	}
	if len(q.nodes) < 3 {
		return quorum{}, false
	}
	names := map[string]int{}
	for _, n := range q.nodes {
		last, ok := lastSight(n)
		switch {
		case !ok && refusedBy(n):
			q.down++
		case !ok:
			q.silent++
		case !last.Here:
			q.free++
		default:
			if names[last.Holder]++; names[last.Holder] > q.holds {
				q.holder, q.holds = last.Holder, names[last.Holder]
			}
		}
	}
	for name, n := range names {
		if name != q.holder {
			q.others += n
		}
	}
	return q, true
}

// independent says whether a node is a server of its own: no replica, and of no
// replication history that another one has, nor the same under another address. One
// that never answered may be.
func independent(other, n evidence.Node) bool {
	if len(other.Infos) == 0 || len(n.Infos) == 0 {
		return true
	}
	a, b := other.Infos[len(other.Infos)-1], n.Infos[len(n.Infos)-1]
	_, kin := related(a, b)
	same := a.RunID.State == evidence.Seen && a.RunID.Value != "" && a.RunID.Value == b.RunID.Value
	return !kin && !same && b.Role.Or("master") == "master"
}

// lastSight is what a node said of the key at its last look; not ok when that look
// brought nothing.
func lastSight(n evidence.Node) (evidence.Sight, bool) {
	sights := evidence.Snapshot{Looks: n.Looks}.Sights()
	if len(sights) == 0 || sights[len(sights)-1].Look != len(n.Looks)-1 {
		return evidence.Sight{}, false
	}
	return sights[len(sights)-1], true
}

// refusedBy says whether the last look found nothing listening.
func refusedBy(n evidence.Node) bool {
	return strings.Contains(n.Looks[len(n.Looks)-1].Before.Why, "refused")
}

// represented puts a server of the majority in the place of the one that was named
// first, when that one is lost, or says otherwise than most: the questions are about
// the lock.
func represented(s evidence.Snapshot) evidence.Snapshot {
	q, ok := redlock(s)
	if !ok || !q.held() {
		return s
	}
	if last, ok := lastSight(q.nodes[0]); ok && last.Here && last.Holder == q.holder {
		return s
	}
	for _, n := range q.nodes[1:] {
		last, ok := lastSight(n)
		if !ok || !last.Here || last.Holder != q.holder {
			continue
		}
		first := s.Node
		first.Looks = s.Looks
		s.Looks, s.Node, s.Subject.Redis = n.Looks, n, n.Address
		s.Node.Looks = nil
		rest := []evidence.Node{first}
		for _, o := range s.Nodes {
			if o.Address != n.Address {
				rest = append(rest, o)
			}
		}
		s.Nodes = rest
		return s
	}
	return s
}

// says is the set in a line for people.
func (q quorum) says() string {
	text := fmt.Sprintf("%d of %d servers hold it for one owner", q.holds, len(q.nodes))
	for _, part := range []struct {
		n    int
		what string
	}{{q.others, "for another"}, {q.free, "have no such key"}, {q.silent, "did not answer"}, {q.down, "are not running"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return text
}

func quorumRules() []rule {
	return []rule{
		{"quorum-lost", "No majority holds this lock: its owner must stop. Bring the servers back before anybody acquires again.", quorumLost},
		{"quorum-weak", "The lock stands on a bare majority or has servers that disagree: the next one that fails takes it away.", quorumWeak},
	}
}

func quorumLost(c *incident, _ evidence.Verdict) evidence.Finding {
	if q, ok := redlock(c.s); ok && q.lost() && q.holds > 0 {
		return found(evidence.Critical, "redis", q.says()+fmt.Sprintf("; %d are needed", q.least()))
	}
	return nothing()
}

func quorumWeak(c *incident, _ evidence.Verdict) evidence.Finding {
	if q, ok := redlock(c.s); ok && q.held() && q.holds < len(q.nodes) {
		return found(evidence.Warning, "redis", q.says())
	}
	return nothing()
}

// majorityLost: servers of the set went, or lost the key, and those that are left make
// no majority: whoever holds the lock can neither renew nor prove it.
func (c *incident) majorityLost(x *exam) bool {
	q, ok := redlock(c.s)
	if !ok || !q.lost() || q.holds == 0 {
		return false
	}
	c.cause = "quorum-lost"
	x.only(broke)
	x.cap = true // who took the key away from a server that answers is not shown
	x.source("nodes")
	x.cite("redis", "%s; %d are needed", q.says(), q.least())
	x.says = q.says() + ": no majority"
	return true
}

// majorityOpen: whether those that did not answer have the lock decides.
func (c *incident) majorityOpen(x *exam) bool {
	q, ok := redlock(c.s)
	if !ok || q.held() || q.lost() || q.holds == 0 {
		return false
	}
	c.unpresumed = true
	x.miss("nodes", string(evidence.Failed), fmt.Sprintf("%d did not answer", q.silent))
	x.says = q.says() + ": whether that is a majority is not shown"
	return true
}
