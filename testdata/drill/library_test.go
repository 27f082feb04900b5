package drill

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// A lockLibrary is a real library that takes a real lock, in a program of its own.
type lockLibrary struct {
	name   string
	start  func(s *Scene, host, port, name, beat string) []string // the program; the lock's name as its user calls it
	key    func(name string) string                               // where the library keeps the lock
	lease  time.Duration                                          // its default, as a responder must be told; zero: the caller's
	every  time.Duration                                          // its renewal interval by default; zero: it renews only when asked
	renews bool                                                   // by itself
	stuck  syscall.Signal                                         // makes the client's work hang while its renewals go on
}

func plainKey(name string) string { return name }

// lockLibraries are those that can be had here.
var lockLibraries = []lockLibrary{
	{name: "redsync", start: goClient("redsync"), key: plainKey, lease: 8 * time.Second},
	{name: "redislock", start: goClient("redislock", "-lease", "8s"), key: plainKey},
	{name: "go-zero", start: goClient("go-zero", "-lease", "8s"), key: plainKey},
	{name: "rueidislock", start: goClient("rueidislock"), key: func(n string) string { return "rueidislock:0:" + n },
		lease: 5 * time.Second, every: 2500 * time.Millisecond, renews: true, stuck: syscall.SIGHUP},
	{name: "redlock", start: nodeClient("redlock"), key: plainKey, renews: true, stuck: syscall.SIGUSR2},
	{name: "bullmq", start: nodeClient("bullmq"), key: func(n string) string { return "bull:" + n + ":job-7:lock" },
		lease: 30 * time.Second, every: 15 * time.Second, renews: true, stuck: syscall.SIGUSR2},
	{name: "redis-py", start: pythonClient, key: plainKey},
}

// clientSeconds ends a client that nobody ended.
const clientSeconds = "120"

func goClient(lib string, flags ...string) func(*Scene, string, string, string, string) []string {
	return func(s *Scene, host, port, name, beat string) []string {
		return append([]string{s.goClients(), "-lib", lib, "-redis", host + ":" + port, "-key", name, "-for", clientSeconds + "s", "-heartbeat", beat}, flags...)
	}
}

func nodeClient(lib string) func(*Scene, string, string, string, string) []string {
	return func(s *Scene, host, port, name, beat string) []string {
		return []string{"node", filepath.Join(s.nodeClients(), "lockclient.mjs"), lib, host, port, name, clientSeconds, beat}
	}
}

// pythonClient asks the system's own Python first: that is where its packages are.
func pythonClient(s *Scene, host, port, name, _ string) []string {
	pythons := []string{"/usr/bin/python3", "python3"}
	i := slices.IndexFunc(pythons, func(p string) bool { return exec.Command(p, "-c", "import redis").Run() == nil })
	if i < 0 {
		s.NotRun("redis-py is not installed")
	}
	return []string{pythons[i], s.clientsDir("lockclient.py"), host, port, name, clientSeconds, "8"}
}

func (s *Scene) clientsDir(below string) string {
	dir, err := filepath.Abs(filepath.Join("..", "clients", below))
	s.check(err, "find the clients")
	return dir
}

// goClients builds the clients of Go's libraries, a module of its own: lockscene
// itself must not depend on them. Build results are cached between runs.
func (s *Scene) goClients() string {
	s.T.Helper()
	bin := filepath.Join(s.T.TempDir(), "lockclient")
	cmd := exec.CommandContext(s.Ctx, "go", "build", "-o", bin, ".")
	cmd.Dir = s.clientsDir("go")
	if out, err := cmd.CombinedOutput(); err != nil {
		s.NotRun("the clients of Go's lock libraries cannot be built: %s", firstLine(out))
	}
	return bin
}

// nodeClients is where the clients of Node's libraries and their modules lie.
func (s *Scene) nodeClients() string {
	s.T.Helper()
	s.needs("node")
	dir := s.clientsDir("node")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "bullmq")); err != nil {
		s.NotRun("the lock libraries of Node are not installed (npm ci in testdata/clients/node)")
	}
	return dir
}

// A client is one such program, holding its lock.
type client struct {
	*Process
	beat string
}

