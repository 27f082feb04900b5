package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/report"
)

func classifyCommand() *cobra.Command {
	var format, expect, contractFile string
	cmd := &cobra.Command{
		Use:   "classify BUNDLE...",
		Short: "Judge bundles again with today's rules",
		Long: `Parses the raw bytes of each bundle again and judges them with the rules of this
version. Nothing live is looked at, and the bundle is not changed. With --contract
it is judged under that, instead of the contract the bundle holds. JSON is one
verdict a line.`,
		Example: `  lockscene classify lockscene-lock-orders-20261129T031211Z.tar.gz
  lockscene classify testdata/incidents/*.tar.gz --format json
  lockscene classify incident.tar.gz --expect crash`,
		Args: atLeastOne("BUNDLE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			contract, err := contractOf(contractFile)
			if err != nil {
				return err
			}
			return classifyAll(cmd.Context(), args, format, evidence.Label(expect), contract, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	formatFlag(cmd, &format, "text", "json")
	cmd.Flags().StringVar(&expect, "expect", "", "exit 6 unless every bundle gets this label")
	oneOf(cmd, "expect", labels()...)
	contractFlag(cmd, &contractFile)
	return cmd
}

func atLeastOne(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("give at least one %s", what)
		}
		return nil
	}
}

func classifyAll(ctx context.Context, paths []string, format string, expect evidence.Label, contract *evidence.Contract, w, stderr io.Writer) error {
	var verdicts []evidence.Verdict
	t := newTally("classify", len(paths), stderr)
	defer t.done()
	for _, path := range paths {
		if err := t.cut(ctx, "what is printed holds for those that were read"); err != nil {
			return err
		}
		b, err := openBundle(path)
		if err != nil {
			return err
		}
		if b, err = rejudge(b, contract); err != nil {
			return fmt.Errorf("judge %s: %w", path, err)
		}
		verdicts = append(verdicts, b.Verdict)
		err = t.aside(func() error {
			if format == "json" {
				return report.JSON(w, b)
			}
			return report.Text(w, b, textOptions(w, ""))
		})
		if err != nil {
			return err
		}
		t.one()
	}
	return outcomeOf(verdicts, expect)
}

// outcomeOf is the exit code over several verdicts: an unmet expectation first,
// then a failure, then inconclusive.
func outcomeOf(verdicts []evidence.Verdict, expect evidence.Label) error {
	code := exitNone
	for _, v := range verdicts {
		if expect != "" && v.Label != expect {
			return exit{exitAssertion, fmt.Errorf("expected %s, judged %s", expect, v.Label)}
		}
		switch verdictCode(v) {
		case exitFailure:
			code = exitFailure
		case exitInconclusive:
			if code == exitNone {
				code = exitInconclusive
			}
		}
	}
	if code == exitNone || expect != "" {
		return nil
	}
	return exit{code: code}
}
