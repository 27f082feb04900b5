package classify

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lockscene/lockscene/evidence"
)

// next says what to do now: the reading that would shrink what is open most,
// as a command to paste; or, with a label, what to wait for and what not to do.
func (c *incident) next(v evidence.Verdict) []evidence.Step {
	steps := append([]evidence.Step{}, sayDecision(v.Decision)...)
	add := func(why, command string) { steps = append(steps, evidence.Step{Why: why, Command: command}) }
	a := v.Answers
	switch {
	case len(c.sights) == 0 && c.silenceWhy() == "":
		add("nobody read the key: ask Redis for it", c.command(c.ownerFlags()))
	case len(c.sights) == 0 && c.owner == nil:
		add("Redis did not answer: "+c.silenceWhy()+"; try from where it is reachable", c.command(c.ownerFlags()))
	case len(c.sights) == 0:
		add("look from where Redis is reachable as well, and compare", c.command(c.server()+" --vantage bastion"))
	}
	if v.Label == evidence.Inconclusive {
		before := len(steps)
		if n, ok := c.zoneless(); ok && v.Answers.Coordinator.Value == evidence.Unknown {
			add("import it again with --tz and the zone of the machine that wrote "+quote(logNamed(n))+": it may tell what became of the server", "")
		}
		c.nextOpen(v, add)
		// What separates the labels comes first: until then the decision is to wait.
		return append(append([]evidence.Step{}, steps[before:]...), steps[:before]...)
	}
	ends := c.leaseEnds()
	last, ok := c.last()
	switch {
	case a.Lease.Value == endless:
		add("nothing frees this key by itself", "")
	case a.Lease.Value == renewing && v.Label == evidence.RenewalAfterLoss:
		who := cmpOr(v.Holder.Renewer, v.Holder.Client)
		if c.renewedBy != nil && len(c.renewals) > 0 {
			who = c.connection(*c.renewedBy)
		}
		add(strings.TrimSuffix("stop what renews it, not the key: "+who, ": "), "")
	case ok && last.Here && ends.Known() && !c.lost.yes && !c.former && v.Label != evidence.NoFailure && v.Label != evidence.ClockAnomaly:
		add("run again after "+moment(ends)+" to see who takes it", c.command(c.ownerFlags()))
	}
	if v.Label != evidence.NoFailure && ok && last.Here {
		add("do not delete the key: a deleted lock lets a second owner in while the first may still write", "")
	}
	return steps
}

// nextOpen names what would separate the labels that are left.
func (c *incident) nextOpen(v evidence.Verdict, add func(why, command string)) {
	a := v.Answers
	named := evidence.NamedIn(c.first.Holder)
	if c.former {
		named.Host = c.localHost() // the value names whoever has the lock now
	}
	switch {
	case a.Owner.Value == gone && c.recalled != "" && slices.Contains(a.Lease.Possible, renewing):
		add("whether somebody still renews it only the lock itself shows", c.command(c.ownerFlags()))
	case c.owner == nil && c.elsewhere(named) && c.endedContainer(named.Host):
		add("its container has ended; its runtime tells how, and when", "docker inspect "+shell(named.Host))
	case c.owner == nil && c.elsewhere(named):
		add(fmt.Sprintf("look at the owner: run this on %s", quote(named.Host)), c.command(fmt.Sprintf("%s --pid %d", c.ownerFlags(), named.Pid)))
		add("or, where nothing may be installed there, from here", c.byScript(named))
	case c.owner == nil && c.seen:
		add("look at the owner: run this on its host, with its pid, unit or container", c.command(c.ownerFlags()+" --pid PID"))
		add("or, where nothing may be installed there, from here", c.byScript(evidence.Named{}))
	case c.owner == nil && len(c.sights) == 0:
		add("look at the owner, if one is known: run this on its host", c.command(c.ownerFlags()+" --pid PID"))
	case c.owner == nil:
		add("the key is not there; look at its owner, if one is known", c.command(c.ownerFlags()+" --pid PID"))
	case len(c.owner.proc.Looks) == 0 && c.reckoned() != nil:
		add("nobody looked at the owner; a shell on its host is enough", c.byScript(evidence.Named{Host: named.Host, Pid: c.owner.proc.Pid}))
	case a.Lease.Value == evidence.Unknown && c.every == 0 && slices.Contains(a.Lease.Possible, renewing):
		add("say how often the lock is renewed, or watch until its end", c.command(c.ownerFlags()+" --renew-every INTERVAL --watch 60s"))
	case a.Lease.Value == evidence.Unknown && slices.Contains(a.Lease.Possible, renewing):
		add("watch until the next renewal is due", c.command(c.ownerFlags()+" --watch 60s"))
	case a.Path.Value == broken && slices.Contains(a.Owner.Possible, running) && slices.Contains(a.Owner.Possible, stalled):
		add("whether it is stopped its state tells: look at it twice", c.lookAgain())
	case a.Owner.Value == evidence.Unknown && c.s.Subject.Heartbeat == "":
		add("whether it works only its own heartbeat can show", c.command(c.ownerFlags()+" --heartbeat file:PATH"))
	case a.Path.Value == evidence.Unknown:
		add("watch the owner's socket longer", c.command(c.ownerFlags()+" --watch 60s"))
	default:
		add("look again, longer", c.command(c.ownerFlags()+" --watch 60s"))
	}
}

