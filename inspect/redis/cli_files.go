package redis

import (
	"bytes"
	"errors"
	"fmt"
)

// ClientListFile turns a file that somebody saved of CLIENT LIST into the bytes
// of the server's reply. It may be plain, quoted, JSON or the protocol itself,
// with the prompt and the command line above it or without. skipped counts the
// lines that are no connection.
func ClientListFile(b []byte) (raw []byte, skipped int, err error) {
	return textFile("client list", b, func(line []byte) bool {
		return bytes.HasPrefix(line, []byte("id=")) || bytes.HasPrefix(line, []byte("addr="))
	})
}

// InfoFile turns a saved INFO, or some lines of one, into the bytes of the
// server's reply. skipped counts the lines that are neither field nor section.
func InfoFile(b []byte) (raw []byte, skipped int, err error) {
	return textFile("info", b, func(line []byte) bool {
		name, _, ok := bytes.Cut(line, []byte{':'})
		return ok && isField(name) || bytes.HasPrefix(line, []byte("# ")) && isField(line[2:])
	})
}

// isField says whether a word is made as INFO makes its field and section names.
func isField(name []byte) bool {
	for _, c := range name {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && bytes.IndexByte([]byte("_-.|"), c) < 0 {
			return false
		}
	}
	return len(name) > 0 && len(name) <= 128
}

// textFile keeps the lines of a text that the wanted reply can hold.
func textFile(what string, b []byte, wanted func(line []byte) bool) (raw []byte, skipped int, err error) {
	text := unwrapped(b)
	kept := make([]byte, 0, len(text))
	for len(text) > 0 {
		line := firstLine(text)
		switch {
		case wanted(line):
			kept = append(append(kept, line...), '\r', '\n')
		case len(bytes.TrimSpace(line)) > 0:
			skipped++
		}
		text = after(text)
	}
	if len(kept) == 0 {
		return nil, skipped, fmt.Errorf("read %s: no line of the file is one", what)
	}
	return Bulk(string(kept)).Append(nil), skipped, nil
}

// unwrapped is the text of a reply out of whatever it was saved in: the protocol,
// a quoted string, or lines that need nothing. A prompt above it does not hide it.
func unwrapped(b []byte) []byte {
	if values, err := ParseReplies(b); err == nil && len(values) == 1 && values[0].Kind == '$' {
		return []byte(values[0].Str)
	}
	for rest := b; len(rest) > 0; rest = after(rest) {
		line := bytes.TrimRight(firstLine(rest), " ")
		if len(line) > 1 && line[0] == '"' {
			if v, ok := scalar(line); ok {
				return []byte(v.Str)
			}
		}
	}
	return b
}

// SlowlogFile turns a saved SLOWLOG GET into the bytes of the server's reply, in
// whatever form it was printed. skipped counts the lines before and after it.
func SlowlogFile(b []byte) (raw []byte, skipped int, err error) {
	command := []string{"SLOWLOG", "GET"}
	if values, err := ParseReplies(b); err == nil && len(values) == 1 {
		return b, 0, nil
	}
	tries := 64 // lines that look like the beginning and are not; more is no slow log
	for text := b; len(text) > 0; text = after(text) {
		line := bytes.TrimLeft(firstLine(text), " ")
		n, _, _ := index(line)
		if tries == 0 {
			break
		}
		if n == 1 || bytes.HasPrefix(line, []byte("[")) || bytes.HasPrefix(line, []byte("(empty ")) || slowHead(firstLines(text, 4)) {
			tries--
			v, rest, err := Next(command, text, Auto)
			if err == nil && v.Kind == '*' {
				return v.Append(nil), skipped + bytes.Count(bytes.TrimSpace(rest), []byte{'\n'}) + min(1, len(bytes.TrimSpace(rest))), nil
			}
		}
		if len(line) > 0 {
			skipped++
		}
	}
	return nil, skipped, errors.New("read slowlog: the file holds none")
}

func firstLines(text []byte, n int) []string {
	var out []string
	for ; len(text) > 0 && len(out) < n; text = after(text) {
		out = append(out, string(firstLine(text)))
	}
	return out
}
