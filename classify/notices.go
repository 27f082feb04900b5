package classify

import (
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What the coordinator's own log, or a Sentinel's, says of it. A line dates what
// INFO only shows to have happened; and it tells of restarts that nobody looked
// at twice. What the log leaves out it did not necessarily leave undone: flushes
// and evictions are never in it.

// Notices that begin a server's life, and those that put another's data in the
// place of its own.
var (
	beginnings = []string{evidence.NoticeNoKeys, evidence.NoticeStarted, evidence.NoticeLoading, evidence.NoticeLoaded, evidence.NoticeReady}
	takeovers  = []string{evidence.NoticePromoted, evidence.NoticeSwitch, evidence.NoticeDemoted, evidence.NoticeFullResync}
	// After a failed save Redis refuses writes, unless it is told otherwise.
	refusals = []string{evidence.NoticeRefusedWrites, evidence.NoticeSaveFailed, evidence.NoticeClusterDown}
)

// mostVague is how wide a notice's moment may be before it dates nothing.
const mostVague = time.Minute

// noticed is a server's notice on the coordinator's clock. A Sentinel's clock is
// presumed to be near it.
type noticed struct {
	evidence.ServerNotice
	on evidence.Interval
}

// noticesOf are the dated notices of these classes, in the order given; of each
// class, in the log's.
func (c *incident) noticesOf(classes ...string) []noticed {
	var out []noticed
	for _, class := range classes {
		for _, n := range c.s.Notices {
			if n.Class != class || !n.At.Closed() || !c.ofServer(n) {
				continue
			}
			if on, _ := c.onAxis(n.At); on.Closed() && on.To.Sub(on.From) <= mostVague {
				out = append(out, noticed{n, on})
			}
		}
	}
	return out
}

// ofServer says whether a notice may be of the server that was asked: a log that
// names another pid than INFO does is another server's, or another life's of the
// same. A primary also logs that a replica takes its data, which costs it none.
func (c *incident) ofServer(n evidence.ServerNotice) bool {
	switch {
	case n.Class == evidence.NoticeFullResync && n.Role != "S":
		return false
	case n.BySentinel():
		return slices.Contains(takeovers, n.Class) // that it began itself is nothing to the lock
	case n.Pid == 0:
		return true
	}
	known := false
	for _, i := range c.s.Node.Infos {
		if pid, ok := i.ProcessID.Get(); ok {
			if known = true; int(pid) == n.Pid {
				return true
			}
		}
	}
	return !known
}

// inForce is the time in which the key went although its lease, as it was last
// seen, had not ended: something that happened then may be why.
func (c *incident) inForce() (evidence.Interval, bool) {
	w := c.lost.at
	if !c.lost.yes || !w.Closed() || c.leaseIs.Value == released {
		return evidence.Interval{}, false
	}
	if ends := c.lost.before.Ends; ends.Known() && !c.lost.before.Endless && ends.From.Before(w.To) {
		w.To = ends.From
	}
	return w, w.From.Before(w.To)
}

// meanwhile is the first notice of these classes that certainly falls into a
// stretch of time.
func (c *incident) meanwhile(w evidence.Interval, classes ...string) (noticed, bool) {
	list := c.noticesOf(classes...)
	i := slices.IndexFunc(list, func(n noticed) bool { return n.on.Within(w) })
	if i < 0 {
		return noticed{}, false
	}
	return list[i], true
}

// beganBy is when the server that answered INFO began, by its uptime: both count
// whole seconds.
func (c *incident) beganBy(i evidence.Info) (evidence.Interval, bool) {
	up, ok := i.Uptime.Get()
	now := c.span(i.Span)
	if !ok || up < 0 || !now.Closed() || c.clockIs.Value == off {
		return evidence.Interval{}, false
	}
	ago := seconds(up)
	return now.Shift(-ago-time.Second, -ago+time.Second), true
}

// inLife is the latest notice of these classes in this lease's life and before
// a moment; the zero one is no limit.
func (c *incident) inLife(before evidence.Interval, classes ...string) (noticed, bool) {
	var out noticed
	found := false
	for _, n := range c.noticesOf(classes...) {
		late := before.Known() && !n.on.Before(before) || past(n.on, c.s.At)
		if c.near(n.on) && !late && (!found || n.on.After(out.on)) {
			out, found = n, true
		}
	}
	return out, found
}

// sinceRenewed is inLife without what came before the last renewal: the lock was
// there after it.
func (c *incident) sinceRenewed(classes ...string) (noticed, bool) {
	n, ok := c.inLife(evidence.Interval{}, classes...)
	return n, ok && !(c.renewed.Known() && n.on.Before(c.renewed))
}

// zoneless is a line of a server's log that bears on this lock in some zone and not
// in others: nothing tells in which it was written.
func (c *incident) zoneless() (evidence.ServerNotice, bool) {
	life := evidence.Interval{From: c.renewed.From, To: c.now.To, Clock: evidence.Coordinator}
	if !c.renewed.Known() {
		life.From = c.now.From
	}
	for _, n := range c.s.Notices {
		on, _ := c.onAxis(n.At)
		bears := slices.Contains(takeovers, n.Class) || slices.Contains(beginnings, n.Class) || slices.Contains(refusals, n.Class)
		if bears && on.Closed() && on.To.Sub(on.From) > 24*time.Hour && c.ofServer(n) && !on.Before(life) && !on.After(life) {
			return n, true
		}
	}
	return evidence.ServerNotice{}, false
}

// saysOfZones says of a log that dates nothing what would date it, while what became
// of the server is open.
func (c *incident) saysOfZones(x *exam) {
	n, ok := c.zoneless()
	if !ok || len(x.possible()) < 2 {
		return
	}
	x.miss(n.Source, "unread", "its times name no zone, and no clock tells it: --tz would place them")
	x.says = strings.TrimPrefix(x.says+"; a log that names no zone may tell: --tz", "; ")
}

// logNamed is the log that a line stands in.
func logNamed(n evidence.ServerNotice) string {
	return n.Source[:max(0, strings.LastIndexByte(n.Source, ':'))]
}

// noticeLines are the notices as lines of the timeline.
func (c *incident) noticeLines() []evidence.Event {
	var out []evidence.Event
	for _, n := range c.s.Notices {
		on, _ := c.onAxis(n.At)
		if !on.Closed() || on.To.Sub(on.From) > mostVague || !c.near(on) {
			continue
		}
		out = append(out, evidence.Event{At: on, What: n.Class, Lane: evidence.LaneCoordinator, Text: quote(n.Text), Source: n.Source})
	}
	return out
}
