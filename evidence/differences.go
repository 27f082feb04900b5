package evidence

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// How two documents differ, field by field.

// generic is v as JSON sees it.
func generic(v any) (any, error) {
	data, err := Line(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var out any
	return out, d.Decode(&out)
}

// A diff is one field with two values.
type diff struct{ path, a, b string }

// differences lists the innermost fields that differ, the outermost first: a
// changed label is worth more than a changed citation.
func differences(a, b any) []diff {
	var out []diff
	walkDiff("", a, b, &out)
	slices.SortStableFunc(out, func(x, y diff) int {
		return depth(x.path) - depth(y.path)
	})
	return out
}

func depth(path string) int { return strings.Count(path, ".") + strings.Count(path, "[") }

func walkDiff(path string, a, b any, out *[]diff) {
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			keys := maps.Clone(x)
			maps.Copy(keys, y)
			for _, k := range slices.Sorted(maps.Keys(keys)) {
				walkDiff(strings.TrimPrefix(path+"."+k, "."), x[k], y[k], out)
			}
			return
		}
	case []any:
		if y, ok := b.([]any); ok && len(x) == len(y) {
			for i := range x {
				walkDiff(fmt.Sprintf("%s[%d]", path, i), x[i], y[i], out)
			}
			return
		}
	}
	if empty(a) && empty(b) {
		return
	}
	if s, t := brief(a), brief(b); s != t || !alike(a, b) {
		*out = append(*out, diff{path, s, t})
	}
}

// empty says whether v holds nothing: decoding turns an empty list into none.
func empty(v any) bool {
	list, ok := v.([]any)
	return v == nil || ok && len(list) == 0
}

// brief is a value as a sentence can hold it.
func brief(v any) string {
	if v == nil {
		return "nothing"
	}
	data, err := Line(v)
	if err != nil {
		return "something unwritable"
	}
	return Clip(Printable(strings.TrimSpace(string(data))), 60)
}
