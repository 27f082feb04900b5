package aof

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/lockscene/lockscene/evidence"
)

// maxWrites bounds what is read back of a kept history; a bundle may lie about
// how much it holds.
const maxWrites = 100_000

// Lines is a history as a bundle keeps it: one line about the file, and one for
// every write. The file itself is never kept. It may have gigabytes, and is other
// people's data.
func Lines(h evidence.History) ([]byte, error) {
	head := h
	head.Writes = nil
	out, err := evidence.Line(head)
	if err != nil {
		return nil, fmt.Errorf("keep history: %w", err)
	}
	for _, w := range h.Writes {
		line, err := evidence.Line(w)
		if err != nil {
			return nil, fmt.Errorf("keep history: %w", err)
		}
		out = append(out, line...)
	}
	return out, nil
}

// ParseLines reads back what Lines wrote. What follows a damaged line is not read,
// and Cut says so.
func ParseLines(b []byte) (evidence.History, error) {
	var h evidence.History
	head, rest, _ := bytes.Cut(b, []byte("\n"))
	if err := json.Unmarshal(head, &h); err != nil {
		return evidence.History{}, fmt.Errorf("parse history: %w", err)
	}
	h.Writes = []evidence.KeyWrite{}
	for line := range bytes.Lines(rest) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var w evidence.KeyWrite
		err := json.Unmarshal(line, &w)
		if err != nil || len(h.Writes) == maxWrites {
			h.Cut = firstOf(h.Cut, "what was kept of it ends in a line that cannot be read")
			break
		}
		h.Writes = append(h.Writes, w)
	}
	return h, nil
}

func firstOf(said, otherwise string) string {
	if said != "" {
		return said
	}
	return otherwise
}
