package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/lockscene/lockscene/evidence"
)

// An interrupt ends the watch early and still freezes a valid bundle.
func TestInterruptFreezes(t *testing.T) {
	s := startRedis(t)
	rdb := goredis.NewClient(&goredis.Options{Addr: s.addr, Protocol: 2, DisableIdentity: true})
	defer rdb.Close()
	if err := rdb.Do(context.Background(), "SET", "lk", "v", "PX", 600000).Err(); err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	out := filepath.Join(t.TempDir(), "b.tar.gz")
	watching := make(chan struct{})
	stderr := &notice{want: "watching", seen: watching}
	done := make(chan int)
	go func() {
		done <- run(ctx, []string{"inspect", "lk", "--redis", s.addr, "--watch", "10m", "--budget", "11m", "--out", out}, io.Discard, stderr)
	}()
	select {
	case <-watching:
	case <-time.After(30 * time.Second):
		t.Fatal("the watch never began")
	}
	interrupt()
	select {
	case code := <-done:
		if code != exitInterrupted {
			t.Errorf("exit code %d, want %d", code, exitInterrupted)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the watch went on after the interrupt")
	}
	var said bytes.Buffer
	if code := run(context.Background(), []string{"evidence", "verify", out}, &said, &said); code != exitNone {
		t.Errorf("verify: exit code %d: %s", code, said.String())
	}
	b := open(t, out)
	if b.Capture.Cut == "" {
		t.Error("capture.json does not say that it was cut short")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(out), ".lockscene*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// notice closes seen when want has been written.
type notice struct {
	want string
	seen chan struct{}
	text string
}

func (n *notice) Write(p []byte) (int, error) {
	before := strings.Contains(n.text, n.want)
	n.text += string(p)
	if !before && strings.Contains(n.text, n.want) {
		close(n.seen)
	}
	return len(p), nil
}

func open(t testing.TB, path string) evidence.Bundle {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := evidence.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
