package shell

import (
	"slices"
	"strings"
)

// byHeading divides at "==> path <==" lines, and at the three lines of more.
func (r *fileReader) byHeading(left []string) ([]File, bool) {
	var out []File
	var at string
	var begun bool
	var body []byte
	var lead []byte
	finish := func(last bool) {
		if !begun {
			lead = body
		} else {
			// Before each heading but the first one line feed is printed.
			if !last && r.name != "more" && strings.HasSuffix(string(body), "\n") {
				body = body[:len(body)-1]
			}
			out = append(out, r.file(at, body))
		}
		body = nil
	}
	state := 0
	for line := range strings.Lines(string(r.rest)) {
		text := strings.TrimRight(line, "\r\n")
		p, heading := titleOf(text)
		switch {
		case heading && len(out) < maxFiles && r.typed.stands(p):
			finish(false)
			at, begun = p, true
		case r.name == "more" && strings.Trim(text, ":") == "" && len(text) >= 8:
			state++
		case r.name == "more" && state%2 == 1 && r.typed.stands(text):
			finish(false)
			at, begun = text, true
		default:
			body = append(body, line...)
		}
	}
	finish(true)
	return r.headed(out, lead, left)
}

// headed settles what stands before the first heading. A single file that was
// printed without one (head -v aside) is that file.
func (r *fileReader) headed(out []File, lead []byte, left []string) ([]File, bool) {
	switch {
	case len(strings.TrimSpace(string(lead))) == 0:
		return out, len(out) > 0 || len(left) == 0
	case len(out) == 0 && len(left) == 1 && !hasWildcard(left[0]):
		return []File{r.file(left[0], lead)}, true
	case len(out) == 0:
		return r.byFormat(left)
	}
	return append(out, r.undivided(lead, "text before the first heading")...), false
}

func titleOf(text string) (string, bool) {
	p, ok := strings.CutPrefix(text, "==> ")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(p, " <==")
}

// byPrefix collects the lines that begin with the same path. The lines of one
// file stand together; the map only serves an output that was sorted.
func (r *fileReader) byPrefix(left []string) ([]File, bool) {
	var order []string
	bodies := map[string][]byte{}
	var odd []byte
	for line := range strings.Lines(string(r.rest)) {
		p, rest, ok := r.typed.prefix(line)
		if !ok || len(order) >= maxFiles {
			odd = append(odd, line...)
			continue
		}
		if _, seen := bodies[p]; !seen {
			order = append(order, p)
		}
		bodies[p] = append(bodies[p], rest...)
	}
	var out []File
	for _, p := range order {
		out = append(out, r.file(p, bodies[p]))
	}
	// Silence about a file that was named is a reading too.
	for _, p := range left {
		if _, seen := bodies[p]; !seen && !hasWildcard(p) && !r.typed.deep && len(odd) == 0 {
			out = append(out, r.file(p, nil))
		}
	}
	switch {
	case len(odd) == 0:
		return out, true
	case len(out) == 0 && len(left) == 1:
		return []File{r.file(left[0], odd)}, !hasWildcard(left[0])
	}
	return append(out, r.undivided(odd, "lines without a path of the command")...), false
}

// byFormat divides the output of a plain cat where the formats of the files
// tell where one ends.
func (r *fileReader) byFormat(left []string) ([]File, bool) {
	if len(left) == 1 && hasWildcard(left[0]) {
		return r.byNumber(left[0])
	}
	rest := slices.Collect(strings.Lines(string(r.rest)))
	if out, ok := r.byLine(left, rest); ok {
		return out, true
	}
	var out []File
	for i, p := range left {
		n, ok := 0, false
		if !hasWildcard(p) {
			n, ok = takes(p, rest, i == len(left)-1)
		}
		if !ok {
			return r.undivided(r.rest, "several files, and nothing tells where one ends"), false
		}
		out = append(out, r.file(p, []byte(strings.Join(rest[:n], ""))))
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return r.undivided(r.rest, "several files, and nothing tells where one ends"), false
	}
	return out, true
}

// byLine gives each file its line, where every one is a single line and none is
// missing.
func (r *fileReader) byLine(left, lines []string) (out []File, ok bool) {
	if len(left) != len(lines) {
		return nil, false
	}
	for i, p := range left {
		if hasWildcard(p) || !oneLiner(p, lines[i]) {
			return nil, false
		}
		out = append(out, r.file(p, []byte(lines[i])))
	}
	return out, true
}
