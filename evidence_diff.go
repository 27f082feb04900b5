package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/report"
)

func diffCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Show what changed between two captures of one lock",
		Long: `Compares two bundles, both judged by the present rules: verdict, answers and times,
the lease and its holder, the server's identity and counters, connections that came,
went or were used, the processes that were looked at, findings, and how reads ended.
Moments that overlap within their error have not changed.

Exit 0 whether anything changed or not: a change is no failure. Scripts ask the
JSON, whose list of changes is empty when there is none.`,
		Example: `  lockscene evidence diff before.tar.gz after.tar.gz
  lockscene evidence diff before.tar.gz after.tar.gz --format json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("give two BUNDLEs")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := sourceFrom(args[0])
			if err != nil {
				return err
			}
			b, err := sourceFrom(args[1])
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			changes := evidence.Diff(a.Bundle, b.Bundle)
			if format == "json" {
				return report.DiffJSON(w, a.Bundle, b.Bundle, changes)
			}
			return report.Diff(w, a.Bundle, b.Bundle, changes, textOptions(w, ""))
		},
	}
	formatFlag(cmd, &format, "text", "json")
	return cmd
}
