package drill

import (
	"os"
	"strings"
	"time"
)

// The lease every drill uses unless its story needs another. Short, so that a
// drill ends soon; three renewals to a lease, so that a busy machine that delays
// one changes no verdict.
const (
	lease      = 3 * time.Second
	renewEvery = time.Second
)

// A Worker is a running lock client.
type Worker struct {
	*Process
	Pid   int    // as this machine counts; inside a pid namespace it has another
	Value string // what it wrote into the lock
}

// A Launch is how a client is started, beside its role.
type Launch struct {
	Prefix   []string // a program that executes the client in its own place, like nsenter
	Forks    bool     // the prefix forks: the client is its child
	Unreaped bool
	Groups   []*Group // control groups it is in before it acquires
}

// Worker starts a lock client and waits until it holds the lock.
func (s *Scene) Worker(r *Redis, role Role, launch ...Launch) *Worker {
	s.T.Helper()
	w := s.start(r, role, launch...)
	line, _ := s.Await(w.Process, "acquired ", 0)
	w.Value = strings.TrimPrefix(line.Text, "acquired ")
	return w
}

// Holder starts a worker with the usual lease and waits for two renewals: the
// lock is held and being served.
func (s *Scene) Holder(r *Redis, role Role, launch ...Launch) *Worker {
	s.T.Helper()
	if role.Lease == 0 {
		role.Lease = lease
	}
	if role.RenewEvery == 0 {
		role.RenewEvery = renewEvery
	}
	w := s.Worker(r, role, launch...)
	s.Await(w.Process, "renew-ok 2", 0)
	return w
}

// Standby starts a worker that waits for the lock.
func (s *Scene) Standby(r *Redis, role Role, launch ...Launch) *Worker {
	s.T.Helper()
	role.Wait = true
	return s.start(r, role, launch...)
}

// Sidecar starts a process that renews another's lock and does no work.
func (s *Scene) Sidecar(r *Redis, of *Worker) *Worker {
	s.T.Helper()
	w := s.start(r, Role{Kind: "sidecar", Token: of.Value, Lease: lease, RenewEvery: renewEvery})
	s.Await(w.Process, "renew-ok 2", 0)
	return w
}

func (s *Scene) start(r *Redis, role Role, launch ...Launch) *Worker {
	s.T.Helper()
	how := append(launch, Launch{})[0]
	if role.Kind == "" {
		role.Kind = "worker"
	}
	if role.Redis == "" {
		role.Redis = r.Addr
	}
	role.Key = s.Key
	env, err := role.environ()
	s.check(err, "start "+role.Kind)
	self, err := os.Executable()
	s.check(err, "find own program")
	args := append(append([]string{}, how.Prefix...), self)
	how.Groups = append(how.Groups, s.home(how.Groups)...)
	if len(how.Groups) > 0 {
		args = append(s.enter(how.Groups), args...)
	}
	p := s.Run(Start{Args: args, Env: env, Unreaped: how.Unreaped})
	w := &Worker{Process: p, Pid: p.Pid}
	if how.Forks {
		w.Pid = s.child(p.Pid)
	}
	return w
}

// Traced stops every thread of a process under a debugger.
func (s *Scene) Traced(pid int) {
	s.T.Helper()
	env, err := Role{Kind: "tracer", Pid: pid}.environ()
	s.check(err, "start tracer")
	self, err := os.Executable()
	s.check(err, "find own program")
	tracer := s.Run(Start{Args: []string{self}, Env: env})
	s.Must("the tracer says how it went", func() bool { return len(tracer.Lines()) > 0 })
	if first := tracer.Lines()[0].Text; !strings.HasPrefix(first, "traced ") {
		s.NotRun("attach a debugger: %s", first)
	}
	s.Must("the process is in a tracing stop", func() bool { return procState(pid) == "t" })
}
