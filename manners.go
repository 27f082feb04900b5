package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What is mistyped is answered in one line that says what may have been meant.

// wrongFlag words pflag's errors: what is wrong, then what to type.
func wrongFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		return usage("%s%s", unknown.Error(), meantFlag(cmd, unknown))
	case errors.As(err, &value):
		return usage("--%s %q: %s", value.GetFlag().Name, value.GetValue(), wants(value.GetFlag(), value.GetValue()))
	case errors.As(err, &missing):
		return usage("--%s wants a value", missing.GetFlag().Name)
	}
	return err
}

// meantFlag ends the line about a flag that is not there.
func meantFlag(cmd *cobra.Command, e *pflag.NotExistError) string {
	name := e.GetSpecifiedName()
	if short := e.GetSpecifiedShortnames(); short != "" {
		name, _, _ = strings.Cut(short, "=") // -pid for --pid
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	if near := nearest(name, known); near != "" {
		return "; did you mean --" + near + "?"
	}
	for _, sub := range cmd.Commands() {
		if sub.Flags().Lookup(name) != nil {
			return fmt.Sprintf("; did you mean %s --%s?", sub.CommandPath(), name)
		}
	}
	return fmt.Sprintf("; %s --help lists what there is", cmd.CommandPath())
}

// wants says what a flag's value has to look like.
func wants(f *pflag.Flag, value string) string {
	switch f.Value.Type() {
	case "duration":
		if _, err := strconv.ParseFloat(value, 64); err == nil {
			return fmt.Sprintf("a time wants its unit; did you mean %ss?", value)
		}
		return "a time with its unit is wanted, e.g. 500ms, 30s or 5m"
	case "int":
		return "a whole number is wanted"
	}
	return "not understood"
}

// unknownVerb refuses what is no subcommand, for commands that only have some.
func unknownVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return noSuchVerb(cmd, args[0])
}

func noSuchVerb(cmd *cobra.Command, word string) error {
	for _, sub := range cmd.Commands() {
		if slices.ContainsFunc(sub.Commands(), func(c *cobra.Command) bool { return c.Name() == word }) {
			return usage("unknown command %q for %q; did you mean %s %s?", word, cmd.CommandPath(), sub.CommandPath(), word)
		}
	}
	if near := nearVerb(cmd, word); near != "" {
		return usage("unknown command %q for %q; did you mean %s %s?", word, cmd.CommandPath(), cmd.CommandPath(), near)
	}
	return usage("unknown command %q for %q; %s --help lists what there is", word, cmd.CommandPath(), cmd.CommandPath())
}

// nearVerb is the subcommand that a word is nearly.
func nearVerb(cmd *cobra.Command, word string) string {
	var known []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	return nearest(word, known)
}

// unknownAtRoot rewords cobra's own refusal, which the root command has no hook for.
func unknownAtRoot(root *cobra.Command, err error) error {
	rest, ok := strings.CutPrefix(err.Error(), "unknown command ")
	if !ok || errors.As(err, new(exit)) { // another's is worded already
		return err
	}
	quoted, _ := strconv.QuotedPrefix(rest)
	if word, unquoteErr := strconv.Unquote(quoted); unquoteErr == nil {
		return noSuchVerb(root, word)
	}
	return err
}

// politeHelp gives cobra's help command the same answer to what it does not know.
func politeHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" {
			cmd.Args = func(_ *cobra.Command, args []string) error {
				found, rest, err := root.Find(args)
				if err == nil && (len(rest) == 0 || !found.HasSubCommands()) {
					return nil
				}
				if err != nil {
					found, rest = root, args
				}
				return noSuchVerb(found, rest[0])
			}
		}
	}
}

// nearest is the known word that was most likely meant: the shortest that begins
// like this, else one that is at most two slips of the finger away. Empty when nothing
// is near.
func nearest(word string, known []string) string {
	if utf8.RuneCountInString(word) < 2 {
		return ""
	}
	best, least := "", 3
	for _, k := range slices.Sorted(slices.Values(known)) {
		slips := distance(word, k)
		if strings.HasPrefix(k, word) {
			slips = 0
		}
		// A word of which half is wrong is another word.
		if slips*2 >= utf8.RuneCountInString(word) && slips > 1 {
			continue
		}
		if slips < least || slips == least && best != "" && slips == 0 && len(k) < len(best) {
			best, least = k, slips
		}
	}
	return best
}

// distance is how many letters have to be put in, left out or changed.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range to {
			change := diagonal
			if r != s {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}

// wantsKey refuses inspect without its one KEY, or with a mistyped source before it.
func wantsKey(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		if near := nearVerb(cmd, args[0]); near != "" {
			return usage("inspect wants one KEY; did you mean %s %s?", cmd.CommandPath(), strings.Join(append([]string{near}, args[1:]...), " "))
		}
		return fmt.Errorf("inspect wants one KEY, %d were given: quote a name that has blanks", len(args))
	}
	return errors.New("inspect wants one KEY: the lock's name in Redis (lockscene inspect lock:orders --redis redis://10.0.0.5)")
}

// meantSource is said of a key that is not there and whose name is nearly a source's.
func meantSource(key string) string {
	var names []string
	for _, s := range sources() {
		names = append(names, s.name)
	}
	if near := nearest(key, names); near != "" {
		return fmt.Sprintf("; lockscene inspect %s shows that source", near)
	}
	return ""
}

// whereElse ends the line about a server that does not answer, when nobody said where
// it is.
func (f *inspectFlags) whereElse() string {
	if len(f.redis) > 0 {
		return ""
	}
	return "; --redis HOST:PORT says where Redis is"
}

// warnOfPassword is for who types one: the process table shows it to everybody.
func (f *inspectFlags) warnOfPassword(stderr io.Writer) {
	for _, address := range f.redis {
		credentials, _, ok := strings.Cut(address, "@")
		_, rest, scheme := strings.Cut(credentials, "://")
		if !scheme {
			rest = credentials
		}
		if ok && strings.Contains(rest, ":") && !fromSite(f.site, "redis") {
			fmt.Fprintln(stderr, "lockscene: everybody on this host can see a password in --redis; put it in --redis-password-file, or the address in LOCKSCENE_REDIS")
			return
		}
	}
}
