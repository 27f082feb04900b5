package shell_test

import (
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/shell"
)

func TestSockets(t *testing.T) {
	const local, remote = "10.34.71.11:44218", "10.34.71.7:6379"
	up := evidence.Socket{Local: local, Remote: remote, State: "ESTABLISHED"}
	with := func(change func(*evidence.Socket)) evidence.Socket {
		k := up
		change(&k)
		return k
	}
	stuck := with(func(k *evidence.Socket) {
		k.TxQueue, k.Timer, k.Expires, k.Retrans = 108, "retransmit", 1204*time.Millisecond, 6
	})
	idle := with(func(k *evidence.Socket) { k.Timer, k.Expires = "keepalive", 72*time.Second })
	for name, c := range map[string]struct {
		command, output string
		want            evidence.Socket
		pid             int
		comm            string
	}{
		"ss, a row alone":    {"ss -tnpo", `ESTAB 0      0         10.34.71.11:44218      10.34.71.7:6379 users:(("index-tail",pid=16460,fd=9)) timer:(keepalive,1min12sec,0)`, idle, 16460, "index-tail"},
		"ss with heading":    {"ss -tnpo", "State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess\nESTAB 0 108 10.34.71.11:44218 10.34.71.7:6379 timer:(on,1.204ms,6)\n", stuck, 0, ""},
		"ss with kind":       {"ss -tunpo", "Netid State Recv-Q Send-Q Local Address:Port Peer Address:Port\nudp UNCONN 0 0 0.0.0.0:68 0.0.0.0:*\ntcp ESTAB 0 0 10.34.71.11:44218 10.34.71.7:6379 timer:(keepalive,1min12sec,0)\n", idle, 0, ""},
		"ss of one state":    {"ss -tno state established dst 10.34.71.7", "Recv-Q Send-Q Local Address:Port Peer Address:Port\n0 0 10.34.71.11:44218 10.34.71.7:6379 timer:(keepalive,1min12sec,0)\n", idle, 0, ""},
		"ss without -o":      {"ss -tnp", `ESTAB 0 0 10.34.71.11:44218 10.34.71.7:6379 users:(("a b",16460,9))`, up, 16460, "a b"},
		"ss without a timer": {"ss -tno", "ESTAB 0 0 10.34.71.11:44218 10.34.71.7:6379", with(func(k *evidence.Socket) { k.Timer = "none" }), 0, ""},
		"ss, mapped address": {"ss -tn", "ESTAB 0 0 [::ffff:10.34.71.11]:44218 [::ffff:10.34.71.7]:6379", up, 0, ""},
		"ss, interface":      {"ss -tn", "ESTAB 0 0 10.34.71.11%eth0:44218 10.34.71.7:redis", up, 0, ""},
		"ss, v6":             {"ss -tn", "ESTAB 0 0 [2001:db8::11]:44218 [2001:db8::7]:6379", evidence.Socket{Local: "[2001:db8::11]:44218", Remote: "[2001:db8::7]:6379", State: "ESTABLISHED"}, 0, ""},
		"ss, window shut": {"ss -tno", "ESTAB 0 9 10.34.71.11:44218 10.34.71.7:6379 timer:(persist,200ms,3)", with(func(k *evidence.Socket) {
			k.TxQueue, k.Timer, k.Expires, k.Probes = 9, "zero-window", 200*time.Millisecond, 3
		}), 0, ""},
		"ss, connecting": {"ss -tno", "SYN-SENT 0 1 10.34.71.11:44218 10.34.71.7:6379 timer:(on,14sec,4)", with(func(k *evidence.Socket) {
			k.State, k.TxQueue, k.Timer, k.Expires, k.Retrans = "SYN_SENT", 1, "retransmit", 14*time.Second, 4
		}), 0, ""},
		"ss extended": {"ss -tnoe", "ESTAB 0 0 10.34.71.11:44218 10.34.71.7:6379 uid:1001 ino:884213 sk:1a <->", with(func(k *evidence.Socket) { k.Timer, k.UID, k.Inode = "none", 1001, 884213 }), 0, ""},
		"ss, details": {"ss -tinpo", "ESTAB 0 108 10.34.71.11:44218 10.34.71.7:6379 users:((\"x\",pid=7,fd=9)) timer:(on,1.204ms,6)\n\t cubic wscale:7,7 rto:13056 backoff:6 rtt:0.5/0.2 cwnd:1 unacked:1 retrans:1/7 lost:1 lastack:13020\n",
			func() evidence.Socket { k := stuck; k.RTO, k.Cwnd = 13056*time.Millisecond, 1; return k }(), 7, "x"},
		"ss, a name that lies": {"ss -tnpo", `ESTAB 0 0 10.34.71.11:44218 10.34.71.7:6379 users:(("timer:(on,1sec,9)",pid=7,fd=9)) timer:(keepalive,1min12sec,0)`, idle, 7, "timer:(on,1sec,9)"},
		"netstat":              {"netstat -tnpo", "Active Internet connections (w/o servers)\nProto Recv-Q Send-Q Local Address Foreign Address State PID/Program name Timer\ntcp 0 0 10.34.71.11:44218 10.34.71.7:6379 ESTABLISHED 16460/index-tail keepalive (72.00/0/0)\n", idle, 16460, "index-tail"},
		"netstat, stuck": {"netstat -antpo", "tcp 0 108 10.34.71.11:44218 10.34.71.7:6379 ESTABLISHED 7/redis-server 1  on (1.20/6/0)", with(func(k *evidence.Socket) {
			k.TxQueue, k.Timer, k.Expires, k.Retrans = 108, "retransmit", 1200*time.Millisecond, 6
		}), 7, "redis-server 1"},
		"netstat, not root": {"netstat -antp", "(Not all processes could be identified, non-owned process info\n will not be shown, you would have to be root to see it all.)\ntcp6 0 0 ::ffff:10.34.71.11:44218 ::ffff:10.34.71.7:6379 ESTABLISHED -", up, 0, ""},
		"netstat, extended": {"netstat -ante", "tcp 0 0 10.34.71.11:44218 10.34.71.7:6379 ESTABLISHED 1001 884213", with(func(k *evidence.Socket) { k.UID, k.Inode = 1001, 884213 }), 0, ""},
		"netstat of BSD":    {"netstat -an", "tcp4 0 0 10.34.71.11.44218 10.34.71.7.6379 ESTABLISHED", up, 0, ""},
		"lsof":              {"lsof -nP -i :6379", "COMMAND     PID  USER   FD   TYPE DEVICE SIZE/OFF NODE NAME\nindex-tai 16460 index    9u  IPv4 884213      0t0  TCP 10.34.71.11:44218->10.34.71.7:6379 (ESTABLISHED)\n", with(func(k *evidence.Socket) { k.Inode = 884213 }), 16460, "index-tai"},
	} {
		s, err := shell.ListSockets(typed(c.command), nil, []byte(c.output))
		if err != nil || len(s.Rows) != 1 || len(s.Odd) > 0 {
			t.Errorf("%s: %+v, %v", name, s, err)
			continue
		}
		r := s.Rows[0]
		if r.Socket != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, r.Socket, c.want)
		}
		var who evidence.Peer
		if len(r.Procs) > 0 {
			who = r.Procs[0]
		}
		if who.Pid != c.pid || who.Comm != c.comm || c.pid > 0 && (who.Local != r.Socket.Local || who.Inode != r.Socket.Inode) {
			t.Errorf("%s: process %+v, want %d %q", name, who, c.pid, c.comm)
		}
	}
}

