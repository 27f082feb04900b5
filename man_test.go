package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Man pages are written from the commands, so they say what the program says. It is
// done here because only a test can see the commands without being shipped. They are
// our own roff: the texts are plain, and what makes pages of Markdown would find
// links and emphasis in addresses and patterns.
//
//	go test -run TestManPages . -man dist/man     (make man)
var manFolder = flag.String("man", "", "write the man pages to this folder")

func TestManPages(t *testing.T) {
	pages := map[string]string{}
	everyCommand(rootCommand(new(bool)), func(cmd *cobra.Command) { pages[manName(cmd)+".1"] = manPage(cmd) })
	if len(pages) < 20 {
		t.Errorf("only %d pages", len(pages))
	}
	everyCommand(rootCommand(new(bool)), func(cmd *cobra.Command) { checkPage(t, cmd, pages[manName(cmd)+".1"]) })
	if *manFolder == "" {
		return
	}
	mustDo(t, os.MkdirAll(*manFolder, 0o755))
	for name, text := range pages {
		mustDo(t, os.WriteFile(filepath.Join(*manFolder, name), []byte(text), 0o644))
	}
}

// checkPage wants the sections, every flag, every variable, and no line that roff
// would take for a command of its own.
func checkPage(t *testing.T, cmd *cobra.Command, page string) {
	t.Helper()
	for _, s := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"} {
		if strings.Count(page, "\n.SH "+s+"\n") != 1 {
			t.Errorf("%s: no section %s", manName(cmd), s)
		}
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !strings.Contains(page, `\fB\-\-`+strings.ReplaceAll(f.Name, "-", `\-`)+`\fR`) {
			t.Errorf("%s: --%s is missing", manName(cmd), f.Name)
		}
		if name := f.Annotations[variable]; len(name) > 0 && !strings.Contains(page, "\n.B "+name[0]+"\n") {
			t.Errorf("%s: %s is missing", manName(cmd), name[0])
		}
	})
	for line := range strings.Lines(page) {
		if regexp.MustCompile(`^[.']`).MatchString(line) && !regexp.MustCompile(`^\.(TH|SH|PP|TP|B|BR|nf|fi|RS|RE)\b|^\.\\"`).MatchString(line) {
			t.Errorf("%s: roff would read this: %s", manName(cmd), line)
		}
	}
	if cmd.Name() == "inspect" && !strings.Contains(page, "\n.SH FILES\n") {
		t.Error("inspect says nothing of files")
	}
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

func manPage(cmd *cobra.Command) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".\\\" Written from the commands by make man.\n.TH %s 1 \"\" lockscene lockscene\n", strings.ToUpper(manName(cmd)))
	section := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, ".SH %s\n%s\n", name, strings.TrimRight(text, "\n"))
		}
	}
	section("NAME", roff(manName(cmd))+` \- `+roff(strings.TrimSuffix(cmd.Short, ".")))
	section("SYNOPSIS", ".B "+roff(synopsis(cmd)))
	section("DESCRIPTION", paragraphs(cmd.Long, cmd.Short))
	section("COMMANDS", subcommands(cmd))
	section("OPTIONS", options(cmd))
	section("EXIT STATUS", rows(exitStatus()))
	section("ENVIRONMENT", rows(variables(cmd)))
	section("FILES", rows(files(cmd)))
	if cmd.Example != "" {
		section("EXAMPLES", ".nf\n"+roff(strings.ReplaceAll(cmd.Example, "\n  ", "\n")[2:])+"\n.fi")
	}
	section("SEE ALSO", seeAlso(cmd))
	return b.String()
}

func synopsis(cmd *cobra.Command) string {
	if cmd.Runnable() && cmd.Name() != "evidence" {
		return cmd.UseLine()
	}
	return cmd.CommandPath() + " COMMAND"
}

// roff keeps the text what it is: no escape, no sign that is printed as a prettier one
// which no shell knows, no line that begins like a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "~", `\(ti`, "^", `\(ha`, "`", `\(ga`, "'", `\(aq`).Replace(text)
	return regexp.MustCompile(`(?m)^(\.)`).ReplaceAllString(text, `\&$1`)
}

// paragraphs fills lines, but for those that are indented.
func paragraphs(text, instead string) string {
	if text == "" {
		text = instead
	}
	var out []string
	for _, p := range strings.Split(text, "\n\n") {
		if strings.HasPrefix(p, "  ") {
			p = ".nf\n" + roff(p) + "\n.fi"
		} else {
			p = roff(p)
		}
		out = append(out, p)
	}
	return strings.Join(out, "\n.PP\n")
}

