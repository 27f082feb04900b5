package shell

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A passage is how much of a text a filter lets through.
type passage int

const (
	whole     passage = iota // all of it, as it was
	part                     // some of its lines, as they were
	rewritten                // something made from it
)

// passageOf is the worst of a pipe's filters. kept is how many lines came out:
// a head that was not filled has cut nothing.
func passageOf(filters [][]string, kept int) passage {
	p := whole
	for _, f := range filters {
		p = max(p, filterOf(callOf(f), kept))
	}
	return p
}

func filterOf(c call, kept int) passage {
	switch c.name {
	case "", "cat", "more", "less", "tee", "pg", "most":
		return whole
	case "head", "tail":
		return endsOf(c, kept)
	case "grep", "egrep", "fgrep", "rg", "zgrep":
		opts, _ := grepArgs(c)
		if has(opts, "c", "count", "o", "only-matching", "l", "L", "q", "quiet", "silent", "files-with-matches") {
			return rewritten
		}
		return part
	case "sort", "uniq":
		return part // the order is lost: no table that depends on it is whole
	case "sed":
		if onlyPrints(c) {
			return part
		}
	case "awk", "gawk", "mawk":
		if len(c.args) > 0 && !strings.ContainsAny(c.args[0], "{}") && !strings.HasPrefix(c.args[0], "-") {
			return part
		}
	}
	return rewritten
}

// onlyPrints knows sed -n '…p' and sed '…d', which change no line.
func onlyPrints(c call) bool {
	opts, operands := options(c.args, "e:f:i::", "expression", "file")
	script := ""
	for _, o := range opts {
		switch o.name {
		case "e", "expression":
			script = o.value
		case "i", "f", "in-place", "file":
			return false
		}
	}
	if script == "" && len(operands) > 0 {
		script = operands[0]
	}
	last := strings.TrimSpace(script)
	if strings.HasPrefix(last, "s") || last == "" {
		return false
	}
	quiet := has(opts, "n", "quiet", "silent")
	return quiet && strings.HasSuffix(last, "p") || !quiet && (strings.HasSuffix(last, "d") || strings.HasSuffix(last, "q"))
}

// endsOf says whether head or tail can have cut something.
func endsOf(c call, kept int) passage {
	opts, operands := options(c.args, "n:c:s:", "lines", "bytes", "pid", "sleep-interval")
	limit := 10
	for _, o := range opts {
		switch o.name {
		case "c", "bytes":
			return part
		case "n", "lines":
			from := strings.HasPrefix(o.value, "+")
			n, err := strconv.Atoi(strings.TrimPrefix(o.value, "+"))
			switch {
			case err != nil || n < 0:
				return part
			case from && c.name == "tail":
				limit = 0
				if n <= 1 {
					return whole
				}
			default:
				limit = n
			}
		}
	}
	if c.name == "tail" && slices.Contains(operands, "+1") {
		return whole
	}
	if kept < limit {
		return whole
	}
	return part
}

func lineCount(b []byte) int {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// grepArgs takes a grep's arguments apart.
func grepArgs(c call) (opts []option, operands []string) {
	return options(c.args, "e:f:m:A:B:C:d:D:", "regexp", "file", "max-count", "after-context", "before-context", "context",
		"include", "exclude", "exclude-dir", "label")
}

// patternsOf are what a grep looks for, and the operands left over: its files.
func patternsOf(c call) (opts []option, patterns, files []string) {
	opts, operands := grepArgs(c)
	for _, o := range opts {
		if o.name == "e" || o.name == "regexp" {
			patterns = append(patterns, o.value)
		}
	}
	if len(patterns) == 0 && !has(opts, "f", "file") && len(operands) > 0 {
		patterns, operands = operands[:1], operands[1:]
	}
	return opts, patterns, operands
}

// keeps says that every filter of a pipe lets a line through, as far as that
// can be told. Whatever it does not know, it does not vouch for.
func keeps(filters [][]string, line string) bool {
	for _, f := range filters {
		c := callOf(f)
		switch c.name {
		case "", "cat", "tee", "more", "less", "sort":
		case "grep", "egrep", "fgrep":
			if !grepKeeps(c, line) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func grepKeeps(c call, line string) bool {
	opts, patterns, _ := patternsOf(c)
	if has(opts, "c", "count", "o", "only-matching", "l", "L", "q", "f", "file", "m", "max-count", "x", "line-regexp") || len(patterns) == 0 {
		return false
	}
	fixed := c.name == "fgrep" || has(opts, "F", "fixed-strings")
	extended := c.name == "egrep" || has(opts, "E", "extended-regexp", "P", "perl-regexp")
	found := false
	for _, p := range patterns {
		for alternative := range strings.SplitSeq(p, "\n") {
			re, ok := pattern(alternative, fixed, extended, has(opts, "i", "ignore-case"), has(opts, "w", "word-regexp"))
			if !ok {
				return false
			}
			found = found || re.MatchString(line)
		}
	}
	return found != has(opts, "v", "invert-match")
}

// pattern turns a grep's pattern into a Go expression. Go's engine takes time
// linear in the text whatever the pattern is.
func pattern(p string, fixed, extended, fold, word bool) (*regexp.Regexp, bool) {
	if len(p) > 1000 {
		return nil, false
	}
	switch {
	case fixed:
		p = regexp.QuoteMeta(p)
	case !extended:
		p = basicToExtended(p)
	}
	if word {
		p = `(?:^|\W)(?:` + p + `)(?:\W|$)`
	}
	if fold {
		p = "(?i)" + p
	}
	re, err := regexp.Compile(p)
	return re, err == nil
}

// basicToExtended swaps the characters that only count with a backslash in a
// basic expression.
func basicToExtended(p string) string {
	var out strings.Builder
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch {
		case c == '\\' && i+1 < len(p):
			i++
			if strings.IndexByte("+?|(){}", p[i]) < 0 {
				out.WriteByte('\\')
			}
			out.WriteByte(p[i])
		case strings.IndexByte("+?|(){}", c) >= 0:
			out.WriteByte('\\')
			out.WriteByte(c)
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}
