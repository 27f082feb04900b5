package clock_test

import (
	"context"
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
)

// answering listens where chronyd would. answer gets the request; nil stays
// silent.
func answering(t *testing.T, answer func(request []byte) []byte) string {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		buf := make([]byte, 2048)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			if b := answer(buf[:n]); b != nil {
				conn.WriteTo(b, from)
			}
		}
	}()
	return conn.LocalAddr().String()
}

func TestQueryChrony(t *testing.T) {
	requests := make(chan []byte, 1)
	addr := answering(t, func(b []byte) []byte {
		requests <- append([]byte(nil), b...)
		return reply(t)
	})
	raw, status, why := clock.QueryChrony(t.Context(), addr)
	equal(t, "status", status, evidence.OK)
	equal(t, "why", why, "")
	equal(t, "the reply as it came", string(raw), string(reply(t)))
	request := <-requests
	equal(t, "version 6, request", string(request[:4]), "\x06\x01\x00\x00")
	equal(t, "command tracking", string(request[4:6]), "\x00\x21")
	if len(request) < len(reply(t)) {
		t.Errorf("%d bytes: chronyd drops requests shorter than their answer", len(request))
	}
}

func TestQueryChronyWithoutAnAnswer(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	_, status, why := clock.QueryChrony(ctx, answering(t, func([]byte) []byte { return nil }))
	equal(t, "silent", status, evidence.Timeout)
	if why == "" {
		t.Error("no reason given")
	}

	gone, cancelNow := context.WithCancel(t.Context())
	silent := answering(t, func([]byte) []byte { cancelNow(); return nil })
	_, status, _ = clock.QueryChrony(gone, silent)
	equal(t, "cancelled", status, evidence.Timeout)

	if runtime.GOOS != "linux" {
		return // other systems do not all report a closed port to the sender
	}
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := conn.LocalAddr().String()
	conn.Close()
	_, status, why = clock.QueryChrony(t.Context(), addr)
	equal(t, "refused", status, evidence.Unsupported)
	equal(t, "why", why, "no chronyd answers on "+addr)
}

func TestNow(t *testing.T) {
	before := time.Now()
	a, b := clock.Now(), clock.Now()
	if a.Wall.Before(before.Add(-time.Minute)) || a.Wall.Location() != time.UTC {
		t.Errorf("wall clock %v", a.Wall)
	}
	if a.Boot <= 0 || b.Boot < a.Boot {
		t.Errorf("time since boot went from %v to %v", a.Boot, b.Boot)
	}
	if m := clock.Mono(); m <= 0 {
		t.Errorf("monotonic %v", m)
	}
	if runtime.GOOS == "linux" {
		// Boot time includes sleep, so it is never behind; a moment passes
		// between the two reads.
		if m, later := clock.Mono(), clock.Now(); m > later.Boot {
			t.Errorf("monotonic %v is ahead of boot time %v", m, later.Boot)
		}
	}
}

func TestReadAdjtimex(t *testing.T) {
	x, status, err := clock.ReadAdjtimex()
	if runtime.GOOS != "linux" {
		equal(t, "status elsewhere", status, evidence.Unsupported)
		return
	}
	if status != evidence.OK || err != nil {
		t.Fatalf("%s: %v", status, err)
	}
	equal(t, "nothing was set", x.Modes, 0)
	if x.Tick <= 0 || x.MaxError < 0 {
		t.Errorf("no reply of a kernel: %+v", x)
	}
}
