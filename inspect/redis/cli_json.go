package redis

import (
	"bytes"
	"strconv"
)

// fromJSON reads one reply that --json printed. The reader is our own because a
// lock's value may be 24 bytes that are no UTF-8: a common decoder would replace
// them all by the same mark, and two holders would look like one.
func fromJSON(text []byte) (Value, []byte, error) {
	p := jsonReader{text: text}
	v, ok := p.value(0)
	if !ok {
		return Value{}, text, errUnreadable
	}
	return v, p.text, nil
}

type jsonReader struct {
	text  []byte
	count int
}

// take drops blanks, and then the word if it comes next.
func (p *jsonReader) take(word string) bool {
	p.text = bytes.TrimLeft(p.text, " \t\r\n")
	rest, ok := bytes.CutPrefix(p.text, []byte(word))
	p.text = rest
	return ok
}

func (p *jsonReader) value(depth int) (Value, bool) {
	if p.count++; depth > maxDepth || p.count > maxElements {
		return Value{}, false
	}
	switch {
	case p.take("null"):
		return Value{Kind: '$', Null: true}, true
	case p.take("true"):
		return Value{Kind: ':', Int: 1}, true
	case p.take("false"):
		return Value{Kind: ':'}, true
	case p.take("error:"):
		text, ok := p.str()
		return Value{Kind: '-', Str: oneLine(text)}, ok
	case p.take("["):
		return p.list("]", depth)
	case p.take("{"):
		return p.list("}", depth)
	case len(p.text) > 0 && p.text[0] == '"':
		text, ok := p.str()
		return Bulk(text), ok
	}
	return p.number()
}

func (p *jsonReader) str() (string, bool) {
	if len(p.text) == 0 || p.text[0] != '"' {
		return "", false
	}
	text, rest, ok := unquote(p.text)
	p.text = rest
	return text, ok
}

// list reads to the closing bracket. An object becomes a list of keys and
// values, as RESP2 sends a map.
func (p *jsonReader) list(end string, depth int) (Value, bool) {
	v := Value{Kind: '*'}
	if p.take(end) {
		return v, true
	}
	for {
		item, ok := p.value(depth + 1)
		if !ok {
			return v, false
		}
		v.Array = append(v.Array, item)
		if end == "}" {
			if !p.take(":") {
				return v, false
			}
			if item, ok = p.value(depth + 1); !ok {
				return v, false
			}
			v.Array = append(v.Array, item)
		}
		switch {
		case p.take(end):
			return v, true
		case !p.take(","):
			return v, false
		}
	}
}

func (p *jsonReader) number() (Value, bool) {
	n := 0
	for n < len(p.text) && n < 64 && bytes.IndexByte([]byte("+-.0123456789eEinfa"), p.text[n]) >= 0 {
		n++
	}
	word := string(p.text[:n])
	p.text = p.text[n:]
	if i, err := strconv.ParseInt(word, 10, 64); err == nil {
		return Value{Kind: ':', Int: i}, true
	}
	_, err := strconv.ParseFloat(word, 64)
	return Bulk(word), err == nil // RESP2 has no doubles
}

// fromCSV reads one line that --csv printed. It shows nested arrays flat, so
// only flat ones can be read.
func fromCSV(text []byte, s shape) (Value, []byte, error) {
	line, rest := firstLine(text), after(text)
	if msg, ok := bytes.CutPrefix(line, []byte("ERROR,")); ok {
		v, ok := scalar(msg)
		if !ok {
			return Value{}, text, errUnreadable
		}
		return Value{Kind: '-', Str: oneLine(v.Str)}, rest, nil
	}
	v := Value{Kind: '*'}
	for len(line) > 0 && len(v.Array) < maxElements {
		item, tail, ok := csvField(line)
		if !ok {
			return Value{}, text, errUnreadable
		}
		v.Array = append(v.Array, item)
		line = tail
	}
	if s != shapeArray && len(v.Array) == 1 {
		v = v.Array[0]
	}
	return v, rest, nil
}

func csvField(line []byte) (v Value, rest []byte, ok bool) {
	if line[0] == '"' {
		text, tail, ok := unquote(line)
		if !ok || len(tail) > 0 && tail[0] != ',' {
			return Value{}, nil, false
		}
		return Bulk(text), tail[min(1, len(tail)):], true
	}
	word, rest, _ := bytes.Cut(line, []byte{','})
	if string(word) == "NULL" {
		return Value{Kind: '$', Null: true}, rest, true
	}
	if n, err := strconv.ParseInt(string(word), 10, 64); err == nil {
		return Value{Kind: ':', Int: n}, rest, true
	}
	return Bulk(string(word)), rest, true
}
