package secrets

import "strings"

// maxName bounds the names looked back for: nobody calls a variable longer.
const maxName = 128

// maskPairs masks the values of pairs whose name announces a secret: name=value,
// name: value, "name":"value", name => value, <name>value<.
func maskPairs(s string) string {
	var out strings.Builder
	kept := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '=' && c != ':' && c != '>' {
			continue
		}
		if i+1 < len(s) && s[i] == '=' && s[i+1] == '>' {
			continue // the arrow's head stands next
		}
		name := nameBefore(s[kept:i])
		element := s[i] == '>' && (i == 0 || s[i-1] != '=')
		if name == "" || !carries(s, name, i) || element && !isElement(s, name, i) {
			continue
		}
		from, to := valueAfter(s, i+1, element)
		if from == to || isNoSecret(strings.Trim(s[from:to], `"'\,`)) {
			continue
		}
		out.WriteString(s[kept:from])
		out.WriteString(Mark)
		kept = to
		i = to - 1
	}
	if kept == 0 {
		return s
	}
	out.WriteString(s[kept:])
	return out.String()
}

// isElement says whether <name> at s[i] opens an element that is closed again.
func isElement(s, name string, i int) bool {
	return strings.HasSuffix(s[:i], "<"+name) && strings.HasPrefix(s[i+1:][until(s[i+1:], "<"):], "</")
}

// carries says whether the name before s[i] announces a secret. In a URL's query
// a bare token or key does, too.
func carries(s, name string, i int) bool {
	if isSecretName(name) {
		return !(s[i] == ':' && strings.HasPrefix(s[i:], "://"))
	}
	before := strings.LastIndex(s[:i], name) - 1
	if before < 0 || s[i] != '=' || s[before] != '?' && s[before] != '&' {
		return false
	}
	switch strings.ToLower(name) {
	case "token", "key", "sig", "signature", "code", "auth", "pw", "x-amz-signature", "x-amz-credential":
		return true
	}
	return false
}

// nameBefore is the word that ends s, quotes, blanks and an arrow's shaft left
// out.
func nameBefore(s string) string {
	s = s[max(0, len(s)-maxName):]
	s = strings.TrimSuffix(s, "=")
	s = strings.TrimRight(s, " \t")
	s = strings.TrimRight(s, `"'\`)
	i := len(s)
	for i > 0 && isNameByte(s[i-1]) {
		i--
	}
	return s[i:]
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}

// valueAfter finds the value that begins at or after i, without its quotes.
func valueAfter(s string, i int, element bool) (from, to int) {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	switch {
	case i == len(s):
		return i, i
	case element:
		return i, i + until(s[i:], "<")
	case strings.HasPrefix(s[i:], `\"`):
		return i + 2, i + 2 + until(s[i+2:], `\"`)
	case s[i] == '"' || s[i] == '\'':
		return i + 1, i + 1 + untilQuote(s[i+1:], s[i])
	}
	return i, bareEnd(s, i)
}

func until(s, end string) int {
	if n := strings.Index(s, end); n >= 0 {
		return n
	}
	return len(s)
}

// untilQuote is where the quote closes; one behind a backslash does not.
func untilQuote(s string, quote byte) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return len(s)
}

// bareEnd is where a value without quotes ends: at a blank or a quote, or at a
// separator that another pair follows. A password may hold separators itself.
func bareEnd(s string, i int) int {
	for ; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\t', '"', '\'', '`', 0:
			return i
		case ';', ',', '&':
			if pairBegins(s[i+1:]) {
				return i
			}
		}
	}
	return i
}

func pairBegins(s string) bool {
	for i := 0; i < len(s) && i < 64; i++ {
		switch {
		case s[i] == '=':
			return i > 0
		case !isNameByte(s[i]) && s[i] != ' ':
			return false
		}
	}
	return false
}
