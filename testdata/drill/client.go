package drill

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"golang.org/x/sys/unix"
)

// The two scripts every careful lock library sends: act only while the value is
// still ours.
const (
	renewScript   = `if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('pexpire',KEYS[1],ARGV[2]) else return 0 end`
	releaseScript = `if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end`
)

// clientLifetime ends a client nobody ended: longer than any drill lasts.
const clientLifetime = 3 * time.Minute

// A lockClient is one lock-holding process, seen from inside. Its renewals leave
// from one named thread and its work is done by another, because telling the
// two apart is what half the drills are about.
type lockClient struct {
	role  Role
	value string
	redis *redis.Client
	work  *work
	out   sync.Mutex
	asks  chan string // commands for the renewing thread
}

func runClient(role Role) error {
	if err := rename(role.UTS); err != nil {
		return err
	}
	// The runtime's own threads must stay quiet: their CPU would pass for work.
	runtime.GOMAXPROCS(2)
	debug.SetGCPercent(-1)
	_ = os.WriteFile("/proc/self/comm", []byte("ledgerd"), 0)
	c := &lockClient{role: role, value: role.Token, asks: make(chan string, 4)}
	if c.value == "" {
		c.value = ownValue(role)
	}
	c.redis = dial(role.Redis, fmt.Sprintf("%s-%d", role.Kind, os.Getpid()))
	if role.Kind == "worker" {
		c.work = startWork(role.Heartbeat)
	}
	gone := make(chan error, 1)
	go func() { gone <- c.holdAndRenew() }()
	go c.obey()
	select {
	case err := <-gone:
		return err
	case <-time.After(clientLifetime):
		return fmt.Errorf("nobody ended this client in %s", clientLifetime)
	}
}

// dial returns a client of one connection that neither retries nor introduces
// itself, so that what stands on the wire is what the drill asked for.
func dial(addr, name string) *redis.Client {
	return redis.NewClient(&redis.Options{
		Addr: addr, ClientName: name, Protocol: 2, PoolSize: 1, MaxRetries: -1,
		DisableIdentity: true, ContextTimeoutEnabled: true,
		DialTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
}

// ownValue is host:pid:nonce, as this process itself sees host and pid; for an
// opaque role it is a random token.
func ownValue(role Role) string {
	host := role.Host
	if host == "" {
		host, _ = os.Hostname()
	}
	if role.Opaque {
		token := make([]byte, 16)
		_, _ = rand.Read(token)
		return hex.EncodeToString(token)
	}
	nonce := make([]byte, 4)
	_, _ = rand.Read(nonce)
	return fmt.Sprintf("%s:%d:%s", host, os.Getpid(), hex.EncodeToString(nonce))
}

// say prints one line of progress.
func (c *lockClient) say(format string, args ...any) {
	c.out.Lock()
	defer c.out.Unlock()
	fmt.Printf(format+"\n", args...)
}

// obey hands the commands on stdin to whoever carries them out. The end of
// stdin ends the process: the drill is over.
func (c *lockClient) obey() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		word := strings.TrimSpace(in.Text())
		switch word {
		case "exit":
			os.Exit(0)
		case "release", "stop-renewing":
			c.asks <- word
		default:
			c.say("%s", c.work.do(word))
		}
	}
	os.Exit(0)
}

// holdAndRenew is the renewing thread: it acquires, extends and releases.
func (c *lockClient) holdAndRenew() error {
	nameThread("lock-renewer")
	if c.role.Kind == "worker" {
		time.Sleep(c.role.Settle)
		if err := c.acquire(); err != nil {
			return err
		}
	}
	c.say("acquired %s", c.value)
	var due <-chan time.Time
	if c.role.RenewEvery > 0 {
		tick := time.NewTicker(c.role.RenewEvery)
		defer tick.Stop()
		due = tick.C
	}
	for n := 1; ; {
		select {
		case <-due:
			c.renew(n)
			n++
		case ask := <-c.asks:
			due = nil
			c.say("%s", c.stop(ask))
		}
	}
}

func (c *lockClient) acquire() error {
	for {
		args := []any{"SET", c.role.Key, c.value, "NX"}
		if c.role.Lease > 0 {
			args = append(args, "PX", c.role.Lease.Milliseconds())
		}
		err := c.redis.Do(context.Background(), args...).Err()
		if err == nil || (!c.role.Wait && err != nil) {
			return err
		}
		time.Sleep(300 * time.Millisecond)
	}
}

func (c *lockClient) renew(n int) {
	c.say("renew-sent %d", n)
	got, err := c.redis.Eval(context.Background(), renewScript, []string{c.role.Key}, c.value, c.role.Lease.Milliseconds()).Int()
	switch {
	case err != nil:
		c.say("renew-failed %d %v", n, err)
	case got == 0:
		c.say("renew-lost %d", n)
	default:
		c.say("renew-ok %d", n)
	}
}

// stop ends the renewals, and the lock with them when it is to be released.
func (c *lockClient) stop(ask string) string {
	if ask == "stop-renewing" {
		return "stopped-renewing"
	}
	if err := c.redis.Eval(context.Background(), releaseScript, []string{c.role.Key}, c.value).Err(); err != nil {
		return "release-failed " + err.Error()
	}
	return "released"
}

// rename gives the namespace this process is in another host name, where a
// container shows it: to the kernel and in /etc/hostname. Only for a process with
// UTS and mount namespaces of its own.
func rename(host string) error {
	if host == "" {
		return nil
	}
	if err := unix.Sethostname([]byte(host)); err != nil {
		return fmt.Errorf("set host name: %w", err)
	}
	f, err := os.CreateTemp(".", "hostname")
	if err != nil {
		return fmt.Errorf("write host name: %w", err)
	}
	defer f.Close()
	if _, err := f.WriteString(host + "\n"); err != nil {
		return fmt.Errorf("write host name: %w", err)
	}
	if err := unix.Mount(f.Name(), "/etc/hostname", "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("show host name: %w", err)
	}
	return nil
}

// nameThread ties the calling goroutine to its thread and gives that thread a
// name of at most 15 bytes.
func nameThread(name string) {
	runtime.LockOSThread()
	_ = os.WriteFile(fmt.Sprintf("/proc/self/task/%d/comm", unix.Gettid()), []byte(name), 0)
}
