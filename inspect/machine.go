package inspect

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/clock"
	"github.com/lockscene/lockscene/inspect/host"
	"github.com/lockscene/lockscene/inspect/kernel"
)

// identify learns which host and namespaces we look from. It is cheap and comes
// first: every other host reading is filed under it.
func (s *session) identify() {
	v := s.vantage()
	v.Self = os.Getpid()
	v.Slept = max(clock.Now().Boot-clock.Mono(), 0).Round(time.Millisecond)
	v.PidNS, _ = os.Readlink(s.reader.path("/proc/self/ns/pid"))
	boot := s.reader.fetch(evidence.Probe{Name: "host/boot_id", Source: "/proc/sys/kernel/random/boot_id"})
	v.BootID = strings.TrimSpace(string(boot.bytes))
	s.reader.add(boot.probe, "", boot.bytes)
	name := s.reader.fetch(evidence.Probe{Name: "host/hostname", Source: "/proc/sys/kernel/hostname"})
	v.Host = strings.TrimSpace(string(name.bytes))
	s.reader.add(name.probe, "", name.bytes)
	if v.Host == "" {
		v.Host, _ = os.Hostname()
	}
	mounts := s.reader.fetch(evidence.Probe{Name: "host/mountinfo", Source: "/proc/self/mountinfo"})
	all, _ := host.ParseMountinfo(mounts.bytes)
	s.mounts = host.Under(all, realRoot(s.reader.root))
	mounts.bytes = cgroupLines(mounts.bytes)
	s.reader.add(mounts.probe, "", mounts.bytes)
}

// realRoot is the folder by which the kernel knows --rootfs.
func realRoot(root string) string {
	if abs, err := filepath.Abs(root); err == nil {
		root = abs
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	return root
}

// cgroupLines keeps the mounts that matter: others may name what is not ours.
func cgroupLines(b []byte) []byte {
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		if strings.Contains(line, " - cgroup") {
			out.WriteString(line)
		}
	}
	return []byte(out.String())
}

// readPressure takes one look at the host's pressure and its kill counter.
func (s *session) readPressure(ctx context.Context) {
	var plan []evidence.Probe
	for _, name := range []string{"cpu", "io", "memory"} {
		plan = append(plan, evidence.Probe{Name: "pressure/" + name, Source: "/proc/pressure/" + name, Look: s.look})
	}
	plan = append(plan, evidence.Probe{Name: "host/vmstat", Source: "/proc/vmstat", Look: s.look})
	if s.look == 1 {
		plan = append(plan, evidence.Probe{Name: "host/loadavg", Source: "/proc/loadavg", Look: s.look})
	}
	s.reader.gather(ctx, plan, func(p evidence.Probe) got {
		g := s.reader.fetch(p)
		if p.Name == "host/vmstat" {
			g.bytes = linesWith(g.bytes, "oom_kill ")
		}
		return g
	})
}

func linesWith(b []byte, prefix string) []byte {
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, prefix) {
			out.WriteString(line)
		}
	}
	return []byte(out.String())
}

// readClocks reads what the host says of its own clock.
func (s *session) readClocks(ctx context.Context) {
	ctx, cancel := s.each(ctx)
	defer cancel()
	p := evidence.Probe{Name: "clock/adjtimex", Source: "adjtimex(2), modes 0", Start: clock.Now()}
	timex, state, err := clock.ReadAdjtimex()
	p.End, p.Status = clock.Now(), state
	var raw []byte
	if err != nil {
		p.Why = err.Error()
	} else {
		raw, _ = clock.EncodeAdjtimex(timex) // a struct of numbers always encodes
	}
	s.reader.add(p, "clock/adjtimex", raw)
	p = evidence.Probe{Name: "clock/chrony", Source: "chronyd " + chronyAddress, Start: clock.Now()}
	reply, status, why := clock.QueryChrony(ctx, chronyAddress)
	p.End, p.Status, p.Why = clock.Now(), status, why
	s.reader.add(p, "clock/chrony-tracking", reply)
}

// chronyAddress is where chronyd answers monitoring requests by default; only
// requests that need no privilege are sent.
const chronyAddress = "127.0.0.1:323"

// readKernel reads the kernel's log, the whole ring. By default only records
// that a rule knows are kept with their text.
func (s *session) readKernel(ctx context.Context) {
	ctx, cancel := s.each(ctx)
	defer cancel()
	p := evidence.Probe{Name: "kernel/kmsg", Source: "/dev/kmsg", Look: s.look, Start: clock.Now()}
	raw, status, why := kernel.ReadKmsg(ctx, s.reader.path(p.Source))
	p.End, p.Status, p.Why = clock.Now(), status, why
	s.reader.add(p, "", s.maskKernel(raw))
	if status == evidence.OK || status == evidence.Truncated || s.reader.root != "/" {
		return
	}
	p = evidence.Probe{Name: "kernel/dmesg", Source: "dmesg", Look: s.look, Start: clock.Now()}
	raw, status, why = kernel.ReadDmesg(ctx)
	p.End, p.Status, p.Why = clock.Now(), status, why
	s.reader.add(p, "kernel/dmesg", s.maskKernel(raw))
}

func (s *session) maskKernel(raw []byte) []byte {
	if s.target.Full {
		return raw
	}
	return kernel.Mask(raw)
}
