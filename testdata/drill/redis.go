package drill

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// A Redis is a real server of one scene.
type Redis struct {
	*Process
	Addr   string        // host:port
	Admin  *redis.Client // one named connection of the drill's own, idle unless a drill asks
	config RedisConfig
}

// RedisConfig is how a server is started.
type RedisConfig struct {
	Run   string   // program; empty is redis-server
	Bind  string   // address; empty is loopback
	Port  int      // zero takes a free one
	Lines []string // further arguments of redis-server, as --name value
	Clock *Clock   // its own wall clock; nil leaves it the machine's
}

// Redis starts a server without persistence and waits until it answers.
func (s *Scene) Redis(config RedisConfig) *Redis {
	s.T.Helper()
	if config.Run == "" {
		s.needs("redis-server")
		config.Run = "redis-server"
	}
	if config.Bind == "" {
		config.Bind = "127.0.0.1"
	}
	// A free port may be taken between asking and binding; then the next is tried.
	for attempt := 0; ; attempt++ {
		trial := config
		if trial.Port == 0 {
			trial.Port = s.freePort(config.Bind)
		}
		r := s.startRedis(trial)
		if s.answers(r) {
			return r
		}
		if config.Port != 0 || attempt == 4 {
			s.T.Fatalf("start redis-server on %s: it does not answer\n%s", r.Addr, r.tail(5))
		}
	}
}

func (s *Scene) startRedis(config RedisConfig) *Redis {
	args := []string{config.Run, "--bind", config.Bind, "--port", strconv.Itoa(config.Port),
		"--save", "", "--appendonly", "no", "--dir", s.T.TempDir(), "--protected-mode", "no"}
	start := Start{Args: append(args, config.Lines...)}
	if config.Clock != nil {
		start.Env = config.Clock.environ()
	}
	addr := net.JoinHostPort(config.Bind, strconv.Itoa(config.Port))
	r := &Redis{Process: s.Run(start), Addr: addr, config: config}
	r.Admin = dial(addr, "drill-admin")
	s.T.Cleanup(func() { r.Admin.Close() })
	return r
}

func (s *Scene) answers(r *Redis) bool {
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if r.Admin.Ping(s.Ctx).Err() == nil {
			return true
		}
		if procState(r.Pid) == "" {
			return false
		}
	}
	return false
}

func (s *Scene) freePort(bind string) int {
	s.T.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(bind, "0"))
	s.check(err, "find a free port")
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// Restart kills the server and starts an empty one on the same port.
func (s *Scene) Restart(r *Redis) *Redis {
	s.T.Helper()
	s.Kill(r.Pid)
	return s.Redis(r.config)
}

// Replica starts a server that follows r, and waits until it has caught up.
func (s *Scene) Replica(r *Redis) *Redis {
	s.T.Helper()
	host, port, err := net.SplitHostPort(r.Addr)
	s.check(err, "split "+r.Addr)
	replica := s.Redis(RedisConfig{Lines: []string{"--replicaof", host + " " + port}})
	s.Must("the replica follows", func() bool {
		info := s.Info(replica, "replication")
		return info["master_link_status"] == "up" && info["master_sync_in_progress"] == "0"
	})
	return replica
}

// Info is one section of INFO, field by field.
func (s *Scene) Info(r *Redis, section string) map[string]string {
	s.T.Helper()
	text, err := r.Admin.Info(s.Ctx, section).Result()
	if err != nil {
		return nil
	}
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			fields[name] = value
		}
	}
	return fields
}

// Held says whether the lock's value is the one given.
func (s *Scene) Held(r *Redis, value string) bool {
	got, err := r.Admin.Get(s.Ctx, s.Key).Result()
	return err == nil && got == value
}

// Left is what Redis says is left of the lease; negative when there is no key.
func (s *Scene) Left(r *Redis) time.Duration {
	s.T.Helper()
	left, err := r.Admin.PTTL(s.Ctx, s.Key).Result()
	s.check(err, "ask for the time left")
	return left
}

// Quiet proves that no renewal reaches Redis: over more than two intervals the
// key's time only runs down, or the key ends.
func (s *Scene) Quiet(r *Redis, interval time.Duration) {
	s.T.Helper()
	last := s.Left(r)
	for end := time.Now().Add(2*interval + interval/4); time.Now().Before(end); time.Sleep(interval / 10) {
		left := s.Left(r)
		if left > last+10*time.Millisecond {
			s.T.Fatalf("prove the injection: the lease was extended from %s to %s", last, left)
		}
		last = left
	}
}

// calls is how often the server ran a command since it started.
func (s *Scene) calls(r *Redis, command string) int {
	row := s.Info(r, "commandstats")["cmdstat_"+command]
	n := 0
	_, _ = fmt.Sscanf(row, "calls=%d", &n)
	return n
}

// as runs one command on a named connection of its own and leaves it open: a
// person at a prompt.
func (s *Scene) as(r *Redis, name string, args ...any) {
	s.T.Helper()
	c := dial(r.Addr, name)
	s.T.Cleanup(func() { c.Close() })
	s.check(c.Do(context.Background(), args...).Err(), fmt.Sprint("run ", args))
}
