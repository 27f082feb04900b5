package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
	"github.com/lockscene/lockscene/report"
)

func mergeCommand() *cobra.Command {
	var out, format string
	var skew time.Duration
	cmd := &cobra.Command{
		Use:   "merge A B... -o C",
		Short: "Make one incident of what was captured from several vantage points",
		Long: `Joins bundles of one lock (the owner's host, a bastion, the coordinator's host, a
replica, the protected resource) into one bundle on one time base, and judges that.
The owner's vantage comes first, whatever the order of the arguments. Another
host's stamps are moved onto its clock through what both read of Redis's clock,
else through wall clocks that both hosts keep, and every span is widened by how far
that may be wrong. Where hosts neither met the same Redis nor keep their clocks,
nothing is ordered between them unless --max-skew says how far apart they may be.
What two vantages contradict each other in is shown and makes no proof.

Exit codes are those of classify; 2 when the bundles are not of one lock.`,
		Example: `  lockscene evidence merge owner.tar.gz bastion.tar.gz -o incident.tar.gz`,
		Args:    atLeastTwo,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usage("evidence merge wants -o FILE")
			}
			if skew < 0 {
				return usage("--max-skew %s: less than nothing", skew)
			}
			return mergeAll(cmd.Context(), args, out, format, skew, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", outHelp)
	cmd.Flags().DurationVar(&skew, "max-skew", 0, "how far apart the hosts' wall clocks may be, where they do not say themselves")
	formatFlag(cmd, &format, "text", "json")
	return cmd
}

func atLeastTwo(_ *cobra.Command, args []string) error {
	if len(args) < 2 {
		return errors.New("give two BUNDLEs at least")
	}
	return nil
}

func mergeAll(ctx context.Context, paths []string, out, format string, skew time.Duration, stdout, stderr io.Writer) error {
	b, err := mergedOf(ctx, paths, skew, stderr)
	if err != nil {
		return err
	}
	for _, line := range report.Placings(b) {
		fmt.Fprintln(stderr, line)
	}
	saved, err := (&inspectFlags{out: out}).save(b, stdout)
	if err != nil {
		return err
	}
	if out == "-" {
		stdout = stderr // the bundle is the answer
	}
	if format == "json" {
		err = printJSON(stdout, b, saved)
	} else {
		err = report.Text(stdout, b, textOptions(stdout, saved.String()))
	}
	if err != nil {
		return err
	}
	return outcomeOf([]evidence.Verdict{b.Verdict}, "")
}

// mergedOf reads the bundles and makes one of them. An interrupt leaves nothing: an
// incident without one of its vantages may be judged otherwise.
func mergedOf(ctx context.Context, paths []string, skew time.Duration, stderr io.Writer) (evidence.Bundle, error) {
	t := newTally("merge", len(paths), stderr)
	defer t.done()
	var none evidence.Bundle
	var sources []evidence.Source
	for _, path := range paths {
		s, err := sourceFrom(path)
		if err != nil {
			return none, err
		}
		sources = append(sources, s)
		t.one()
		if err := t.cut(ctx, "nothing is merged"); err != nil {
			return none, err
		}
	}
	merged, err := evidence.Merge(sources, skew)
	if errors.Is(err, evidence.ErrNotOneLock) {
		return none, usage("%w", err)
	}
	if err != nil {
		return none, err
	}
	merged.Capture.Tool = "lockscene " + version()
	snap, err := inspect.Parse(merged.Capture, merged.Probes, merged.Raw)
	if err != nil {
		return none, fmt.Errorf("parse merged bundle: %w", err)
	}
	b, err := assemble(inspect.Recording{Capture: merged.Capture, Probes: merged.Probes, Raw: merged.Raw}, snap)
	if err != nil {
		return none, fmt.Errorf("assemble bundle: %w", err)
	}
	if ctx.Err() != nil {
		return none, interrupted("all bundles were read, and nothing is merged")
	}
	return b, nil
}

// sourceFrom reads one bundle and judges it by the present rules: merging
// compares what was read, and two versions may read the same bytes differently.
func sourceFrom(path string) (evidence.Source, error) {
	b, err := openBundle(path)
	if err != nil {
		return evidence.Source{}, err
	}
	if b, err = rejudge(b, nil); err != nil {
		return evidence.Source{}, fmt.Errorf("parse %s: %w", path, err)
	}
	sum, err := digest(path)
	if err != nil {
		return evidence.Source{}, err
	}
	return evidence.Source{Name: filepath.Base(path), Sum: sum, Bundle: b}, nil
}

// digest is the SHA-256 of an archive; a folder, which has no one digest, is
// known by its manifest's.
func digest(path string) (string, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "tagmanifest-sha256.txt")
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
