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
	path  string // node.infos[0].run_id
	state string // seen, absent, or the status that kept it unread
	text  string // the value, or why there is none
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
			*out = append(*out, flatOf(path, state, v))
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
		if value, ok := v["value"]; ok {
			text = compact(value)
		}
		return flat{path, state, text}
	}
	status, _ := v["status"].(string)
	why, _ := v["why"].(string)
	if state == "" {
		state = "unread"
	}
	if status != "" && status != state {
		why = joined(": ", status, why)
	}
	return flat{path, state, why}
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
	p.write("", strings.TrimRight(cut(p.clean(line+show(f.text, longText)), p.width), " "))
}
