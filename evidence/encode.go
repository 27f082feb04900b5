package evidence

import (
	"bytes"
	"encoding/json"
	"fmt"
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
