package classify

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// One server answering where another did. A name may lead to another node than
// before; and where each node was asked by its own address, the looks at the one
// that was promoted go on where those at the former primary end.

// A turnover is what became of the server between two INFOs.
type turnover int

const (
	sameServer  turnover = iota // or nothing tells
	otherRun                    // restarted, as far as its uptime allows to say
	otherNode                   // another one, which was up already while the former answered
	otherUnsure                 // another run of the same history, and no uptime: either
)

// turnedOver tells a restart from another node by the uptime: whoever has been up
// for longer than since the INFO before was not started in between. That the
// history is the former's tells nothing by itself, since a server that starts
// from its own file carries that on as well.
func turnedOver(a, b evidence.Info) turnover {
	r1, ok1 := a.RunID.Get()
	r2, ok2 := b.RunID.Get()
	if !ok1 || !ok2 || r1 == r2 {
		return sameServer
	}
	const rounding = 2 * time.Second // the uptime is counted in whole seconds
	up, told := b.Uptime.Get()
	switch {
	case told && seconds(up) > b.Span.End.Boot-a.Span.Start.Boot+rounding:
		return otherNode
	case !told && carriesOn(a, b):
		return otherUnsure
	}
	return otherRun
}

// carriesOn says whether b's history is the one that a wrote, from some offset on.
func carriesOn(a, b evidence.Info) bool {
	one, ok1 := a.ReplID.Get()
	former, ok2 := b.ReplID2.Get()
	return ok1 && ok2 && one == former && strings.Trim(one, "0") != ""
}

// A handover is the change from one node to another, or of a node from replica to
// primary, while the key was watched.
type handover struct {
	from, to evidence.Info
	node     bool   // another node answers since
	heir     bool   // of the same history
	address  string // the node that answers since
}

// handover finds it.
func (c *incident) handover() (handover, bool) {
	infos := c.s.Node.Infos
	for i := 1; i < len(infos); i++ {
		h := handover{from: infos[i-1], to: infos[i], heir: carriesOn(infos[i-1], infos[i]), address: c.s.Subject.Redis}
		if c.serves != "" {
			h.address = c.serves
		}
		change := turnedOver(h.from, h.to)
		moved := c.serves != "" && i == c.servesFrom
		h.node = change == otherNode || moved
		promoted := change == sameServer && h.heir && h.from.ReplID != h.to.ReplID
		if h.node || promoted {
			return h, true
		}
	}
	return handover{}, false
}

// behind says by how many bytes the node was promoted behind an offset that the
// former primary had told: what was written there is lost. Negative: it was promoted
// past it.
func (h handover) behind() (bytes int64, ok bool) {
	offset, ok1 := h.from.Offset.Get()
	second, ok2 := h.to.SecondOff.Get()
	return offset - (second - 1), ok1 && ok2 && h.heir && second > 0
}

func (h handover) says() string {
	if second, ok := h.to.SecondOff.Get(); ok && second > 0 && h.heir {
		return fmt.Sprintf("promoted at offset %d", second)
	}
	if h.node {
		return "another node answers"
	}
	return "its replication history changed"
}

func (c *incident) readAt(h handover, what string) string {
	return "redis/" + h.address + "/" + what
}

// lostByPromotion excludes a release: the key was seen on the former primary, and
// the node that answers since was promoted at an offset behind that. The offset is
// rarely that of the very moment, so that a release about the failover is a rival.
func (c *incident) lostByPromotion(x *exam) bool {
	h, ok := c.handover()
	bytes, told := h.behind()
	if !ok || !told || bytes <= 0 || c.after(c.spanOf(c.lost.before), h.to.Span) || c.after(h.to.Span, c.spanOf(c.lost.after)) && !c.nextTo(h) {
		return false
	}
	x.exclude(released)
	x.source("offsets")
	x.cap = true
	c.byOffset = true
	x.cite(c.readAt(h, "second_repl_offset"), "%d: promoted %d bytes behind the offset of the former primary that held the key", h.to.SecondOff.Value, bytes)
	x.says = "lost with the failover " + moment(c.lost.at) + ", before its end"
	return true
}

