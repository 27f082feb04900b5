package host

import (
	"fmt"

	"github.com/prometheus/procfs"
)

// Background reads the measures that colour a report and decide nothing, from
// a folder laid out like /proc: a staged one ([Stage]) or an unpacked bundle.
type Background struct{ fs procfs.FS }

// OpenBackground takes the folder that stands for /proc.
func OpenBackground(root string) (Background, error) {
	fs, err := procfs.NewFS(root)
	if err != nil {
		return Background{}, fmt.Errorf("open background %s: %w", root, err)
	}
	return Background{fs}, nil
}

// Load is /proc/loadavg: the mean number of running or blocked tasks over 1, 5
// and 15 minutes.
func (b Background) Load() (one, five, fifteen float64, err error) {
	l, err := b.fs.LoadAvg()
	if err != nil {
		return 0, 0, 0, fmt.Errorf("read load: %w", err)
	}
	return l.Load1, l.Load5, l.Load15, nil
}

// Pressure is /proc/pressure/RESOURCE: cpu, io, memory or irq.
func (b Background) Pressure(resource string) (procfs.PSIStats, error) {
	p, err := b.fs.PSIStatsForResource(resource)
	if err != nil {
		return procfs.PSIStats{}, fmt.Errorf("read %s pressure: %w", resource, err)
	}
	return p, nil
}

// IO is /proc/PID/io, which needs ptrace access. A zombie's is all zeros.
func (b Background) IO(pid int) (procfs.ProcIO, error) {
	p, err := b.fs.Proc(pid)
	if err != nil {
		return procfs.ProcIO{}, fmt.Errorf("read io of %d: %w", pid, err)
	}
	io, err := p.IO()
	if err != nil {
		return procfs.ProcIO{}, fmt.Errorf("read io of %d: %w", pid, err)
	}
	return io, nil
}

// Limits is /proc/PID/limits: the soft limits, with the largest number for
// unlimited.
func (b Background) Limits(pid int) (procfs.ProcLimits, error) {
	p, err := b.fs.Proc(pid)
	if err != nil {
		return procfs.ProcLimits{}, fmt.Errorf("read limits of %d: %w", pid, err)
	}
	l, err := p.Limits()
	if err != nil {
		return procfs.ProcLimits{}, fmt.Errorf("read limits of %d: %w", pid, err)
	}
	return l, nil
}
