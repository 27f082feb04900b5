package drill

import (
	"net"
	"sync/atomic"
)

// A Proxy stands between a client and Redis on loopback and can hold back what
// Redis answers.
type Proxy struct {
	Addr string
	held atomic.Bool
}

// Proxy starts one in front of a server.
func (s *Scene) Proxy(r *Redis) *Proxy {
	s.T.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	s.check(err, "listen for the proxy")
	s.T.Cleanup(func() { l.Close() })
	p := &Proxy{Addr: l.Addr().String()}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", r.Addr)
			if err != nil {
				client.Close()
				continue
			}
			go p.pass(server, client, false)
			go p.pass(client, server, true)
		}
	}()
	return p
}

// HoldReplies swallows every answer from now on: requests still take effect.
func (p *Proxy) HoldReplies() { p.held.Store(true) }

// pass copies one way until either end closes, then closes both, as proxies do.
func (p *Proxy) pass(to, from net.Conn, replies bool) {
	defer to.Close()
	defer from.Close()
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		if n > 0 && !(replies && p.held.Load()) {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
