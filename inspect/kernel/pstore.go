package kernel

import (
	"bytes"
	"sort"
	"strings"
	"time"
)

// A Part is the heading of one piece of a crash dump: "Panic#1 Part1".
type Part struct {
	Reason string // Panic, Oops, …
	Count  int    // which crash of that boot
	Part   int    // 1 is the newest piece
}

// ParsePart reads the heading of a crash dump.
func ParsePart(line string) (Part, bool) {
	reason, rest, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "#")
	if !ok || reason == "" || len(reason) > 32 || strings.ContainsAny(reason, " []<>:") {
		return Part{}, false
	}
	count, w := number(rest)
	rest, ok = strings.CutPrefix(rest[w:], " Part")
	part, w2 := number(rest)
	if !ok || w == 0 || w > 9 || w2 == 0 || w2 > 9 || w2 != len(rest) {
		return Part{}, false
	}
	return Part{Reason: reason, Count: int(count), Part: int(part)}, true
}

func isPart(line string) bool {
	_, ok := ParsePart(line)
	return ok
}

// ParsePstore reads what the kernel left in persistent storage when it died.
// Several pieces may stand one after the other: the kernel stores the newest
// first, the records come oldest first. Their seconds count from an earlier
// boot than the present one.
func ParsePstore(b []byte) []Record {
	type piece struct {
		Part
		text []byte
	}
	pieces := []piece{{}}
	for len(b) > 0 {
		end := bytes.IndexByte(b, '\n') + 1
		if end == 0 {
			end = len(b)
		}
		if p, ok := ParsePart(string(b[:min(end, 64)])); ok {
			pieces = append(pieces, piece{Part: p})
		} else {
			last := &pieces[len(pieces)-1]
			last.text = append(last.text, b[:end]...)
		}
		b = b[end:]
	}
	sort.SliceStable(pieces, func(i, j int) bool {
		if pieces[i].Count != pieces[j].Count {
			return pieces[i].Count < pieces[j].Count
		}
		return pieces[i].Part.Part > pieces[j].Part.Part
	})
	var out []Record
	for _, p := range pieces {
		out = append(out, ParseDmesg(p.text)...)
	}
	return out
}

// PstoreTime reads the moment of the crash out of the name an EFI backend gives
// its files: dmesg-efi_pstore-ID with ID = (epoch × 100 + part) × 1000 + count.
func PstoreTime(name string) (time.Time, bool) {
	_, id, ok := strings.Cut(name, "efi_pstore-")
	if !ok {
		return time.Time{}, false
	}
	n, w := number(id)
	if w < 15 {
		return time.Time{}, false
	}
	return time.Unix(n/1000/100, 0).UTC(), true
}
