package redis

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// fromTTY reads one reply in the terminal's form. An array's elements stand
// under each other at one column, each behind its number; the first one shares
// its line with the number of the array it is in.
func fromTTY(text []byte) (Value, []byte, error) {
	p := ttyReader{text: unindent(text)}
	v, ok := p.value(0, 0, 0)
	if !ok {
		return v, p.text[p.at:], errUnreadable
	}
	return v, p.text[p.at:], nil
}

// unindent gives the first line its indent back when a ticket trimmed it: an
// array of ten elements or more aligns its numbers to the right.
func unindent(text []byte) []byte {
	line := firstLine(text)
	if n, width, _ := index(line); n != 1 || width != 3 {
		return text
	}
	// One element is rarely longer; a hostile text must not be searched to its
	// end for each of its lines.
	const most = 512
	rest := after(text)
	for n := 0; n < most && len(rest) > 0; n, rest = n+1, after(rest) {
		next := firstLine(rest)
		if pad := len(next) - len(bytes.TrimLeft(next, " ")); pad == 0 || pad > 2 {
			// Three blanks and more belong to an element of an element.
			if n, _, _ := index(next); n == 2 {
				return text
			}
			continue
		}
		if n, width, _ := index(next); n == 2 {
			return append(bytes.Repeat([]byte{' '}, width-3), text...)
		}
	}
	return text
}

type ttyReader struct {
	text  []byte
	at    int // where the current line begins
	count int
}

func (p *ttyReader) line() []byte { return bytes.TrimRight(firstLine(p.text[p.at:]), " ") }

func (p *ttyReader) next() { p.at = len(p.text) - len(after(p.text[p.at:])) }

// value reads a value that begins at column start of the current line; what it
// continues with on later lines is indented to column indent.
func (p *ttyReader) value(start, indent, depth int) (Value, bool) {
	if p.at >= len(p.text) || depth > maxDepth {
		return Value{}, false
	}
	line := p.line()
	s := line[min(start, len(line)):]
	if n, width, mark := index(s); n == 1 {
		return p.array(start, indent, width, mark, depth)
	}
	v, ok := scalar(s)
	if ok {
		p.next()
	}
	return v, ok
}

// array reads elements until one is missing. Numbers must follow each other: a
// filter that let only some lines through would shift what pairs with what.
func (p *ttyReader) array(start, indent, width int, mark byte, depth int) (Value, bool) {
	v := Value{Kind: '*'}
	for n := 1; p.at < len(p.text); n++ {
		line := p.line()
		if n > 1 {
			start = indent
			if len(line) < indent || len(bytes.TrimLeft(line[:indent], " ")) > 0 {
				break
			}
		}
		got, w, m := index(line[min(start, len(line)):])
		if p.count++; got != n || w != width || m != mark || p.count > maxElements {
			break
		}
		from := start + width
		if mark == '#' {
			key, rest, ok := pairKey(line[min(from, len(line)):])
			if !ok {
				return v, n > 1
			}
			v.Array = append(v.Array, key)
			from = len(line) - len(rest)
		}
		item, ok := p.value(from, indent+width, depth+1)
		if !ok {
			if mark == '#' {
				v.Array = v.Array[:len(v.Array)-1]
			}
			return v, n > 1
		}
		v.Array = append(v.Array, item)
	}
	return v, true
}

// pairKey reads the key of a map's entry and returns what follows the arrow.
func pairKey(s []byte) (Value, []byte, bool) {
	arrow := []byte(" => ")
	if len(s) > 0 && s[0] == '"' {
		text, rest, ok := unquote(s)
		if !ok || !bytes.HasPrefix(rest, arrow) {
			return Value{}, nil, false
		}
		return Bulk(text), rest[len(arrow):], true
	}
	key, rest, ok := bytes.Cut(s, arrow)
	if !ok {
		return Value{}, nil, false
	}
	v, ok := scalar(key)
	return v, rest, ok
}

// index reads the number before an element, and how wide it is with the blanks
// around it: `1) ` of an array, `1# ` of a map, `1~ ` of a set, `1> ` of a push.
// n is zero where there is none.
func index(s []byte) (n, width int, mark byte) {
	i := 0
	for i < len(s) && s[i] == ' ' {
		i++
	}
	digits := i
	for i < len(s) && '0' <= s[i] && s[i] <= '9' && i-digits < 8 {
		n = n*10 + int(s[i]-'0')
		i++
	}
	if i == digits || i >= len(s) || s[digits] == '0' || bytes.IndexByte([]byte(")#~>"), s[i]) < 0 {
		return 0, 0, 0
	}
	if i+1 < len(s) && s[i+1] != ' ' {
		return 0, 0, 0
	}
	return n, i + 2, s[i]
}

// scalar reads a value that is no array.
func scalar(s []byte) (Value, bool) {
	if len(s) > 0 && s[0] == '"' {
		text, rest, ok := unquote(s)
		return Bulk(text), ok && len(bytes.TrimSpace(rest)) == 0
	}
	text := string(s)
	for _, f := range []struct {
		mark string
		kind byte
	}{{"(integer) ", ':'}, {"(error) ", '-'}, {"(double) ", '$'}} {
		rest, ok := bytes.CutPrefix(s, []byte(f.mark))
		switch {
		case !ok:
		case f.kind == ':':
			n, err := strconv.ParseInt(string(bytes.TrimSpace(rest)), 10, 64)
			return Value{Kind: ':', Int: n}, err == nil
		default:
			return Value{Kind: f.kind, Str: oneLine(string(rest))}, true
		}
	}
	switch text {
	case "(nil)":
		return Value{Kind: '$', Null: true}, true
	case "(true)", "(false)":
		return Value{Kind: ':', Int: int64(len("(false)") - len(text))}, true
	case "(empty array)", "(empty list or set)", "(empty hash)", "(empty set)", "(empty push)", "(empty aggregate type)":
		return Value{Kind: '*'}, true
	}
	return Value{Kind: '+', Str: oneLine(text)}, true
}

// unquote reads a string as the terminal prints it: in quotes, what cannot be
// printed escaped. It returns what follows the closing quote.
func unquote(s []byte) (text string, rest []byte, ok bool) {
	out := make([]byte, 0, min(len(s), 256))
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return string(out), s[i+1:], true
		case c != '\\' || i+1 == len(s):
			out = append(out, c)
		default:
			i++
			out, i = unescape(out, s, i)
		}
	}
	return string(out), nil, false
}

// unescape appends what the escape whose letter is s[i] stands for, and returns
// the index of its last byte.
func unescape(out, s []byte, i int) ([]byte, int) {
	const plain, meant = "nrtabf", "\n\r\t\a\b\f"
	if k := bytes.IndexByte([]byte(plain), s[i]); k >= 0 {
		return append(out, meant[k]), i
	}
	digits := map[byte]int{'x': 2, 'u': 4}[s[i]]
	if digits == 0 || i+digits >= len(s) {
		return append(out, s[i]), i
	}
	n, err := strconv.ParseUint(string(s[i+1:i+1+digits]), 16, 32)
	switch {
	case err != nil:
		return append(out, s[i]), i
	case digits == 2 || n < 0x80:
		return append(out, byte(n)), i + digits
	}
	return utf8.AppendRune(out, rune(n)), i + digits
}
