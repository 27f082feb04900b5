package classify

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// What links, firewalls, counters and clock daemons logged.

func notice(t float64, class, device, peer, text string) evidence.NetworkNotice {
	return evidence.NetworkNotice{At: wallAt(t), Class: class, Device: device, Peer: peer, Text: text}
}

// cutOff is an owner at work on both sides of T*, of which no socket was seen.
func cutOff(notices ...evidence.NetworkNotice) func() *scene {
	return func() *scene {
		s := unrenewed(holder)
		s.process(pidOne, "value").unconnected().look(0, "S", 0).look(19, "S", 4)
		s.Host.Network = notices
		return s
	}
}

// healthyWith is a healthy lock and whatever the network logged meanwhile.
func healthyWith(notices ...evidence.NetworkNotice) func() *scene {
	return func() *scene {
		s := atWork(renewedLock(), 24)
		s.Host.Network = notices
		return s
	}
}

// pool adds a CLIENT LIST with forty connections of one host, as old as told.
func pool(age int64) func() *scene {
	return func() *scene {
		var all []evidence.Client
		for i := range 40 {
			k := client(int64(9000+i), "10.0.0.44:"+itoa(30000+i), "get", 0)
			k.Age = age
			all = append(all, k)
		}
		return atWork(renewedLock(), 24).clients(24, all...)
	}
}

func grown(before, after map[string]int64) func() *scene {
	return func() *scene {
		s := atWork(renewedLock(), 24)
		s.Host.Counters = []evidence.NetCounters{{Span: span(0), Values: before}, {Span: span(24), Values: after}}
		return s
	}
}

// stepLogged is the coordinator's machine saying that its clock was stepped.
func stepLogged(t float64) func() *scene {
	return func() *scene {
		s := atWork(unrenewed(holder), 19)
		n := evidence.ClockNotice{At: evidence.At(at(t), 0, "host:b7"), Kind: "stepped", By: 37 * time.Second, Text: "System clock was stepped by 37.000000 seconds"}
		s.Others = []evidence.Host{{Vantage: "coordinator", Steps: []evidence.ClockNotice{n}}}
		return s
	}
}

func failures(n int) []evidence.NetworkNotice {
	var out []evidence.NetworkNotice
	for range n {
		out = append(out, notice(3, "reset", "", server, "read tcp: connection reset by peer"))
	}
	return out
}

var networkStories = stories{
	"a link that went down": {
		"one line of a log, and no socket that waits",
		cutOff(notice(3, "link-down", "eth0", "", "eth0: Link is Down")),
		want{label: evidence.Partition, grade: evidence.Likely, path: "broken", with: []string{"link-down"}},
	},
	"a link that came back": {
		"it was up again when the renewal was due",
		cutOff(notice(2, "link-down", "eth0", "", "eth0: Link is Down"), notice(4, "link-up", "eth0", "", "eth0: Link is Up")),
		want{path: "up|broken", with: []string{"link-down"}},
	},
	"a link that went down too late": {
		"",
		cutOff(notice(16, "link-down", "eth0", "", "eth0: Link is Down")),
		want{path: "up|broken"},
	},
	"a container's link": {
		"",
		cutOff(notice(3, "link-down", "veth12ab", "", "veth12ab: Link is Down")),
		want{path: "up|broken", without: []string{"link-down"}},
	},
	"another server unreachable": {
		"",
		cutOff(notice(3, "unreachable", "", "10.0.0.99:5432", "no route to host")),
		want{path: "up|broken"},
	},
	"the coordinator unreachable": {
		"",
		cutOff(notice(3, "unreachable", "", server, "dial tcp 10.0.0.5:6379: no route to host")),
		want{label: evidence.Partition, grade: evidence.Likely, path: "broken"},
	},
	"socket and kernel line": {
		"two sources for the path",
		func() *scene {
			s := unrenewed(holder)
			s.process(pidOne, "value").look(0, "S", 0).look(15, "S", 0.1, unanswered(10)).look(19, "S", 0.2, unanswered(14))
			down := false
			return s.kernel(4, evidence.KernelEvent{Class: "link", Device: "eth0", Up: &down, Text: "e1000e: eth0 NIC Link is Down"})
		},
		want{label: evidence.Partition, grade: evidence.Proven, path: "broken"},
	},
	"forgotten by a NAT": {
		"",
		healthyWith(notice(3, "idle-close", "", ownAddr, "nat: idle timeout, mapping removed")),
		want{label: evidence.NoFailure, with: []string{"idle-disconnect"}},
	},
	"somebody else's idle close": {
		"",
		healthyWith(notice(3, "idle-close", "", "10.0.0.99:5432", "idle timeout")),
		want{without: []string{"idle-disconnect"}},
	},
	"a crowd that reconnects": {"", pool(3), want{with: []string{"reconnect-storm"}}},
	"an old pool":             {"", pool(7000), want{without: []string{"reconnect-storm"}}},
	"many resets at once":     {"", healthyWith(failures(stormOf)...), want{with: []string{"reconnect-storm"}}},
	"no ports left":           {"", healthyWith(notice(3, "nat-exhausted", "", "", "ErrorPortAllocation")), want{with: []string{"reconnect-storm"}}},
	"a few resets":            {"", healthyWith(failures(stormOf - 1)...), want{without: []string{"reconnect-storm"}}},
	"segments sent again": {
		"",
		grown(map[string]int64{"Tcp.RetransSegs": 100, "Tcp.OutSegs": 1000, "TcpExt.TCPTimeouts": 5}, map[string]int64{"Tcp.RetransSegs": 180, "Tcp.OutSegs": 1900, "TcpExt.TCPTimeouts": 44}),
		want{label: evidence.NoFailure, with: []string{"packet-loss"}},
	},
	"counters that were high before": {
		"",
		grown(map[string]int64{"Tcp.RetransSegs": 10000, "Tcp.OutSegs": 1000, "TcpExt.TCPTimeouts": 5000}, map[string]int64{"Tcp.RetransSegs": 10001, "Tcp.OutSegs": 1900, "TcpExt.TCPTimeouts": 5000}),
		want{without: []string{"packet-loss"}},
	},
	"the coordinator's machine logged a step": {
		"in this lease's life, and before the first look",
		stepLogged(-0.5),
		want{label: evidence.ClockAnomaly, grade: evidence.Likely, clock: "off"},
	},
	"a step that looks on both sides deny": {"TIME itself did not move", stepLogged(8.5), want{clock: "steady"}},
	"a step of another day":                {"", stepLogged(-86400), want{clock: "steady"}},
	"the owner's clock was stepped": {
		"it runs no lease",
		func() *scene {
			s := atWork(renewedLock(), 24)
			s.Host.Steps = []evidence.ClockNotice{{At: wallAt(3), Kind: "stepped", By: 37 * time.Second, Text: "System clock was stepped by 37.000000 seconds"}}
			s.Host.NTP = saw(evidence.NTP{Daemon: "timedatectl"})
			return s
		},
		want{label: evidence.NoFailure, clock: "steady", with: []string{"clock-step", "clock-unsynchronised"}},
	},
}

func TestNetwork(t *testing.T) { networkStories.tell(t) }
