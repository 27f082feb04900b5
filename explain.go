package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/classify/proof"
	"github.com/lockscene/lockscene/report"
)

func explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain [TOPIC]",
		Short: "What a finding or an assertion means, and what to do about it",
		Long: `Explains a finding, an assertion of prove, or a topic. Without one it lists what
there is. Nothing is looked at.`,
		Example: `  lockscene explain release
  lockscene explain renewal-placement
  lockscene explain renewer-outlives-worker`,
		ValidArgs: explained(),
		Args:      cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listTopics(cmd.OutOrStdout())
			}
			return explain(cmd.OutOrStdout(), args[0])
		},
	}
}

func explained() []string {
	return slices.Concat(report.Topics(), classify.FindingIDs(), proof.Assertions())
}

func listTopics(w io.Writer) error {
	_, err := fmt.Fprintf(w, "topics:     %s\nfindings:   %s\nassertions: %s\n", strings.Join(report.Topics(), ", "),
		strings.Join(classify.FindingIDs(), ", "), strings.Join(proof.Assertions(), ", "))
	return err
}

func explain(w io.Writer, name string) error {
	if text, ok := report.Topic(name); ok {
		_, err := io.WriteString(w, text)
		return err
	}
	if advice, ok := classify.Advice(name); ok {
		_, err := fmt.Fprintf(w, "%s, a finding\n\n%s\n", name, advice)
		return err
	}
	if asserts, mistake, ok := proof.Explain(name); ok {
		_, err := fmt.Fprintf(w, "%s, an assertion of prove\n\nAsserts: %s.\n\n%s\n", name, asserts, mistake)
		return err
	}
	if near := nearest(name, explained()); near != "" {
		return usage("nothing is known of %q; did you mean %s?", name, near)
	}
	return usage("nothing is known of %q: lockscene explain lists what is", name)
}