// lookAgain is how to look at the owner's process once more: through a shell where
// that is how it was looked at.
func (c *incident) lookAgain() string {
	if c.reckoned() != nil {
		return c.byScript(evidence.Named{Host: evidence.NamedIn(c.first.Holder).Host, Pid: c.owner.proc.Pid})
	}
	return c.command(c.ownerFlags() + " --watch 60s")
}

// server is how this lock's server is named on a command line.
func (c *incident) server() string {
	sub := c.s.Subject
	addr := cmpOr(c.serves, sub.Redis)
	switch {
	case addr == "" || c.localElsewhere(addr):
		return "--redis HOST:PORT"
	case strings.HasPrefix(addr, "/"):
		addr = "unix://" + addr
	case sub.TLS:
		addr = "rediss://" + addr
	case sub.DB != 0:
		addr = "redis://" + addr
	}
	if sub.DB != 0 && !strings.HasPrefix(addr, "unix://") {
		addr += "/" + itoa(sub.DB)
	}
	return "--redis " + shell(addr)
}

// ownerFlags are the flags that name the same server, owner and contract again.
func (c *incident) ownerFlags() string {
	sub, flags := c.s.Subject, c.server()
	add := func(name, value string) {
		if value != "" {
			flags += " --" + name + " " + shell(value)
		}
	}
	switch {
	case sub.Pid > 0:
		add("pid", itoa(sub.Pid))
	case c.owner != nil && sub.Unit == "" && sub.Cgroup == "" && sub.Container == "":
		add("pid", itoa(c.owner.proc.Pid))
	}
	add("unit", sub.Unit)
	add("cgroup", sub.Cgroup)
	add("container", sub.Container)
	add("heartbeat", sub.Heartbeat)
	if c.s.Contract.Lease > 0 {
		add("lease", c.s.Contract.Lease.String())
	}
	if c.s.Contract.RenewEvery > 0 {
		add("renew-every", c.s.Contract.RenewEvery.String())
	}
	return flags
}

// command is an inspect command for the same key. What came from outside is
// quoted for a shell: people paste this.
func (c *incident) command(flags string) string {
	key := c.s.Subject.Key
	switch key {
	case "lock", "clients", "slowlog", "clock", "owner", "kernel", "coordinator", "help":
		return "lockscene inspect " + flags + " -- " + key // a key that is called like a subcommand
	}
	if strings.HasPrefix(key, "-") {
		return "lockscene inspect " + flags + " -- " + shell(key)
	}
	return strings.TrimSpace("lockscene inspect " + shell(key) + " " + flags)
}

// shell quotes one word for a shell. Bytes that a terminal would act on, or that
// are no text, are written as escapes in the $'…' form, so that what is pasted is
// still the same word.
func shell(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._:/@%+=,-", r)
	}
	switch {
	case evidence.Printable(s) != s || !utf8.ValidString(s):
		return ansiQuoted(s)
	case s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 && s[0] != '-':
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func ansiQuoted(s string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < 0x20 || c >= 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}
