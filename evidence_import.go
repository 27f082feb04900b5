package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
	"github.com/lockscene/lockscene/inspect/events"
	"github.com/lockscene/lockscene/inspect/pasted"
	"github.com/lockscene/lockscene/inspect/redis"
)

// importFlags are the flags of evidence import.
type importFlags struct {
	judged string // --redis: whose looks are judged
	inspectFlags
	host, at, zone string
	files          map[string]*[]string
	mapping        []string
}

func importCommand() *cobra.Command {
	f := importFlags{files: map[string]*[]string{}}
	cmd := &cobra.Command{
		Use:   "import FILE... --key KEY",
		Short: "Freeze and judge what somebody pasted or captured by hand",
		Long: `Reads terminal scrollback as people paste it into tickets, whole files, and
application events; freezes them as a bundle, with secrets masked before anything
is stored; judges it, and prints exactly what inspect prints, with the same exit
codes. Nothing is asked of any server or host. - reads standard input.

What no parser knows is kept and listed, never dropped. What --lease, --renew-every
and --max-skew say wins over the contract file.`,
		Example: `  lockscene evidence import ticket-4711.txt --key lock:orders --pid 41207 --lease 30s --renew-every 10s
  lockscene script --pid 41207 | ssh host sh | lockscene evidence import - --key lock:orders
  lockscene evidence import --key lock:orders --events worker.ndjson --dmesg dmesg.txt --at 2026-11-29T03:12:00Z`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runImport(cmd.Context(), f, args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f.registerImport(cmd)
	return cmd
}

func (f *importFlags) registerImport(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.subject.Key, "key", "", "the lock's name in Redis")
	fl.StringVar(&f.judged, "redis", "", "host:port of the Redis that is judged (default: the one that was asked about the key)")
	fl.IntVar(&f.subject.DB, "db", 0, "the lock's database number")
	fl.StringVar(&f.host, "host", "", "the owner's host, as its prompt names it")
	fl.StringVar(&f.at, "at", "", "ask about this past moment, e.g. 2026-11-29T03:12:00Z (default: the end of the evidence)")
	fl.StringVar(&f.zone, "tz", "", "zone of times that were written without one, e.g. Europe/Berlin or +02:00")
	fl.IntVar(&f.subject.Pid, "pid", 0, "the owner's process on its host")
	fl.IntVar(&f.subject.Renewer, "renewer-pid", 0, "the process that renews, when it is not the owner")
	fl.StringVar(&f.subject.Unit, "unit", "", "the owner's systemd unit")
	fl.StringVar(&f.subject.Cgroup, "cgroup", "", "the owner's control group, below the mount")
	fl.StringVar(&f.subject.Container, "container", "", "the owner's container, or NAMESPACE/POD")
	fl.StringVar(&f.subject.Heartbeat, "heartbeat", "", "the worker's own sign of life: file:PATH or key:NAME")
	fl.DurationVar(&f.contract.Lease, "lease", 0, "how long one acquire or renewal makes the lease, e.g. 30s")
	fl.DurationVar(&f.contract.RenewEvery, "renew-every", 0, "how often the holder renews, e.g. 10s")
	fl.DurationVar(&f.contract.MaxSkew, "max-skew", 0, "how far a clock may be off before it counts (default 250ms)")
	contractFlag(cmd, &f.contractFile)
	fl.StringVarP(&f.out, "out", "o", "", outHelp+" (default lockscene-KEY-TIME.tar.gz here, never overwriting)")
	fl.BoolVar(&f.noBundle, "no-bundle", false, "judge only, freeze nothing")
	formatFlag(cmd, &f.format, "text", "json", "markdown")
	failOnFlag(cmd, &f.failOn)
	fl.StringVar(&f.ticket, "ticket", "", "a ticket's number, kept in the bundle")
	fl.StringVar(&f.note, "note", "", "a remark, kept in the bundle")
	for _, k := range pasted.Kinds() {
		f.files[k.Flag] = fl.StringArray(k.Flag, nil, k.Usage)
	}
	fl.StringArrayVar(&f.mapping, "mapping", nil, "how to read events that are not NDJSON: a ready-made mapping's name or a file (default: auto)")
}

// options turns the flags into what is imported, or says what is wrong.
func (f *importFlags) options() (pasted.Options, error) {
	var o pasted.Options
	if f.subject.Key == "" {
		return o, usage("evidence import wants --key: the lock's name in Redis")
	}
	if f.judged != "" {
		t, err := redis.ParseTarget(f.judged, redis.TLSFiles{})
		if err != nil {
			return o, exit{exitUsage, err}
		}
		f.subject.Redis = t.Addr
		if t.DB > 0 {
			f.subject.DB = t.DB
		}
	}
	f.vantage, f.root, f.timeout, f.budget = "owner", "/", time.Second, time.Second
	if err := f.check(); err != nil {
		return o, err
	}
	if err := f.readContract(); err != nil {
		return o, err
	}
	zone, err := zoneOf(f.zone)
	if err != nil {
		return o, err
	}
	at, err := momentOf(f.at, zone)
	if err != nil {
		return o, err
	}
	return pasted.Options{
		Tool: "lockscene " + version(), Subject: f.subject, Contract: f.contract, Host: f.host,
		Zone: zone, ZoneName: f.zone, At: at, Ticket: f.ticket, Note: f.note, Mappings: f.mapping, Read: openFile,
	}, nil
}

// zoneOf reads --tz: a name of the zone database, or an offset.
func zoneOf(text string) (*time.Location, error) {
	zone, err := inspect.Zone(text)
	if err != nil {
		return nil, usage("--tz: %v", err)
	}
	return zone, nil
}

// momentOf reads --at.
func momentOf(text string, zone *time.Location) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t.UTC(), nil
	}
	if zone != nil {
		for _, layout := range []string{"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04"} {
			if t, err := time.ParseInLocation(layout, text, zone); err == nil {
				return t.UTC(), nil
			}
		}
	}
	return time.Time{}, usage("--at %q: no such moment; give one like 2026-11-29T03:12:00Z, or one without a zone and --tz", text)
}

