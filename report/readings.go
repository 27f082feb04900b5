package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// A flat is one reading of a snapshot with the way to it.
type flat struct {
	path  string   // node.infos[0].run_id
	state string   // seen, absent, or the status that kept it unread
	text  string   // the value, or why there is none
	rows  []string // the members of a value that is a list of things
}

// readings lists every reading of a snapshot. They are found by their shape in
// JSON, so that a new field shows up without this code knowing it.
func readings(s evidence.Snapshot, full bool) ([]flat, error) {
	data, err := evidence.Line(s)
	if err != nil {
		return nil, fmt.Errorf("write snapshot: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil, fmt.Errorf("read snapshot: %w", err)
	}
	var out []flat
	flatten("", tree, full, &out)
	return out, nil
}

func flatten(path string, v any, full bool, out *[]flat) {
	switch v := v.(type) {
	case map[string]any:
		if state, ok := v["state"].(string); ok {
			if f := flatOf(path, state, v); f.state != "unread" || f.text != "" {
				*out = append(*out, f) // nobody tried the others
			}
			return
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			flatten(strings.TrimPrefix(path+"."+k, "."), v[k], full, out)
		}
	case []any:
		for i, e := range v {
			if full || i == 0 || i == len(v)-1 {
				flatten(fmt.Sprintf("%s[%d]", path, i), e, full, out)
			}
		}
	}
}

func flatOf(path, state string, v map[string]any) flat {
	if state == string(evidence.Seen) {
		// A seen zero is left out of JSON.
		text := "0 or empty"
		value, ok := v["value"]
		if rows := rowsOf(value); len(rows) > 0 {
			return flat{path: path, state: state, text: fmt.Sprintf("%d of them", len(rows)), rows: rows}
		}
		if ok {
			text = compact(value)
		}
		return flat{path: path, state: state, text: text}
	}
	status, _ := v["status"].(string)
	why, _ := v["why"].(string)
	if state == "" {
		state = "unread"
	}
	if status != "" && status != state {
		why = joined(": ", status, why)
	}
	return flat{path: path, state: state, text: why}
}

// rowsOf draws each member of a list of objects, and the lists inside an object,
// as one line of its fields, so that connections, threads, sockets and kernel
// records can be read down the page.
func rowsOf(v any) []string {
	var out []string
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if fields, ok := e.(map[string]any); ok {
				out = append(out, rowOf(fields))
			}
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = append(out, rowsOf(v[k])...)
		}
	}
	return out
}

// first are the fields that name a thing; they stand in front of its others.
func first() []string {
	return []string{"id", "pid", "tid", "class", "comm", "local", "remote", "addr", "name", "state"}
}

func rowOf(fields map[string]any) string {
	var parts []string
	add := func(k string) {
		if v, ok := fields[k]; ok && v != "" {
			parts = append(parts, k+"="+compact(v))
		}
	}
	for _, k := range first() {
		add(k)
	}
	for _, k := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(first(), k) {
			add(k)
		}
	}
	return strings.Join(parts, " ")
}

func compact(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	data, err := evidence.Line(v)
	if err != nil {
		return "unwritable"
	}
	return string(bytes.TrimSpace(data))
}

// reading prints one line: paths are long, so they have a column of their own.
func (p *page) reading(f flat) {
	const pathColumn = 40
	line := fmt.Sprintf("  %-*s  %-7s ", pathColumn, show(f.path, longName), show(f.state, 12))
	p.write("", strings.TrimRight(cut(p.clean(line+show(f.text, longText)), max(p.width, 120)), " "))
	for i, row := range f.rows {
		if i == maxRows {
			p.write("", fmt.Sprintf("    … and %d more (--format json has all)", len(f.rows)-i))
			break
		}
		p.write("    ", cut(p.clean(show(row, longRow)), max(p.width-4, 140)))
	}
}

// Lists are drawn to this length, and each row may be longer than the page: a
// terminal folds it, a cut would hide the field one looks for.
const (
	maxRows = 40
	longRow = 400
)
