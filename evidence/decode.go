package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// Limits of a JSON document from outside, because a few bytes of JSON can ask for
// kilobytes of struct: one process is three bytes as {} and some hundred in memory
// for each look.
const (
	maxElements = 1_000_000 // of all arrays: two lists of 100 000 clients fit five times
	maxLarge    = 100_000   // of arrays of the largest structs: a day of one look a second
)

// strictly is how documents from outside are decoded: as the standard library would,
// but a key that stands twice is refused, since programs differ in which they
// believe, and a key counts as spelled.
var strictly = json.JoinOptions(jsonv1.DefaultOptionsV1(),
	jsontext.AllowDuplicateNames(false), jsontext.AllowInvalidUTF8(false), json.MatchCaseInsensitiveNames(false))

// decodeJSON decodes one document that may be hostile.
func decodeJSON(data []byte, into any) error {
	if err := limitJSON(data); err != nil {
		return err
	}
	return json.Unmarshal(data, into, strictly)
}

// limitJSON refuses documents with more elements than any capture has. Where not even
// the punctuation is there for so many, nothing has to be parsed to know it.
func limitJSON(data []byte) error {
	if bytes.Count(data, []byte(","))+bytes.Count(data, []byte("[")) < maxLarge {
		return nil // a list of n has one [ and n-1 commas
	}
	d := jsontext.NewDecoder(bytes.NewReader(data), strictly)
	c := count{large: []bool{false}}
	for {
		t, err := d.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil // more than one document, or none, is for Unmarshal to refuse
		}
		if err != nil {
			return err
		}
		if err := c.token(d, t); err != nil {
			return fmt.Errorf("%w at byte %d", err, d.InputOffset())
		}
	}
}

// A count is of the elements of all arrays of one document.
type count struct {
	elements, larges int
	large            []bool // for each open array or object: are its elements large?
	key              string // the last one read
}

func (c *count) token(d *jsontext.Decoder, t jsontext.Token) error {
	depth, kind := d.StackDepth(), t.Kind()
	inside := depth
	if kind == '{' || kind == '[' {
		inside--
	}
	parent, length := d.StackIndex(inside)
	switch {
	case kind == '}' || kind == ']':
		c.large = c.large[:depth+1]
		return nil
	case parent == '{' && length%2 == 1 && kind == '"':
		c.key = t.String()
	case parent == '[':
		if err := c.element(c.large[inside]); err != nil {
			return err
		}
	}
	if kind == '{' || kind == '[' {
		c.large = append(c.large, kind == '[' && parent == '{' && isLarge(c.key))
	}
	return nil
}

func (c *count) element(large bool) error {
	if c.elements++; c.elements > maxElements {
		return fmt.Errorf("more than %d array elements", maxElements)
	}
	if large {
		if c.larges++; c.larges > maxLarge {
			return fmt.Errorf("more than %d looks, processes and INFO replies", maxLarge)
		}
	}
	return nil
}

// isLarge names the arrays whose elements take a kilobyte and more.
func isLarge(key string) bool {
	switch strings.ToLower(key) {
	case "processes", "looks", "infos", "pressure":
		return true
	}
	return false
}
