package kernel

import (
	"sync"

	"strings"

	"github.com/lockscene/lockscene/evidence"
)

var oomAnchors = sync.OnceValue(func() *anchorSet { return newAnchorSet(words(oomRules)) })

// Kills finds only the victims of the kernel's OOM killer, at half the
// price: it reads no line in which none of a report's words stands.
func Kills(b []byte) []evidence.KernelEvent {
	var kills []evidence.KernelEvent
	for _, ev := range Events(siftedRecords(b)) {
		if ev.Class == OOMKill {
			kills = append(kills, ev)
		}
	}
	return kills
}

func siftedRecords(b []byte) []Record {
	switch f := sniff(b); {
	case f == Kmsg:
		return ParseKmsg(sift(string(b)))
	case f == Dmesg && !humanStyle(b):
		return ParseDmesg(sift(string(b)))
	}
	records, _ := Parse(b)
	return records
}

// humanStyle says whether the lines date themselves by the line before, so that
// none may be left out.
func humanStyle(b []byte) bool {
	return strings.Contains(string(b[:min(len(b), sniffed)]), "[  +")
}

const (
	// fragments is how many lines behind a summary are kept: on kmsg other
	// CPUs may split it into as many.
	fragments = 8
	// tableLines bounds the lines kept behind a task table's heading.
	tableLines = maxRows
)

// sift keeps the lines in which a word of an OOM report stands, and those
// behind one that announces more.
func sift(s string) []byte {
	out := make([]byte, 0, 64<<10)
	follow := 0 // how many further lines the last one announced
	for len(s) > 0 {
		word, at := oomAnchors().first(s)
		if at < 0 {
			return append(out, lines(s, follow)...)
		}
		begin := strings.LastIndexByte(s[:at], '\n') + 1
		out = append(out, lines(s[:begin], follow)...)
		end := len(s)
		if n := strings.IndexByte(s[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		out = append(out, s[begin:end]...)
		follow = announced(oomRules[word].anchor)
		s = s[end:]
	}
	return out
}

// announced is how many lines without a word of their own belong to a report
// after one with this word.
func announced(anchor string) int {
	switch anchor {
	case "tgid total_vm":
		return tableLines
	case "oom-kill:constraint=":
		return fragments
	case "Killed process ":
		return 1 // the rest of a name with a newline in it
	}
	return 0
}

// lines is the first n lines of s.
func lines(s string, n int) string {
	end := 0
	for ; n > 0 && end < len(s); n-- {
		next := strings.IndexByte(s[end:], '\n')
		if next < 0 {
			return s
		}
		end += next + 1
	}
	return s[:end]
}

// first finds the leftmost word of the set in s; at is -1 when there is none.
func (a *anchorSet) first(s string) (word, at int) {
	at = -1
	a.each(s, func(w, i int) bool {
		word, at = w, i
		return true
	})
	return word, at
}
