package network

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

func utc(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

// frame is a text read at 18:30 on a host that keeps UTC.
func frame() stamp.Frame {
	return stamp.Frame{Clock: "host:b", Zone: time.UTC, Now: evidence.At(utc("2026-11-09T18:30:00Z"), 0, "host:b")}
}

const snmp = `Ip: Forwarding DefaultTTL InReceives
Ip: 1 64 9912
Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens RetransSegs
Tcp: 1 200 120000 -1 311 47
TcpExt: SyncookiesSent ListenOverflows TCPTimeouts
TcpExt: 0 2 19
`

const words = `Tcp:
    311 active connection openings
    2 connection resets received
    47 segments retransmitted
Udp:
    12 packets received
TcpExt:
    2 times the listen queue of a socket overflowed
    19 other TCP timeouts
    Quick ack mode was activated 5 times
    TCPLostRetransmit: 3
    3 frobnications of a kind nobody knows
`

const nstat = `#kernel
TcpActiveOpens                  311                0.0
TcpEstabResets                  2                  0.0
TcpRetransSegs                  47                 0.0
TcpExtListenOverflows           2                  0.0
TcpExtTCPTimeouts               19                 0.0
IpExtInOctets                   12                 0.0
`

func TestCounters(t *testing.T) {
	tests := []struct {
		name, text string
		size       int
		more       map[string]int64
	}{
		{"files", snmp, 12, map[string]int64{"Tcp.MaxConn": -1, "Ip.DefaultTTL": 64}},
		{"netstat", words, 7, map[string]int64{"Tcp.EstabResets": 2, "TcpExt.TCPLostRetransmit": 3, "TcpExt.DelayedACKLost": 5}},
		{"nstat", nstat, 6, map[string]int64{"Tcp.EstabResets": 2, "IpExt.InOctets": 12}},
		{"nstat, json", `{"kernel":{"TcpActiveOpens":311,"TcpRetransSegs":47,"TcpExtListenOverflows":2,"TcpExtTCPTimeouts":19}}`, 4, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := ParseCounters([]byte(tt.text))
			if err != nil || len(c.Values) != tt.size {
				t.Fatalf("%v, %v", c.Values, err)
			}
			want := map[string]int64{"Tcp.ActiveOpens": 311, "Tcp.RetransSegs": 47, "TcpExt.ListenOverflows": 2, "TcpExt.TCPTimeouts": 19}
			for _, m := range []map[string]int64{want, tt.more} {
				for name, v := range m {
					if got, ok := c.Values[name]; !ok || got != v {
						t.Errorf("%s: got %d, %v, want %d", name, got, ok, v)
					}
				}
			}
		})
	}
	for _, text := range []string{"", "cat: /proc/net/snmp: Permission denied\n", "Tcp: A B\nTcp: 1\n"} {
		if c, err := ParseCounters([]byte(text)); err == nil {
			t.Errorf("%q gives %v", text, c)
		}
	}
}

const links = `2: eth0: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1500 qdisc mq state DOWN mode DEFAULT group default qlen 1000
    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff
    RX: bytes  packets  errors  dropped overrun mcast
    9912       88       1       7       0       0
    TX:  bytes packets errors dropped carrier collsns
          1204      12      0       0       4       0
3: eth1@if9: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP
10.0.0.5 dev eth0  FAILED
10.0.0.6 dev eth0 lladdr 02:00:00:00:00:02 REACHABLE
tcp      6 118 SYN_SENT src=10.0.0.4 dst=10.0.0.5 sport=51234 dport=6379 [UNREPLIED] src=10.0.0.5 dst=10.0.0.4 sport=6379 dport=51234 mark=0 use=1
tcp      6 431999 ESTABLISHED src=10.0.0.4 dst=10.0.0.6 sport=51235 dport=6379 src=10.0.0.6 dst=10.0.0.4 sport=6379 dport=51235 [ASSURED] mark=0 use=1
cpu=0   	found=1 invalid=2 insert=0 insert_failed=3 drop=4 early_drop=0 error=0 search_restart=0
cpu=1   	found=1 invalid=2 insert=0 insert_failed=1 drop=0 early_drop=0 error=0 search_restart=0
/sys/class/net/eth1/carrier_changes:6
Settings for eth2:
	Speed: Unknown!
	Link detected: no
`

func TestStatus(t *testing.T) {
	c, notices := Status([]byte(links), frame())
	want := map[string]int64{"eth0.rx_dropped": 7, "eth0.rx_errors": 1, "eth0.tx_carrier": 4, "conntrack.insert_failed": 4, "conntrack.invalid": 4, "eth1.carrier_changes": 6}
	for name, v := range want {
		if c.Values[name] != v {
			t.Errorf("%s: got %d, want %d", name, c.Values[name], v)
		}
	}
	var got []string
	for _, n := range notices {
		got = append(got, n.Class+" "+n.Device+" "+n.Peer)
		if n.At != frame().Now {
			t.Errorf("%s is dated %v", n.Text, n.At)
		}
	}
	if s := strings.Join(got, "; "); s != "link-down eth0 ; unreachable eth0 10.0.0.5; unanswered  10.0.0.5:6379; link-down eth2 " {
		t.Errorf("got %s", s)
	}
	if c, err := Carrier("eth0", []byte("4\n")); err != nil || c.Values["eth0.carrier_changes"] != 4 {
		t.Errorf("got %v, %v", c, err)
	}
}

