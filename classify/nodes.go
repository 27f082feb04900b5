package classify

import (
	"fmt"

	"github.com/lockscene/lockscene/evidence"
)

// Other nodes that were asked about the same key. Two masters of one replication
// history that hold the lock for two owners are a split: neither owner is to
// blame. Nodes of unrelated histories are a Redlock's, and none of this applies.

// A split is another node that holds the same lock for somebody else.
type split struct {
	node   evidence.Node
	holder string
	how    string
	proven bool // both call themselves master
}

// splitBrain finds one.
func (c *incident) splitBrain() (split, bool) {
	for _, d := range c.dissenters() {
		if how, ok := related(d.own, d.other); ok {
			return split{node: d.node, holder: d.holder, how: how, proven: d.own.Role.Value == "master" && d.other.Role.Value == "master"}, true
		}
	}
	return split{}, false
}

// A dissenter is a node that names another holder, with what it and the node that was
// looked at last said of themselves.
type dissenter struct {
	node       evidence.Node
	holder     string
	own, other evidence.Info
}

func (c *incident) dissenters() []dissenter {
	if !c.seen || len(c.s.Node.Infos) == 0 {
		return nil
	}
	var out []dissenter
	own := c.s.Node.Infos[len(c.s.Node.Infos)-1]
	for _, n := range c.s.Nodes {
		if holder, held := holderOn(n); held && holder != "" && holder != c.first.Holder && len(n.Infos) > 0 {
			out = append(out, dissenter{n, holder, own, n.Infos[len(n.Infos)-1]})
		}
	}
	return out
}

// holderOn is whom a node names as the holder at its last look that said so.
func holderOn(n evidence.Node) (holder string, held bool) {
	s := evidence.Snapshot{Looks: n.Looks}
	for _, sight := range s.Sights() {
		if sight.Here && sight.Holder != "" {
			holder, held = sight.Holder, true
		}
	}
	return holder, held
}

// related says whether two servers share a replication history: one's id is the
// other's, or the one it had before it was promoted.
func related(a, b evidence.Info) (string, bool) {
	const never = "0000000000000000000000000000000000000000"
	same := func(x, y evidence.Reading[string]) bool {
		return x.State == evidence.Seen && y.State == evidence.Seen && x.Value == y.Value && x.Value != "" && x.Value != never
	}
	switch {
	case same(a.ReplID, b.ReplID):
		return fmt.Sprintf("both follow the replication history %.8s…", a.ReplID.Value), true
	case same(a.ReplID, b.ReplID2):
		return fmt.Sprintf("its former replication id is this node's own, %.8s…", a.ReplID.Value), true
	case same(a.ReplID2, b.ReplID):
		return fmt.Sprintf("this node's former replication id is its own, %.8s…", b.ReplID.Value), true
	}
	return "", false
}

// divided: two masters of one history hold the lock for two owners.
func (c *incident) divided(x *exam) bool {
	s, ok := c.splitBrain()
	if !ok || !s.proven {
		return false
	}
	c.cause = "failover-split"
	x.only(broke)
	x.source("info")
	x.source("another node")
	x.cap = true // which of them clients were sent to is not shown
	x.cite("redis/"+s.node.Address+"/get", "%s calls itself master too and holds the key for %s", quote(s.node.Address), quote(s.holder))
	x.cite("redis/"+s.node.Address+"/master_replid2", "%s", s.how)
	x.says = "split: " + quote(s.node.Address) + " is a master of the same history and holds the lock for another owner"
	return true
}

// perhapsDivided: another node names another holder, and whether it is a server of its
// own, a replica that is behind or a second master was not read.
func (c *incident) perhapsDivided(x *exam) bool {
	for _, d := range c.dissenters() {
		_, kin := related(d.own, d.other)
		ids := all([]evidence.Reading[string]{d.own.ReplID, d.own.ReplID2, d.other.ReplID, d.other.ReplID2}, isRead)
		roles := isRead(d.own.Role) && isRead(d.other.Role)
		if kin && roles || !kin && ids {
			continue
		}
		c.unpresumed = true
		x.miss("redis/"+d.node.Address+"/info", "unread", "whether it is a replica, a second master, or a server of its own")
		x.says = quote(d.node.Address) + " names another holder; what it is to this node was not read"
		return true
	}
	return false
}

func isRead(r evidence.Reading[string]) bool { return r.State == evidence.Seen }

func nodeRules() []rule {
	return []rule{
		{"failover-split", "Stop writes to the old master first; then fence by token. Until then both owners believe they hold the lock.", failoverSplit},
		{"replica-diverges", "Compare offsets: a replica that lags or was cut off shows a lock as it was.", replicaDiverges},
	}
}

func failoverSplit(c *incident, _ evidence.Verdict) evidence.Finding {
	if s, ok := c.splitBrain(); ok && s.proven {
		return found(evidence.Critical, "redis/"+s.node.Address+"/get", fmt.Sprintf("two masters of one history: here %s holds it, on %s %s does", quote(c.first.Holder), quote(s.node.Address), quote(s.holder)))
	}
	return nothing()
}

// replicaDiverges: a replica of the same history names another holder.
func replicaDiverges(c *incident, _ evidence.Verdict) evidence.Finding {
	if s, ok := c.splitBrain(); ok && !s.proven {
		return found(evidence.Warning, "redis/"+s.node.Address+"/get", fmt.Sprintf("%s names %s as the holder, this node %s", quote(s.node.Address), quote(s.holder), quote(c.first.Holder)))
	}
	return nothing()
}
