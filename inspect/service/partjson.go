package service

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

// documents are the values of a text of JSON, one behind the other, or the one
// value of a text of YAML. A last one that was cut off is taken as far as it is
// whole.
func documents(b []byte) []any {
	text := bytes.TrimSpace(b)
	if len(text) == 0 || text[0] != '{' && text[0] != '[' && text[0] != '"' {
		var one any
		if len(text) == 0 || decode("part", b, &one) != nil {
			return nil
		}
		return []any{one}
	}
	var out []any
	in := json.NewDecoder(bytes.NewReader(text))
	for len(out) < maxItems {
		at := in.InputOffset()
		var v any
		err := in.Decode(&v)
		if err != nil {
			if rest := cutBack(text[at:]); err != io.EOF && rest != nil && json.Unmarshal(rest, &v) == nil {
				out = append(out, v)
			}
			return out
		}
		out = append(out, v)
	}
	return out
}

// A jsonScan follows the brackets of JSON.
type jsonScan struct {
	open   []byte // the brackets that are to be closed yet, as they will be
	quoted bool
}

const maxNested = 64

// step takes one byte, and says whether it closed a bracket. It is not ok where
// brackets do not fit.
func (s *jsonScan) step(b []byte, i int) (closed, ok bool) {
	switch c := b[i]; {
	case s.quoted:
		if c == '"' && !escaped(b, i) {
			s.quoted = false
		}
	case c == '"':
		s.quoted = true
	case c == '{' || c == '[':
		s.open = append(s.open, c+2) // in ASCII the closing one is two behind
		return false, len(s.open) <= maxNested
	case c == '}' || c == ']':
		if len(s.open) == 0 || s.open[len(s.open)-1] != c {
			return false, false
		}
		s.open = s.open[:len(s.open)-1]
		return true, true
	}
	return false, true
}

// escaped says whether an odd number of backslashes stands before a quote.
func escaped(b []byte, i int) bool {
	n := 0
	for i--; i >= 0 && b[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// cutBack makes JSON that ends too early whole again: what stands behind the last
// bracket that was closed is dropped, so that no object in it is a part of one
// but those that the cut went through, and those lose only what came later.
func cutBack(b []byte) []byte {
	b = bytes.TrimSpace(b)
	var s jsonScan
	last := 0
	for i := range b {
		closed, ok := s.step(b, i)
		if !ok {
			break
		}
		if closed {
			last = i + 1
		}
		if len(s.open) == 0 && i > 0 {
			break
		}
	}
	if last == 0 {
		return nil
	}
	s = jsonScan{}
	for i := range b[:last] {
		s.step(b, i)
	}
	out := bytes.Clone(b[:last])
	for i := len(s.open) - 1; i >= 0; i-- {
		out = append(out, s.open[i])
	}
	return out
}

// member is the value of a name in a text that may begin and end in the middle of
// a document of JSON: a list or an object, whole or cut back to what is.
func member(b []byte, name string, bracket byte) []byte {
	_, rest, ok := bytes.Cut(b, []byte(`"`+name+`":`))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	if !ok || len(rest) == 0 || rest[0] != bracket {
		return nil
	}
	return cutBack(rest)
}

// block is the same of YAML: the lines below a name, as far as they stand further
// in than it, or are the elements of its list.
func block(b []byte, name string) []byte {
	var out []byte
	depth := -1
	for line := range strings.Lines(string(b)) {
		text := strings.TrimLeft(line, " ")
		at := len(line) - len(text)
		switch text = strings.TrimRight(text, "\r\n"); {
		case depth < 0:
			if text == name+":" {
				depth = at
			}
		case at > depth || at == depth && strings.HasPrefix(text, "- "):
			out = append(out, line...)
		default:
			return out
		}
	}
	return out
}
