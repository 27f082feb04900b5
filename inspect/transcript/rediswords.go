package transcript

import "strconv"

// redisWords splits a line typed at redis-cli's own prompt by its rules: double
// quotes know \n \r \t \b \a \xHH, single quotes know \', and nothing else is
// special. A quote left open runs to the line's end.
func redisWords(s string) []string {
	var out []string
	s = s[:min(len(s), maxCommandLine)]
	for i := 0; i < len(s) && len(out) < maxWords; {
		if isBlank(s[i]) {
			i++
			continue
		}
		var word []byte
		for i < len(s) && !isBlank(s[i]) {
			switch s[i] {
			case '"':
				word, i = doubleQuoted(word, s, i+1)
			case '\'':
				word, i = singleQuoted(word, s, i+1)
			default:
				word = append(word, s[i])
				i++
			}
		}
		out = append(out, string(word))
	}
	return out
}

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func doubleQuoted(word []byte, s string, i int) ([]byte, int) {
	for ; i < len(s) && s[i] != '"'; i++ {
		if s[i] != '\\' || i+1 == len(s) {
			word = append(word, s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			word = append(word, '\n')
		case 'r':
			word = append(word, '\r')
		case 't':
			word = append(word, '\t')
		case 'b':
			word = append(word, '\b')
		case 'a':
			word = append(word, '\a')
		case 'x':
			if n, err := strconv.ParseUint(s[min(i+1, len(s)):min(i+3, len(s))], 16, 8); err == nil && i+2 < len(s) {
				word = append(word, byte(n))
				i += 2
				continue
			}
			word = append(word, 'x')
		default:
			word = append(word, s[i])
		}
	}
	return word, min(i+1, len(s))
}

func singleQuoted(word []byte, s string, i int) ([]byte, int) {
	for ; i < len(s) && s[i] != '\''; i++ {
		if s[i] == '\\' && i+1 < len(s) && s[i+1] == '\'' {
			i++
		}
		word = append(word, s[i])
	}
	return word, min(i+1, len(s))
}
