package drill

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// roleEnv carries a Role to the test binary when it is run again as one.
const roleEnv = "LOCKSCENE_DRILL_ROLE"

// A Role is what a process of a drill is told to be.
type Role struct {
	Kind       string        // worker, sidecar, guarded or tracer
	Redis      string        // host:port
	Key        string        // the lock
	Lease      time.Duration // PX of the acquire and of each renewal; zero acquires without expiry
	RenewEvery time.Duration // zero never renews
	Token      string        // sidecar: whose value it renews
	Host       string        // the host name in the value; empty takes the machine's
	Opaque     bool          // the value is a random token alone, as most libraries write it
	UTS        string        // host name to take on, in namespaces of the process's own
	Heartbeat  string        // file the work thread writes the time to; empty writes none
	Settle     time.Duration // how long the process lives before it takes the lock
	Wait       bool          // try to acquire until it succeeds, as a standby does
	Pid        int           // tracer: whom to stop
	Resource   string        // guarded: where the protected resource listens, and its schema
	Events     string        // guarded: file it records what it does in
	Careless   bool          // guarded: renews whether its work goes on or not
}

// RunRole runs the role this process was started for and returns its exit code.
// It says false when the process was started for none.
func RunRole() (code int, ok bool) {
	text := os.Getenv(roleEnv)
	if text == "" {
		return 0, false
	}
	var role Role
	if err := json.Unmarshal([]byte(text), &role); err != nil {
		fmt.Fprintln(os.Stderr, "read role:", err)
		return 2, true
	}
	if err := role.run(); err != nil {
		fmt.Fprintf(os.Stderr, "run %s: %v\n", role.Kind, err)
		return 1, true
	}
	return 0, true
}

func (r Role) run() error {
	switch r.Kind {
	case "worker", "sidecar":
		return runClient(r)
	case "guarded":
		return runGuarded(r)
	case "tracer":
		return runTracer(r.Pid)
	}
	return fmt.Errorf("no such role")
}

// environ is the environment that starts the role.
func (r Role) environ() ([]string, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode role: %w", err)
	}
	return append(os.Environ(), roleEnv+"="+string(text)), nil
}
