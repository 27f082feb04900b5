package service

import (
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// ParseDocker reads `docker inspect` or `podman inspect` of containers.
func ParseDocker(b []byte, f stamp.Frame) ([]evidence.Container, error) {
	list, err := host.ParseDocker(b)
	if err != nil {
		return nil, err
	}
	out := make([]evidence.Container, 0, len(list))
	for _, c := range list {
		out = append(out, dockerContainer(c, f))
	}
	return out, nil
}

func dockerContainer(c host.Container, f stamp.Frame) evidence.Container {
	out := evidence.Container{
		ID: c.ID, Name: c.Name, Status: c.Status, Pid: c.Pid, OOMKilled: c.OOMKilled, Restarts: c.Restarts,
		Started: instant(f, c.Started), Finished: instant(f, c.Finished),
	}
	if c.Paused {
		out.Status = "paused"
	}
	if !c.Running && c.Finished.Year() > 1 {
		out.Exit = evidence.Saw("docker/ExitCode", c.ExitCode)
		if c.OOMKilled {
			out.Reason = "OOMKilled"
		}
	}
	if c.Previous.Year() > 1 {
		// The runtime dates the end of the run before and keeps nothing else.
		out.Previous = &evidence.Run{Exit: Untold, Finished: instant(f, c.Previous)}
	}
	return out
}

// Untold is the exit code of a run whose code nobody kept.
const Untold = -1

// instant is a time as a runtime keeps it, exact as it stands. Never is year
// one.
func instant(f stamp.Frame, t time.Time) evidence.Interval {
	if t.Year() <= 1 {
		return evidence.Interval{}
	}
	return f.Instant(t, precision(t))
}

// precision is how coarse a time is: whole seconds are taken for what they look
// like.
func precision(t time.Time) time.Duration {
	switch ns := t.Nanosecond(); {
	case ns == 0:
		return time.Second
	case ns%1e6 == 0:
		return time.Millisecond
	}
	return time.Microsecond
}
