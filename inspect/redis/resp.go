package redis

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// Value is one RESP2 value.
type Value struct {
	Kind  byte // '+' status, '-' error, ':' integer, '$' bulk, '*' array
	Str   string
	Int   int64
	Array []Value
	Null  bool // $-1 or *-1
}

// IsError says whether the server refused.
func (v Value) IsError() bool { return v.Kind == '-' }

// Limits of one reply: deeper or longer input is an attack or a fault.
const (
	maxDepth    = 16
	maxElements = 1 << 20
)

var errShort = errors.New("reply ends early")

// ParseReplies splits bytes into RESP2 values. It returns what was whole, and
// an error when the rest was not; truncation is ordinary, so callers keep both.
func ParseReplies(b []byte) ([]Value, error) {
	var out []Value
	for len(b) > 0 {
		v, rest, err := parseValue(b, 0)
		if err != nil {
			return out, err
		}
		out = append(out, v)
		b = rest
	}
	return out, nil
}

func parseValue(b []byte, depth int) (Value, []byte, error) {
	if depth > maxDepth {
		return Value{}, nil, errors.New("parse reply: nested too deep")
	}
	line, rest, ok := bytes.Cut(b, []byte("\r\n"))
	if !ok || len(line) == 0 {
		return Value{}, nil, errShort
	}
	v := Value{Kind: line[0]}
	text := string(line[1:])
	switch v.Kind {
	case '+', '-':
		v.Str = text
		return v, rest, nil
	case ':':
		n, err := strconv.ParseInt(text, 10, 64)
		v.Int = n
		return v, rest, err
	case '$', '*':
		n, err := strconv.Atoi(text)
		if err != nil || n < -1 {
			return Value{}, nil, fmt.Errorf("parse reply: bad length %q", clip(text))
		}
		if n == -1 {
			v.Null = true
			return v, rest, nil
		}
		if v.Kind == '$' {
			return parseBulk(v, rest, n)
		}
		return parseArray(v, rest, n, depth)
	}
	return Value{}, nil, fmt.Errorf("parse reply: unknown type byte %q", line[0])
}

func parseBulk(v Value, b []byte, n int) (Value, []byte, error) {
	if len(b) < n+2 {
		return Value{}, nil, errShort
	}
	if b[n] != '\r' || b[n+1] != '\n' {
		return Value{}, nil, errors.New("parse reply: bulk string does not end in CRLF")
	}
	v.Str = string(b[:n])
	return v, b[n+2:], nil
}

func parseArray(v Value, b []byte, n, depth int) (Value, []byte, error) {
	// An element takes at least four bytes, so a count the input cannot hold
	// is refused before anything is allocated for it.
	if n > maxElements || n > len(b)/3+1 {
		return Value{}, nil, errShort
	}
	v.Array = make([]Value, 0, n)
	for range n {
		item, rest, err := parseValue(b, depth+1)
		if err != nil {
			return Value{}, nil, err
		}
		v.Array = append(v.Array, item)
		b = rest
	}
	return v, b, nil
}

// Append writes v as RESP2, the inverse of ParseReplies.
func (v Value) Append(b []byte) []byte {
	switch v.Kind {
	case '+', '-':
		return append(append(append(b, v.Kind), v.Str...), '\r', '\n')
	case ':':
		return append(strconv.AppendInt(append(b, ':'), v.Int, 10), '\r', '\n')
	}
	if v.Null {
		return append(append(b, v.Kind), "-1\r\n"...)
	}
	if v.Kind == '$' {
		b = append(strconv.AppendInt(append(b, '$'), int64(len(v.Str)), 10), '\r', '\n')
		return append(append(b, v.Str...), '\r', '\n')
	}
	b = append(strconv.AppendInt(append(b, '*'), int64(len(v.Array)), 10), '\r', '\n')
	for _, item := range v.Array {
		b = item.Append(b)
	}
	return b
}

// Bulk is a bulk string value.
func Bulk(s string) Value { return Value{Kind: '$', Str: s} }
