package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// No text is fatal: what is no transcript, or a nasty one, is read to its end,
// judged or said to tell nothing, and never makes it panic.
func TestHostileTexts(t *testing.T) {
	const size = 200_000
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)+1) }
	for name, text := range map[string]string{
		"nothing":             "",
		"a newline":           "\n",
		"zeroes":              repeat("\x00"),
		"one line":            repeat("x"),
		"no UTF-8":            "q-3$ redis-cli GET lock:x\n" + repeat("\xff\xfe\x80\n"),
		"prompts in one line": repeat("q-3$ "),
		"a prompt per host":   repeat("u@a:~$ id\nu@b:~$ ssh c\n"),
		"open quotes":         repeat("q-3$ redis-cli GET 'a\n"),
		"open brackets":       "q-3$ redis-cli --json SLOWLOG GET\n" + repeat("["),
		"nested lists":        "10.0.0.5:6379> SLOWLOG GET\n" + repeat("1) ") + "x\n",
		"a file of prompts":   repeat("q-3$ cat run.sh\n#!/bin/sh\n# redis-cli GET lock:x\n$ date\nu@h:~$ date\n"),
		"prompts in JSON":     repeat("q-3$ curl x\n{\"a\": \"$ redis-cli GET lock:x\",\n \"b\": \"host$ ls\"}\n"),
		"Markdown":            repeat("# Title\n\n```\n$ date\nMon\n```\n> q\n"),
		"a typescript":        repeat("\x1b[?1049h\x1b[22;0;0t\x1b[1;1H\x1b[K[0] 0:bash*\x1b[1;1Hq-3$ date\r\n\x1b]0;x"),
		"one TIME for ever":   repeat("q-3$ redis-cli TIME\n1) \"1790000313\"\n2) \"294675\"\n"),
		"one look for ever":   repeat("q-3$ redis-cli PTTL lock:x\n(integer) 5\n"),
		"remarks":             repeat("## x\n"),
		"numbers too large":   repeat("q-3$ redis-cli PTTL lock:x\n(integer) 99999999999999999999\nq-3$ date -u +%s\n99999999999999999\nq-3$ cat /proc/41207/stat\n41207 (x) S 99999999999999999999\n"),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "text")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			var out, talk bytes.Buffer
			started := false
			cmd := rootCommand(&started)
			cmd.SetArgs([]string{"evidence", "import", path, "--key", "lock:x", "--pid", "41207", "--host", "q-3", "--no-bundle"})
			cmd.SetOut(&out)
			cmd.SetErr(&talk)
			err := cmd.ExecuteContext(context.Background())
			var code exit
			if err != nil && !errors.As(err, &code) {
				t.Errorf("it ended with %v", err)
			}
			if strings.ContainsAny(out.String()+talk.String(), "\x00\x1b") {
				t.Error("what is printed holds control characters of the text")
			}
		})
	}
}
