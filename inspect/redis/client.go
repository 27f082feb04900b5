package redis

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/lockscene/lockscene/evidence"
)

// A Client talks to one server over one plain connection.
type Client struct {
	target  Target
	rdb     *goredis.Client
	tape    tape
	now     func() evidence.Stamp
	timeout time.Duration

	mu            sync.Mutex // guards the addresses: the library may dial on its own goroutine
	local, remote string     // our end as CLIENT LIST will show it, the server's as the socket table does
}

// An Exchange is one pipeline and its answer: the bytes as they came.
type Exchange struct {
	Commands   [][]string
	Start, End evidence.Stamp
	Raw        []byte
	Status     evidence.Status // of the exchange as a whole; single replies may still be refusals
	Why        string
}

// Target is how to reach a server. Passwords stay in here: the type prints
// as its address.
type Target struct {
	Network, Addr string // tcp host:port, or unix path
	User          string
	Password      string
	DB            int
	Asking        bool   // a node that a cluster is moving the key's slot to
	Nowhere       string // why nobody knows the address: nothing is sent, and this is the answer
	TLS           *tls.Config
}

// String is the address, never the credentials.
func (t Target) String() string { return t.Addr }

// GoString keeps %#v from printing the password.
func (t Target) GoString() string { return t.Addr }

// Dial prepares a client; the connection opens with the first exchange.
func Dial(t Target, timeout time.Duration, now func() evidence.Stamp) *Client {
	goredis.SetLogger(quiet{}) // a failed dial is evidence, not a line on stderr
	c := &Client{target: t, now: now, timeout: timeout}
	c.rdb = c.open()
	return c
}

// quiet is a logger that says nothing.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

// open makes the library's client. Every habit of it that would send something
// of its own is switched off: retries, pools, identification, maintenance
// notifications, RESP3.
func (c *Client) open() *goredis.Client {
	t := c.target
	rdb := goredis.NewClient(&goredis.Options{
		Network: t.Network, Addr: t.Addr,
		Username: t.User, Password: t.Password, DB: t.DB,
		Protocol: 2, PoolSize: 1, MaxRetries: -1, DialerRetries: 1,
		DisableIdentity:          true,
		ContextTimeoutEnabled:    true,
		DialTimeout:              c.timeout,
		ReadTimeout:              c.timeout,
		WriteTimeout:             c.timeout,
		PoolTimeout:              c.timeout,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
		Dialer:                   c.dial,
		// The server's greeting is no evidence of the lock.
		OnConnect: func(context.Context, *goredis.Conn) error { c.tape.take(); return nil },
	})
	rdb.AddHook(readOnly{})
	return rdb
}

func (c *Client) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: c.timeout}
	conn, err := dialer.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.local, c.remote = conn.LocalAddr().String(), conn.RemoteAddr().String()
	c.mu.Unlock()
	if c.target.TLS != nil {
		conn = tls.Client(conn, c.target.TLS)
	}
	return &guard{Conn: conn, tape: &c.tape}, nil
}

// Local is our own address, known once the first exchange has been sent.
func (c *Client) Local() string { c.mu.Lock(); defer c.mu.Unlock(); return c.local }

// Remote is the server's address as it resolved; empty before a connection.
func (c *Client) Remote() string { c.mu.Lock(); defer c.mu.Unlock(); return c.remote }

// Close ends the connection.
func (c *Client) Close() error { return c.rdb.Close() }

// Do sends the commands in one pipeline and returns what came back. It never
// fails: a broken exchange is an Exchange that says so.
func (c *Client) Do(ctx context.Context, commands ...[]string) Exchange {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	c.tape.take()
	if c.target.Asking {
		commands = asking(commands)
	}
	ex := Exchange{Commands: commands}
	pipe := c.rdb.Pipeline()
	for _, args := range commands {
		pipe.Do(ctx, anys(args)...)
	}
	ex.Start = c.now()
	if c.target.Nowhere != "" {
		ex.End, ex.Status, ex.Why = ex.Start, evidence.Failed, c.target.Nowhere
		return ex
	}
	_, err := pipe.Exec(ctx)
	ex.End = c.now()
	ex.Raw = c.tape.take()
	ex.Status, ex.Why = outcome(err, ex.Raw, len(commands))
	if ex.Raw == nil && err != nil {
		// A library that has seen one failed dial stops dialling for a while;
		// a restarted server would look absent. Start afresh instead.
		_ = c.rdb.Close()
		c.rdb = c.open()
	}
	return ex
}

func anys(args []string) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = a
	}
	return out
}

// outcome classes an exchange. A reply that is an error is not a failed
// exchange; but when every reply is the same refusal, the exchange is refused.
func outcome(err error, raw []byte, want int) (evidence.Status, string) {
	replies, parseErr := ParseReplies(raw)
	if len(replies) < want || parseErr != nil {
		if err == nil {
			err = fmt.Errorf("read replies: %d of %d came", len(replies), want)
		}
		return statusOfNet(err)
	}
	for _, r := range replies {
		if !r.IsError() {
			return evidence.OK, ""
		}
	}
	if len(replies) == 0 {
		return statusOfNet(errors.Join(err, errors.New("no reply")))
	}
	return StatusOfError(replies[0].Str)
}
