package drill

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// A Netns is a network namespace for an owner host, joined to this machine
// through a router in a second namespace:
//
//	this machine ── router ── owner host
//
// The router is there to be broken. A rule on the owner's own output would stop
// packets before TCP counts them as sent, so that no retransmission ever shows;
// that is a failure too, but another one.
type Netns struct {
	Name   string // of the owner host's namespace
	Here   string // this machine's address on the cable
	Far    string // the owner host's address
	router string
	s      *Scene
}

// Netns makes the namespaces and cables, with private addresses of their own.
func (s *Scene) Netns() *Netns {
	s.T.Helper()
	s.needsRoot("a network namespace")
	s.needs("ip", "nsenter", "iptables")
	// Eight addresses to a scene: a /30 for each cable. The pid keeps two test
	// runs on one machine apart.
	addr := func(n int) string { return fmt.Sprintf("10.231.%d.%d", s.Index%256, os.Getpid()%32*8+n) }
	id := fmt.Sprintf("%d-%d", os.Getpid(), s.Index)
	n := &Netns{Name: "lsd-" + id, router: "lsd-" + id + "-r", Here: addr(1), Far: addr(6), s: s}
	s.makeNetns(n.Name)
	s.makeNetns(n.router)
	cable := fmt.Sprintf("lsd%d.%d", os.Getpid()%100000, s.Index)
	s.T.Cleanup(func() {
		// A namespace is torn down in the background; an address that lingers
		// would answer for the next drill.
		_ = exec.Command("ip", "link", "del", cable).Run()
	})
	s.command("ip", "link", "add", cable, "type", "veth", "peer", "name", "north", "netns", n.router)
	s.command("ip", "addr", "add", n.Here+"/30", "dev", cable)
	s.command("ip", "link", "set", cable, "up")
	n.routes("ip link add south type veth peer name eth0 netns " + n.Name)
	n.routes("ip addr add " + addr(2) + "/30 dev north; ip addr add " + addr(5) + "/30 dev south")
	n.routes("ip link set north up; ip link set south up; echo 1 > /proc/sys/net/ipv4/ip_forward")
	n.inside("ip addr add " + n.Far + "/30 dev eth0; ip link set eth0 up; ip link set lo up; ip route add default via " + addr(5))
	s.command("ip", "route", "add", addr(4)+"/30", "via", addr(2), "dev", cable)
	return n
}

func (s *Scene) makeNetns(name string) {
	s.T.Helper()
	if out, err := exec.Command("ip", "netns", "add", name).CombinedOutput(); err != nil {
		s.NotRun("make a network namespace: %s", strings.TrimSpace(string(out)))
	}
	s.T.Cleanup(func() { _ = exec.Command("ip", "netns", "del", name).Run() })
}

// Enter is the prefix that executes a program on the owner host. Not `ip netns
// exec`: that mounts another /sys over the one with the control groups.
func (n *Netns) Enter() []string { return enterNetns(n.Name) }

func enterNetns(name string) []string { return []string{"nsenter", "--net=/run/netns/" + name, "--"} }

func (n *Netns) inside(script string) { n.s.T.Helper(); n.run(n.Name, script) }

func (n *Netns) routes(script string) { n.s.T.Helper(); n.run(n.router, script) }

func (n *Netns) run(name, script string) {
	n.s.T.Helper()
	n.s.command(append(enterNetns(name), "sh", "-ec", script)...)
}

// Cut drops every packet on the way, in both directions, silently.
func (n *Netns) Cut() { n.s.T.Helper(); n.routes("iptables -A FORWARD -j DROP") }

// CutReplies drops what comes back; what is sent still arrives at Redis.
func (n *Netns) CutReplies() { n.s.T.Helper(); n.routes("iptables -A FORWARD -i north -j DROP") }

// CutAtOwner drops everything on the owner host itself, as a wrong firewall rule does.
func (n *Netns) CutAtOwner() {
	n.s.T.Helper()
	n.inside("iptables -A INPUT -j DROP; iptables -A OUTPUT -j DROP")
}

// Heal lets everything through again.
func (n *Netns) Heal() {
	n.s.T.Helper()
	n.routes("iptables -F")
	n.inside("iptables -F")
}
