package events

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/inspect/stamp"
)

// The names under which log stores put their records: lists of them, and the
// objects that hold such lists.
var (
	lists   = []string{"streams", "result", "results", "events", "logevents", "entries", "hits", "records", "values", "items"}
	holders = []string{"data", "hits", "response"}
)

// wraps says whether an object is a log store's answer and no record itself.
func wraps(object map[string]any) bool {
	for name, v := range object {
		name = strings.ToLower(name)
		switch v := v.(type) {
		case []any:
			if slices.Contains(lists, name) && len(v) > 0 {
				return true
			}
		case map[string]any:
			if slices.Contains(holders, name) && wraps(v) {
				return true
			}
		}
	}
	return false
}

// A meter fails a document whose records are too far apart, so that nobody's
// file can fill the memory.
type meter struct {
	r    io.Reader
	left int
	err  error // what the reader itself failed with
}

var errTooLarge = fmt.Errorf("a record of more than %d bytes", maxRecord)

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if err != nil && err != io.EOF {
		m.err = err
	}
	if m.left -= n; m.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// document walks JSON values, one after the other, to the records in them. Its
// error is the reader's; JSON that breaks off is a problem of the report.
func (c *reading) document(r io.Reader, w where) error {
	m := &meter{r: r, left: maxRecord}
	d := &walker{Decoder: json.NewDecoder(m), c: c, m: m, w: w}
	d.UseNumber()
	for {
		_, err := d.value("", 0)
		switch {
		case err == nil:
		case m.err != nil:
			return m.err
		case errors.Is(err, io.EOF) && !d.deep:
			return nil
		default:
			c.problem("the document breaks off after %d bytes: %v", d.InputOffset(), err)
			return nil
		}
	}
}

// A walker is a document being walked.
type walker struct {
	*json.Decoder
	c    *reading
	m    *meter
	w    where
	deep bool // inside a value, or torn from one
}

// value reads the next value, hands the records in it over, and returns it when
// it is none: a field of a record still being read.
func (d *walker) value(name string, depth int) (any, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := tok.(json.Delim)
	if !ok {
		return tok, nil
	}
	if depth > maxDepth {
		return nil, errors.New("it is nested too deep")
	}
	d.deep = true
	var v any
	if delim == '[' {
		err = d.list(name, depth)
	} else {
		v, err = d.holder(depth)
	}
	d.deep = depth > 0 || err != nil
	return v, err
}

// holder reads an object: a record, or what holds lists of them.
func (d *walker) holder(depth int) (any, error) {
	own, walked := map[string]any{}, false
	outer := d.w
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := tok.(string)
		name = strings.ToLower(name)
		if !slices.Contains(lists, name) && !slices.Contains(holders, name) {
			var v any
			if err := d.Decode(&v); err != nil {
				return nil, err
			}
			own[name] = v
			continue
		}
		// Labels of a Loki stream stand before its values.
		d.w.actor = first(labels(own), outer.actor)
		before := d.c.report.Lines
		v, err := d.value(name, depth+1)
		if err != nil {
			return nil, err
		}
		if own[name] = v; d.c.report.Lines > before {
			walked = true
		}
	}
	d.w = outer
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if depth == 0 && !walked {
		d.record(own)
	}
	return own, nil
}

func labels(own map[string]any) string {
	for _, name := range []string{"stream", "metric", "labels"} {
		if m, ok := own[name].(map[string]any); ok {
			return flatten(m).actor()
		}
	}
	return ""
}

// list hands over the records of a list.
func (d *walker) list(name string, depth int) error {
	for d.More() {
		if name == "streams" || name == "result" {
			if _, err := d.value(name, depth+1); err != nil {
				return err
			}
			continue
		}
		var v any
		if err := d.Decode(&v); err != nil {
			return err
		}
		d.record(v)
	}
	_, err := d.Token()
	return err
}

// record judges one record in whatever shape it comes.
func (d *walker) record(v any) {
	c, w := d.c, d.w
	d.m.left = maxRecord
	if w.depth == 0 {
		c.line++
		c.report.Lines++
	} else {
		// Records of one line share its number, and each still counts.
		c.report.Lines++
	}
	w.depth++
	if w.depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if !c.object(v, w) {
			c.report.Other++
		}
	case string:
		c.text(v, w)
	case []any:
		c.tuple(v, w)
	}
}

// tuple reads Loki's pairs of nanoseconds and line, and the rows of field and
// value that Insights prints.
func (c *reading) tuple(list []any, w where) {
	row := map[string]any{}
	for _, v := range list {
		if cell, ok := v.(map[string]any); ok && len(row) < maxFields {
			if name, ok := cell["field"].(string); ok {
				row[name] = cell["value"]
			}
		}
	}
	if len(row) > 0 {
		c.object(row, w)
		return
	}
	if len(list) < 2 {
		return
	}
	at, _ := list[0].(string)
	line, ok := list[1].(string)
	if st, dated := stamp.Parse(at); ok && dated {
		w.carrier = st
		c.text(line, w)
	}
}
