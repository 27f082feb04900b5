package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	goredis "github.com/redis/go-redis/v9"

	"github.com/lockscene/lockscene/inspect/redis"
)

// A wiretap is a loopback proxy that notes every command that passes it.
type wiretap struct {
	addr string
	mu   sync.Mutex
	seen [][]string
}

func tap(t *testing.T, to string) *wiretap {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	w := &wiretap{addr: l.Addr().String()}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			up, err := net.Dial("tcp", to)
			if err != nil {
				c.Close()
				continue
			}
			go func() { _, _ = io.Copy(c, up); c.Close() }()
			go func() { w.relay(c, up); up.Close() }()
		}
	}()
	return w
}

// relay passes requests on, one whole command at a time.
func (w *wiretap) relay(from io.Reader, to io.Writer) {
	r := bufio.NewReader(from)
	for {
		raw, args, err := readCommand(r)
		if err != nil {
			return
		}
		w.mu.Lock()
		w.seen = append(w.seen, args)
		w.mu.Unlock()
		if _, err := to.Write(raw); err != nil {
			return
		}
	}
}

func readCommand(r *bufio.Reader) (raw []byte, args []string, err error) {
	line, err := r.ReadBytes('\n')
	if err != nil {
		return nil, nil, err
	}
	raw = line
	n := 0
	fmt.Sscanf(string(line), "*%d", &n)
	for range n {
		head, err := r.ReadBytes('\n')
		if err != nil {
			return nil, nil, err
		}
		size := 0
		fmt.Sscanf(string(head), "$%d", &size)
		body := make([]byte, size+2)
		if _, err := io.ReadFull(r, body); err != nil {
			return nil, nil, err
		}
		raw = append(append(raw, head...), body...)
		args = append(args, string(body[:size]))
	}
	return raw, args, nil
}

// calls is how often the server has run each command, by its own count.
func calls(t *testing.T, rdb *goredis.Client) map[string]int {
	t.Helper()
	text, err := rdb.Info(context.Background(), "commandstats").Result()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for line := range strings.Lines(text) {
		name, rest, ok := strings.Cut(strings.TrimPrefix(line, "cmdstat_"), ":calls=")
		if ok {
			n := 0
			fmt.Sscanf(rest, "%d", &n)
			out[name] = n
		}
	}
	return out
}

// A whole capture, with every flag that makes it read more, sends nothing that
// is not in the table: by a tap on the wire, and by the server's own count.
func TestOnlyTheTableIsSent(t *testing.T) {
	s := startRedis(t)
	rdb := goredis.NewClient(&goredis.Options{Addr: s.addr, Protocol: 2, DisableIdentity: true})
	defer rdb.Close()
	ctx := context.Background()
	host, _ := os.Hostname()
	for _, c := range [][]any{
		{"SET", "lk", fmt.Sprintf("%s:%d:x", host, os.Getpid()), "PX", 60000},
		{"HSET", "hash", "a:1", "1"}, {"PEXPIRE", "hash", 60000},
		{"SET", "hb", "1"},
	} {
		if err := rdb.Do(ctx, c...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{"lk", "hash", "absent"} {
		w := tap(t, s.addr)
		before := calls(t, rdb)
		run(ctx, []string{"inspect", key, "--redis", w.addr, "--pid", fmt.Sprint(os.Getpid()), "--heartbeat", "key:hb",
			"--watch", "1500ms", "--full", "--out", filepath.Join(t.TempDir(), "b.tar.gz")}, io.Discard, io.Discard)
		after := calls(t, rdb)
		w.mu.Lock()
		if len(w.seen) < 20 {
			t.Errorf("%s: only %d commands on the wire", key, len(w.seen))
		}
		lists := 0
		for _, args := range w.seen {
			if err := redis.Allowed(args); err != nil {
				t.Errorf("%s: %v was sent: %v", key, args, err)
			}
			if strings.EqualFold(strings.Join(args, " "), "client list") {
				lists++
			}
		}
		w.mu.Unlock()
		if lists < 1 || lists > 2 {
			t.Errorf("%s: CLIENT LIST was sent %d times", key, lists)
		}
		table := redis.CommandTable()
		for _, name := range slices.Sorted(maps.Keys(after)) {
			if after[name] == before[name] {
				continue
			}
			if !slices.Contains(table, strings.ToUpper(strings.ReplaceAll(name, "|", " "))) {
				t.Errorf("%s: the server ran %s %d times", key, name, after[name]-before[name])
			}
		}
	}
}

// Looking changes nothing: not the key, not its expiry, not the kernel's modules.
func TestNothingIsChanged(t *testing.T) {
	s := startRedis(t)
	rdb := goredis.NewClient(&goredis.Options{Addr: s.addr, Protocol: 2, DisableIdentity: true})
	defer rdb.Close()
	ctx := context.Background()
	if err := rdb.Do(ctx, "SET", "lk", "v:1:x", "PX", 60000).Err(); err != nil {
		t.Fatal(err)
	}
	state := func() string {
		dump, err1 := rdb.Dump(ctx, "lk").Result()
		end, err2 := rdb.Do(ctx, "PEXPIRETIME", "lk").Result()
		size, err3 := rdb.DBSize(ctx).Result()
		info, err4 := rdb.Info(ctx, "persistence").Result()
		if err1 != nil || err2 != nil || err3 != nil || err4 != nil {
			t.Fatal(err1, err2, err3, err4)
		}
		changes := ""
		for line := range strings.Lines(info) {
			if strings.HasPrefix(line, "rdb_changes_since_last_save") {
				changes = line
			}
		}
		return fmt.Sprintf("%q %v %v %s", dump, end, size, changes)
	}
	modules := func() []byte {
		b, err := os.ReadFile("/proc/modules")
		if err != nil {
			t.Logf("NOT RUN: modules before and after: %v", err)
		}
		return names(b)
	}
	keyBefore, modulesBefore := state(), modules()
	run(ctx, []string{"inspect", "lk", "--redis", s.addr, "--pid", fmt.Sprint(os.Getpid()), "--watch", "1s",
		"--out", filepath.Join(t.TempDir(), "b.tar.gz")}, io.Discard, io.Discard)
	if after := state(); after != keyBefore {
		t.Errorf("before %s\nafter  %s", keyBefore, after)
	}
	if after := modules(); !bytes.Equal(after, modulesBefore) {
		t.Errorf("modules before %s\nafter %s", modulesBefore, after)
	}
}

// names are the modules' names: their use counts change all the time.
func names(modules []byte) []byte {
	var out []string
	for line := range strings.Lines(string(modules)) {
		name, _, _ := strings.Cut(line, " ")
		out = append(out, name)
	}
	slices.Sort(out)
	return []byte(strings.Join(out, " "))
}