func TestNotices(t *testing.T) {
	tests := []struct{ line, class, peer, device, at string }{
		{"Nov  9 19:22:07 lb-1 haproxy[812]: 10.0.0.4:51234 [09/Nov/2026:18:22:06.123] redis_in redis_out/redis-1 1/0/3600123 8123 cD 12/3/3/1/0 0/0", "idle-close", "10.0.0.4:51234", "redis_out/redis-1", "19:22:06.246"},
		{"10.0.0.4:51234 [09/Nov/2026:18:22:06.123] redis_in redis_out/redis-1 1/-1/3000 0 sC 12/3/3/1/3 0/0", "timeout", "10.0.0.4:51234", "redis_out/redis-1", "18:22:09.123"},
		{"10.0.0.4:51234 [09/Nov/2026:18:22:06.123] redis_in redis_out/redis-1 1/0/3000 8123 SD 12/3/3/1/0 0/0", "reset", "10.0.0.4:51234", "redis_out/redis-1", "18:22:09.123"},
		{"2026-11-09T18:22:06.120Z renew failed: read tcp 10.0.0.4:51234->10.0.0.5:6379: i/o timeout", "timeout", "10.0.0.5:6379", "", "18:22:06.120"},
		{"2026-11-09T18:22:06.120Z write tcp 10.0.0.4:51234->[2001:db8::5]:6379: write: broken pipe", "reset", "[2001:db8::5]:6379", "", "18:22:06.120"},
		{"2026-11-09 18:22:06,120 WARN org.redisson.client.handler.PingConnectionHandler: io.lettuce.core.RedisCommandTimeoutException: Command timed out channel: [id: 0x9f31, L:/10.0.0.4:51234 - R:redis-1/10.0.0.5:6379]", "timeout", "10.0.0.5:6379", "", "18:22:06.120"},
		{`2026/11/09 18:22:06 [error] 812#812: *9 upstream timed out (110: Connection timed out) while proxying connection, client: 10.0.0.4, server: 0.0.0.0:6379, upstream: "10.0.0.5:6379", bytes from/to client:1/2`, "timeout", "10.0.0.5:6379", "", "18:22:06.000"},
		{`{"time":"2026-11-09T18:22:06.120Z","level":"error","msg":"dial tcp 10.0.0.5:6379: connect: connection refused"}`, "refused", "10.0.0.5:6379", "", "18:22:06.120"},
		{"time=2026-11-09T18:22:06.120Z level=ERROR msg=\"dial tcp: lookup redis.internal: no such host\"", "unresolved", "", "", "18:22:06.120"},
		{"2026-11-09T18:22:06.120Z redis.exceptions.TimeoutError: Timeout reading from socket", "timeout", "", "", "18:22:06.120"},
		{"Nov 09 18:22:06 quince-3 systemd-networkd[412]: eth0: Lost carrier", "link-down", "", "eth0", "18:22:06.000"},
		{"Nov 09 18:22:06 quince-3 NetworkManager[412]: <info>  [1794248526.1] device (ens5): carrier: link connected", "link-up", "", "ens5", "18:22:06.000"},
		{"2026-11-09T18:22:06Z natgw ErrorPortAllocation 42 destination 10.0.0.5:6379", "nat-exhausted", "10.0.0.5:6379", "", "18:22:06.000"},
		{"2026-11-09T18:22:06Z [twemproxy] close s 23 '10.0.0.5:6379' on event 00FFFF eof 1 done 0 rb 0 sb 0: Connection timed out", "timeout", "10.0.0.5:6379", "", "18:22:06.000"},
		{"read ECONNRESET", "reset", "", "", ""},
		// What ended in order, and a frame of a stack trace.
		{"10.0.0.4:51234 [09/Nov/2026:18:22:06.123] redis_in redis_out/redis-1 1/0/3000 8123 -- 12/3/3/1/0 0/0", "", "", "", ""},
		{"\tat org.redisson.client.RedisTimeoutException.<init>(RedisTimeoutException.java:26)", "", "", "", ""},
		{"2026-11-09T18:22:06Z renewed lock:orders", "", "", "", ""},
	}
	for _, tt := range tests {
		list := Notices([]byte(tt.line+"\n"), frame())
		if tt.class == "" {
			if len(list) > 0 {
				t.Errorf("%s: got %+v", tt.line, list)
			}
			continue
		}
		if len(list) != 1 {
			t.Errorf("%s: got %+v", tt.line, list)
			continue
		}
		n, at := list[0], ""
		if n.At.Closed() {
			at = n.At.From.Format("15:04:05.000")
		}
		if n.Class != tt.class || n.Peer != tt.peer || n.Device != tt.device || at != tt.at || n.Text != tt.line {
			t.Errorf("%s:\ngot %s %s %s %s", tt.line, n.Class, n.Peer, n.Device, at)
		}
	}
}

// Whatever a text holds, the parsers return, and what they return can be frozen.
func FuzzParse(f *testing.F) {
	for _, s := range []string{snmp, words, nstat, links, `{"kernel":{"TcpActiveOpens":1}}`,
		"10.0.0.4:5 [09/Nov/2026:18:22:06.123] a b/c 1/0/3000 8 cD 1/3/3/1/0 0/0", "read tcp 10.0.0.4:5->10.0.0.5:6379: i/o timeout"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, _ := ParseCounters(b)
		s, notices := Status(b, frame())
		if _, err := json.Marshal([]any{c, s, notices, Notices(b, frame())}); err != nil {
			t.Fatal(err)
		}
	})
}
