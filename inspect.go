package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
	"github.com/lockscene/lockscene/inspect/redis"
	"github.com/lockscene/lockscene/report"
)

// inspectFlags are the flags of inspect, as the command line gives them.
type inspectFlags struct {
	redis                  []string
	passwordFile           string
	sentinelFile           string
	tls                    redis.TLSFiles
	subject                evidence.Subject
	contract               evidence.Contract
	contractFile           string
	watch, timeout, budget time.Duration
	vantage, root          string
	full, follow           bool
	out, format            string
	failOn                 []string
	noBundle, dryRun, acl  bool
	ticket, note           string
	site                   []setting // what the environment gave
}

func inspectCommand() *cobra.Command {
	var f inspectFlags
	cmd := &cobra.Command{
		Use:   "inspect KEY",
		Short: "Look at a lock, watch it, judge it, freeze the evidence",
		Long: `Looks at one Redis lock, its coordinator, its owner on this host and both clocks;
watches the lease just long enough to decide; prints a verdict; and leaves one
file to attach to the ticket. Nothing is written to Redis or to the owner.
What --lease, --renew-every and --max-skew say wins over the contract file.
A flag with [$NAME] behind it may be set in the environment; what is typed wins, and
a contract that is typed wins over the lease, interval and skew found there.

Reading a key that is already past its expiry makes a primary delete it, as any
client's read would.`,
		Example: `  lockscene inspect lock:orders --redis redis://10.0.0.5 --pid 41207 --lease 30s --renew-every 10s
  LOCKSCENE_REDIS=rediss://10.0.0.5 lockscene inspect lock:orders --unit ledger.service
  lockscene inspect lock:orders --redis 10.0.0.5:6379 --dry-run
  lockscene inspect --acl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.acl && len(args) == 0 {
				return nil
			}
			if len(args) != 1 {
				return wantsKey(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.acl {
				fmt.Fprintln(cmd.OutOrStdout(), aclLine())
				fmt.Fprintln(cmd.ErrOrStderr(), aclNewer)
				return nil
			}
			f.subject.Key, f.site = args[0], siteOf(cmd)
			return runInspect(cmd.Context(), f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f.register(cmd)
	for _, source := range sources() {
		cmd.AddCommand(sourceCommand(source))
	}
	return cmd
}

func (f *inspectFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "out", "o", "", outHelp+" (default lockscene-KEY-TIME.tar.gz here, never overwriting)")
	fl.BoolVar(&f.noBundle, "no-bundle", false, "judge only, freeze nothing")
	formatFlag(cmd, &f.format, "text", "json", "markdown")
	failOnFlag(cmd, &f.failOn)
	fl.BoolVar(&f.acl, "acl", false, "print the minimal Redis ACL line and do nothing else")
	fl.BoolVar(&f.follow, "follow", false, "stay until the lock is free and taken again, as long as --budget allows")
	fl.StringVar(&f.ticket, "ticket", "", "a ticket's number, kept in the bundle")
	fl.StringVar(&f.note, "note", "", "a remark, kept in the bundle")
	fl.DurationVar(&f.watch, "watch", 20*time.Second, "watch at most this long; ends as soon as the answers are decided; 0 is one look")
	f.registerLook(cmd)
}

// registerLook adds the flags that say what to look at: those of the
// single-source commands too.
func (f *inspectFlags) registerLook(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringArrayVar(&f.redis, "redis", nil, "redis://, rediss://, unix:// or redis-sentinel://HOST,…/NAME URL, or host:port; repeat it for a Redlock's nodes or for replicas (default 127.0.0.1:6379)")
	fl.StringVar(&f.passwordFile, "redis-password-file", "", "file with the Redis password (else $REDISCLI_AUTH)")
	fl.StringVar(&f.sentinelFile, "sentinel-password-file", "", "file with the password of the Sentinels (else $LOCKSCENE_SENTINEL_AUTH)")
	fl.StringVar(&f.tls.CA, "tls-ca", "", "PEM file of the authority that signed Redis's certificate")
	fl.StringVar(&f.tls.Cert, "tls-cert", "", "PEM file of our certificate")
	fl.StringVar(&f.tls.Key, "tls-key", "", "PEM file of our key")
	fl.StringVar(&f.tls.ServerName, "tls-server-name", "", "name that Redis's certificate must carry")
	fl.IntVar(&f.subject.Pid, "pid", 0, "the owner's process on this host")
	fl.StringVar(&f.subject.Unit, "unit", "", "the owner's systemd unit on this host")
	fl.StringVar(&f.subject.Cgroup, "cgroup", "", "the owner's control group on this host, below the mount")
	fl.StringVar(&f.subject.Container, "container", "", "the owner's container id on this host")
	fl.IntVar(&f.subject.Renewer, "renewer-pid", 0, "the process that renews, when it is not the owner")
	fl.StringVar(&f.subject.Heartbeat, "heartbeat", "", "the worker's own sign of life: file:PATH or key:NAME")
	fl.DurationVar(&f.contract.Lease, "lease", 0, "how long one acquire or renewal makes the lease, e.g. 30s")
	fl.DurationVar(&f.contract.RenewEvery, "renew-every", 0, "how often the holder renews, e.g. 10s")
	fl.DurationVar(&f.contract.MaxSkew, "max-skew", 0, "how far a clock may be off before it counts (default 250ms)")
	contractFlag(cmd, &f.contractFile)
	fl.DurationVar(&f.timeout, "timeout", 3*time.Second, "deadline of each single read")
	fl.DurationVar(&f.budget, "budget", time.Minute, "deadline of the whole capture")
	fl.StringVar(&f.vantage, "vantage", "owner", "whose eyes these are: owner, coordinator, bastion, replica or resource")
	oneOf(cmd, "vantage", vantages()...)
	fl.StringVar(&f.root, "rootfs", "/", "where the host's root is mounted, when run in a container")
	fl.BoolVar(&f.full, "full", false, fullCapture)
	fl.BoolVar(&f.dryRun, "dry-run", false, "list every command and path that would be read, and do nothing")
}

// target turns the flags into what to look at, or says what is wrong with them.
func (f *inspectFlags) target() (inspect.Target, error) {
	var t inspect.Target
	rt, others, quorum, err := f.servers()
	if err != nil {
		return t, err
	}
	if err := f.check(); err != nil {
		return t, err
	}
	if err := f.readContract(); err != nil {
		return t, err
	}
	f.subject.Redis, f.subject.DB, f.subject.TLS = rt.Addr, rt.DB, rt.TLS != nil
	return inspect.Target{
		Tool: "lockscene " + version(), Subject: f.subject, Contract: f.contract,
		Vantage: f.vantage, Redis: rt, Others: others, Quorum: quorum, Timeout: f.timeout, Budget: f.budget, Watch: f.watch,
		Full: f.full, Root: f.root, Ticket: f.ticket, Note: f.note, Enough: enough,
	}, nil
}

// servers are those that --redis names: the first is looked at, the others are asked
// about the same key.
func (f *inspectFlags) servers() (first redis.Target, others []redis.Target, quorum redis.Quorum, err error) {
	all := f.redis
	if len(all) == 0 {
		all = []string{"127.0.0.1:6379"}
	}
	for i, addr := range all {
		q, t, sentinel, err := redis.ParseQuorum(addr, f.tls)
		if !sentinel {
			t, err = redis.ParseTarget(addr, f.tls)
		}
		if err != nil {
			return first, nil, quorum, exit{exitUsage, err}
		}
		if err := f.password(&t); err != nil {
			return first, nil, quorum, err
		}
		switch {
		case sentinel && i > 0:
			return first, nil, quorum, usage("--redis redis-sentinel://… stands alone or comes first")
		case i == 0:
			first, quorum = t, q
			if err := f.sentinelPassword(quorum); err != nil {
				return first, nil, quorum, err
			}
		default:
			others = append(others, t)
		}
	}
	return first, others, quorum, nil
}

// sentinelPassword sets that of the Sentinels, which have one of their own or none.
func (f *inspectFlags) sentinelPassword(q redis.Quorum) error {
	password, err := secret(f.sentinelFile, "--sentinel-password-file", "LOCKSCENE_SENTINEL_AUTH")
	for i := range q.Sentinels {
		q.Sentinels[i].Password = password
	}
	return err
}

// secret reads one from a file, or else from the environment.
func secret(file, flag, env string) (string, error) {
	if file == "" {
		return os.Getenv(env), nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return "", usage("read %s: %w", flag, err)
	}
	return strings.TrimRight(string(b), "\r\n"), nil
}

// password looks where people keep one; never on the command line, which ps
// shows. One in an address that was typed now wins over a file that the
// environment names.
func (f *inspectFlags) password(t *redis.Target) error {
	if t.Password != "" && (f.passwordFile == "" || fromSite(f.site, "redis-password-file") && !fromSite(f.site, "redis")) {
		return nil
	}
	password, err := secret(f.passwordFile, "--redis-password-file", "REDISCLI_AUTH")
	t.Password = password
	return err
}

func (f *inspectFlags) check() error {
	switch {
	case f.subject.Pid < 0 || f.subject.Renewer < 0:
		return usage("--pid wants a process number")
	case f.watch < 0 || f.timeout <= 0 || f.budget <= 0:
		return usage("--watch, --timeout and --budget want positive durations")
	case f.contract.Lease < 0 || f.contract.RenewEvery < 0 || f.contract.MaxSkew < 0:
		return usage("--lease, --renew-every and --max-skew want positive durations")
	case f.contract.Lease > 0 && f.contract.RenewEvery >= f.contract.Lease:
		return usage("--renew-every %s is not shorter than --lease %s: such a lease always runs out", f.contract.RenewEvery, f.contract.Lease)
	case f.subject.Heartbeat != "" && !strings.HasPrefix(f.subject.Heartbeat, "file:") && !strings.HasPrefix(f.subject.Heartbeat, "key:"):
		return usage("--heartbeat wants file:PATH or key:NAME")
	case !isFolder(f.root):
		return usage("--rootfs %q: no such folder", f.root)
	}
	return nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// runInspect is the verb: look, judge, freeze, print.
func runInspect(ctx context.Context, f inspectFlags, stdout, stderr io.Writer) error {
	t, err := f.target()
	if err != nil {
		return err
	}
	if f.dryRun {
		return dryRun(t, f.site, stdout)
	}
	if f.follow {
		t.Enough, t.Watch = waitForTransfer, t.Budget
	}
	f.warnOfPassword(stderr)
	w := newWatching(f, t, stderr)
	defer w.cut(ctx)()
	if t.Watch > 0 {
		t.First = func(s evidence.Snapshot) { w.first(judge(s)) }
		t.Tick = w.tick
	}
	rec, snap := inspect.Look(ctx, t)
	w.done()
	return f.finish(ctx, rec, snap, stdout, stderr)
}

// finish is how every capture ends, live or pasted: judged, frozen, printed.
func (f *inspectFlags) finish(ctx context.Context, rec inspect.Recording, snap evidence.Snapshot, stdout, stderr io.Writer) error {
	b, err := assemble(rec, snap)
	if err != nil {
		return fmt.Errorf("assemble bundle: %w", err)
	}
	saved, saveErr := f.save(b, stdout)
	if f.out == "-" {
		stdout = stderr // the bundle took stdout; the answer goes where talk goes
	}
	if err := f.print(b, saved, stdout, stderr); err != nil {
		return err
	}
	return f.outcome(ctx, b, saveErr)
}

// outcome is the exit code: an interrupt first, then what could not be done,
// then the verdict.
func (f *inspectFlags) outcome(ctx context.Context, b evidence.Bundle, saveErr error) error {
	code := verdictCode(b.Verdict)
	for _, finding := range b.Verdict.Findings {
		if slices.Contains(f.failOn, finding.ID) || slices.Contains(f.failOn, string(finding.Severity)) {
			code = max(code, exitFailure)
		}
	}
	switch {
	case saveErr != nil:
		return exit{exitCannotLook, fmt.Errorf("the verdict above was not frozen: %w", saveErr)}
	case ctx.Err() != nil:
		return exit{code: exitInterrupted}
	case blind(b.Snapshot):
		o, asked := b.Snapshot.Sources["redis/sample"]
		if !asked {
			return exit{exitCannotLook, fmt.Errorf("nothing in it speaks of the lock %s or of its owner", evidence.Printable(b.Snapshot.Subject.Key))}
		}
		return exit{exitCannotLook, fmt.Errorf("could not look at %s: %s%s", b.Snapshot.Subject.Redis, o.Why, f.whereElse())}
	case code != exitNone:
		return exit{code: code}
	}
	return nil
}

// blind says whether nothing at all was seen of lock and owner.
func blind(s evidence.Snapshot) bool {
	if len(s.Sights()) > 0 || len(s.Events) > 0 || len(s.Notices) > 0 || s.History.State == evidence.Seen {
		return false
	}
	for _, p := range s.Processes {
		for _, l := range p.Looks {
			if l.Stat.State != evidence.Unread || l.Status.State == evidence.Seen || l.Sockets.State == evidence.Seen || l.Tasks.State == evidence.Seen {
				return false
			}
		}
	}
	return true
}

// print writes the answer in the format that was asked for.
func (f *inspectFlags) print(b evidence.Bundle, saved frozen, stdout, stderr io.Writer) error {
	switch f.format {
	case "json":
		return printJSON(stdout, b, saved)
	case "markdown":
		return report.Markdown(stdout, b)
	}
	if hint := firstHint(b.Snapshot); hint != "" {
		fmt.Fprintln(stderr, hint)
	}
	return report.Text(stdout, b, textOptions(stdout, saved.String()))
}

// firstHint says what a responder must know before reading a verdict: that the
// key they named is not there, or the process.
func firstHint(s evidence.Snapshot) string {
	sights := s.Sights()
	if len(sights) > 0 && !sights[0].Here {
		return fmt.Sprintf("no such key in db %d: %s%s", s.Subject.DB, evidence.Printable(s.Subject.Key), meantSource(s.Subject.Key))
	}
	if o, tried := s.Sources["cgroup/find"]; tried && o.Status == evidence.Missing {
		return o.Why + ": " + evidence.Printable(s.Subject.Unit+s.Subject.Cgroup+s.Subject.Container)
	}
	if n := len(s.Heartbeat); n > 0 && s.Heartbeat[n-1].Age.State != evidence.Seen {
		return fmt.Sprintf("no heartbeat at %s: %s", evidence.Printable(s.Subject.Heartbeat), s.Heartbeat[n-1].Age.Why)
	}
	for _, p := range s.Processes {
		if p.Pid == s.Subject.Pid && len(p.Looks) > 0 && p.Looks[0].Stat.State == evidence.Absent {
			return fmt.Sprintf("no process %d on this host", p.Pid)
		}
	}
	return ""
}

// textOptions ask nothing of the terminal but its width: a mute one would keep
// the responder waiting.
func textOptions(w io.Writer, frozenLine string) report.Options {
	o := report.Options{Width: 80, Unicode: unicodeLocale(), Frozen: frozenLine}
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) || os.Getenv("TERM") == "dumb" {
		// As other tools: through a pipe the environment may say how wide to draw.
		if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n >= 40 {
			o.Width = n
		}
		return o
	}
	o.Color = os.Getenv("NO_COLOR") == ""
	if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
		o.Width = width
	}
	return o
}

// unicodeLocale says whether the locale can show more than ASCII. Without any
// locale, as under ssh to a bare host, most terminals still can.
func unicodeLocale() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := os.Getenv(name); v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf") || v != "c" && v != "posix"
		}
	}
	return true
}
