package classify

import (
	"fmt"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// A server that answers and takes no write. An OOM refusal does not count:
// extending an expiry needs no memory.

var refusable = []string{"READONLY", "MISCONF", "NOREPLICAS", "CLUSTERDOWN"}

// refusing: the server refused writes of any kind while the renewal was due, or
// while it could still have come. That it refused this one only the holder's own
// record tells.
func (c *incident) refusing(x *exam) bool {
	if !c.missedLease() {
		return false
	}
	counted, grew := c.refusals()
	if r, name, ok := c.refusedRenewal(); ok {
		return c.refusedByWord(x, r, name, counted)
	}
	switch {
	case grew:
		c.unpresumed = true
		x.cite(c.read("errorstats"), "%s was answered %s%s while the renewal was due; whether to it is not shown", counted.name, times(int(counted.errors)), counted.failures())
		x.says = "refused writes (" + counted.name + ") while the renewal was due"
		return true
	case c.refusingByLog(x):
		return true
	}
	return c.refusingStill(x)
}

// A refusal is how often one error was answered between two INFOs.
type refusal struct {
	name          string
	errors        int64
	command       string // the one by which the lock is renewed, as far as it is known
	failed, calls int64  // of that command, meanwhile
}

func (r refusal) failures() string {
	if r.failed <= 0 {
		return ""
	}
	return fmt.Sprintf(", and %d of %d %s failed,", r.failed, r.calls, strings.ToUpper(r.command))
}

// refusals finds two INFOs between which a refusal was counted, and between which
// the renewal was due or could still have come. Of two that may lie to one side of
// that, nothing is concluded but that it is not ruled out.
func (c *incident) refusals() (refusal, bool) {
	until := c.leaseEnds()
	if !until.Known() {
		until = c.lateBy()
	}
	infos := c.s.Node.Infos
	for i := 1; i < len(infos); i++ {
		a, b := infos[i-1], infos[i]
		if !c.when.Known() || c.span(b.Span).Before(c.when) || c.span(a.Span).After(until) || turnedOver(a, b) != sameServer || c.serves != "" && i == c.servesFrom {
			continue
		}
		for _, name := range refusable {
			n := b.ErrorStats.Value[name] - a.ErrorStats.Value[name]
			if n <= 0 || a.ErrorStats.State != evidence.Seen {
				continue
			}
			r := refusal{name: name, errors: n}
			for _, cmd := range []string{"evalsha", "eval", "fcall", "pexpire", "expire", "pexpireat", "set"} {
				if failed := b.Failed.Value[cmd] - a.Failed.Value[cmd]; failed > r.failed && a.Failed.State == evidence.Seen {
					r.command, r.failed, r.calls = cmd, failed, b.Calls.Value[cmd]-a.Calls.Value[cmd]
				}
			}
			return r, true
		}
	}
	return refusal{}, false
}

// refusedRenewal is the holder's own record that the server refused a renewal of
// this lock, from when one was due until the lease's end.
func (c *incident) refusedRenewal() (recorded, string, bool) {
	if !c.when.Known() {
		return recorded{}, "", false
	}
	slack := c.every / 10
	from, until := c.when.Shift(-slack, slack), c.leaseEnds()
	for _, r := range c.deeds(evidence.DeedRenew) {
		if r.Succeeded() || r.Key != c.s.Subject.Key || r.on.Before(from) || until.Known() && r.on.After(until) {
			continue
		}
		for _, name := range refusable {
			if strings.Contains(r.Text, name) {
				return r, name, true
			}
		}
	}
	return recorded{}, "", false
}

// refusedByWord: the holder wrote down that the renewal was refused. Counters of the
// server that say otherwise are believed as much as it is.
func (c *incident) refusedByWord(x *exam, r recorded, name string, counted refusal) bool {
	x.cite(r.Source, "%s: the holder was answered %s", clockTime(r.on), quote(r.Text))
	if c.neverCounted(name) {
		c.unpresumed = true
		x.cite(c.read("errorstats"), "%s was not answered to anybody about that time", name)
		x.says = "refused the renewal by its holder's word, and by its own counters refused nothing"
		return true
	}
	c.cause = "refused-writes"
	x.only(broke)
	x.source("events")
	x.cap = true
	if counted.name == name {
		x.source("info")
		x.cite(c.read("errorstats"), "%s was answered %s meanwhile%s", name, times(int(counted.errors)), strings.TrimSuffix(counted.failures(), ","))
	}
	x.says = "refused the renewals due from " + clockTime(c.when) + " on: " + name
	return true
}

// neverCounted says whether two INFOs of one run, one from before the renewal was
// due and one from after the lease's end, show that an error was not answered.
func (c *incident) neverCounted(name string) bool {
	a, b, ok := c.ends()
	until := c.leaseEnds()
	return ok && sameRun(a, b) && a.ErrorStats.State == evidence.Seen && b.ErrorStats.State == evidence.Seen && until.Known() &&
		c.span(a.Span).Before(c.when) && c.span(b.Span).After(until) && a.ErrorStats.Value[name] == b.ErrorStats.Value[name]
}

// refusingByLog: from a line of the log on the server refuses writes, or does so
// by default. It was written in this lease's life, and before the renewal was
// overdue; whether it was in force then, and met this renewal, is not shown.
func (c *incident) refusingByLog(x *exam) bool {
	n, ok := c.inLife(c.lateBy(), refusals...)
	if !ok {
		return false
	}
	c.unpresumed = true
	x.cite(n.Source, "%s: %s", clockTime(n.on), quote(n.Text))
	x.says = "may have refused writes since " + clockTime(n.on) + ", by its log; whether it refused this renewal is not shown"
	return true
}

// refusingStill: INFO says that the last save failed and that writes were refused
// for it at some time: by default they are from then on, until one succeeds. It was
// read before the lease's end; when that began it does not tell.
func (c *incident) refusingStill(x *exam) bool {
	for _, i := range c.s.Node.Infos {
		until := c.leaseEnds()
		if i.LastSave.Or("ok") != "err" || i.ErrorStats.Value["MISCONF"] == 0 || !until.Known() || c.span(i.Span).After(until) || c.neverCounted("MISCONF") {
			continue
		}
		c.unpresumed = true
		x.cite(c.read("rdb_last_bgsave_status"), "err, and MISCONF was answered %s since the server began; whether to this renewal is not shown", times(int(i.ErrorStats.Value["MISCONF"])))
		x.says = "its last save had failed, and by default it refuses writes from then on"
		return true
	}
	return false
}
