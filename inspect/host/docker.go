package host

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// A Container is what `docker inspect` (or podman) says of one container's runs.
//
// OOMKilled and ExitCode belong to the run that Pid and Started name. A restart
// policy clears them, so false beside Restarts > 0 says nothing of the death
// that caused the restart; only Previous dates it.
type Container struct {
	ID        string
	Name      string // without the leading slash
	Status    string // running, exited, restarting, paused, dead, created
	Running   bool
	Paused    bool // frozen by the runtime
	OOMKilled bool
	ExitCode  int
	Pid       int   // on the host; zero when it does not run
	Restarts  int   // by the restart policy, since the container was created
	Memory    int64 // limit in bytes; zero none

	Started  time.Time // of the latest run; zero: never
	Finished time.Time // end of the latest run; zero while it runs
	Previous time.Time // end of the run before it, known only while one runs; zero: not known
}

// container is the part of docker's own shape that is read.
type container struct {
	ID           string `json:"Id"`
	Name         string
	RestartCount int
	State        struct {
		Status, Error              string
		Running, Paused, OOMKilled bool
		Pid, ExitCode              int
		StartedAt, FinishedAt      time.Time
	}
	HostConfig struct{ Memory int64 }
}

// ParseDocker reads the output of `docker inspect`: a list, or one object.
func ParseDocker(b []byte) ([]Container, error) {
	if err := bounded("docker inspect", b); err != nil {
		return nil, err
	}
	b = bytes.TrimSpace(b)
	if len(b) > 0 && b[0] == '{' {
		b = bytes.Join([][]byte{[]byte("["), b, []byte("]")}, nil)
	}
	var list []container
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, fmt.Errorf("parse docker inspect: %w", err)
	}
	out := make([]Container, 0, len(list))
	for _, c := range list {
		if c.ID == "" && c.Name == "" {
			return nil, fmt.Errorf("parse docker inspect: entry without an Id or a name")
		}
		out = append(out, c.runs())
	}
	return out, nil
}

func (c container) runs() Container {
	s := c.State
	out := Container{
		ID: c.ID, Name: string(bytes.TrimPrefix([]byte(c.Name), []byte("/"))), Status: s.Status,
		Running: s.Running, Paused: s.Paused, OOMKilled: s.OOMKilled, ExitCode: s.ExitCode,
		Pid: s.Pid, Restarts: c.RestartCount, Memory: c.HostConfig.Memory,
		Started: s.StartedAt.UTC(),
	}
	// Docker keeps one finish time and does not clear it at a restart: while
	// the container runs it is the end of the run before. Never is year one.
	switch finished := s.FinishedAt.UTC(); {
	case s.Running && finished.Year() > 1:
		out.Previous = finished
	case !s.Running:
		out.Finished = finished
	}
	return out
}
