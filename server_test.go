package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A server is a real redis-server of one test, on loopback, without
// persistence, stopped at the test's end.
type server struct {
	addr string
}

// startRedis starts redis-server on a free port and waits until it answers.
func startRedis(tb testing.TB, config ...string) *server {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(addr)
	args := append([]string{"--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", tb.TempDir()}, config...)
	cmd := exec.Command("redis-server", args...)
	if err := cmd.Start(); err != nil {
		tb.Fatalf("start redis-server: %v (make test installs it)", err)
	}
	tb.Cleanup(func() { _ = cmd.Process.Kill(); _, _ = cmd.Process.Wait() })
	s := &server{addr: addr}
	eventually(tb, "redis-server answers", func() bool {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	return s
}

func (s *server) port() string { _, p, _ := net.SplitHostPort(s.addr); return p }

// eventually polls for a condition with a real time budget.
func eventually(tb testing.TB, what string, holds func() bool) {
	tb.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !holds() {
		if time.Now().After(deadline) {
			tb.Fatalf("never: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// A scripted server answers a fixed text to everything: what a real one does
// only in states that a test cannot bring about at will.
func scripted(t testing.TB, reply string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go answer(c, reply)
		}
	}()
	return l.Addr().String()
}

// answer replies to each request, an array of bulk strings, with the same text.
func answer(c net.Conn, reply string) {
	defer c.Close()
	r := bufio.NewReader(c)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		n := 0
		fmt.Sscanf(strings.TrimSpace(line), "*%d", &n)
		for range n {
			size, err := r.ReadString('\n')
			if err != nil {
				return
			}
			length := 0
			fmt.Sscanf(strings.TrimSpace(size), "$%d", &length)
			if _, err := io.CopyN(io.Discard, r, int64(length)+2); err != nil {
				return
			}
		}
		if _, err := io.WriteString(c, reply); err != nil {
			return
		}
	}
}