func TestSocketDetails(t *testing.T) {
	const text = "ESTAB 0 108 10.34.71.11:44218 10.34.71.7:6379 \n\t cubic rto:13056 backoff:6 unacked:1 retrans:1/7 lost:1 lastsnd:26020 lastrcv:26000 lastack:13020\n"
	s, err := shell.ListSockets(typed("ss -tin"), nil, []byte(text))
	if err != nil || len(s.Rows) != 1 || s.Rows[0].Info == nil {
		t.Fatalf("%+v, %v", s, err)
	}
	want := shell.TCPInfo{Unacked: 1, Retrans: 1, RetransTotal: 7, Backoff: 6, Lost: 1, LastSent: 26020 * time.Millisecond, LastReceived: 26 * time.Second, LastAck: 13020 * time.Millisecond}
	if *s.Rows[0].Info != want || s.Rows[0].Told.Timer || s.Rows[0].Socket.Retrans != 6 {
		t.Errorf("got %+v of %+v", *s.Rows[0].Info, s.Rows[0])
	}
}

func TestSocketsPartial(t *testing.T) {
	for _, c := range []struct {
		command, filter string
		partial         bool
	}{
		{"ss -tnp", "", false},
		{"ss -tnp", "grep 6379", true},
		{"ss -tnp dst 10.0.0.7", "", true},
		{"netstat -antp", "", false},
	} {
		var filters [][]string
		if c.filter != "" {
			filters = [][]string{typed(c.filter)}
		}
		if s, err := shell.ListSockets(typed(c.command), filters, nil); err != nil || s.Partial != c.partial {
			t.Errorf("%s | %s: partial %v, %v", c.command, c.filter, s.Partial, err)
		}
	}
	s, err := shell.ListSockets(typed("ss -tn"), nil, []byte("Cannot open netlink socket: Permission denied\nESTAB 0 0 nowhere 10.0.0.7:6379\n"))
	if err != nil || len(s.Rows) != 0 || len(s.Odd) != 2 {
		t.Errorf("lines that are no rows: %+v, %v", s, err)
	}
}
