// Lockscene secures the scene of a distributed-lock incident: it looks without
// touching, names the failure, and freezes the evidence.
//
//	lockscene inspect KEY [flags]       look, watch, judge, freeze
//	lockscene classify BUNDLE...        judge again with today's rules
//	lockscene evidence verify|show …    prove a bundle, see what is inside
//	lockscene report BUNDLE             draw a bundle again
//	lockscene script [--pid N …]        a shell script for where nothing may be installed
//
// Exit codes: 0 looked, no failure found; 1 could not look, or could not freeze
// what was judged; 2 asked wrongly; 3 a failure is named; 4 inconclusive;
// 5 verification failed; 6 --expect differs; 130 interrupted, bundle written.
//
// It reads one key of one Redis and one host. It never writes to either.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockscene/lockscene/evidence"
)

// Most captures need some ten megabytes for some ten milliseconds: collecting
// them takes longer than having them. The soft limit brings the collector back
// for the few that are large, so that a busy server's client list stays within
// 64 MiB. Where the environment says otherwise, it wins.
const (
	gcPercent   = 400
	memoryLimit = 48 << 20
)

// collectLate keeps the collector away until so many bytes are in use.
func collectLate(limit int64) {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(gcPercent)
		debug.SetMemoryLimit(limit)
	}
}

func main() {
	collectLate(memoryLimit)
	ctx, stop := interruptible(context.Background())
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// The exit codes, as scripts know them.
const (
	exitNone         = 0
	exitCannotLook   = 1
	exitUsage        = 2
	exitFailure      = 3
	exitInconclusive = 4
	exitUnverified   = 5
	exitAssertion    = 6
	exitInterrupted  = 130
)

// exit is an outcome that is not an error of the program: the verdict's code.
type exit struct {
	code int
	err  error // said on stderr, when there is something to say
}

func (e exit) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

// inOneLine joins an error's lines.
func inOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// run is the whole program, with its streams: what tests call.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	started := false // cobra has accepted the flags: what fails now is not misuse
	root := rootCommand(&started)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	shells(root)
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !started {
		err = unknownAtRoot(root, err)
	}
	var e exit
	switch {
	case err == nil:
		return exitNone
	case errors.As(err, &e):
		if e.err != nil {
			fmt.Fprintln(stderr, "lockscene:", evidence.Printable(sourced(cmd, e)))
		}
		return e.code
	case !started:
		fmt.Fprintf(stderr, "lockscene: %s\n%s --help shows what can be asked\n", evidence.Printable(inOneLine(err.Error())), cmd.CommandPath())
		return exitUsage
	}
	fmt.Fprintln(stderr, "lockscene:", evidence.Printable(err.Error()))
	return exitCannotLook
}

func rootCommand(started *bool) *cobra.Command {
	root := &cobra.Command{
		Use:   "lockscene",
		Short: "Secure the scene of a distributed-lock incident: look without touching, name the failure, freeze the evidence.",
		Long: `lockscene looks at one Redis lock, its coordinator, its owner and both clocks,
names what went wrong, and freezes the evidence in one file. It only reads.

Exit codes: 0 looked, no failure found · 1 could not look · 2 asked wrongly ·
3 a failure is named · 4 inconclusive · 5 verification failed ·
6 --expect differs, or not a proof · 130 interrupted, bundle written`,
		Version:            version(),
		SilenceUsage:       true,
		SilenceErrors:      true,
		DisableSuggestions: true, // ours are one line
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			*started = true
			if err := settle(cmd); err != nil {
				return err
			}
			return checkChoices(cmd)
		},
	}
	root.SetVersionTemplate(versionText())
	root.SetFlagErrorFunc(wrongFlag)
	root.AddCommand(inspectCommand(), classifyCommand(), proveCommand(), evidenceCommand(), reportCommand(), scriptCommand(), explainCommand())
	for _, cmd := range root.Commands() {
		if slices.Contains([]string{"inspect", "classify", "prove"}, cmd.Name()) {
			perSite(cmd)
		}
	}
	politeHelp(root)
	offer(root)
	return root
}

// usage is a mistake in what was asked that only our own checks can see.
func usage(format string, args ...any) error {
	return exit{exitUsage, fmt.Errorf(format, args...)}
}

// verdictCode is a verdict's exit code: the verdict decides it, never a renderer.
func verdictCode(v evidence.Verdict) int {
	switch v.Label {
	case evidence.NoFailure:
		return exitNone
	case evidence.Inconclusive:
		return exitInconclusive
	}
	return exitFailure
}
