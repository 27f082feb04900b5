package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// mergeCapture joins what the captures were told. What one says and another
// does not is taken; what two say differently is taken from the first and noted.
func mergeCapture(sources []Source) Capture {
	first := sources[0].Bundle.Capture
	out := Capture{Schema: CaptureSchema, Tool: first.Tool, Subject: first.Subject, At: first.At, Zone: first.Zone}
	answering := answeredBy(sources).Bundle.Capture.Subject
	out.Subject.Redis, out.Subject.TLS = answering.Redis, answering.TLS
	for _, s := range sources {
		c := s.Bundle.Capture
		told := teller{into: &out.Clashes, who: s.Name}
		told.subject(&out.Subject, c.Subject, sameMachine(first.Vantages[0], c.Vantages[0]))
		told.contract(&out.Contract, c.Contract)
		tell(told, "the moment asked about (--at)", &out.At, c.At, FormatTime(c.At))
		tell(told, "the zone of times (--tz)", &out.Zone, c.Zone, c.Zone)
		out.Ticket, out.Note, out.Cut = both(out.Ticket, c.Ticket), both(out.Note, c.Note), both(out.Cut, c.Cut)
		out.Clashes = append(out.Clashes, c.Clashes...)
	}
	slices.Sort(out.Clashes)
	out.Clashes = slices.Compact(out.Clashes)
	return out
}

// both joins two remarks, once each.
func both(a, b string) string {
	if a == "" || b == "" || slices.Contains(strings.Split(a, "; "), b) {
		return cmp.Or(a, b)
	}
	return a + "; " + b
}

// A teller notes what one capture was told against what is known already.
type teller struct {
	into *[]string
	who  string
}

func tell[T comparable](t teller, what string, known *T, said T, text string) {
	var nothing T
	switch {
	case said == nothing || said == *known:
	case *known == nothing:
		*known = said
	default:
		*t.into = append(*t.into, fmt.Sprintf("%s gives another %s: %s", t.who, what, Clip(Printable(text), 60)))
	}
}

// subject joins what was said of the owner. Numbers and names of processes mean
// something on one machine only.
func (t teller) subject(known *Subject, said Subject, here bool) {
	tell(t, "heartbeat (--heartbeat)", &known.Heartbeat, said.Heartbeat, said.Heartbeat)
	if !here {
		return
	}
	tell(t, "owner (--pid)", &known.Pid, said.Pid, fmt.Sprint(said.Pid))
	tell(t, "renewer (--renewer-pid)", &known.Renewer, said.Renewer, fmt.Sprint(said.Renewer))
	tell(t, "unit (--unit)", &known.Unit, said.Unit, said.Unit)
	tell(t, "control group (--cgroup)", &known.Cgroup, said.Cgroup, said.Cgroup)
	tell(t, "container (--container)", &known.Container, said.Container, said.Container)
}

func (t teller) contract(known *Contract, said Contract) {
	for _, d := range []struct {
		what        string
		known, said *time.Duration
	}{
		{"lease", &known.Lease, &said.Lease},
		{"renewal interval", &known.RenewEvery, &said.RenewEvery},
		{"allowed skew", &known.MaxSkew, &said.MaxSkew},
		{"worst stall", &known.WorstStall, &said.WorstStall},
		{"worst renewal", &known.WorstRenew, &said.WorstRenew},
		{"longest lease", &known.LeaseMax, &said.LeaseMax},
		{"time to release", &known.ReleaseIn, &said.ReleaseIn},
		{"time to take over", &known.TakeoverIn, &said.TakeoverIn},
	} {
		tell(t, d.what, d.known, *d.said, d.said.String())
	}
	tell(t, "margin", &known.Margin, said.Margin, fmt.Sprint(said.Margin))
	known.NeedsToken = known.NeedsToken || said.NeedsToken
}

// sameMachine says whether two vantages share processes and clocks: one boot of
// one machine. Text rarely tells the boot; there the host's name must do.
func sameMachine(a, b Vantage) bool {
	if a.BootID != "" && b.BootID != "" {
		return a.BootID == b.BootID
	}
	return a.Host != "" && strings.EqualFold(a.Host, b.Host)
}

// SameProcesses says whether a pid means the same process from two vantages: one
// machine, and one pid namespace as far as both were read.
func SameProcesses(a, b Vantage) bool {
	return sameMachine(a, b) && sameInside(a, b) && (a.PidNS == "" || b.PidNS == "" || a.PidNS == b.PidNS)
}

// answeredBy is the first source whose Redis said anything; the first of all
// when none did.
func answeredBy(sources []Source) Source {
	for _, s := range sources {
		if spoke(s.Bundle.Snapshot) {
			return s
		}
	}
	return sources[0]
}

func spoke(s Snapshot) bool {
	return runID(s) != "" || slices.ContainsFunc(s.Looks, func(l Look) bool { return !l.wordless() })
}

// runID is the identity of the server that a snapshot saw last; it changes when
// the server is restarted.
func runID(s Snapshot) string {
	for _, i := range slices.Backward(s.Node.Infos) {
		if id, ok := i.RunID.Get(); ok {
			return id
		}
	}
	return ""
}

// nodesOf is the address under which each source's server stands in the merged
// capture. One server may be known by several addresses; another one that shares
// an address with it, as every machine's loopback does, gets its host's name.
func nodesOf(sources []Source) []string {
	answering := answeredBy(sources)
	address := answering.Bundle.Capture.Subject.Redis
	out := make([]string, len(sources))
	for i, s := range sources {
		out[i] = s.Bundle.Capture.Subject.Redis
		switch {
		case sameNode(answering, s):
			out[i] = address
		case out[i] == address:
			out[i] += "@" + s.Bundle.Capture.Vantages[0].Host
		}
	}
	return out
}

// sameNode says whether two sources looked at one server: it told both the same
// run_id, or they used one address that does not depend on where one stands.
func sameNode(a, b Source) bool {
	x, y := a.Bundle.Capture, b.Bundle.Capture
	if id := runID(a.Bundle.Snapshot); id != "" && id == runID(b.Bundle.Snapshot) {
		return true
	}
	if local(x.Subject.Redis) || local(y.Subject.Redis) {
		return x.Subject.Redis == y.Subject.Redis && sameMachine(x.Vantages[0], y.Vantages[0])
	}
	remote := x.Vantages[0].Remote
	return x.Subject.Redis == y.Subject.Redis || remote != "" && remote == y.Vantages[0].Remote
}

// local says whether an address means another server on each machine.
func local(addr string) bool {
	return strings.HasPrefix(addr, "/") || strings.HasPrefix(addr, "127.") || strings.HasPrefix(addr, "localhost") || strings.HasPrefix(addr, "[::1]")
}

// renameNode puts a server's address in the merged capture in place of the one
// that a source knew it by.
func renameNode(source, old, address string) string {
	if source == "redis/"+old {
		return "redis/" + address
	}
	return source
}
