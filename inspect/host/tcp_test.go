package host_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
)

// wantSocket is one row of expected.json; a nil field is not named there.
type wantSocket struct {
	Local, Remote, State, Timer *string
	TxQueue                     *uint64  `json:"tx_queue"`
	RxQueue                     *uint64  `json:"rx_queue"`
	Expires                     *float64 `json:"expires_s"`
	RTO                         *float64 `json:"rto_s"`
	Retrans                     *int     `json:"retrnsmt"`
	Probes, Cwnd, UID           *int
	Inode                       *uint64
}

func TestTCPSamples(t *testing.T) {
	for _, c := range []struct {
		file string
		v6   bool
	}{{"24_proc_net_tcp.txt", false}, {"25_proc_net_tcp6.txt", true}} {
		var want []wantSocket
		expect(t, c.file, &want)
		got, err := host.ParseTCP(read(t, c.file), c.v6)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d sockets, want %d", c.file, len(got), len(want))
		}
		for i, w := range want {
			t.Run(fmt.Sprintf("%s/%d", c.file, i), func(t *testing.T) { w.check(t, got[i]) })
		}
	}
}

func (w wantSocket) check(t *testing.T, s evidence.Socket) {
	t.Helper()
	text := func(what string, got string, want *string) {
		if want != nil {
			w := strings.TrimSuffix(strings.TrimSuffix(*want, " (v4-mapped)"), " probe")
			equal(t, what, got, w)
		}
	}
	text("local", s.Local, w.Local)
	text("remote", s.Remote, w.Remote)
	text("state", s.State, w.State)
	text("timer", s.Timer, w.Timer)
	number(t, "tx", s.TxQueue, w.TxQueue)
	number(t, "rx", s.RxQueue, w.RxQueue)
	number(t, "retransmits", s.Retrans, w.Retrans)
	number(t, "probes", s.Probes, w.Probes)
	number(t, "cwnd", s.Cwnd, w.Cwnd)
	number(t, "uid", s.UID, w.UID)
	number(t, "inode", s.Inode, w.Inode)
	number(t, "expires", s.Expires.Seconds(), w.Expires)
	number(t, "rto", s.RTO.Seconds(), w.RTO)
}

func number[T comparable](t *testing.T, what string, got T, want *T) {
	t.Helper()
	if want != nil {
		equal(t, what, got, *want)
	}
}

func TestTCPShortRowHasNoTimeout(t *testing.T) {
	all, err := host.ParseTCP(read(t, "24_proc_net_tcp.txt"), false)
	if err != nil {
		t.Fatal(err)
	}
	s := all[len(all)-1]
	equal(t, "state", s.State, "TIME_WAIT")
	equal(t, "timer", s.Timer, "timewait")
	equal(t, "expires", s.Expires, 53770*time.Millisecond)
	equal(t, "rto", s.RTO, 0)
	equal(t, "cwnd", s.Cwnd, 0)
}

func TestTCPKeepsWhatIsAskedFor(t *testing.T) {
	redis := netip.MustParseAddrPort("198.51.100.9:6379")
	got, err := host.ParseTCPWhere(read(t, "25_proc_net_tcp6.txt"), true,
		func(_, remote netip.AddrPort) bool { return remote == redis })
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "sockets", len(got), 1)
	equal(t, "local", got[0].Local, "192.0.2.17:51856")
}

func TestTCPDamagedRowsCostOnlyThemselves(t *testing.T) {
	whole := read(t, "24_proc_net_tcp.txt")
	cut := whole[:bytes.LastIndex(whole, []byte("\n   7:"))-60]
	for name, b := range map[string][]byte{
		"cut inside a row": append(bytes.Clone(cut), '\n'),
		"odd state":        bytes.Replace(whole, []byte(" 08 00000000:0000001F"), []byte(" 7F 00000000:0000001F"), 1),
		"odd timer":        bytes.Replace(whole, []byte("04:000001F4"), []byte("09:000001F4"), 1),
		"years of timeout": bytes.Replace(whole, []byte("01:000002BC"), []byte("01:FFFFFFFFFFFF"), 1),
		"v6 address":       bytes.Replace(whole, []byte("110200C0:CA88"), []byte("0000000000000000FFFF0000110200C0:CA88"), 1),
	} {
		got, err := host.ParseTCP(b, false)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if len(got) < 6 {
			t.Errorf("%s: only %d sockets left", name, len(got))
		}
	}
}

func TestBackoffAge(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	row := func(timer string, n, rto, expires int) evidence.Socket {
		return evidence.Socket{Timer: timer, Retrans: n, RTO: ms(rto), Expires: ms(expires)}
	}
	for _, c := range []struct {
		name string
		s    evidence.Socket
		want time.Duration
	}{
		// A first timeout of 200 ms, doubled five times: 200+400+…+3200 ms
		// have passed, and 220 ms of the sixth.
		{"five timeouts", row("retransmit", 5, 6400, 6180), ms(6200 + 220)},
		{"one timeout", row("retransmit", 1, 400, 400), ms(200)},
		{"late timer", row("retransmit", 1, 400, 900), ms(200)},
		{"no timeout yet, may be a loss probe", row("retransmit", 0, 200, 10), 0},
		{"keepalive", row("keepalive", 0, 200, 10), 0},
		{"zero window", row("zero-window", 3, 6400, 100), 0},
		{"hostile count", row("retransmit", 1<<30, 1000, 1000), time.Second - 1},
	} {
		got := host.BackoffAge(c.s)
		if got < c.want-20 || got > c.want+20 { // each halving may lose a nanosecond
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestBackoffAgeIsALowerBound plays the kernel's own back-off and looks at it
// at every moment: the age read from the row never exceeds the true one.
func TestBackoffAgeIsALowerBound(t *testing.T) {
	const ceiling = 120 * time.Second
	for _, base := range []time.Duration{200 * time.Millisecond, 230 * time.Millisecond, time.Second} {
		rto, sent := base, time.Duration(0)
		for n := 0; n < 15; n++ {
			for _, part := range []time.Duration{0, rto / 3, rto - time.Millisecond} {
				s := evidence.Socket{Timer: "retransmit", Retrans: n, RTO: rto, Expires: rto - part}
				if got, truth := host.BackoffAge(s), sent+part; got > truth {
					t.Fatalf("base %v, %d timeouts: claims %v of %v", base, n, got, truth)
				} else if n > 0 && rto < ceiling && got < truth-20 {
					t.Fatalf("base %v, %d timeouts: sees only %v of %v", base, n, got, truth)
				}
			}
			sent += rto
			rto = min(2*rto, ceiling)
		}
	}
}