// runImport is the verb: read, judge, freeze, print.
func runImport(ctx context.Context, f importFlags, args []string, stdout, stderr io.Writer) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	in := newIntake(ctx)
	texts, done, err := in.texts(args)
	if err != nil {
		return err
	}
	defer done()
	if o.Files, err = f.wholeFiles(in); err != nil {
		return err
	}
	if len(texts) == 0 && len(o.Files) == 0 {
		return usage("evidence import wants a FILE with a pasted transcript, or - for standard input, or a file by flag (--events, --dmesg, …)")
	}
	in.show(stderr, args)
	got, err := pasted.Import(texts, o)
	in.done()
	if err != nil {
		return exit{exitCannotLook, fmt.Errorf("import: %w", err)}
	}
	if got.Capture.Cut != "" && nothing(got) {
		return interrupted("nothing was read to its end, and nothing is frozen")
	}
	tell(stderr, got)
	return unreadError(f.conclude(ctx, got, stdout, stderr), got)
}

// nothing says whether not one command and not one file was read.
func nothing(got pasted.Result) bool {
	return got.Entries == 0 && !slices.ContainsFunc(got.Probes, func(p evidence.Probe) bool { return p.Status != evidence.Skipped })
}

// texts opens the transcripts; - is standard input.
func (in *intake) texts(args []string) (texts []pasted.Text, done func(), err error) {
	var open []io.Closer
	done = func() {
		for _, c := range open {
			c.Close()
		}
	}
	for _, name := range args {
		if name == "-" {
			texts = append(texts, pasted.Text{Name: "standard input", From: in.file("standard input", os.Stdin)})
			in.sized(os.Stdin.Stat())
			continue
		}
		file, err := os.Open(name)
		if err != nil {
			done()
			return nil, nil, exit{exitUsage, fmt.Errorf("read transcript: %w", err)}
		}
		open = append(open, file)
		texts = append(texts, pasted.Text{Name: name, From: in.file(name, file)})
		in.sized(file.Stat())
	}
	return texts, done, nil
}

// wholeFiles are the files that flags name. What is not there is refused before
// anything is read.
func (f *importFlags) wholeFiles(in *intake) ([]pasted.File, error) {
	var out []pasted.File
	for _, k := range pasted.Kinds() {
		for _, name := range *f.files[k.Flag] {
			info, err := os.Stat(name)
			if err != nil {
				return nil, exit{exitUsage, fmt.Errorf("read --%s: %w", k.Flag, err)}
			}
			file := pasted.File{Kind: k.Flag, Name: name, Open: func() (io.ReadCloser, error) { return in.open(name) }}
			in.sized(info, nil)
			switch {
			case info.IsDir() && k.Flag == "aof":
				file.Folder = countedFolder{in, os.DirFS(name)}
			case info.IsDir():
				return nil, usage("--%s %s: a folder; give one file", k.Flag, name)
			}
			out = append(out, file)
		}
	}
	for _, m := range f.mapping {
		if _, err := events.Load(m, openFile); err != nil {
			return nil, exit{exitUsage, err}
		}
	}
	return out, nil
}

func openFile(name string) (io.ReadCloser, error) { return os.Open(name) }

// tell says on stderr what of the text was understood.
func tell(w io.Writer, got pasted.Result) {
	const most = 8
	for _, note := range got.Notes {
		fmt.Fprintln(w, "lockscene: "+note)
	}
	if len(got.Unknown) == 0 {
		return
	}
	fmt.Fprintf(w, "lockscene: %d of %d commands are not understood; they are kept as they came:\n", len(got.Unknown), got.Entries)
	for i, u := range got.Unknown {
		if i == most {
			fmt.Fprintf(w, "  … and %d more (evidence show lists all)\n", len(got.Unknown)-most)
			break
		}
		fmt.Fprintln(w, "  "+u)
	}
}

// unreadError says in place of an error that nothing speaks of the lock why that
// is: no prompt is recognised in the text.
func unreadError(err error, got pasted.Result) error {
	var e exit
	if got.Unread == nil || !errors.As(err, &e) || e.code != exitCannotLook {
		return err
	}
	if got.Unread.Like == "" {
		return exit{exitCannotLook, errors.New("no prompt recognised, and no line looks like a command; whole files are given by flag: --dmesg, --journal, …")}
	}
	return exit{exitCannotLook, errors.New("no prompt recognised; the first line that looks like a command: " + got.Unread.Like)}
}

// conclude judges what was imported and ends as inspect does.
func (f *importFlags) conclude(ctx context.Context, got pasted.Result, stdout, stderr io.Writer) error {
	rec := inspect.Recording{Capture: got.Capture, Probes: got.Probes, Raw: got.Raw}
	snap, err := inspect.Parse(rec.Capture, rec.Probes, rec.Raw)
	if err != nil {
		return err
	}
	return f.finish(ctx, rec, snap, stdout, stderr)
}
