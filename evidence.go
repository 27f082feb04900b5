package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
	"github.com/lockscene/lockscene/report"
)

func evidenceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "evidence",
		Short: "Prove, sign, merge and compare bundles, or see what is inside",
		Args:  unknownVerb,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usage("evidence wants a verb: verify, show, import, merge, diff, redact or sign")
		},
	}
	cmd.AddCommand(importCommand(), verifyCommand(), showCommand(), mergeCommand(), diffCommand(), redactCommand(), signCommand())
	return cmd
}

func verifyCommand() *cobra.Command {
	var signers, identity string
	cmd := &cobra.Command{
		Use:   "verify BUNDLE...",
		Short: "Check hashes, signature, and that raw → snapshot → verdict re-derives",
		Long: `Checks that every file of the bundle has the hash its manifests give, that none is
missing and none was added; then parses the raw bytes again and judges them
again, and compares both with what the bundle says. A signature must be of these
bytes; with --signers it must also be by somebody on that list. Exit 5 when
anything differs; 4 when only the rules' version does.`,
		Example: `  lockscene evidence verify lockscene-lock-orders-20261129T031211Z.tar.gz
  lockscene evidence verify incident.tar.gz --signers ~/.ssh/allowed_signers`,
		Args: atLeastOne("BUNDLE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := trustOf(signers, identity, time.Now())
			if err != nil {
				return err
			}
			return verifyAll(args, t, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&signers, "signers", "", "allowed_signers file of OpenSSH: every bundle must be signed by a key in it")
	cmd.Flags().StringVar(&identity, "identity", "", "with --signers: the principal who must have signed")
	return cmd
}

func verifyAll(paths []string, t trust, w io.Writer) error {
	code := exitNone
	for _, path := range paths {
		problems, signed, err := verify(path, t)
		if err != nil {
			return err
		}
		for _, p := range problems {
			fmt.Fprintf(w, "%s: %s: %s: %s\n", path, p.Kind, evidence.Printable(p.Path), evidence.Printable(p.Text))
		}
		switch c := codeOf(problems); {
		case c == exitUnverified, code == exitUnverified:
			code = exitUnverified
		default:
			code = max(code, c)
		}
		if len(problems) == 0 {
			fmt.Fprintf(w, "%s: whole, and its verdict re-derives; %s\n", path, signed)
		}
	}
	if code == exitNone {
		return nil
	}
	return exit{code: code}
}

func codeOf(problems []evidence.Problem) int {
	code := exitNone
	for _, p := range problems {
		if p.Kind != evidence.OtherRules {
			return exitUnverified
		}
		code = exitInconclusive
	}
	return code
}

// verify checks one bundle: its bytes first, because a bundle that does not
// open may still show which of its bytes changed.
func verify(path string, t trust) (problems []evidence.Problem, signed string, err error) {
	if _, err := os.Stat(path); err != nil {
		return nil, "", exit{exitUsage, fmt.Errorf("no such bundle: %s", path)}
	}
	b, err := fromFile(path, checked(evidence.OpenChecked), checked(evidence.OpenCheckedFS))
	problems = b.problems
	switch {
	case errors.Is(err, evidence.ErrNewer):
		return nil, "", exit{exitInconclusive, fmt.Errorf("verify %s: %w", path, err)}
	case err != nil && len(problems) > 0:
		return problems, "", nil
	case err != nil:
		return nil, "", exit{exitUnverified, fmt.Errorf("verify %s: %w", path, err)}
	}
	foreign, signed, err := t.signature(path)
	if err != nil {
		return nil, "", exit{exitUnverified, fmt.Errorf("verify %s: %w", path, err)}
	}
	problems = append(problems, foreign...)
	problems = append(problems, evidence.Verify(b.Bundle, inspect.Parse, classify.Judge)...)
	if len(problems) > 0 {
		return problems, signed, nil
	}
	return retold(b.Bundle), signed, nil
}

// retold writes the texts for people again and compares them: a forged report
// beside an honest verdict is still a forgery. Another version may word them
// otherwise, so it does not judge them; that a bundle is whole and its verdict
// re-derives is true all the same.
func retold(b evidence.Bundle) []evidence.Problem {
	if b.Capture.Tool != "lockscene "+version() {
		return nil
	}
	again, err := assemble(inspect.Recording{Capture: b.Capture, Probes: b.Probes, Raw: b.Raw}, b.Snapshot)
	if err != nil {
		return []evidence.Problem{{Kind: evidence.VerdictDiffers, Path: "data/report.md", Text: err.Error()}}
	}
	stored, _ := evidence.Line(b.Timeline)
	derived, _ := evidence.Line(again.Timeline)
	var out []evidence.Problem
	for _, text := range []struct{ path, stored, derived string }{
		{"data/report.md", b.Report, again.Report}, {"data/summary.txt", b.Summary, again.Summary},
		{"data/ACCESS.md", b.Access, again.Access}, {"data/timeline.ndjson", string(stored), string(derived)},
	} {
		if text.stored != text.derived {
			out = append(out, evidence.Problem{Kind: evidence.VerdictDiffers, Path: text.path, Text: "does not say what the evidence says"})
		}
	}
	return out
}

func showCommand() *cobra.Command {
	var full bool
	cmd := &cobra.Command{
		Use:   "show BUNDLE",
		Short: "List what was read, how each read ended, and what it said",
		Long: `Lists every read of the capture: what was asked or opened, how it ended, and what
was found. Of many looks the first and the last are shown. It judges nothing.`,
		Example: "  lockscene evidence show lockscene-lock-orders-20261129T031211Z.tar.gz --full",
		Args:    exactlyOne("BUNDLE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := openBundle(args[0])
			if err != nil {
				return err
			}
			o := textOptions(cmd.OutOrStdout(), "")
			o.Full = full
			return report.Probes(cmd.OutOrStdout(), b, o)
		},
	}
	cmd.Flags().BoolVar(&full, "full", false, fullDrawing)
	return cmd
}

func exactlyOne(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("give one %s", what)
		}
		return nil
	}
}
