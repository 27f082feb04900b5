package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// imported runs evidence import over a text and returns all that it says.
func imported(t *testing.T, text string, flags ...string) (said string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ticket.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	started := false
	cmd := rootCommand(&started)
	cmd.SetArgs(append([]string{"evidence", "import", path, "--key", "lk:x", "--no-bundle", "--lease", "30s"}, flags...))
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	err = cmd.ExecuteContext(context.Background())
	return out.String(), err
}

const askedThere = "PROMPTredis-cli TIME\n1797180011\n300000\nPROMPTredis-cli PTTL lk:x\n6664\nPROMPTredis-cli GET lk:x\nsk-3:771:e0\nPROMPTredis-cli TIME\n1797180012\n0\n"

// Where no prompt is recognised the reader learns that, and no date that nobody read.
func TestImportWithoutPrompts(t *testing.T) {
	for text, want := range map[string]string{
		"Please help.\n" + strings.ReplaceAll(askedThere, "PROMPT", "Bastion::work 12 => "): "no prompt recognised; the first line that looks like a command: line 2: Bastion::work 12 => redis-cli TIME",
		"The lock hung at night.\nIt was time to look.\n":                                   "no prompt recognised, and no line looks like a command",
	} {
		for _, format := range []string{"text", "markdown", "json"} {
			said, err := imported(t, text, "--format", format)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", format, err)
			}
			if strings.Contains(said, "1970") {
				t.Errorf("a date that nobody read:\n%s", said)
			}
		}
	}
	if _, err := imported(t, strings.ReplaceAll(askedThere, "PROMPT", "ops@sk-3:~$ ")); err != nil && strings.Contains(err.Error(), "prompt") {
		t.Errorf("prompts that are known: %v", err)
	}
}

// A loopback address is one server's only where it was asked: it is not named for
// another host, nor from outside of the container.
func TestNextNamesNoOtherLoopback(t *testing.T) {
	const local = "--redis 127.0.0.1:6379"
	for prompt, named := range map[string]bool{
		"ops@sk-3:~$ ":                                          true,
		"ops@bastion:~$ ":                                       false,
		"ops@bastion:~$ docker exec cache ":                     false,
		"ops@sk-3:~$ docker exec cache ":                        false,
		"ops@laptop:~$ kubectl exec -n locks redis-0 -- ":       false,
		"ops@bastion:~$ ssh sk-3 kubectl exec redis-0 -n l -- ": false,
	} {
		said, _ := imported(t, strings.ReplaceAll(askedThere, "PROMPT", prompt), "--format", "markdown")
		_, next, _ := strings.Cut(said, "Next")
		if got := strings.Contains(next, local); got != named {
			t.Errorf("%s names %s: %v, want %v:\n%s", prompt, local, got, named, said)
		}
	}
}
