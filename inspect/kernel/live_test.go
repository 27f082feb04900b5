package kernel

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lockscene/lockscene/evidence"
)

func TestReadKmsg(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "kmsg")
	want := sample(t, "07_oom_5.15_raw_kmsg.txt")
	if err := os.WriteFile(file, want, 0o600); err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name, path string
		ctx        context.Context
		status     evidence.Status
		why        string
		raw        []byte
	}{
		{"a file", file, t.Context(), evidence.OK, "", want},
		{"absent", filepath.Join(dir, "none"), t.Context(), evidence.Missing, "open ", nil},
		{"not a folder", filepath.Join(file, "kmsg"), t.Context(), evidence.Missing, "open ", nil},
		{"no time left", file, over, evidence.Timeout, "read ", nil},
		{"a folder", dir, t.Context(), evidence.Failed, "open ", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			raw, status, why := ReadKmsg(c.ctx, c.path)
			if !bytes.Equal(raw, c.raw) || status != c.status || !strings.HasPrefix(why, c.why) {
				t.Errorf("%d bytes, %s, %q; want %d, %s, %q…", len(raw), status, why, len(c.raw), c.status, c.why)
			}
		})
	}
}

// A reader that is waited for would hang on a pipe nobody writes to.
func TestReadKmsgDoesNotWait(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	if _, err := writer.WriteString("6,1,5,-;a\n"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	raw, status, why := ReadKmsg(ctx, pipe)
	if string(raw) != "6,1,5,-;a\n" || status != evidence.OK {
		t.Errorf("%q, %s, %q; want the record at once", raw, status, why)
	}
}

func TestRefusalsNameThePermission(t *testing.T) {
	for _, err := range []error{unix.EPERM, unix.EACCES} {
		if s := openStatus(err); s != evidence.Denied {
			t.Errorf("%v: %s, want denied", err, s)
		}
		for _, word := range []string{"CAP_SYSLOG", "kernel.dmesg_restrict"} {
			if why := openWhy("/dev/kmsg", err); !strings.Contains(why, word) {
				t.Errorf("%q does not name %s", why, word)
			}
		}
	}
}

// Of a log that is too long the newest whole records are kept. A record whose
// beginning is not in view is not whole, and its dictionary goes with it.
func TestNewest(t *testing.T) {
	const raw = "6,1,5,-;old\n A=b\n C=d\n6,2,6,-;new\n"
	for n, want := range map[int]string{13: "6,2,6,-;new\n", 20: "6,2,6,-;new\n", len(raw) - 1: "6,2,6,-;new\n"} {
		if got := string(newest([]byte(raw), n)); got != want {
			t.Errorf("%d bytes: %q, want %q", n, got, want)
		}
	}
}

// dmesg is run through the path, so a stand-in can play its failures.
func TestReadDmesg(t *testing.T) {
	for _, c := range []struct {
		name, script string
		status       evidence.Status
		why, raw     string
	}{
		{"works", `echo "<6>[    1.000000] $*"`, evidence.OK, "", "<6>[    1.000000] -r\n"},
		{"knows no -r", `[ "$1" = -r ] && { echo "unrecognized option: r" >&2; exit 1; }; echo "[    1.000000] x"`, evidence.OK, "", "[    1.000000] x\n"},
		{"refused", `echo "dmesg: read kernel buffer failed: Operation not permitted" >&2; exit 1`, evidence.Denied, "CAP_SYSLOG", ""},
		{"fails", `echo "no luck" >&2; exit 3`, evidence.Failed, "no luck", ""},
		{"absent", "", evidence.Unsupported, "no such command", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if c.script != "" {
				if err := os.WriteFile(filepath.Join(dir, "dmesg"), []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("PATH", dir)
			raw, status, why := ReadDmesg(t.Context())
			if string(raw) != c.raw || status != c.status || !strings.Contains(why, c.why) {
				t.Errorf("%q, %s, %q; want %q, %s, …%q…", raw, status, why, c.raw, c.status, c.why)
			}
		})
	}
}
