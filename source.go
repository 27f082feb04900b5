package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
	"github.com/lockscene/lockscene/report"
)

// A source is one kind of evidence that can be shown by itself.
type source struct {
	name    string
	short   string
	key     bool // wants a KEY
	example string
}

func sources() []source {
	return []source{
		{"lock", "The key: type, value, expiry, idle time", true, "lock lock:orders --redis 10.0.0.5:6379"},
		{"clients", "CLIENT LIST: the connections that concern this lock, the others counted", true, "clients lock:orders --redis 10.0.0.5:6379"},
		{"slowlog", "SLOWLOG: entries of this key, the others by command only", true, "slowlog lock:orders --redis 10.0.0.5:6379"},
		{"clock", "Redis's clock against this host's; chrony and adjtimex", false, "clock --redis 10.0.0.5:6379"},
		{"owner", "The owner's process, threads, sockets and control group", false, "owner --pid 41207"},
		{"kernel", "Kernel records that can decide an incident", false, "kernel"},
		{"coordinator", "INFO, ROLE and LATENCY of the server", false, "coordinator --redis 10.0.0.5:6379"},
	}
}

func sourceCommand(s source) *cobra.Command {
	var f inspectFlags
	use := s.name
	if s.key {
		use += " KEY"
	}
	cmd := &cobra.Command{
		Use:   use,
		Short: s.short + " (shown, nothing frozen)",
		Long: s.short + `.
One source is read and shown; nothing is judged and nothing is frozen. With
--format json it is the parsed snapshot.`,
		Example: "  lockscene inspect " + s.example,
		Args: func(_ *cobra.Command, args []string) error {
			if s.key && len(args) != 1 {
				return fmt.Errorf("inspect %s wants one KEY: the lock's name in Redis (lockscene inspect %s)", s.name, s.example)
			}
			if !s.key && len(args) > 1 {
				return fmt.Errorf("inspect %s wants at most a KEY", s.name)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				f.subject.Key = args[0]
			}
			f.site = siteOf(cmd)
			return showSource(cmd.Context(), s, f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f.registerLook(cmd)
	formatFlag(cmd, &f.format, "text", "json")
	return cmd
}

// showSource reads one source and shows its readings.
func showSource(ctx context.Context, s source, f inspectFlags, w, stderr io.Writer) error {
	if s.name == "owner" && f.subject.Pid == 0 && f.subject.Unit == "" && f.subject.Cgroup == "" && f.subject.Container == "" && f.subject.Key == "" {
		return usage("inspect owner wants to know whom: --pid, --unit, --cgroup, --container, or a KEY whose value names it")
	}
	t, err := f.target()
	if err != nil {
		return err
	}
	t.Only = s.name
	if f.dryRun {
		return dryRun(t, f.site, w)
	}
	f.warnOfPassword(stderr)
	rec, snap := inspect.Look(ctx, t)
	b := evidence.Bundle{Capture: rec.Capture, Probes: rec.Probes, Raw: rec.Raw, Snapshot: snap}
	if f.format == "json" {
		line, err := evidence.Line(snap)
		if err != nil {
			return err
		}
		_, err = w.Write(line)
		return err
	}
	o := textOptions(w, "")
	o.Full = true
	if err := report.Probes(w, b, o); err != nil {
		return err
	}
	for _, p := range rec.Probes {
		// Which host this is can always be read; it is not what was asked for.
		if p.Status == evidence.OK && !strings.HasPrefix(p.Name, "host/") {
			return nil
		}
	}
	where := ""
	if s.name != "owner" && s.name != "kernel" {
		where = f.whereElse()
	}
	return exit{exitCannotLook, fmt.Errorf("could not read %s: %s%s", s.name, lastWhy(rec.Probes), where)}
}

func lastWhy(probes []evidence.Probe) string {
	why := "nothing was tried"
	for _, p := range probes {
		if p.Why != "" {
			why = p.Why
		}
	}
	return why
}
