package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

// accessRules is what holds for every capture, whatever was read this time.
const accessRules = `
## What is never read or sent

- No write of any kind, no MONITOR, KEYS, SCAN, CONFIG, DEBUG, EVAL or WAIT: commands outside a fixed list are refused before they reach the connection.
- No process's environment, and no process is attached to, signalled or traced.
- No other key's value, but for those that the lock's library keeps beside it; they stand among the commands above. Of commands on other keys only the name and the number of arguments are kept.

## What is masked before it is stored

- Passwords and users never reach the bundle: of the Redis address only host, port and database are kept.
- Arguments of SLOWLOG entries that concern other keys; who sent FLUSHALL or FLUSHDB is kept, since they take this key too, and of other locks that a client of this one takes or renews a number, no name.
- Other clients: of those that have nothing to do with this lock or its owner's host, id, age, idle time, flags, last command and library stay.
- Kernel records that no rule knows: their heads stay, so that gaps and reach show; their text is dropped. Other mounts and other ports' sockets are dropped too.

All but the first are kept in full when the capture was asked to (--full).

## What was written

The bundle, where it was asked for, and for a moment a folder of temporary files that a library needs, in the system's temporary folder. Nothing else.

## Whether this is signed

Hashes show that bytes changed, not who made them. This file is part of what a signature covers, so it cannot say whether there is one:
if tagmanifest-sha256.txt.sig stands beside tagmanifest-sha256.txt, the bundle is signed; without it, it is unsigned.
`

// redactedCopy is what the approver of a redacted copy must know.
const redactedCopy = `**A redacted copy.** Addresses, host names, users, programs, units, keys and the random parts of values are pseudonyms: one name is one
pseudonym throughout, and in every copy made with the same key, which is not in here. Ports, pids, times and counters are those of the original.
The responder's note was left out, and so was any signature: it covered other bytes. Free text was searched for known names, not understood.`

// Access is ACCESS.md: who looked at what, for whoever must approve the bundle.
func Access(b evidence.Bundle) string {
	m := &document{}
	m.line("# What was read, and how")
	m.line("")
	m.line("%s", md(joined(" · ", b.Capture.Tool, place(b))))
	m.line("")
	if b.Capture.Redacted {
		m.line("%s\n", redactedCopy)
	}
	for _, v := range b.Capture.Vantages {
		m.line("- %s on %s, %s by its clock", md(v.Name), md(v.Host), period(v))
	}
	m.merged(b)
	m.item("Ticket", b.Capture.Ticket)
	m.item("Note", b.Capture.Note)
	m.pasted(b)
	if text := asText(b); len(text) < len(b.Capture.Vantages) {
		b.Probes = slices.DeleteFunc(slices.Clone(b.Probes), func(p evidence.Probe) bool { return text[p.Vantage] })
		m.commands(b)
		m.files(b.Probes)
	}
	m.out.WriteString(accessRules)
	return m.out.String()
}

// commands counts every Redis command as it was sent.
func (m *document) commands(b evidence.Bundle) {
	counts := make(map[string]int)
	total, rounds, spent, widths := 0, 0, time.Duration(0), widened(b)
	for _, p := range b.Probes {
		if len(p.Commands) == 0 || p.Status == evidence.Skipped {
			continue
		}
		rounds++
		spent += max(p.Took()-widths[p.Vantage], 0)
		for _, c := range p.Commands {
			counts[c]++
			total++
		}
	}
	m.section("Redis commands")
	if total == 0 {
		m.line("None.")
		return
	}
	m.line("%d commands in %d round trips that took %s in all, network included; the server's own time is less and was not measured.\n", total, rounds, span(spent))
	m.line("| times | command |")
	m.line("|---:|---|")
	for _, c := range slices.Sorted(maps.Keys(counts)) {
		m.line("| %d | %s |", counts[c], evidence.Markdown(evidence.Clip(c, longSource)))
	}
}

// files lists every source that is no Redis command, by how it ended.
func (m *document) files(probes []evidence.Probe) {
	type key struct {
		source string
		status evidence.Status
	}
	counts, whys := make(map[key]int), make(map[key]string)
	for _, p := range probes {
		if len(p.Commands) > 0 && p.Status != evidence.Skipped {
			continue
		}
		k := key{p.Source, p.Status}
		counts[k]++
		if whys[k] == "" {
			whys[k] = p.Why
		}
	}
	m.section("Files and other sources")
	if len(counts) == 0 {
		m.line("None.")
		return
	}
	m.line("| source | reads | ended |")
	m.line("|---|---:|---|")
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b key) int {
		return strings.Compare(a.source+"\x00"+string(a.status), b.source+"\x00"+string(b.status))
	})
	for _, k := range keys {
		ended := fmt.Sprint(k.status)
		m.line("| %s | %d | %s |", evidence.Markdown(evidence.Clip(k.source, longSource)), counts[k], md(joined(": ", ended, whys[k])))
	}
}
