package inspect

import (
	"fmt"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/host"
)

// background collects the files that colour a report and decide nothing. They
// are parsed by a library that reads only from a folder, so they are staged in
// one, once, at the end.
type background struct {
	files  map[string][]byte
	probes map[string]evidence.Probe
}

func (g *background) add(probe evidence.Probe, b []byte) {
	if g.files == nil {
		g.files, g.probes = map[string][]byte{}, map[string]evidence.Probe{}
	}
	name := strings.TrimPrefix(probe.Source, "/proc/")
	g.probes[name] = probe
	if probe.Status == evidence.OK {
		g.files[name] = b
	}
}

// finishBackground parses what was collected. A folder that cannot be made
// costs these readings and no others.
func (p *parser) finishBackground() {
	g := p.background
	if len(g.probes) == 0 {
		return
	}
	root, done, err := host.Stage(g.files)
	if err == nil {
		defer done()
	}
	from, openErr := host.OpenBackground(root)
	if err == nil {
		err = openErr
	}
	if probe, ok := g.probes["loadavg"]; ok {
		p.snap.Host.Load = staged(probe, err, func() (l evidence.Load, err error) {
			l.One, l.Five, l.Fifteen, err = from.Load()
			return l, err
		})
	}
	for _, proc := range p.processes.of {
		probe, ok := g.probes[fmt.Sprintf("%d/limits", proc.Pid)]
		if !ok {
			continue
		}
		proc.Means = staged(probe, err, func() (m evidence.Means, err error) {
			limits, err := from.Limits(proc.Pid)
			if err != nil {
				return m, err
			}
			m.OpenFiles = limits.OpenFiles
			if io, err := from.IO(proc.Pid); err == nil { // refused more often than limits
				m.ReadBytes, m.WriteBytes = io.ReadBytes, io.WriteBytes
			}
			return m, nil
		})
	}
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
