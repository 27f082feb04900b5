package redis

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/lockscene/lockscene/evidence"
)

func TestAllowed(t *testing.T) {
	for _, line := range []string{
		"GET k", "get k", "GETRANGE k 0 65535", "CLIENT LIST", "client no-touch on", "SLOWLOG GET 128", "INFO everything",
		"OBJECT IDLETIME k", "MEMORY USAGE k", "ACL WHOAMI", "ACL LOG 10", "XREVRANGE k + - COUNT 10", "HELLO 2", "SELECT 3",
		"SCRIPT EXISTS abc", "LATENCY LATEST",
	} {
		if err := Allowed(strings.Fields(line)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, line := range []string{
		"", "SET k v", "DEL k", "UNLINK k", "EXPIRE k 1", "PERSIST k", "MONITOR", "KEYS *", "SCAN 0", "EVAL x 0", "EVALSHA x 0",
		"CONFIG GET *", "DEBUG SLEEP 1", "WAIT 1 0", "FLUSHALL", "CLIENT", "CLIENT KILL ID 3", "CLIENT PAUSE 100", "CLIENT TRACKING ON",
		"CLIENT MAINT_NOTIFICATIONS ON", "SLOWLOG RESET", "LATENCY RESET", "OBJECT FREQ k", "MEMORY PURGE", "ACL SETUSER x", "ACL LOG RESET",
		"SCRIPT LOAD x", "SCRIPT FLUSH", "XREVRANGE k + -", "CLUSTER FAILOVER", "SENTINEL FAILOVER m", "SHUTDOWN", "MULTI", "SUBSCRIBE c", "TOUCH k",
	} {
		if err := Allowed(strings.Fields(line)); err == nil {
			t.Errorf("%s may be sent", line)
		}
	}
}

func TestRefusalsNameNoSecret(t *testing.T) {
	err := Allowed([]string{"SET", "k", "swordfish"})
	if err == nil || strings.Contains(err.Error(), "swordfish") {
		t.Errorf("refusal: %v", err)
	}
}

// The hook refuses before anything is written, alone and hidden in a pipeline.
func TestHookRefuses(t *testing.T) {
	c := Dial(Target{Network: "tcp", Addr: "127.0.0.1:1"}, time.Second, func() evidence.Stamp { return evidence.Stamp{} })
	defer c.Close()
	if err := c.rdb.Set(context.Background(), "k", "v", 0).Err(); err == nil || !strings.Contains(err.Error(), "refuse redis command") {
		t.Errorf("SET: %v", err)
	}
	_, err := c.rdb.Pipelined(context.Background(), func(p goredis.Pipeliner) error {
		p.Get(context.Background(), "k")
		p.Del(context.Background(), "k")
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "DEL is not on the read-only list") {
		t.Errorf("pipeline with DEL: %v", err)
	}
}

// The connection refuses what a library might send behind the hook's back,
// however its bytes are cut into writes, and lets no byte of it out.
func TestGuardRefuses(t *testing.T) {
	bad := "*1\r\n$4\r\nTIME\r\n*2\r\n$3\r\nDEL\r\n$1\r\nk\r\n"
	good := "*1\r\n$4\r\nTIME\r\n"
	for cut := 1; cut < len(bad); cut++ {
		out := &sink{}
		g := &guard{Conn: out, tape: &tape{}}
		_, err1 := g.Write([]byte(bad[:cut]))
		_, err2 := g.Write([]byte(bad[cut:]))
		if errors.Join(err1, err2) == nil {
			t.Fatalf("cut at %d: DEL was written", cut)
		}
		if strings.Contains(out.sent, "DEL") || out.sent != "" && out.sent != good {
			t.Fatalf("cut at %d: %q went out", cut, out.sent)
		}
	}
}

func TestGuardPassesWhole(t *testing.T) {
	request := "*3\r\n$5\r\nHELLO\r\n$1\r\n2\r\n$0\r\n\r\n"
	out := &sink{}
	g := &guard{Conn: out, tape: &tape{}}
	for i := range len(request) {
		if _, err := g.Write([]byte{request[i]}); err != nil {
			t.Fatal(err)
		}
	}
	if out.sent != request {
		t.Errorf("sent %q", out.sent)
	}
	for _, junk := range []string{"GET k\r\n", "*1\r\n:5\r\n", "*x\r\n"} {
		if _, err := (&guard{Conn: &sink{}, tape: &tape{}}).Write([]byte(junk)); err == nil {
			t.Errorf("%q was written", junk)
		}
	}
}

type sink struct {
	net.Conn
	sent string
}

func (s *sink) Write(p []byte) (int, error) { s.sent += string(p); return len(p), nil }

func TestTargetHidesPassword(t *testing.T) {
	target, err := ParseTarget("redis://ann:swordfish@h:1/2", TLSFiles{})
	if err != nil || target.Password != "swordfish" || target.DB != 2 {
		t.Fatalf("%v %v", target, err)
	}
	for _, s := range []string{target.String(), target.GoString()} {
		if s != "h:1" {
			t.Errorf("prints as %s", s)
		}
	}
	for _, bad := range []string{"redis://:swordfish@h:notaport", "http://swordfish@x", "redis://h:1/swordfish"} {
		if _, err := ParseTarget(bad, TLSFiles{}); err == nil || strings.Contains(err.Error(), "swordfish") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
