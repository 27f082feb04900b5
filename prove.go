package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/classify/proof"
	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
	"github.com/lockscene/lockscene/report"
)

func proveCommand() *cobra.Command {
	var format, contractFile string
	cmd := &cobra.Command{
		Use:   "prove BUNDLE... --contract lease.yaml",
		Short: "Check that a lock recovers: the regression assertion set over one or many runs",
		Long: `Holds bundles of drills or incidents against a lease contract. Each assertion passes,
fails, or is not evidenced; with anything not evidenced there is no proof, and the
exit code is 6. That a key is gone proves nothing: a new owner with a greater token,
stale writes refused, in every way an owner can disappear, within what was promised.`,
		Example: `  lockscene prove drills/*.tar.gz --contract lease.yaml
  lockscene prove drills/*.tar.gz --contract lease.yaml --format junit > proof.xml
  lockscene prove drills/*.tar.gz --contract lease.yaml --format openmetrics`,
		Args: atLeastOne("BUNDLE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			contract, err := contractOf(contractFile)
			if err != nil {
				return err
			}
			if contract == nil {
				return usage("prove wants --contract FILE: what the lock promises is not in a bundle")
			}
			return prove(cmd.Context(), args, *contract, format, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	contractFlag(cmd, &contractFile)
	formatFlag(cmd, &format, "text", "json", "junit", "openmetrics")
	return cmd
}

var errNoProof = errors.New("not a proof: an assertion fails or is not evidenced")

// proofMemory is what a proof may use before memory is looked after: it runs on a
// build machine, over hundreds of bundles, and not beside a lock in trouble.
const proofMemory = 192 << 20

func prove(ctx context.Context, paths []string, contract evidence.Contract, format string, w, stderr io.Writer) error {
	collectLate(proofMemory)
	t := newTally("prove", len(paths), stderr)
	defer t.done()
	runs, err := openRuns(ctx, paths, contract, t.one)
	if cut := t.cut(ctx, "a part of them is no proof"); cut != nil {
		return cut
	}
	if err != nil {
		return err
	}
	p := proof.Check(runs, contract)
	t.done()
	switch format {
	case "json":
		err = report.ProofJSON(w, p)
	case "junit":
		err = report.ProofJUnit(w, p)
	case "openmetrics":
		err = report.ProofMetrics(w, p)
	default:
		err = report.Proof(w, p, textOptions(w, ""))
	}
	if err != nil || p.Proven {
		return err
	}
	return exit{exitAssertion, errNoProof}
}

// openRuns opens and judges bundles, as many at once as there are cores, and keeps
// their order. An interrupt leaves those that were not begun.
func openRuns(ctx context.Context, paths []string, contract evidence.Contract, one func()) ([]proof.Run, error) {
	runs, errs := make([]proof.Run, len(paths)), make([]error, len(paths))
	var all sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := range next {
				runs[i], errs[i] = openRun(paths[i], contract)
				one()
			}
		})
	}
	for i := range paths {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err // the first as named: which came first in time is chance
		}
	}
	return runs, nil
}

// openRun opens a bundle that is what it was when it was frozen, derives again all it
// says of itself, and judges it under the contract.
func openRun(path string, contract evidence.Contract) (proof.Run, error) {
	b, err := openWhole(path)
	if err != nil {
		return proof.Run{}, err
	}
	b, problems := evidence.Rederive(b, inspect.Parse, classify.Judge)
	if err := unproven(path, problems); err != nil {
		return proof.Run{}, err
	}
	if contract.Key != "" && b.Snapshot.Subject.Key != contract.Key {
		return proof.Run{}, usage("%s is about %q, the contract about %q", path, b.Snapshot.Subject.Key, contract.Key)
	}
	return proof.Of(strings.TrimSuffix(filepath.Base(path), ".tar.gz"), proof.Under(b, contract)), nil
}
