package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Indented is v as the JSON of a bundle's files: two spaces, a final newline.
// Like [Line] it leaves < > & alone, and escapes what could steer a terminal
// that prints it: DEL, C1 controls and marks that turn or hide text.
func Indented(v any) ([]byte, error) { return encode(v, "  ") }

// Line is v as one line of JSON.
func Line(v any) ([]byte, error) { return encode(v, "") }

func encode(v any, indent string) ([]byte, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return escapeInvisible(buf.Bytes()), nil
}

// escapeInvisible replaces runes that do not print by their JSON escapes. In
// encoded JSON they stand in strings only, so the meaning stays the same.
func escapeInvisible(b []byte) []byte {
	if !bytes.ContainsFunc(b, steers) {
		return b
	}
	var out bytes.Buffer
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case !steers(r):
			out.Write(b[:n])
		case r > 0xffff:
			hi, lo := (r-0x10000)>>10+0xd800, (r-0x10000)&0x3ff+0xdc00
			fmt.Fprintf(&out, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		b = b[n:]
	}
	return out.Bytes()
}

func steers(r rune) bool { return r == 0x7f || r > 0x7f && !unicode.IsPrint(r) }

// Limits of a JSON document from outside. Depth, because decoders recurse.
// Elements, because a few bytes of JSON can ask for kilobytes of struct: one
// process is three bytes as {} and some hundred in memory for each look.
const (
	maxDepth    = 64
	maxElements = 1_000_000 // of all arrays: two lists of 100 000 clients fit five times
	maxLarge    = 100_000   // of arrays of the largest structs: a day of one look a second
	maxKeys     = 4096      // of one object: commandstats has some hundreds
)

// A scan is the walk over one document that decides whether to decode it.
type scan struct {
	exact           bool // keys must differ by more than case
	elements, large int
	open            []level
}

// A level is an array or object that is not closed yet.
type level struct {
	keys    map[string]bool // nil in an array
	isLarge bool
	key     string // the key whose value comes next; empty: a key comes next
	waiting bool   // a value comes next
}

// decodeJSON decodes one document that may be hostile. Duplicate keys are
// refused, since programs differ in which they believe. The decoder ignores
// case, so documents whose keys are all field names (exact) may not have two
// keys that differ by case only.
func decodeJSON(data []byte, exact bool, into any) error {
	if err := scanJSON(data, exact); err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

func scanJSON(data []byte, exact bool) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	s := scan{exact: exact}
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := s.token(t); err != nil {
			return fmt.Errorf("%w at byte %d", err, d.InputOffset())
		}
	}
	// More than one document, or none, is for json.Unmarshal to refuse.
	return nil
}

func (s *scan) token(t json.Token) error {
	delim, _ := t.(json.Delim)
	if delim == '}' || delim == ']' {
		s.open = s.open[:len(s.open)-1]
		return nil
	}
	large := false
	if top := len(s.open) - 1; top >= 0 {
		l := &s.open[top]
		switch {
		case l.keys == nil:
			if err := s.count(l.isLarge); err != nil {
				return err
			}
		case !l.waiting:
			return s.name(l, t)
		default:
			l.waiting = false
			large = isLarge(l.key)
		}
	}
	if delim == 0 {
		return nil
	}
	next := level{isLarge: large}
	if delim == '{' {
		next.keys = make(map[string]bool)
	}
	if s.open = append(s.open, next); len(s.open) > maxDepth {
		return fmt.Errorf("nested deeper than %d", maxDepth)
	}
	return nil
}

func (s *scan) count(large bool) error {
	if s.elements++; s.elements > maxElements {
		return fmt.Errorf("more than %d array elements", maxElements)
	}
	if large {
		if s.large++; s.large > maxLarge {
			return fmt.Errorf("more than %d looks, processes and INFO replies", maxLarge)
		}
	}
	return nil
}

func (s *scan) name(l *level, t json.Token) error {
	key, _ := t.(string)
	l.key, l.waiting = key, true
	unique := key
	if s.exact {
		unique = fold(key)
	}
	if l.keys[unique] {
		return fmt.Errorf("key %q stands twice in one object", Clip(key, 40))
	}
	if l.keys[unique] = true; len(l.keys) > maxKeys {
		return fmt.Errorf("more than %d keys in one object", maxKeys)
	}
	return nil
}

// fold maps keys the decoder takes for one another to one spelling. Upper case
// first: the long s and the Kelvin sign each fold one way only.
func fold(key string) string { return strings.ToLower(strings.ToUpper(key)) }

// isLarge names the arrays whose elements take a kilobyte and more.
func isLarge(key string) bool {
	switch fold(key) {
	case "processes", "looks", "infos", "pressure":
		return true
	}
	return false
}
