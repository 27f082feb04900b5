package aof

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/lockscene/lockscene/evidence"
)

// startServer starts a real redis-server that keeps an append-only file, and
// returns a client and the data folder.
func startServer(t *testing.T) (*goredis.Client, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(addr)
	dir := t.TempDir()
	cmd := exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "", "--dir", dir,
		"--appendonly", "yes", "--appendfsync", "always", "--aof-timestamp-enabled", "yes")
	if err := cmd.Start(); err != nil {
		t.Fatalf("start redis-server: %v (make test installs it)", err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _, _ = cmd.Process.Wait() })
	rdb := goredis.NewClient(&goredis.Options{Addr: addr, DB: 2, DisableIdentity: true})
	t.Cleanup(func() { rdb.Close() })
	eventually(t, "redis-server answers", func() bool { return rdb.Ping(context.Background()).Err() == nil })
	return rdb, dir
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// The file of a running server tells the lock's whole life: who took it, each
// renewal with its new end, the release, and an expiry that has no author.
func TestRealServer(t *testing.T) {
	ctx := context.Background()
	rdb, dir := startServer(t)
	lock := Lock{Key: "lock:demo", DB: 2}
	renew := goredis.NewScript(`if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`)
	release := goredis.NewScript(`if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`)
	before := time.Now()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(rdb.SetArgs(ctx, lock.Key, "quince-3:41207", goredis.SetArgs{Mode: "NX", TTL: time.Minute}).Err())
	check(renew.Run(ctx, rdb, []string{lock.Key}, "quince-3:41207", 90_000).Err())
	check(release.Run(ctx, rdb, []string{lock.Key}, "quince-3:41207").Err())
	check(rdb.SetArgs(ctx, lock.Key, "plum-8:77", goredis.SetArgs{Mode: "NX", TTL: 30 * time.Millisecond}).Err())
	eventually(t, "the second lease ends", func() bool { return rdb.Exists(ctx, lock.Key).Val() == 0 })

	var h evidence.History
	eventually(t, "the file has it all", func() bool {
		var err error
		h, err = ReadDir(os.DirFS(dir), dir, lock)
		check(err)
		return len(h.Writes) >= 5
	})
	var deeds []string
	for _, w := range h.Writes {
		deeds = append(deeds, string(w.Deed)+" "+w.Value)
		if w.At.From.Before(before.Add(-2*time.Second)) || w.At.To.After(time.Now().Add(2*time.Second)) {
			t.Errorf("%s at %v", w.Command, w.At)
		}
	}
	if got, want := strings.Join(deeds, ", "), "acquire quince-3:41207, renew quince-3:41207, release , acquire plum-8:77, gone "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if d := h.Writes[1].Ends.Sub(h.Writes[0].Ends); d < 29*time.Second || d > 40*time.Second {
		t.Errorf("the renewal moved the end by %v", d)
	}
	if h.Base != baseRDB || h.Cut != "" {
		t.Errorf("base %q, cut %q", h.Base, h.Cut)
	}
}

// A rewrite puts an RDB of the server's own making before the commands: its end
// is found by its checksum.
func TestRealPreamble(t *testing.T) {
	ctx := context.Background()
	rdb, dir := startServer(t)
	for i := range 200 {
		if err := rdb.HSet(ctx, "hash", "field", strings.Repeat("\xff", i), "n", i).Err(); err != nil {
			t.Fatal(err)
		}
	}
	if err := rdb.BgRewriteAOF(ctx).Err(); err != nil {
		t.Fatal(err)
	}
	var base []byte
	eventually(t, "the rewrite is done", func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, "appendonlydir", "*.2.base.rdb"))
		if len(found) == 1 {
			base, _ = os.ReadFile(found[0])
		}
		return len(base) > 0
	})
	h := read(t, string(base)+log("SELECT 0", "SET k a PXAT 5"))
	if told(h) != "set:acquire:a:5" || h.Cut != "" || !h.Since.Known() {
		t.Errorf("%s %+v", told(h), h)
	}
}
