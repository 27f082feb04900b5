package redis

import (
	"bytes"
	"strconv"

	"github.com/lockscene/lockscene/evidence"
)

// fromRaw reads one reply in the form that pipes get, where numbers and strings
// look alike, nil is an empty line, and arrays have one element a line.
func fromRaw(command []string, text []byte, s shape, asked Mode) (Value, []byte, error) {
	line := firstLine(text)
	if isErrorReply(line) || bytes.HasPrefix(line, []byte("(error) ")) {
		return errorReply(string(bytes.TrimPrefix(line, []byte("(error) ")))), skipBlank(after(text)), nil
	}
	// An empty line may also be one that a ticket put there. It says "no such
	// key" only where the raw form is certain.
	if len(bytes.TrimSpace(text)) == 0 && asked != Raw {
		return Value{}, text, &Unanswered{Status: evidence.Failed, Why: "it printed nothing"}
	}
	switch s {
	case shapeInt:
		return rawInt(text, line)
	case shapeStatus:
		return Value{Kind: '+', Str: oneLine(string(line))}, after(text), nil
	case shapeBulk, shapeSlice, shapeAny:
		return rawString(text, s)
	}
	return rawArray(command, lines(text))
}

func rawInt(text, line []byte) (Value, []byte, error) {
	line = bytes.TrimSpace(line)
	if len(bytes.TrimSpace(text)) == 0 {
		return Value{Kind: '$', Null: true}, nil, nil
	}
	n, err := strconv.ParseInt(string(line), 10, 64)
	if err != nil {
		return Value{}, text, errUnreadable
	}
	return Value{Kind: ':', Int: n}, after(text), nil
}

// rawString takes all there is, less the one line end that the client adds.
func rawString(text []byte, s shape) (Value, []byte, error) {
	body := bytes.TrimSuffix(bytes.TrimSuffix(text, []byte{'\n'}), []byte{'\r'})
	switch {
	case len(body) == 0 && s != shapeSlice:
		return Value{Kind: '$', Null: true}, nil, nil
	case s == shapeAny && bytes.IndexByte(body, '\n') < 0:
		return Value{Kind: '+', Str: oneLine(string(body))}, nil, nil
	}
	return Bulk(string(body)), nil, nil
}

// skipBlank drops the empty line that follows an error in the raw form.
func skipBlank(text []byte) []byte {
	if line := firstLine(text); len(text) > 0 && len(line) == 0 {
		return after(text)
	}
	return text
}

// lines splits a text, less its last line end.
func lines(text []byte) []string {
	var out []string
	for len(text) > 0 && len(out) < maxElements {
		out = append(out, string(firstLine(text)))
		text = after(text)
	}
	if len(out) == 1 && out[0] == "" {
		return nil
	}
	return out
}

// rawArray gives nested replies the structure back that the raw form drops.
func rawArray(command []string, l []string) (Value, []byte, error) {
	var v Value
	ok := true
	switch commandName(command) {
	case "TIME":
		ok = len(l) >= 2 && isDigits(l[0]) && isDigits(l[1])
		v = bulks(l)
	case "ROLE":
		v, ok = rawRole(l)
	case "SLOWLOG GET", "COMMANDLOG GET":
		v, ok = rawSlowlog(l)
	case "LATENCY LATEST":
		v, ok = rawLatency(l)
	case "SCRIPT EXISTS", "HPTTL", "HTTL", "HPEXPIRETIME", "HEXPIRETIME":
		v = Value{Kind: '*'}
		for _, word := range l {
			v.Array = append(v.Array, numberOr(word))
		}
	default:
		v = bulks(l)
	}
	if !ok {
		return Value{}, nil, errUnreadable
	}
	if v.Kind == '*' && commandName(command) == "TIME" && len(l) > 2 {
		v.Array = v.Array[:2]
		return v, []byte(joined(l[2:])), nil
	}
	return v, nil, nil
}

func joined(l []string) string {
	var b bytes.Buffer
	for _, line := range l {
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String()
}

func bulks(l []string) Value {
	v := Value{Kind: '*', Array: make([]Value, len(l))}
	for i, line := range l {
		v.Array[i] = Bulk(line)
	}
	return v
}

// numberOr is a number where the word is one, else a string.
func numberOr(word string) Value {
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		return Value{Kind: ':', Int: n}
	}
	return Bulk(word)
}

func isDigits(s string) bool {
	if s == "" || len(s) > 18 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