// A row is a term and what it means.
type row struct{ term, text string }

func rows(all []row) string {
	var b strings.Builder
	for _, r := range all {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(r.term), roff(r.text))
	}
	return b.String()
}

func subcommands(cmd *cobra.Command) string {
	var all []row
	for _, sub := range cmd.Commands() {
		if sub.Name() != "help" && sub.Name() != "completion" {
			all = append(all, row{sub.Name(), sub.Short})
		}
	}
	return rows(all)
}

func options(cmd *cobra.Command) string {
	var b strings.Builder
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		value, text := pflag.UnquoteUsage(f)
		b.WriteString(".TP\n")
		if f.Shorthand != "" {
			fmt.Fprintf(&b, `\fB\-%s\fR, `, f.Shorthand)
		}
		fmt.Fprintf(&b, `\fB\-\-%s\fR`, roff(f.Name))
		if value != "" {
			fmt.Fprintf(&b, ` \fI%s\fR`, roff(value))
		}
		if !slices.Contains([]string{"", "false", "0", "0s", "[]"}, f.DefValue) {
			text += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(&b, "\n%s\n", roff(text))
	})
	return b.String()
}

func exitStatus() []row {
	var out []row
	meanings := map[int]string{
		exitNone:         "looked, and no failure was found; or done what was asked",
		exitCannotLook:   "could not look at all, or could not freeze what was judged",
		exitUsage:        "asked wrongly",
		exitFailure:      "a failure is named, or --fail-on found what it names",
		exitInconclusive: "inconclusive; or a bundle was judged otherwise by another version of the rules",
		exitUnverified:   "a bundle is not what was frozen, or not signed as asked",
		exitAssertion:    "--expect differs, or an assertion of prove failed or is not evidenced",
		exitInterrupted:  "interrupted; what there was is frozen",
	}
	for _, code := range slices.Sorted(maps.Keys(meanings)) {
		out = append(out, row{fmt.Sprint(code), meanings[code]})
	}
	return out
}

func variables(cmd *cobra.Command) []row {
	out := []row{
		{"NO_COLOR", "when set, no colours"},
		{"TERM", "dumb: neither colours nor progress"},
		{"LC_ALL, LC_CTYPE, LANG", "whether signs beyond ASCII can be shown"},
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if name := f.Annotations[variable]; len(name) > 0 {
			out = append(out, row{name[0], "the value of --" + f.Name + " where that is not given"})
		}
	})
	if cmd.Flags().Lookup("redis-password-file") != nil {
		out = append(out, row{"REDISCLI_AUTH", "the password of Redis, without --redis-password-file"},
			row{"LOCKSCENE_SENTINEL_AUTH", "the password of the Sentinels, without --sentinel-password-file"})
	}
	if cmd.Name() == "sign" {
		out = append(out, row{"SSH_AUTH_SOCK", "the ssh-agent"})
	}
	return out
}

// files are those that no flag names, and the contract.
func files(cmd *cobra.Command) []row {
	var out []row
	if cmd.Name() == "inspect" || cmd.Name() == "import" {
		out = append(out, row{"lockscene-KEY-TIME.tar.gz", "the bundle, in the current folder; never overwritten, and readable by its owner only"})
	}
	if cmd.Flags().Lookup("rootfs") != nil {
		out = append(out, row{"/proc, /sys/fs/cgroup, /dev/kmsg", "read, below --rootfs, and never written; --dry-run lists every path"})
	}
	if cmd.Flags().Lookup("contract") != nil {
		out = append(out, row{"lease.yaml", "a lease contract, as --contract names it: key, lease, renew_every, max_clock_skew and more; docs/prove.md tells all"})
	}
	if cmd.Name() == "redact" {
		out = append(out, row{"BUNDLE.key", "the incident's key, made when it is not there, readable by its owner only"})
	}
	return out
}

func seeAlso(cmd *cobra.Command) string {
	var names []string
	if cmd.HasParent() {
		names = append(names, manName(cmd.Parent()))
	} else {
		names = append(names, "redis-cli")
	}
	for _, sub := range cmd.Commands() {
		if sub.Name() != "help" && sub.Name() != "completion" {
			names = append(names, manName(sub))
		}
	}
	for i, n := range names {
		names[i] = ".BR " + roff(n) + " (1)"
	}
	return strings.Join(names, " ,\n")
}
