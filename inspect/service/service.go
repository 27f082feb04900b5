// Package service reads what supervisors say of the programs they run: systemd
// of its units, container runtimes of their containers, Kubernetes of its pods
// and of what happened to them.
//
// Every parser is a function from the text of one command to evidence, with a
// [stamp.Frame] for what the dates leave out. It keeps what it understands of a
// text and passes over the rest; it fails only on a text that is something else.
// Spans are left to the caller, who knows when the text was read.
//
// What the package refuses to do is to conclude. A supervisor's word OOMKilled
// is set when any process of a container was killed, cleared by a restart, and
// missed in a race; exit code 137 is any SIGKILL. Both are passed on as told.
package service

import (
	"fmt"
	"strings"
)

// Limits of one text. A cluster of a few thousand pods stays below them.
const (
	maxText  = 32 << 20
	maxItems = 20_000 // containers, units or events of one text
	maxWord  = 4096   // bytes kept of one message
)

func bounded(name string, b []byte) error {
	if len(b) > maxText {
		return fmt.Errorf("parse %s: %d bytes are more than the %d it may have", name, len(b), maxText)
	}
	return nil
}

// clip keeps the beginning of a message.
func clip(s string) string { return strings.Clone(s[:min(len(s), maxWord)]) }

// count reads a plain number, and zero from anything else.
func count(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i]-'0' > 9 || n > 1<<26 {
			return 0
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// qualified is namespace/name, or the name alone where no namespace is told.
func qualified(namespace, name string) string {
	if namespace == "" || name == "" {
		return name
	}
	return namespace + "/" + name
}
