package inspect

import (
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// A server's log carries local time and no zone. INFO names the zone without
// meaning to: it gives the server's pid and its uptime, and the log says when
// that pid began. What lies between the two is the zone, because zones differ by
// quarters of an hour.

const (
	quarter = 15 * time.Minute
	// zoneHolds is how far from the beginning the zone is taken to be the same:
	// summer time begins and ends in every zone that has it, but not in the same day.
	zoneHolds = 24 * time.Hour
	// rounding is what two counts of whole seconds leave open.
	rounding = 2 * time.Second
)

// placeNotices dates the logs that have no zone by the servers they speak of.
func (p *parser) placeNotices() {
	for _, n := range p.snap.Notices {
		if !zoneless(n.At) || n.Class != evidence.NoticeStarted && n.Class != evidence.NoticeNoKeys && n.Class != evidence.NoticeReady {
			continue
		}
		if off, ok := p.zoneBy(n); ok {
			p.shiftLog(logOf(n), n.At, off)
		}
	}
}

// zoneless says whether a notice is spread over every zone there is.
func zoneless(i evidence.Interval) bool {
	return i.Closed() && i.To.Sub(i.From) >= stamp.Westmost+stamp.Eastmost
}

func logOf(n evidence.ServerNotice) string {
	return n.Source[:max(0, strings.LastIndexByte(n.Source, ':'))]
}

// zoneBy is how far east of Greenwich the server that a notice is of writes its
// log, when INFO tells its pid and its uptime.
func (p *parser) zoneBy(n evidence.ServerNotice) (time.Duration, bool) {
	written := n.At.From.Add(stamp.Eastmost)
	for _, i := range p.snap.Node.Infos {
		pid, ok1 := i.ProcessID.Get()
		up, ok2 := i.Uptime.Get()
		now := p.onCoordinator(i)
		if !ok1 || !ok2 || int(pid) != n.Pid || up < 0 || up > 1e9 || !now.Closed() || now.To.Sub(now.From) > quarter/4 {
			continue
		}
		began := now.Mid().Add(-time.Duration(up) * time.Second)
		apart := written.Sub(began)
		off := apart.Round(quarter)
		if rest := (apart - off).Abs(); rest <= rounding+now.To.Sub(now.From)/2 && -stamp.Westmost <= off && off <= stamp.Eastmost {
			return off, true
		}
	}
	return 0, false
}

// onCoordinator is when INFO was read, on the clock that TIME shows. Only a text
// is placed so; a live look has no log to place.
func (p *parser) onCoordinator(i evidence.Info) evidence.Interval {
	r := p.eyes(evidence.Probe{Vantage: i.Vantage}).Reckoned
	if r == nil || r.Coordinator.IsZero() {
		return evidence.Interval{}
	}
	return evidence.Interval{From: r.Coordinator.Add(i.Span.Start.Boot), To: r.Coordinator.Add(i.Span.End.Boot), Clock: evidence.Coordinator}
}

func (p *parser) shiftLog(log string, near evidence.Interval, off time.Duration) {
	for i := range p.snap.Notices {
		n := &p.snap.Notices[i]
		if logOf(*n) != log || !zoneless(n.At) || n.At.From.Sub(near.From).Abs() > zoneHolds {
			continue
		}
		n.At.From, n.At.To = n.At.From.Add(stamp.Eastmost-off), n.At.To.Add(-stamp.Westmost-off)
	}
}
