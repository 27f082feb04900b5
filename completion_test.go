package main

import (
	"bytes"
	"context"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	goredis "github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lockscene/lockscene/classify"
	"github.com/lockscene/lockscene/classify/proof"
	"github.com/lockscene/lockscene/inspect/events"
)

// offered is what a shell would be given for a line whose last word is to be
// completed, and cobra's directive.
func offered(t *testing.T, line ...string) (words []string, directive string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), append([]string{cobra.ShellCompNoDescRequestCmd}, line...), &out, &errs); code != exitNone {
		t.Fatalf("%q: exit %d: %s", line, code, errs.String())
	}
	words = strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	last := len(words) - 1
	return words[:last], words[last]
}

const (
	asFiles  = ":0"
	asWords  = ":4"
	asEnding = ":8"
	asFolder = ":16"
)

func TestCompletion(t *testing.T) {
	explainable := slices.Concat(explained())
	for _, c := range []struct {
		line      []string
		want      []string
		directive string
	}{
		{[]string{"inspect", "k", "--format", ""}, []string{"text", "json", "markdown"}, asWords},
		{[]string{"report", "b.tar.gz", "--format", ""}, []string{"text", "markdown", "html", "svg", "json", "summary"}, asWords},
		{[]string{"prove", "b.tar.gz", "--format", ""}, []string{"text", "json", "junit", "openmetrics"}, asWords},
		{[]string{"classify", "--expect", ""}, labels(), asWords},
		{[]string{"inspect", "--vantage", ""}, vantages(), asWords},
		{[]string{"inspect", "--fail-on", ""}, append([]string{"info", "warning", "critical"}, classify.FindingIDs()...), asWords},
		{[]string{"inspect", "k", "--contract", ""}, []string{"yaml", "yml"}, asEnding},
		{[]string{"prove", "--contract", ""}, []string{"yaml", "yml"}, asEnding},
		{[]string{"evidence", "import", "--events", ""}, nil, asFiles},
		{[]string{"evidence", "import", "--mapping", ""}, append([]string{"auto"}, events.Mappings()...), asFiles},
		{[]string{"evidence", "import", ""}, nil, asFiles},
		{[]string{"evidence", "sign", "b.tar.gz", "--key", ""}, nil, asFiles},
		{[]string{"inspect", "--rootfs", ""}, nil, asFolder},
		{[]string{"inspect", "--redis", ""}, nil, asWords},
		{[]string{"inspect", "--lease", ""}, nil, asWords},
		{[]string{"inspect", "lock", ""}, nil, asWords},
		{[]string{"classify", ""}, []string{"tar.gz"}, asEnding},
		{[]string{"evidence", "merge", "a.tar.gz", ""}, []string{"tar.gz"}, asEnding},
		{[]string{"explain", ""}, explainable, asWords},
		{[]string{"evidence", ""}, []string{"diff", "import", "merge", "redact", "show", "sign", "verify"}, asWords},
		{[]string{"inspect", ""}, []string{"clients", "clock", "coordinator", "kernel", "lock", "owner", "slowlog"}, asWords},
		{[]string{"help", "evid"}, []string{"evidence"}, asWords},
		{[]string{"completion", "z"}, []string{"zsh"}, asWords},
	} {
		words, directive := offered(t, c.line...)
		if !slices.Equal(words, c.want) && len(words)+len(c.want) > 0 || directive != c.directive {
			t.Errorf("%q: %q %s, want %q %s", c.line, words, directive, c.want, c.directive)
		}
	}
	if !slices.Contains(explainable, proof.Assertions()[0]) {
		t.Error("assertions are not offered")
	}
}

// To complete a line no server is asked, wherever one is named.
func TestCompletionAsksNobody(t *testing.T) {
	s := startRedis(t)
	rdb := goredis.NewClient(&goredis.Options{Addr: s.addr, Protocol: 2, DisableIdentity: true, PoolSize: 1})
	defer rdb.Close()
	t.Setenv("LOCKSCENE_REDIS", s.addr)
	before := connections(t, rdb)
	everyCommand(rootCommand(new(bool)), func(cmd *cobra.Command) {
		words := append(strings.Fields(cmd.CommandPath())[1:], "")
		if _, directive := offered(t, words...); !strings.HasPrefix(directive, ":") {
			t.Errorf("%s: %s", cmd.CommandPath(), directive)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.NoOptDefVal == "" {
				offered(t, append(slices.Clone(words[:len(words)-1]), "--"+f.Name, "")...)
			}
		})
	})
	if after := connections(t, rdb); after != before {
		t.Errorf("%s connections before, %s after", before, after)
	}
}

func connections(t *testing.T, rdb *goredis.Client) string {
	t.Helper()
	info, err := rdb.Info(context.Background(), "stats").Result()
	found := regexp.MustCompile(`total_connections_received:(\d+)`).FindStringSubmatch(info)
	if err != nil || found == nil {
		t.Fatalf("INFO: %v", err)
	}
	return found[1]
}

// The scripts are given to the stream that was asked for, and bash can read its own.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var script, errs bytes.Buffer
		if code := run(t.Context(), []string{"completion", shell}, &script, &errs); code != exitNone || !strings.Contains(script.String(), cobra.ShellCompRequestCmd) {
			t.Errorf("%s: exit %d: %s", shell, code, errs.String())
		}
		if shell != "bash" {
			continue
		}
		cmd := exec.Command("bash", "-n")
		cmd.Stdin = &script
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("bash -n: %v: %s", err, out)
		}
	}
}