// nextTo says whether the look that found the key gone was at the node that h
// names: the first look since the former primary's INFO.
func (c *incident) nextTo(h handover) bool {
	return !c.after(h.from.Span, c.spanOf(c.lost.after))
}

// spanOf is when a sight's look was taken.
func (c *incident) spanOf(s evidence.Sight) evidence.Span { return c.s.Looks[s.Look].Span }

// handedOver: another node answers than before, or it was promoted, and the key
// went.
func (c *incident) handedOver(x *exam, h handover) bool {
	bytes, told := h.behind()
	seenBefore := c.spanOf(c.lost.before).Start.Boot <= h.from.Span.End.Boot // the offset covers the sight
	strangers := h.node && !h.heir && h.from.ReplID.State == evidence.Seen && h.to.ReplID2.State == evidence.Seen && h.from.ReplID != h.to.ReplID
	x.cite(c.readAt(h, "run_id"), "%s: %s", c.whoAnswers(h), h.says())
	switch {
	case told && bytes <= 0 && seenBefore:
		c.unpresumed = true
		x.cite(c.readAt(h, "second_repl_offset"), "%d, past the offset at which the key was seen: the failover took the key along", h.to.SecondOff.Value)
		x.says = "failed over while watched, with the key; what took it away is not shown"
		return true
	case strangers:
		c.unpresumed = true
		x.says = "another server answers now, of another history; whether it ever held this lock is not shown"
		return true
	}
	c.cause = "failover"
	x.only(broke)
	x.source("info")
	x.cap = true
	x.says = "failed over while watched (" + h.says() + "), and the key was gone"
	if told && bytes > 0 {
		x.cite(c.readAt(h, "second_repl_offset"), "%d: %d bytes behind the former primary, and the lock with them", h.to.SecondOff.Value, bytes)
		x.says = fmt.Sprintf("failed over while watched: %s, %d bytes behind, and the key was lost with them", h.says(), bytes)
	}
	if w, ok := c.inForce(); ok {
		if n, ok := c.meanwhile(w, takeovers...); ok {
			x.source("server log")
			x.cite(n.Source, "%s: %s", clockTime(n.on), quote(n.Text))
		}
	}
	return true
}

// whoAnswers says by what the node that answers is known to be another one.
func (c *incident) whoAnswers(h handover) string {
	up, ok := h.to.Uptime.Get()
	switch {
	case h.node && ok && h.to.RunID.State == evidence.Seen:
		return fmt.Sprintf("%.8s… answers, up for %s: another node, not a restart", h.to.RunID.Value, seconds(up))
	case h.node:
		return quote(h.address) + " answers"
	}
	return "the node that answers"
}

// carriedOver: a failover that left the key alone is a finding. The key was seen
// for the same holder on the node that answers since; and no renewal was missed
// about when it took over.
func (c *incident) carriedOver(x *exam) bool {
	h, ok := c.handover()
	if !ok || !h.node {
		return false
	}
	there := slices.ContainsFunc(c.tenure, func(s evidence.Sight) bool { return c.after(c.spanOf(s), h.to.Span) })
	aside := !c.missedLease() || c.when.Before(c.span(h.from.Span)) || c.when.After(c.span(h.to.Span))
	x.cite(c.readAt(h, "run_id"), "%s: %s", c.whoAnswers(h), h.says())
	if there && aside && !c.hurt() {
		x.only(kept)
		x.source("info")
		x.cap = true
		x.says = "failed over while watched, " + h.says() + "; the lock was kept"
		return true
	}
	c.unpresumed = c.unpresumed || !aside
	x.says = "failed over while watched, " + h.says() + "; whether this lock was kept is not shown"
	if !aside {
		x.says = "failed over while watched, " + h.says() + ", about when the renewal was due"
	}
	return true
}
