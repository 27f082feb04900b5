package classify

import (
	"slices"

	"github.com/lockscene/lockscene/evidence"
)

// releasedByCount asks the server's own counts of commands, where the holder's
// connection was closed before anybody listed the clients again. A lock is
// released by a script that compares the token first; whoever clears one away by
// hand sends DEL. When the server deleted a single key between two INFOs around the
// vanishing, and ran just one script more than the renewals account for, the
// script deleted it. A busy server's counts tell nothing, and never mislead: they
// do not add up.
func (c *incident) releasedByCount(x *exam, before evidence.ClientList) {
	usesScripts := slices.ContainsFunc(c.connections(before), func(k evidence.Client) bool {
		return evidence.VerbOf(k.Cmd) == evidence.Either && contains(k.Cmd, "eval")
	})
	a, b, ok := c.infosAround(c.lost.at)
	if !usesScripts || !ok || !sameRun(a, b) {
		return
	}
	grew := func(commands ...string) (sum int64) {
		for _, name := range commands {
			sum += b.Calls.Value[name] - a.Calls.Value[name]
		}
		return sum
	}
	evicted := b.Evicted.Or(1) - a.Evicted.Or(0)
	scripts, renewals := grew("eval", "evalsha", "fcall"), grew("pexpire", "expire", "pexpireat", "expireat")
	elsewise := grew("flushall", "flushdb", "rename", "renamenx", "move", "restore", "swapdb", "getdel")
	if grew("del", "unlink") != 1 || scripts != renewals+1 || elsewise != 0 || evicted != 0 {
		return
	}
	x.exclude(lost)
	x.cap = true
	x.cite(c.read("info/commandstats"), "around the vanishing the server deleted one key, within a script: %s ran, and %s extended a lease",
		plural(int(scripts), "script"), plural(int(renewals), "command"))
	x.says = "released by a script of its holder's kind at " + moment(c.lost.at)
}

// infosAround are the last INFO with counts of commands before a moment, and the
// first one after it.
func (c *incident) infosAround(at evidence.Interval) (before, after evidence.Info, ok bool) {
	n := 0
	for _, i := range c.s.Node.Infos {
		switch s := c.span(i.Span); {
		case i.Calls.State != evidence.Seen:
		case s.Before(at):
			before, n = i, n|1
		case s.After(at) && n&2 == 0:
			after, n = i, n|2
		}
	}
	return before, after, n == 3
}

// sameRun says whether two INFOs are of one run of one server.
func sameRun(a, b evidence.Info) bool {
	x, ok1 := a.RunID.Get()
	y, ok2 := b.RunID.Get()
	return ok1 && ok2 && x == y
}
