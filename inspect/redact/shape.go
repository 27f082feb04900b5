package redact

import (
	"regexp"
	"strings"
)

var (
	stamp    = regexp.MustCompile(`^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?`)
	nameRuns = regexp.MustCompile(`^[A-Za-z0-9_.-]+`)
)

// shape rewrites a text that is made of names and little else: a lock's value, a
// connection's name. Known names get their pseudonyms; numbers, times, words that
// name nobody and the names of JSON fields stay; every other word is one of the
// same shape.
func (r *redactor) shape(s string) string {
	if to, ok := r.names.to[s]; ok {
		return to
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		if t := stamp.FindString(s[i:min(len(s), i+40)]); t != "" {
			out.WriteString(t)
			i += len(t)
			continue
		}
		if n, to := r.wordAt(s, i); n > 0 {
			out.WriteString(to)
			i += n
			continue
		}
		if end := i + 36; end <= len(s) && random.MatchString(s[i:end]) && (i == 0 || !isAlnum(s[i-1])) {
			out.WriteString(r.uuid(s[i:end]))
			i = end
			continue
		}
		run := nameRuns.FindString(s[i:])
		switch {
		case run == "":
			out.WriteByte(s[i])
			i++
			continue
		case isField(s, i, i+len(run)):
			out.WriteString(run)
		default:
			out.WriteString(r.parts(run))
		}
		i += len(run)
	}
	return out.String()
}

// isField says whether s[from:to] is the name of a JSON field.
func isField(s string, from, to int) bool {
	return from > 0 && s[from-1] == '"' && to < len(s) && s[to] == '"' && strings.HasPrefix(strings.TrimLeft(s[to+1:], " "), ":")
}

// parts rewrites the words of a compound like ledgerd-quince-3.
func (r *redactor) parts(run string) string {
	var out strings.Builder
	for i := 0; i < len(run); {
		if isAlnum(run[i]) {
			if name, to := r.partAt(run, i); name > 0 {
				out.WriteString(to)
				i += name
				continue
			}
		}
		j := i
		for j < len(run) && isAlnum(run[j]) {
			j++
		}
		if j == i {
			out.WriteByte(run[i])
			i++
			continue
		}
		if w := run[i:j]; isNumber(w) || isCommon(w) {
			out.WriteString(w)
		} else {
			out.WriteString(r.run(w))
		}
		i = j
	}
	return out.String()
}

// partAt finds the longest known name that begins at run[i:] and ends with one of
// its words: inside a compound even a short one counts.
func (r *redactor) partAt(run string, i int) (int, string) {
	if i > 0 && isAlnum(run[i-1]) {
		return 0, ""
	}
	for _, l := range r.lengths[run[i]] {
		end := i + l
		if end > len(run) || end < len(run) && isAlnum(run[end]) {
			continue
		}
		if to, there := r.names.to[run[i:end]]; there {
			return l, to
		}
	}
	return 0, ""
}
