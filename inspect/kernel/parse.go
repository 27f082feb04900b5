package kernel

import (
	"bytes"
	"strings"
)

// A Format is a way of writing the kernel's log down.
type Format string

const (
	Kmsg        Format = "kmsg"         // records of /dev/kmsg
	Dmesg       Format = "dmesg"        // text: dmesg in any of its styles, syslog files, journalctl's short forms
	DmesgJSON   Format = "dmesg-json"   // dmesg -J
	JournalJSON Format = "journal-json" // journalctl -o json
	Pstore      Format = "pstore"       // what the last panic left behind
)

// Parse guesses the format from the first line and parses. Text that is nothing
// else is taken for dmesg's.
func Parse(b []byte) ([]Record, Format) {
	switch f := sniff(b); f {
	case Kmsg:
		return ParseKmsg(b), f
	case DmesgJSON:
		return ParseDmesgJSON(b), f
	case JournalJSON:
		return ParseJournalJSON(b), f
	case Pstore:
		return ParsePstore(b), f
	default:
		return ParseDmesg(b), f
	}
}

// sniffed bounds how far the first line is looked for.
const sniffed = 4096

func sniff(b []byte) Format {
	head := bytes.TrimLeft(b[:min(len(b), sniffed)], " \t\r\n")
	first, _, _ := strings.Cut(string(head), "\n")
	switch {
	case strings.HasPrefix(first, "{"):
		if key := strings.TrimLeft(string(head[1:]), " \t\r\n"); strings.HasPrefix(key, `"dmesg"`) {
			return DmesgJSON
		}
		return JournalJSON
	case isKmsg(first):
		return Kmsg
	case isPart(first):
		return Pstore
	}
	return Dmesg
}

// eachLine calls f with every line, without its newline, and with the newline.
func eachLine(s string, f func(line, raw string)) {
	for len(s) > 0 {
		end := strings.IndexByte(s, '\n')
		if end < 0 {
			f(s, s)
			return
		}
		f(s[:end], s[:end+1])
		s = s[end+1:]
	}
}

// number reads leading decimal digits and returns how many there were; more
// than fit into an int64 count as none.
func number(s string) (n int64, width int) {
	for width < len(s) && s[width]-'0' <= 9 {
		if width >= 18 {
			return 0, 0
		}
		n = n*10 + int64(s[width]-'0')
		width++
	}
	return n, width
}
