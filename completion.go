package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lockscene/lockscene/inspect/events"
)

// What the shell offers: fixed sets, topics, files of the right kind. Nothing is
// looked at to complete a line, above all no Redis.

// shells names the command that prints the scripts in our words, and answers a shell
// it does not know. Cobra's command keeps the stream that is set when it is made.
func shells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Short = "Print a completion script for bash, zsh, fish or PowerShell"
			cmd.Args = unknownVerb
			cmd.RunE = func(*cobra.Command, []string) error {
				return usage("completion wants a shell: bash, zsh, fish or powershell")
			}
		}
	}
}

// offer gives every command below cmd, and every flag, its completion.
func offer(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, has := cmd.GetFlagCompletionFunc(f.Name); !has {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, flagOffer(cmd, f)) // fails only where there is one
		}
	})
	if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
		cmd.ValidArgsFunction = argsOffer(cmd)
	}
	for _, sub := range cmd.Commands() {
		if sub.Name() != "help" { // which knows its own
			offer(sub)
		}
	}
}

// flagOffer is what stands behind a flag.
func flagOffer(cmd *cobra.Command, f *pflag.Flag) cobra.CompletionFunc {
	if known, fixed := f.Annotations[choices]; fixed {
		return cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp)
	}
	switch f.Name {
	case "key":
		if cmd.Name() == "sign" {
			return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
		}
	case "contract":
		return ending("yaml", "yml")
	case "rootfs":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case "mapping":
		return cobra.FixedCompletions(append([]string{"auto"}, events.Mappings()...), cobra.ShellCompDirectiveDefault)
	case "heartbeat":
		return cobra.FixedCompletions([]string{"file:", "key:"}, cobra.ShellCompDirectiveNoSpace|cobra.ShellCompDirectiveNoFileComp)
	}
	if slices.Contains(askedFlags(), f.Name) || f.Value.Type() == "int" || f.Value.Type() == "duration" {
		return cobra.NoFileCompletions
	}
	return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault) // a file
}

// askedFlags are those with a value that no file is.
func askedFlags() []string {
	return []string{
		"redis", "tls-server-name", "unit", "cgroup", "container", "ticket", "note", "key", "host", "at", "tz", "identity", "workers",
	}
}

// argsOffer is what stands where a command's arguments do.
func argsOffer(cmd *cobra.Command) cobra.CompletionFunc {
	switch cmd.Name() {
	case "classify", "prove", "report", "verify", "show", "merge", "diff", "redact", "sign":
		return ending("tar.gz") // shells offer folders beside
	case "import":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	}
	return cobra.NoFileCompletions // a KEY, which only Redis knows, or nothing
}

func ending(extensions ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}
