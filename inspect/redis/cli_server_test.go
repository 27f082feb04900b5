package redis

import (
	"context"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// startServer starts a real redis-server without persistence and returns a
// client and its port.
func startServer(t *testing.T) (c *Client, port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, port, _ = net.SplitHostPort(addr)
	cmd := exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", t.TempDir(), "--slowlog-log-slower-than", "-1")
	if err := cmd.Start(); err != nil {
		t.Fatalf("start redis-server: %v (make test installs it)", err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _, _ = cmd.Process.Wait() })
	c = Dial(Target{Network: "tcp", Addr: addr}, 2*time.Second, func() evidence.Stamp { return evidence.Stamp{} })
	t.Cleanup(func() { c.Close() })
	deadline := time.Now().Add(20 * time.Second)
	for c.Do(context.Background(), []string{"PING"}).Status != evidence.OK {
		if time.Now().After(deadline) {
			t.Fatal("never: redis-server answers")
		}
		time.Sleep(5 * time.Millisecond)
	}
	return c, port
}

// Whatever form the real redis-cli prints a reply in, it reads back as the bytes
// that the live tool would have recorded.
func TestRealCLI(t *testing.T) {
	c, port := startServer(t)
	cli := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("redis-cli", append([]string{"-p", port}, args...)...).Output()
		if err != nil {
			t.Fatalf("run redis-cli: %v (make test installs it)", err)
		}
		return string(out)
	}
	cli("SET", "lk:demo", "quince-3:41207:\"9b\\1e\"\x01")
	cli("HSET", "lk:hash", "1f0c:73", "8")
	commands := []string{
		"GET lk:demo", "GET none", "GET lk:hash", "GETRANGE lk:demo 0 99", "GETRANGE none 0 9", "PTTL lk:demo", "PTTL none", "PEXPIRETIME lk:demo", "TYPE lk:demo", "TYPE none",
		"STRLEN lk:demo", "EXISTS none", "OBJECT IDLETIME none", "MEMORY USAGE none", "HGETALL lk:hash", "HGETALL none", "HLEN lk:hash", "ROLE", "LATENCY LATEST", "SLOWLOG GET 5",
		"ACL WHOAMI", "SLOWLOG LEN", "CLUSTER KEYSLOT lk:demo", "INFO keyspace", "ZSCORE lk:demo m",
	}
	forms := map[string]Mode{"--no-raw": TTY, "--raw": Raw, "--json": JSON}
	for _, line := range commands {
		args := strings.Fields(line)
		want := c.Do(context.Background(), args).Raw
		for flag, mode := range forms {
			text := cli(append([]string{flag}, args...)...)
			v, err := FromText(args, []byte(text), mode)
			if err != nil || !sameReply(v, want) {
				t.Errorf("%s %s printed %q:\ngot  %q, %v\nwant %q", flag, line, text, v.Append(nil), err, want)
			}
		}
	}
	text := cli("CLIENT", "LIST")
	v, err := FromText([]string{"CLIENT", "LIST"}, []byte(text), Auto)
	list := ParseClients("r", v.Append(nil), evidence.Span{}, evidence.OK, "")
	if err != nil || list.Total.Value != 2 {
		t.Errorf("CLIENT LIST printed %q: %v, %+v", text, err, list)
	}
}

// sameReply says whether a value is the reply, as far as print tells: --json shows
// a status as a string.
func sameReply(v Value, want []byte) bool {
	if want[0] == '+' {
		return (v.Kind == '+' || v.Kind == '$') && "+"+v.Str+"\r\n" == string(want)
	}
	return string(v.Append(nil)) == string(want)
}
