package inspect

import (
	"slices"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/redis"
)

// holderText is the newest value the lock was seen with.
func holderText(snap evidence.Snapshot) string {
	for _, l := range slices.Backward(snap.Looks) {
		if h := l.Holder(); h != "" {
			return h
		}
	}
	return ""
}

// ownHosts lists the addresses, as CLIENT LIST shows them, of the host that the
// capture runs on and of the processes it looks at: the local ends of their
// sockets to the coordinator.
func (s *session) ownHosts(snap evidence.Snapshot) []string {
	hosts := []string{redis.Host(s.client.Local())}
	for _, p := range snap.Processes {
		for _, l := range p.Looks {
			for _, sock := range ownSockets(l) {
				hosts = append(hosts, redis.Host(sock.Local))
			}
		}
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

// ownSockets are the sockets of a look that the process itself holds; without
// its descriptors, all of its network namespace.
func ownSockets(l evidence.ProcLook) []evidence.Socket {
	inodes, known := l.Inodes.Get()
	var own []evidence.Socket
	for _, sock := range l.Sockets.Or(nil) {
		if !known || slices.Contains(inodes, sock.Inode) {
			own = append(own, sock)
		}
	}
	return own
}

// touchWindow tells whether a connection that has been idle for so many whole
// seconds may have sent the command that last touched the lock: a renewal that
// was seen, the one the lease's end implies, or what OBJECT IDLETIME dates.
func touchWindow(snap evidence.Snapshot, listed evidence.Stamp) func(idle int64) bool {
	var ages []time.Duration // how long before the list, at most
	for _, l := range snap.Looks {
		gap := listed.Boot - l.Span.Start.Boot
		if idle, ok := l.Idle.Get(); ok {
			ages = append(ages, gap+time.Duration(idle)*time.Second)
		}
		now := l.Now()
		for _, r := range snap.Renewals() {
			if now.Known() {
				ages = append(ages, gap+now.To.Sub(r.At.From))
			}
		}
	}
	const grain = 2 * time.Second // both ages are whole seconds, cut at different moments
	return func(idle int64) bool {
		d := time.Duration(idle) * time.Second
		return slices.ContainsFunc(ages, func(age time.Duration) bool { return (d - age).Abs() <= grain })
	}
}
