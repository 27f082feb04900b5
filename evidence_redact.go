package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect"
	"github.com/lockscene/lockscene/inspect/redact"
)

func redactCommand() *cobra.Command {
	var out, keyFile string
	var keepKey bool
	cmd := &cobra.Command{
		Use:   "redact BUNDLE -o COPY",
		Short: "Make a copy fit for strangers, correlations kept",
		Long: `Replaces addresses, host names, users, programs, units, the lock's key and the
random parts of its values by pseudonyms, everywhere in the bundle: the same name
is the same pseudonym. Ports, pids, times and counters stay, and so does the
verdict: the copy is judged and verified like any other bundle.

The pseudonyms depend on a key. It is read from the key file, or made and written
there if there is none; keep it to yourself, and use it again for the other
bundles of the same incident so that they still fit together. A signature does
not survive, because it covers other bytes; the note is left out.`,
		Example: "  lockscene evidence redact incident.tar.gz -o copy.tar.gz --key-file incident.key",
		Args:    exactlyOne("BUNDLE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usage("evidence redact wants -o: where the copy goes")
			}
			if keyFile == "" {
				keyFile = args[0] + ".key"
			}
			return redactTo(args[0], out, keyFile, keepKey, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", outHelp)
	cmd.Flags().StringVar(&keyFile, "key-file", "", "the incident's secret key, made if it is not there (default BUNDLE.key)")
	cmd.Flags().BoolVar(&keepKey, "keep-key", false, "leave the lock's own name as it is")
	return cmd
}

func redactTo(path, out, keyFile string, keepKey bool, w, talk io.Writer) error {
	b, err := openBundle(path)
	if err != nil {
		return err
	}
	key, made, err := incidentKey(keyFile)
	if err != nil {
		return err
	}
	if made {
		fmt.Fprintf(talk, "lockscene: wrote the incident's key to %s: whoever has it can test guesses of the names\n", keyFile)
	}
	copied, dropped, err := redacted(b, redact.Options{Key: key, KeepKey: keepKey})
	if err != nil {
		return err
	}
	if b.Signature != "" {
		fmt.Fprintln(talk, "lockscene: the signature was left out: it covers the original's bytes")
	}
	for _, d := range dropped {
		fmt.Fprintf(talk, "lockscene: left out %s: nothing can rewrite it\n", evidence.Printable(d))
	}
	if copied.Verdict.Label != b.Verdict.Label {
		fmt.Fprintf(talk, "lockscene: the copy is judged %s, the original says %s\n", copied.Verdict.Label, evidence.Printable(string(b.Verdict.Label)))
	}
	saved, err := (&inspectFlags{out: out}).save(copied, w)
	if err != nil {
		return err
	}
	if out == "-" {
		return nil // the copy is the answer
	}
	_, err = fmt.Fprintln(w, saved)
	return err
}

// redacted makes the copy, and derives from it what is derived from any capture.
func redacted(b evidence.Bundle, o redact.Options) (evidence.Bundle, []string, error) {
	c, err := redact.Redact(b, o)
	if err != nil {
		return evidence.Bundle{}, nil, err
	}
	snap, err := inspect.Parse(c.Capture, c.Probes, c.Raw)
	if err != nil {
		return evidence.Bundle{}, nil, fmt.Errorf("read the copy: %w", err)
	}
	out, err := assemble(inspect.Recording{Capture: c.Capture, Probes: c.Probes, Raw: c.Raw}, snap)
	return out, c.Dropped, err
}

// incidentKey reads the key, or makes one that nobody else may read.
func incidentKey(path string) (key []byte, made bool, err error) {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		key = make([]byte, redact.KeySize)
		rand.Read(key)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return nil, false, fmt.Errorf("write key: %w", err)
		}
		_, err = fmt.Fprintln(f, hex.EncodeToString(key))
		return key, true, errors.Join(err, f.Close())
	case err != nil:
		return nil, false, fmt.Errorf("read key: %w", err)
	}
	key, err = hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != redact.KeySize {
		return nil, false, exit{exitUsage, fmt.Errorf("read key: %s does not hold %d bytes in hexadecimal", path, redact.KeySize)}
	}
	return key, false, nil
}
