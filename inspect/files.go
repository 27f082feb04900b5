package inspect

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
)

// A reader reads files of the host, each under a deadline, and records them.
type reader struct {
	*recorder
	root string // where the host's / is mounted
}

// got is one finished read, not recorded yet.
type got struct {
	probe evidence.Probe
	file  string
	bytes []byte
}

// path is where a file of the host lies for us.
func (r reader) path(p string) string { return filepath.Join(r.root, p) }

// fetch reads one file. It opens read-only and never more than maxFile.
func (r reader) fetch(p evidence.Probe) got {
	p.Start = clock.Now()
	b, err := readBounded(r.path(p.Source))
	p.End = clock.Now()
	p.Status, p.Why = statusOfFile(err)
	if len(b) == maxFile {
		p.Truncated = true
	}
	return got{probe: p, bytes: b}
}

func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile))
}

// statusOfFile classes a failed read. ENOENT is absent; what that means for a
// process under hidepid is decided where processes are read.
func statusOfFile(err error) (evidence.Status, string) {
	switch {
	case err == nil:
		return evidence.OK, ""
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ESRCH), errors.Is(err, syscall.ENODEV):
		return evidence.Missing, "no such file"
	case errors.Is(err, fs.ErrPermission):
		return evidence.Denied, "permission denied"
	case errors.Is(err, syscall.EOPNOTSUPP):
		return evidence.Disabled, "the kernel has it switched off"
	}
	return evidence.Failed, evidence.Clip(evidence.Printable(cause(err)), 120)
}

// cause drops the path from an error: the probe already names it.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// gather runs reads side by side with the rest of the capture and records what
// came before the deadline. A read that hangs costs its own row: it is marked
// as timed out and left behind.
func (r reader) gather(ctx context.Context, plan []evidence.Probe, read func(evidence.Probe) got) {
	results := make(chan got, len(plan))
	go func() {
		for _, p := range plan {
			results <- read(p)
		}
	}()
	for i := range plan {
		select {
		case g := <-results:
			r.add(g.probe, g.file, g.bytes)
		case <-ctx.Done():
			for _, p := range plan[i:] {
				p.Start, p.End = clock.Now(), clock.Now()
				p.Status, p.Why = evidence.Timeout, "the read did not come back in time"
				r.add(p, "", nil)
			}
			return
		}
	}
}

// readLinks lists a folder of links as "name target" lines: fd and ns. Root may
// list another's descriptors without being allowed to follow one: that is a
// refusal, not a process without sockets.
func readLinks(dir string, keep func(name, target string) bool) ([]byte, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(maxFDs)
	if err != nil && err != io.EOF {
		return nil, err
	}
	var b strings.Builder
	for _, name := range names {
		target, err := os.Readlink(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrPermission) {
			return nil, err
		}
		if err == nil && keep(name, target) {
			b.WriteString(name + " " + target + "\n")
		}
	}
	return []byte(b.String()), nil
}
