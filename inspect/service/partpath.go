package service

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// pathOf is the plain path that a command prints of a document, by jq, yq, or the
// program's own template: names, numbers, and "[]" for every element of a list.
// It is not plain where anything else is asked, or where a filter behind it may
// have changed what came out.
func pathOf(argv []string, filters [][]string) (path []string, plain bool) {
	text, rest := templateOf(argv), filters
	for i := 0; text == "" && i < len(filters); i++ {
		if name := baseOf(filters[i]); name == "jq" || name == "yq" || name == "gojq" || name == "jaq" {
			text, rest = queryOf(filters[i]), filters[i+1:]
			if i > 0 || text == "" {
				return nil, false
			}
		}
	}
	if text == "" || !contiguous(rest) || slices.ContainsFunc(rest, func(f []string) bool { return baseOf(f) == "grep" || baseOf(f) == "tail" }) {
		return nil, false
	}
	return plainPath(text)
}

func baseOf(argv []string) string {
	if len(argv) == 0 {
		return ""
	}
	return argv[0][strings.LastIndexByte(argv[0], '/')+1:]
}

// templateOf is what stands behind -o jsonpath= of kubectl, or in the braces of
// docker's --format '{{json .State}}'.
func templateOf(argv []string) string {
	for i, w := range argv {
		value := w
		if (w == "-o" || w == "--output" || w == "-f" || w == "--format") && i+1 < len(argv) {
			value = argv[i+1]
		}
		for _, flag := range []string{"--output=", "--format=", "-o=", "-o", "-f=", "-f"} {
			if rest, ok := strings.CutPrefix(value, flag); ok && value == w && rest != "" {
				value = rest
				break
			}
		}
		if path, ok := strings.CutPrefix(value, "jsonpath="); ok {
			return strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(path), "{"), "}"), "$")
		}
		if path, ok := strings.CutPrefix(strings.ReplaceAll(value, " ", ""), "{{json"); ok {
			return strings.TrimSuffix(path, "}}")
		}
	}
	return ""
}

// queryOf is the query of a jq or yq whose options leave the values as they are.
func queryOf(argv []string) string {
	query := ""
	for _, w := range argv[1:] {
		switch {
		case strings.HasPrefix(w, "--"):
			if !slices.Contains([]string{"--raw-output", "--compact-output", "--color-output", "--monochrome-output", "--sort-keys", "--tab", "--prettyPrint", "--no-colors"}, w) {
				return ""
			}
		case len(w) > 1 && w[0] == '-':
			if strings.Trim(w, "-rcCMSP") != "" {
				return ""
			}
		case w == "-" || query == "" && (w == "e" || w == "eval"):
		case query != "":
			return ""
		default:
			query = w
		}
	}
	return query
}

var pathStep = regexp.MustCompile(`^(?:\.?([A-Za-z_][A-Za-z0-9_]*)|\.?\[["']([A-Za-z0-9_./-]+)["']\]|\.?\[(\d{1,4}|\*)?\])\??`)

// plainPath reads .status.containerStatuses[0].state, and plain paths joined by
// pipes.
func plainPath(text string) ([]string, bool) {
	path := []string{}
	for part := range strings.SplitSeq(text, "|") {
		part = strings.TrimSpace(part)
		if !strings.HasPrefix(part, ".") {
			return nil, false
		}
		for part = strings.TrimPrefix(part, "."); part != ""; {
			m := pathStep.FindStringSubmatch(part)
			if m == nil || len(path) == 16 {
				return nil, false
			}
			switch step := m[1] + m[2] + m[3]; step {
			case "", "*":
				path = append(path, "[]")
			default:
				path = append(path, step)
			}
			part = part[len(m[0]):]
		}
	}
	return path, strings.Count(strings.Join(path, " "), "[]") <= 1
}

func isNumber(step string) bool { _, err := strconv.Atoi(step); return err == nil }

// wrap puts the values that stood at a path back into a document that has nothing
// else: what is one value of a list is the only one of it.
func wrap(path []string, values []any) any {
	if len(path) == 0 {
		return values[0]
	}
	if path[0] == "[]" {
		list := make([]any, 0, len(values))
		for _, v := range values {
			list = append(list, wrap(path[1:], []any{v}))
		}
		return list
	}
	inner := wrap(path[1:], values)
	if isNumber(path[0]) {
		return []any{inner}
	}
	return map[string]any{path[0]: inner}
}

// contiguous says whether what passed the filters is one stretch of the lines:
// where some in the middle are missing, what is not there was not zero.
func contiguous(filters [][]string) bool {
	for _, f := range filters {
		switch baseOf(f) {
		case "", "cat", "less", "more", "tee", "head", "tail":
		case "sed":
			if len(f) != 3 || f[1] != "-n" || !strings.HasSuffix(f[2], "p") {
				return false
			}
		case "grep", "egrep":
			if !slices.ContainsFunc(f[1:], func(w string) bool { return len(w) > 1 && w[0] == '-' && strings.ContainsAny(w[1:2], "ABC") }) ||
				slices.ContainsFunc(f[1:], func(w string) bool { return w == "-v" || w == "--invert-match" }) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
