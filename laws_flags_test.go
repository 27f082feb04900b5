package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A flag is the same flag everywhere: its short name, type, default and help. Where it
// cannot be, the reason stands here.
func TestLawOneFlagOneMeaning(t *testing.T) {
	own := map[string]string{ // flag and what may differ, to why
		"format help":    "each command has formats of its own; its help is made of them",
		"key help":       "evidence sign signs with one",
		"full help":      "a capture keeps all, a drawing shows all",
		"redis help":     "a live server, one that a transcript speaks of, or one that another host reaches",
		"redis type":     "only inspect asks several",
		"redis default":  "only inspect asks several",
		"max-skew help":  "evidence merge asks about hosts, not about a lease",
		"pid help":       "this host, its host, that host",
		"unit help":      "this host, its host, that host",
		"cgroup help":    "this host, its host, that host",
		"container help": "only a transcript may name a pod",
	}
	used := map[string]bool{}
	first := map[string]*pflag.Flag{}
	where := map[string]string{}
	everyCommand(rootCommand(new(bool)), func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" || f.Name == "version" {
				return
			}
			was, known := first[f.Name]
			if !known {
				first[f.Name], where[f.Name] = f, cmd.CommandPath()
				return
			}
			for what, pair := range map[string][2]string{
				"short name": {was.Shorthand, f.Shorthand}, "type": {was.Value.Type(), f.Value.Type()},
				"default": {was.DefValue, f.DefValue}, "help": {plainHelp(was), plainHelp(f)},
			} {
				switch exception := f.Name + " " + what; {
				case pair[0] == pair[1]:
				case own[exception] != "":
					used[exception] = true
				default:
					t.Errorf("--%s: its %s is %q in %s and %q in %s", f.Name, what, pair[0], where[f.Name], pair[1], cmd.CommandPath())
				}
			}
		})
	})
	for exception := range own {
		if !used[exception] {
			t.Errorf("no flag needs the exception %q any more", exception)
		}
	}
	for _, name := range []string{"format", "contract", "out", "full", "fail-on", "lease", "ticket"} {
		if first[name] == nil {
			t.Errorf("no command has --%s", name)
		}
	}
}

// plainHelp is a flag's help without its variable and without what happens when it is
// not given, which is the command's own.
func plainHelp(f *pflag.Flag) string {
	text, _, _ := strings.Cut(f.Usage, " (default")
	return regexp.MustCompile(` \[\$[A-Z_]+\]$`).ReplaceAllString(text, "")
}

// A flag that is set per site names its variable in its help, once, and no other flag
// claims one.
func TestLawVariables(t *testing.T) {
	seen := map[string]bool{}
	everyCommand(rootCommand(new(bool)), func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			name := variableName(f.Name)
			count := strings.Count(f.Usage, "$"+name+"]")
			if set := len(f.Annotations[variable]) > 0; set != (count == 1) || count > 1 {
				t.Errorf("%s --%s: %s stands %d times in its help", cmd.CommandPath(), f.Name, name, count)
			}
			if count > 0 {
				seen[f.Name] = true
			}
			for _, secret := range []string{"REDISCLI_AUTH", "LOCKSCENE_SENTINEL_AUTH"} {
				if len(f.Annotations[variable]) > 0 && f.Annotations[variable][0] == secret {
					t.Errorf("--%s takes a secret", f.Name)
				}
			}
		})
	})
	for _, name := range siteFlags() {
		if !seen[name] && name != "workers" { // which not every version has
			t.Errorf("--%s is set per site and no command has it", name)
		}
	}
}

// Every command explains itself: what it does, and how it is typed.
func TestLawEveryCommandHasExamples(t *testing.T) {
	everyCommand(rootCommand(new(bool)), func(cmd *cobra.Command) {
		group := !cmd.HasParent() || cmd.Name() == "evidence"
		if cmd.Short == "" || !group && (cmd.Example == "" || cmd.Long == "") {
			t.Errorf("%s wants a short text, a long one and examples", cmd.CommandPath())
		}
	})
}

// everyCommand visits a command and all below it, but those that cobra brings.
func everyCommand(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, sub := range cmd.Commands() {
		if sub.Name() != "help" && sub.Name() != "completion" {
			everyCommand(sub, visit)
		}
	}
}
