package classify

import (
	"fmt"

	"github.com/lockscene/lockscene/evidence"
)

// How far the trouble reaches: which other clients of the owner's host fell silent
// with it. One of fourteen is a process; fourteen of fourteen are a machine, or the
// way to it.

func neighbourRules() []rule {
	return []rule{
		{"silent-neighbours", "Where all of a host's clients fell silent at once, look at the machine and the way to it before the process.", silentNeighbours},
	}
}

// silentNeighbours counts the other connections from the owner's address that have
// sent nothing since the renewal was due. Behind a proxy or a translated address they
// may be of any host; the finding names the address and leaves that to the reader.
func silentNeighbours(c *incident, _ evidence.Verdict) evidence.Finding {
	lists := c.s.Node.Clients
	if len(lists) == 0 || !c.missedOne() || !c.due.Known() {
		return nothing()
	}
	last := lists[len(lists)-1]
	now := c.span(last.Span)
	own := c.connections(last)
	if len(own) == 0 && len(lists) > 1 {
		own = c.connections(lists[0])
	}
	if len(own) == 0 || !now.Closed() || last.Partial {
		return nothing()
	}
	host, all, silent := hostPart(own[0].Addr), 0, 0
	for _, k := range last.Clients.Or(nil) {
		ours := k.Name == "lockscene" || k.Addr == own[0].Addr
		if ours || hostPart(k.Addr) != host {
			continue
		}
		all++
		// The server counts whole seconds.
		if sent := now.From.Add(-seconds(k.Idle)); !sent.After(c.due.To) {
			silent++
		}
	}
	if all < 3 {
		return nothing() // one or two tell nothing of a machine
	}
	return found(evidence.Notice, c.read("client-list"), fmt.Sprintf("%d of %d other connections from %s have been silent since the renewal was due", silent, all, quote(host)))
}