// Library starts a client and waits until it holds the lock.
func (s *Scene) Library(l lockLibrary, r *Redis) *client {
	s.T.Helper()
	s.Contract = nil // nobody tells what the library does
	host, port, _ := strings.Cut(r.Addr, ":")
	name := s.Row.Slug
	s.Key = l.key(name)
	c := &client{beat: filepath.Join(s.Dir, "beat")}
	c.Process = s.Run(Start{Args: l.start(s, host, port, name, c.beat)})
	s.Await(c.Process, "held", 0)
	s.Must("the lock is where its library keeps it", func() bool { return r.Admin.Exists(s.Ctx, s.Key).Val() == 1 })
	return c
}

// libraryRows are every library three times: healthy, killed, and where it renews by
// itself with its work stuck.
func libraryRows() []Row {
	var out []Row
	for _, l := range lockLibraries {
		out = append(out, l.killed())
		if l.renews {
			out = append(out, l.workless())
		}
	}
	return out
}

func (l lockLibrary) killed() Row {
	return Row{
		Slug:  l.name + "-killed",
		Story: "A lock taken by " + l.name + ", whose process is killed. Nobody can say how long the lease is or how often it is renewed.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			c := s.Library(l, r)
			s.Kill(c.Pid)
			// Long enough for a lease to end that nobody renews.
			s.Inspect(r, "--pid="+itoa(c.Pid), "--watch", (l.longest() + 5*time.Second).String())
			s.told(l)
		},
		Want: Want{Label: evidence.Crash, Owner: "gone"},
	}
}

func (l lockLibrary) workless() Row {
	return Row{
		Slug:  l.name + "-workless",
		Story: "A lock taken by " + l.name + ", which renews it by itself. The work hangs for ever; the renewals go on.",
		Drill: func(s *Scene) {
			r := s.Redis(RedisConfig{})
			c := s.Library(l, r)
			s.Must("the work beats", func() bool { _, err := os.Stat(c.beat); return err == nil })
			s.check(syscall.Kill(c.Pid, l.stuck), "stop the work")
			s.Await(c.Process, "stuck", 0)
			// A lease may be longer than a condition is waited for.
			for age := 15 * time.Second; age < l.longest(); age += 15 * time.Second {
				s.Must("the heartbeat grows old", func() bool { return fileAge(c.beat) > age })
			}
			s.Must("the heartbeat is older than the lease", func() bool { return fileAge(c.beat) > l.longest()+time.Second })
			s.Inspect(r, "--pid="+itoa(c.Pid), "--heartbeat", "file:"+c.beat, "--watch", "25s")
			s.told(l)
		},
		Want: Want{Label: evidence.RenewalAfterLoss, Lease: "renewing", Owner: "stalled"},
	}
}

// longest is the client's lease: the library's default, or what the client chose.
func (l lockLibrary) longest() time.Duration {
	if l.lease > 0 {
		return l.lease
	}
	return 8 * time.Second
}

// told checks what the evidence says of the library.
func (s *Scene) told(l lockLibrary) {
	s.T.Helper()
	if s.Lab.Bin == "" {
		return
	}
	b := s.bundle()
	d, ok := b.Snapshot.Dialect.Get()
	if !ok {
		s.T.Fatalf("no library is named: %s", b.Snapshot.Dialect.Why)
	}
	s.T.Logf("%+v", d)
	if !slices.ContainsFunc(d.OneOf, func(o evidence.Library) bool { return o.Name == l.name }) || d.OneOf[0].Name != l.name {
		s.T.Errorf("the library is %+v, want %s first", d.OneOf, l.name)
	}
	if d.Lease != l.lease || d.RenewEvery != l.every {
		s.T.Errorf("lease %s, renewed every %s by default; want %s, %s", d.Lease, d.RenewEvery, l.lease, l.every)
	}
	if len(d.Holders) == 0 {
		s.T.Error("no holder is decoded")
	}
}

// Real libraries hold real locks: each is named, and judged right.
func TestLibraries(t *testing.T) {
	lab := &Lab{Bin: binary(t), Record: *recordDir, Tally: &Tally{}}
	t.Cleanup(func() { publish(t, "real libraries", lab.Tally) })
	for n, row := range libraryRows() {
		t.Run(row.Slug, func(t *testing.T) {
			t.Parallel()
			Stage(t, lab, 200+n, row)
		})
	}
}
