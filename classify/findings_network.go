package classify

import (
	"fmt"

	"github.com/lockscene/lockscene/evidence"
)

// What the network shows that is worth fixing whatever the label.
func networkRules() []rule {
	return []rule{
		{"idle-disconnect", "Send keepalives more often than the shortest idle limit on the way, and let the client notice a closed connection before it renews.", idleDisconnect},
		{"reconnect-storm", "Let clients back off with jitter: a crowd that connects at once delays everybody's renewals.", reconnectStorm},
		{"packet-loss", "Look at the way between this host and the coordinator: every lost packet delays a renewal by a timeout.", packetLoss},
		{"link-down", "Find out why the link went, and whether the lease outlasts such an outage.", linkDown},
	}
}

// idleDisconnect: something on the way closed or forgot connections that were idle.
func idleDisconnect(c *incident, _ evidence.Verdict) evidence.Finding {
	for _, b := range c.blips() {
		if b.class != "idle-close" {
			continue
		}
		if b.peer != "" && !c.isCoordinator(b.peer) && !c.isOwners(b.peer) {
			continue
		}
		return found(evidence.Warning, b.source, line(b.text))
	}
	return nothing()
}

// isOwners says whether an address is one that the owner's sockets have.
func (c *incident) isOwners(addr string) bool {
	if c.owner == nil {
		return false
	}
	for _, l := range c.owner.proc.Looks {
		for _, k := range c.sockets(l) {
			if hostPart(k.Local) == hostPart(addr) {
				return true
			}
		}
	}
	return false
}

// A storm is this many connections of one host, all younger than a lease or half a
// minute, and most of those it has; or as many failures in one minute.
const (
	stormOf    = 20
	youngerSec = 30
)

func reconnectStorm(c *incident, _ evidence.Verdict) evidence.Finding {
	list, ok := c.newestList()
	if !ok {
		return c.failures()
	}
	young, all := map[string]int{}, map[string]int{}
	limit := max(int64(c.leaseLo.Seconds()), youngerSec)
	for _, k := range list.Clients.Or(nil) {
		host := hostPart(k.Addr)
		all[host]++
		if k.Age >= 0 && k.Age <= limit {
			young[host]++
		}
	}
	worst := ""
	for host, n := range young {
		if n >= stormOf && 2*n > all[host] && (worst == "" || n > young[worst] || n == young[worst] && host < worst) {
			worst = host
		}
	}
	if worst == "" {
		return c.failures()
	}
	return found(evidence.Warning, c.read("client-list"), fmt.Sprintf("%d of %d connections of %s are younger than %d s", young[worst], all[worst], quote(worst), limit))
}

// failures: many client errors in one minute, or a translation that has no port
// left for anybody new.
func (c *incident) failures() evidence.Finding {
	minutes := map[int64]int{}
	for _, b := range c.blips() {
		if b.class == "nat-exhausted" {
			return found(evidence.Warning, b.source, line(b.text))
		}
		if !b.at.Known() || b.class != "reset" && b.class != "timeout" && b.class != "refused" {
			continue
		}
		minute := b.at.Mid().Unix() / 60
		if minutes[minute]++; minutes[minute] == stormOf {
			return found(evidence.Warning, b.source, fmt.Sprintf("%d connections failed within the minute of %s", stormOf, clockTime(b.at)))
		}
	}
	return nothing()
}

// packetLoss: of the segments that were sent between two samples more than a
// fiftieth had to be sent again, or timeouts grew by ten. A lossless network shows
// a few a day.
func packetLoss(c *incident, _ evidence.Verdict) evidence.Finding {
	n := len(c.s.Host.Counters)
	if n < 2 {
		return nothing()
	}
	a, b := c.s.Host.Counters[0].Values, c.s.Host.Counters[n-1].Values
	grew := func(name string) int64 {
		was, ok1 := a[name]
		is, ok2 := b[name]
		if !ok1 || !ok2 || is < was {
			return 0
		}
		return is - was
	}
	again, sent, timeouts := grew("Tcp.RetransSegs"), grew("Tcp.OutSegs"), grew("TcpExt.TCPTimeouts")
	if timeouts < 10 && (again < 10 || again < sent/50) {
		return nothing()
	}
	return found(evidence.Notice, "/proc/net/snmp", fmt.Sprintf("%s sent again of %d, %s, of all connections of this host", plural(int(again), "segment"), sent, plural(int(timeouts), "timeout")))
}

// linkDown: a link of the owner's host went down in this lease's life.
func linkDown(c *incident, _ evidence.Verdict) evidence.Finding {
	for _, b := range c.blips() {
		if b.class != "link-down" || !b.at.Known() || aside(b) || !c.renewed.Known() || b.at.Before(c.renewed.Shift(-c.leaseHi, 0)) {
			continue
		}
		return found(evidence.Warning, b.source, line(b.text))
	}
	return nothing()
}
