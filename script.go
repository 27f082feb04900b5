package main

import (
	"fmt"
	"net"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lockscene/lockscene/inspect/redis"
	"github.com/lockscene/lockscene/inspect/script"
)

func scriptCommand() *cobra.Command {
	var o script.Options
	var redisURL string
	cmd := &cobra.Command{
		Use:   "script",
		Short: "Print a POSIX sh script that looks at an owner where nothing may be installed",
		Long: `Prints a shell script that prints what a host can tell about a lock's owner, as a
transcript that lockscene evidence import judges. It runs in any POSIX sh,
busybox too, needs no root, says what it was refused, looks twice some seconds
apart, and only reads. It never reads an environment or a command line.

With --redis, and redis-cli on that host, it asks the coordinator too. The
password is redis-cli's own affair there: set REDISCLI_AUTH.`,
		Example: `  lockscene script --pid 41207 | ssh host sh | lockscene evidence import - --key lock:orders
  lockscene script --pid 1 --redis redis:6379 --key lock:orders | kubectl exec -i POD -- sh > seen.txt
  lockscene script --unit ledger.service --heartbeat file:/run/ledger/beat | ssh host sh`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if o.Redis, err = coordinatorOf(redisURL); err != nil {
				return err
			}
			text, err := script.Text(o)
			if err != nil {
				return exit{exitUsage, err}
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), text)
			return err
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&o.Pid, "pid", 0, "the owner's process on that host")
	fl.StringVar(&o.Unit, "unit", "", "the owner's systemd unit there")
	fl.StringVar(&o.Cgroup, "cgroup", "", "the owner's control group there, below the mount")
	fl.StringVar(&o.Container, "container", "", "the owner's container id there")
	fl.IntVar(&o.Renewer, "renewer-pid", 0, "the process that renews, when it is not the owner")
	fl.StringVar(&o.Heartbeat, "heartbeat", "", "the worker's own sign of life: file:PATH or key:NAME")
	fl.StringVar(&redisURL, "redis", "", "the coordinator as that host reaches it: host:port, redis://, rediss:// or unix://")
	fl.StringVar(&o.Key, "key", "", "the lock's name in Redis")
	fl.IntVar(&o.Seconds, "seconds", 5, "how long between the two looks")
	fl.BoolVar(&o.Full, "full", false, fullCapture)
	return cmd
}

// coordinatorOf reads --redis for a script, which must not carry a password.
func coordinatorOf(text string) (script.Redis, error) {
	if text == "" {
		return script.Redis{}, nil
	}
	t, err := redis.ParseTarget(text, redis.TLSFiles{})
	switch {
	case err != nil:
		return script.Redis{}, exit{exitUsage, err}
	case t.Password != "":
		return script.Redis{}, usage("--redis: a password does not belong in a script; set REDISCLI_AUTH where it runs")
	}
	r := script.Redis{User: t.User, DB: t.DB, TLS: t.TLS != nil}
	if t.Network == "unix" {
		r.Socket = t.Addr
		return r, nil
	}
	host, port, err := net.SplitHostPort(t.Addr)
	if err != nil {
		return r, exit{exitUsage, fmt.Errorf("read --redis: %w", err)}
	}
	n, err := strconv.ParseUint(port, 10, 16)
	r.Host, r.Port = host, uint16(n)
	return r, err
}
