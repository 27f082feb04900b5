package inspect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
)

// isBackground says whether a file colours a report and decides nothing. These
// files are parsed by a library that reads only from a folder, so they are
// staged in one, and what they hold is left out of everything on the way.
func isBackground(p evidence.Probe) bool {
	switch p.Name {
	case "proc/limits", "proc/io", "host/loadavg":
		return true
	}
	return false
}

// colours are the parsed background readings.
type colours struct {
	load  *evidence.Reading[evidence.Load]
	means map[int]evidence.Reading[evidence.Means]
}

// stageBackground parses the background files while the caller goes on, and
// returns what puts the readings into the snapshot.
func stageBackground(probes []evidence.Probe, bytes func(evidence.Probe) ([]byte, error)) func(*parser) {
	files, found := map[string][]byte{}, map[string]evidence.Probe{}
	for _, p := range probes {
		b, err := bytes(p)
		if !isBackground(p) || err != nil {
			continue
		}
		name := strings.TrimPrefix(p.Source, "/proc/")
		found[name] = p
		if p.Status == evidence.OK {
			files[name] = b
		}
	}
	if len(found) == 0 {
		return func(*parser) {}
	}
	done := make(chan colours, 1)
	go func() { done <- colour(files, found) }()
	return func(p *parser) {
		c := <-done
		if c.load != nil {
			p.snap.Host.Load = *c.load
		}
		for pid, m := range c.means {
			if proc := p.processes.of[pid]; proc != nil {
				proc.Means = m
			}
		}
	}
}

// colour stages the files and parses them. A folder that cannot be made costs
// these readings and no others.
func colour(files map[string][]byte, found map[string]evidence.Probe) colours {
	root, done, err := host.Stage(files)
	if err == nil {
		defer done()
	}
	from, openErr := host.OpenBackground(root)
	err = errors.Join(err, openErr)
	out := colours{means: map[int]evidence.Reading[evidence.Means]{}}
	for _, probe := range found {
		switch probe.Name {
		case "host/loadavg":
			load := staged(probe, err, func() (l evidence.Load, err error) {
				l.One, l.Five, l.Fifteen, err = from.Load()
				return l, err
			})
			out.load = &load
		case "proc/limits":
			out.means[probe.Pid] = staged(probe, err, func() (m evidence.Means, err error) {
				limits, err := from.Limits(probe.Pid)
				if err != nil {
					return m, err
				}
				m.OpenFiles = limits.OpenFiles
				if io, err := from.IO(probe.Pid); err == nil { // refused more often than limits
					m.ReadBytes, m.WriteBytes = io.ReadBytes, io.WriteBytes
				}
				return m, nil
			})
		}
	}
	return out
}

// staged parses one staged file, unless it was not read or could not be staged.
func staged[T any](probe evidence.Probe, stageErr error, parse func() (T, error)) evidence.Reading[T] {
	var v T
	err := stageErr
	if err == nil && probe.Status == evidence.OK {
		v, err = parse()
	}
	if err != nil {
		err = fmt.Errorf("not parsed") // paths of the staging folder must not reach the snapshot
	}
	return read(probe, v, err)
}
