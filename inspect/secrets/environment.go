package secrets

import (
	"regexp"
	"strings"
)

// Whatever stands in an environment is masked, whatever its name: what a program
// was started with is nobody's business but its own.
var (
	envOpens  = regexp.MustCompile(`(?i)(?:\benvironment=|"env"\s*:\s*\[|\benv:\s*\[|(?:^|[\s;&])(?:export|declare -x|env)\s+)`)
	assigns   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
	assigned  = regexp.MustCompile(`(?:^|[\s\x00"'])[A-Za-z_][A-Za-z0-9_]*=`)
	valueKey  = regexp.MustCompile(`^"value"\s*:\s*"`)
	listEnd   = regexp.MustCompile(`\](?:[\s,}]|$)`)
	nulJoined = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=[^\x00]*\x00`)
)

func maskEnvironment(s string) string {
	if nulJoined.MatchString(s) {
		return maskWords(s, true)
	}
	var out strings.Builder
	kept := 0
	for kept < len(s) {
		m := envOpens.FindStringIndex(s[kept:])
		if m == nil {
			break
		}
		from := kept + m[1]
		opened := s[kept+m[0] : from]
		out.WriteString(s[kept:from])
		switch {
		case strings.HasSuffix(opened, "["):
			masked, n := maskList(s[from:])
			out.WriteString(masked)
			kept = from + n
		case strings.HasSuffix(opened, "="):
			out.WriteString(maskWords(s[from:], true))
			kept = len(s)
		default:
			n := leading(s[from:])
			out.WriteString(maskWords(s[from:from+n], false))
			kept = from + n
		}
	}
	out.WriteString(s[kept:])
	return out.String()
}

// leading is how much of s the assignments in front take.
func leading(s string) int {
	for at := 0; ; {
		w, next, ok := nextWord(s, at)
		if !ok || !assigns.MatchString(w.text) {
			return at
		}
		at = next
	}
}

// maskWords masks the value of every NAME=value. Loose values reach to the next
// name, because runtimes print those that hold blanks without quotes.
func maskWords(s string, loose bool) string {
	var out strings.Builder
	kept := 0
	q := -1 // the next quote; searched for again only once it is passed
	for at := 0; at < len(s); {
		m := assigned.FindStringIndex(s[at:])
		if q < at {
			if q = at + strings.IndexAny(s[at:], `"'`); q < at {
				q = len(s)
			}
		}
		if q < len(s) && (m == nil || q <= at+m[0]) && assigns.MatchString(s[q+1:]) {
			eq := q + 1 + strings.IndexByte(s[q+1:], '=') + 1
			end := eq + untilQuote(s[eq:], s[q])
			out.WriteString(s[kept:eq] + Mark)
			kept, at = end, min(end+1, len(s))
			continue
		}
		if m == nil {
			break
		}
		from := at + m[1]
		end := assignedEnd(s, from, loose)
		if from < end {
			out.WriteString(s[kept:from] + Mark)
			kept = end
		}
		at = end
	}
	out.WriteString(s[kept:])
	return out.String()
}

func assignedEnd(s string, from int, loose bool) int {
	if from < len(s) && (s[from] == '"' || s[from] == '\'') {
		return min(from+1+untilQuote(s[from+1:], s[from])+1, len(s))
	}
	if !loose {
		if n := strings.IndexAny(s[from:], " \t;&|"); n >= 0 {
			return from + n
		}
		return len(s)
	}
	end := len(s)
	if n := assigned.FindStringIndex(s[from:]); n != nil {
		end = from + n[0]
	}
	if n := strings.IndexByte(s[from:end], 0); n >= 0 {
		end = from + n
	}
	return from + len(strings.TrimRight(s[from:end], " \t"))
}

// maskList masks the elements of a list of assignments up to its closing
// bracket, and says how long it was. JSON quotes them; docker's templates do not.
func maskList(s string) (string, int) {
	if !strings.HasPrefix(strings.TrimLeft(s, " \t"), `"`) && !strings.HasPrefix(strings.TrimLeft(s, " \t"), "{") {
		end := len(s)
		if m := listEnd.FindStringIndex(s); m != nil {
			end = m[0]
		}
		return maskWords(s[:end], true), end
	}
	var out strings.Builder
	kept, i := 0, 0
	for i < len(s) && s[i] != ']' {
		if s[i] != '"' {
			i++
			continue
		}
		end := i + 1 + untilQuote(s[i+1:], '"')
		switch eq := strings.IndexByte(s[i:end], '='); {
		case valueKey.MatchString(s[i:]):
			from := i + len(valueKey.FindString(s[i:]))
			end = from + untilQuote(s[from:], '"')
			out.WriteString(s[kept:from] + Mark)
			kept = end
		case eq > 0 && assigns.MatchString(s[i+1:]):
			out.WriteString(s[kept:i+eq+1] + Mark)
			kept = end
		}
		i = min(end+1, len(s))
	}
	out.WriteString(s[kept:i])
	return out.String(), i
}
