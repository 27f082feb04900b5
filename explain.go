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
		Short: "The runbook for a label, an answer, a finding or an assertion, offline",
		Long: `Explains a word of a verdict or of a proof: a label, a question or an answer, the
lock's state, a grade, a finding, an assertion of prove, how a read ended, or a
lock library. Without a topic it lists them all. Nothing is looked at.`,
		Example: `  lockscene explain crash
  lockscene explain lease
  lockscene explain release
  lockscene explain release redisson`,
		ValidArgs: explained(),
		Args:      cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return listTopics(cmd.OutOrStdout())
			case len(args) == 2 && args[0] != "release":
				return usage("explain takes one topic, or release and a library")
			case len(args) == 2:
				return explainRelease(cmd.OutOrStdout(), args[1])
			}
			return explain(cmd.OutOrStdout(), args[0])
		},
	}
}

// A group is one kind of word that is explained, and what one of it is.
type group struct{ name, kind, one string }

// groups in the order in which they are listed, and in which the meanings of one
// word are shown.
func groups() []group {
	return []group{
		{"labels", report.Labels, "a label"},
		{"questions", report.Questions, "a question"},
		{"answers", report.Answers, "an answer"},
		{"states", report.States, "a state of the lock"},
		{"grades", report.Grades, "a grade"},
		{"findings", report.Findings, "a finding"},
		{"assertions", report.Assertions, "an assertion of prove"},
		{"statuses", report.Statuses, "how a read ended"},
		{"libraries", report.Libraries, "a lock library"},
		{"topics", report.General, "a topic"},
	}
}

// words are the group's own, each once. What the method lists in an order is in it.
func (g group) words() []string {
	var out []string
	switch g.kind {
	case report.Assertions:
		return proof.Assertions()
	case report.Questions, report.Answers:
		for _, q := range classify.Questions() {
			if g.kind == report.Questions {
				out = append(out, q.Name)
				continue
			}
			out = append(out, q.Answers[:len(q.Answers)-1]...)
		}
		if g.kind == report.Answers {
			out = append(out, "unknown")
		}
		return out
	}
	for _, e := range report.Entries(g.kind) {
		out = append(out, e.Word())
	}
	return out
}

// explained are all words, each once: the shell completes them.
func explained() []string {
	var out []string
	for _, g := range groups() {
		for _, w := range g.words() {
			if !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

func listTopics(w io.Writer) error {
	const column = 12
	for _, g := range groups() {
		words := strings.TrimLeft(report.Paragraph(strings.Join(g.words(), ", "), column), " ")
		if _, err := fmt.Fprintf(w, "%-*s%s\n", column, g.name+":", words); err != nil {
			return err
		}
	}
	_, err := fmt.Fprint(w, "\nlockscene explain WORD shows one of them, in every meaning that it has;\nlockscene explain release LIBRARY says what a release by hand needs there.\n")
	return err
}

// unknownTopic says what may have been meant: words a typo away, or that begin so
// or have it inside.
func unknownTopic(name string, words []string) error {
	asked := strings.ToLower(name)
	var meant, alike []string
	for _, w := range words {
		switch word := strings.ToLower(w); {
		case distance(asked, word) <= min(2, len(asked)/3), strings.HasPrefix(word, asked): // of three letters two are no typo
			meant = append(meant, w)
		case len(asked) > 2 && strings.Contains(word, asked):
			alike = append(alike, w)
		}
	}
	meant = append(meant, alike...)
	const most = 6
	if len(meant) == 0 {
		return usage("nothing is known of %q: lockscene explain lists what is", name)
	}
	return usage("nothing is known of %q; did you mean %s?", name, strings.Join(meant[:min(len(meant), most)], ", "))
}
