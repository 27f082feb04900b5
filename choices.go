package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/evidence"
)

// Flags that take one of a fixed set: the set stands at the flag, is checked before
// the command begins, and is what the shell offers.

const choices = "one-of"

// oneOf gives a flag its set.
func oneOf(cmd *cobra.Command, flag string, values ...string) {
	if f := cmd.Flags().Lookup(flag); f != nil {
		annotate(f, choices, values...)
	}
}

func annotate(f *pflag.Flag, key string, values ...string) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[key] = values
}

// formatFlag is --format, which every command has with formats of its own.
func formatFlag(cmd *cobra.Command, format *string, formats ...string) {
	cmd.Flags().StringVar(format, "format", "text", inWords(formats))
	oneOf(cmd, "format", formats...)
}

// contractFlag is --contract: the same file for every command.
func contractFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "contract", "", "lease contract file (YAML)")
}

// The help of flags that several commands have is written once, so that it cannot
// differ. What a command does when the flag is not given may stand behind it.
const (
	outHelp  = "where the bundle goes; an existing file is replaced, - is stdout"
	failHelp = "exit 3 also when this finding, or any of this severity, is present"
	// --full means two things: what a capture keeps, and what a drawing shows.
	fullCapture = "also what tells of others: their lines in CLIENT LIST, and SLOWLOG, in full"
	fullDrawing = "show all: every look, every finding, and the readings behind each answer"
)

// failOnFlag is --fail-on.
func failOnFlag(cmd *cobra.Command, failOn *[]string) {
	cmd.Flags().StringSliceVar(failOn, "fail-on", nil, failHelp)
	oneOf(cmd, "fail-on", append([]string{string(evidence.Notice), string(evidence.Warning), string(evidence.Critical)}, classify.FindingIDs()...)...)
}

// labels are what a verdict may be called.
func labels() []string {
	var out []string
	for _, l := range []evidence.Label{
		evidence.NoFailure, evidence.Crash, evidence.Partition, evidence.ClockAnomaly, evidence.RenewalAfterLoss,
		evidence.Stall, evidence.CoordinatorFault, evidence.ContractFault, evidence.Inconclusive,
	} {
		out = append(out, string(l))
	}
	return out
}

func vantages() []string { return []string{"owner", "coordinator", "bastion", "replica", "resource"} }

// checkChoices refuses a value that is not in its flag's set.
func checkChoices(cmd *cobra.Command) error {
	var wrong error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		known, fixed := f.Annotations[choices]
		if !fixed || wrong != nil {
			return
		}
		for _, v := range valuesOf(f) {
			if !slices.Contains(known, v) && (v != "" || f.DefValue != "") {
				wrong = usage("--%s %q: %s", f.Name, v, instead(v, known))
			}
		}
	})
	return wrong
}

func valuesOf(f *pflag.Flag) []string {
	if many, ok := f.Value.(pflag.SliceValue); ok {
		return many.GetSlice()
	}
	return []string{f.Value.String()}
}

// instead says what could have been typed; a long set is not printed.
func instead(v string, known []string) string {
	const most = 12
	near := nearest(v, known)
	switch {
	case len(known) > most && near == "":
		return "not known; lockscene explain lists what is"
	case len(known) > most:
		return fmt.Sprintf("not known; did you mean %s?", near)
	case near == "":
		return inWords(known) + " is wanted"
	}
	return fmt.Sprintf("%s is wanted; did you mean %s?", inWords(known), near)
}

// inWords joins words as a sentence does: a, b or c.
func inWords(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
