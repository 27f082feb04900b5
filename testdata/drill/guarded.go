package drill

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// A guarded worker does what a careful program does with a lock: it takes it with a
// fencing token, renews it while its work goes on, writes to a protected resource
// with that token, stops when its lease ends by its own clock or it is told that the
// lock is lost, and records all of it.

// acquireScript takes the lock and counts the token up in one step.
const acquireScript = `if redis.call('set',KEYS[1],ARGV[1],'NX','PX',ARGV[2]) then return redis.call('incr',KEYS[1]..':token') end return 0`

// writeEvery is how often the work writes.
const writeEvery = 200 * time.Millisecond

type guarded struct {
	role  Role
	host  string
	owner string
	redis *redis.Client
	sql   *sql
	out   sync.Mutex
	log   *os.File

	mu     sync.Mutex
	token  int64
	until  time.Time // the lease's end, by this process's own steady clock
	lost   bool
	paused bool
	writes int // since the last renewal
	held   chan struct{}
	hold   bool
	stick  string // where the next renewal stays for ever: before it is sent, or behind its answer
	share  bool   // the next write is of the request that another party made, too
	idle   bool   // renewals are paused, whatever the work does
	ended  bool   // it noted that its lease is over
}

func runGuarded(role Role) error {
	host, _ := os.Hostname()
	g := &guarded{role: role, host: host, owner: fmt.Sprintf("%s:%d", host, os.Getpid()), held: make(chan struct{})}
	_ = os.WriteFile("/proc/self/comm", []byte("ledgerd"), 0)
	var err error
	if g.log, err = os.OpenFile(role.Events, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err != nil {
		return err
	}
	if g.sql, err = openSQL(role.Resource); err != nil {
		return err
	}
	g.redis = dial(role.Redis, "guarded-"+fmt.Sprint(os.Getpid()))
	if err := g.acquire(); err != nil {
		return err
	}
	go g.renewals()
	go g.work()
	g.obey()
	return nil
}

// note records one event, on this host's clock.
func (g *guarded) note(event string, more map[string]any) {
	e := map[string]any{"at": time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"), "clock": "host:" + g.host, "actor": g.owner, "event": event, "key": g.role.Key, "owner": g.owner}
	for k, v := range more {
		e[k] = v
	}
	line, _ := json.Marshal(e)
	g.out.Lock()
	defer g.out.Unlock()
	_, _ = g.log.Write(append(line, '\n'))
	fmt.Println(event, e["ok"], e["text"])
}

func (g *guarded) acquire() error {
	for {
		asked := time.Now()
		n, err := g.redis.Eval(context.Background(), acquireScript, []string{g.role.Key}, g.owner, g.role.Lease.Milliseconds()).Int64()
		if err != nil {
			return err
		}
		if n > 0 {
			g.token, g.until = n, asked.Add(g.role.Lease)
			// The resource learns the token first: until then it takes the old one.
			if answer, err := g.sql.write(g.owner, n, "claim-"+g.owner, ""); err != nil || answer != "accepted" {
				return fmt.Errorf("claim the resource: %s %v", answer, err)
			}
			g.note("acquire", map[string]any{"token": fmt.Sprint(n), "ok": true})
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// renewals extend the lease, as long as the work has written since the last one.
func (g *guarded) renewals() {
	for n := 1; ; n++ {
		time.Sleep(g.role.RenewEvery)
		g.mu.Lock()
		alive := !g.lost && !g.idle && (g.writes > 0 || g.role.Careless)
		g.writes = 0
		g.mu.Unlock()
		if !alive {
			continue
		}
		sent := time.Now()
		g.note("renew-sent", nil)
		g.stuck("before")
		ctx, cancel := context.WithTimeout(context.Background(), g.role.RenewEvery)
		got, err := g.redis.Eval(ctx, renewScript, []string{g.role.Key}, g.owner, g.role.Lease.Milliseconds()).Int()
		cancel()
		g.stuck("behind")
		g.mu.Lock()
		switch {
		case err != nil:
			g.mu.Unlock()
			g.note("renew", map[string]any{"ok": false, "text": "no answer: timeout: " + err.Error()})
			continue
		case got == 0:
			g.lost = true
			g.mu.Unlock()
			g.note("renew", map[string]any{"ok": false, "text": "not the owner any more"})
			continue
		}
		g.until = sent.Add(g.role.Lease)
		g.mu.Unlock()
		g.note("renew", map[string]any{"ok": true})
	}
}

// stuck stays in a renewal, at the place it was told, until the process ends.
func (g *guarded) stuck(place string) {
	g.mu.Lock()
	here := g.stick == place
	g.mu.Unlock()
	if here {
		fmt.Println("stuck", place)
		select {}
	}
}

// work writes, with its token, while the lease lasts.
func (g *guarded) work() {
	for n := 1; ; n++ {
		time.Sleep(writeEvery)
		g.mu.Lock()
		may, hold, share := !g.lost && !g.paused && time.Now().Before(g.until), g.hold, g.share
		over := !g.ended && !time.Now().Before(g.until)
		g.ended, g.share = g.ended || over, false
		g.mu.Unlock()
		if over {
			g.note("stopped", map[string]any{"text": "the lease is over by this process's own clock"})
		}
		if !may {
			continue
		}
		request := fmt.Sprintf("%s-%d", g.owner, n)
		if share {
			request = "shared"
		}
		if hold {
			// The check is done and the write is not sent: where a pause hurts most.
			fmt.Println("about to write")
			<-g.held
			request = "shared"
		}
		g.note("heartbeat", nil)
		answer, err := g.sql.write(g.owner, g.token, request, "")
		fmt.Println("wrote", request, answer)
		g.mu.Lock()
		if g.hold = false; err != nil || answer != "accepted" {
			g.lost = true
		}
		g.writes++
		g.mu.Unlock()
	}
}

// obey carries out commands; the end of stdin ends the process.
func (g *guarded) obey() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		g.mu.Lock()
		switch strings.TrimSpace(in.Text()) {
		case "pause-work":
			g.paused = true
			g.note("pause", map[string]any{"text": "work paused, renewer alive"})
		case "stick before", "stick behind":
			_, g.stick, _ = strings.Cut(strings.TrimSpace(in.Text()), " ")
		case "pause-renewals":
			g.idle = true
		case "share":
			g.share = true
		case "balloon":
			go (&work{}).balloon()
		case "hold":
			g.hold = true
		case "go":
			close(g.held)
			g.held = make(chan struct{})
		}
		g.mu.Unlock()
	}
	os.Exit(0)
}

// A sql is psql, kept running: one line in, one line out.
type sql struct {
	mu  sync.Mutex
	in  io.Writer
	out *bufio.Scanner
}

// openSQL starts psql on a socket folder and a schema, FOLDER SCHEMA.
func openSQL(resource string) (*sql, error) {
	dir, schema, _ := strings.Cut(resource, " ")
	cmd := exec.Command("psql", "-qAtX", "-h", dir, "-U", "postgres", "postgres")
	cmd.Env = append(os.Environ(), "PGOPTIONS=-c search_path="+schema, "PGTZ=UTC")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	return &sql{in: in, out: bufio.NewScanner(out)}, cmd.Start()
}

func (s *sql) write(owner string, token int64, request, note string) (string, error) {
	return s.ask(fmt.Sprintf("select guarded_write('%s', %d, '%s', '%s');", owner, token, request, note))
}

func (s *sql) ask(statement string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := io.WriteString(s.in, statement+"\n"); err != nil {
		return "", err
	}
	if !s.out.Scan() {
		return "", fmt.Errorf("psql ended: %v", s.out.Err())
	}
	return s.out.Text(), nil
}
