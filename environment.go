package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What is the same for every incident of a site need not be typed at night: it can
// be given in the environment. What is typed wins.

const (
	variable = "variable"         // the annotation that names a flag's variable
	came     = "from-environment" // the annotation of a flag that has its value from there
)

// siteFlags are the flags that can be set for a site. What to look at, and whether to
// keep it, is asked each time: a forgotten --no-bundle would lose evidence.
func siteFlags() []string {
	return []string{
		"redis", "redis-password-file", "sentinel-password-file", "tls-ca", "tls-cert", "tls-key", "tls-server-name",
		"contract", "lease", "renew-every", "max-skew", "timeout", "budget", "rootfs", "workers", "vantage", "ticket",
	}
}

// promises are what a contract file says too. One that was typed puts the
// environment's aside: they would be taken for exceptions from it.
func promises() []string { return []string{"lease", "renew-every", "max-skew"} }

func variableName(flag string) string {
	return "LOCKSCENE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// perSite lets a command and those below it take their settings from the environment,
// and says so in the help of each flag.
func perSite(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains(siteFlags(), f.Name) {
			annotate(f, variable, variableName(f.Name))
			f.Usage += " [$" + variableName(f.Name) + "]"
		}
	})
	for _, sub := range cmd.Commands() {
		perSite(sub)
	}
}

// settle gives flags that were not typed what the environment says.
func settle(cmd *cobra.Command) error {
	var wrong error
	typed := cmd.Flags().Changed("contract")
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := f.Annotations[variable]
		if len(name) == 0 || f.Changed || wrong != nil || typed && slices.Contains(promises(), f.Name) {
			return
		}
		text := strings.TrimSpace(os.Getenv(name[0]))
		if text == "" {
			return
		}
		values := []string{text}
		if f.Value.Type() == "stringArray" {
			values = strings.Fields(text) // several servers, as several --redis
		}
		for _, v := range values {
			if err := f.Value.Set(v); err != nil {
				wrong = usage("%s %q: %s", name[0], v, wants(f, v))
				return
			}
		}
		annotate(f, came, name[0])
	})
	if f := cmd.Flags().Lookup("contract"); wrong == nil && f != nil && len(f.Annotations[came]) > 0 && cmd.Flags().Lookup("redis") == nil {
		// A bundle judged otherwise than yesterday has to show why.
		_, wrong = fmt.Fprintf(cmd.ErrOrStderr(), "lockscene: judged under the contract that LOCKSCENE_CONTRACT names\n")
	}
	return wrong
}

// A setting is what the environment gave: to a flag, or, where flag is empty, a
// password.
type setting struct {
	flag, variable, value string
}

// String never shows a password.
func (s setting) String() string {
	if s.flag == "" {
		return s.variable + "  (a password, not shown)"
	}
	return fmt.Sprintf("%s  --%s %s", s.variable, s.flag, s.value)
}

// siteOf lists what the environment gave to a command.
func siteOf(cmd *cobra.Command) []setting {
	var out []setting
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if name := f.Annotations[came]; len(name) > 0 {
			out = append(out, setting{f.Name, name[0], withoutCredentials(strings.Join(valuesOf(f), " "))})
		}
	})
	for file, name := range map[string]string{"redis-password-file": "REDISCLI_AUTH", "sentinel-password-file": "LOCKSCENE_SENTINEL_AUTH"} {
		if f := cmd.Flags().Lookup(file); f != nil && f.Value.String() == "" && os.Getenv(name) != "" {
			out = append(out, setting{variable: name})
		}
	}
	slices.SortFunc(out, func(a, b setting) int { return strings.Compare(a.variable, b.variable) })
	return out
}

func fromSite(site []setting, flag string) bool {
	return slices.ContainsFunc(site, func(s setting) bool { return s.flag == flag })
}

// withoutCredentials leaves of addresses what may be shown.
func withoutCredentials(addresses string) string {
	words := strings.Fields(addresses)
	for i, w := range words {
		at := strings.LastIndexByte(w, '@')
		if at < 0 {
			continue
		}
		scheme, _, ok := strings.Cut(w, "://")
		if words[i] = w[at+1:]; ok {
			words[i] = scheme + "://" + w[at+1:]
		}
	}
	return strings.Join(words, " ")
}

// sourced names the variable beside a flag that a mistake is about, when the value
// came from there: what nobody typed has to be found.
func sourced(cmd *cobra.Command, e exit) string {
	if e.code != exitUsage {
		return e.err.Error()
	}
	return regexp.MustCompile(`--[a-z][a-z-]*`).ReplaceAllStringFunc(e.err.Error(), func(flag string) string {
		f := cmd.Flags().Lookup(strings.TrimPrefix(flag, "--"))
		if f == nil || len(f.Annotations[came]) == 0 {
			return flag
		}
		return fmt.Sprintf("%s (from %s)", flag, f.Annotations[came][0])
	})
}
