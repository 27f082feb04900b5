package redact

import (
	"encoding/hex"
	"regexp"
	"strings"
)

// word is the pseudonym of a whole name: what it is, and six digits. The digits
// depend on the name alone, so that one name met as a host here and as a program
// there can still be told to be one.
func (p pseudonyms) word(kind, name string) string {
	sum := p.digest("name", name)
	return kind + "-" + hex.EncodeToString(sum[:3])
}

// scramble replaces every run of letters and digits by another of the same
// shape: digits by digits, hexadecimal by hexadecimal, capitals by capitals. What
// stands between runs stays. Identifiers are often cut to their first 8 or 12
// characters, so those depend on nothing behind them.
func (p pseudonyms) scramble(s string) string {
	if random.MatchString(s) {
		return p.uuid(s)
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && isAlnum(s[j]) {
			j++
		}
		if j == i {
			out.WriteByte(s[i])
			i++
			continue
		}
		out.WriteString(p.run(s[i:j]))
		i = j
	}
	return out.String()
}

// random is a UUID of version 4.
var random = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// uuid is another UUID of version 4: libraries are told by it. One of version 1 holds
// a time, which its pseudonym must not seem to.
func (p pseudonyms) uuid(s string) string {
	out := []byte(p.scramble(s[:13]) + "-4" + p.run(s[15:18]) + "-8" + p.run(s[20:23]) + "-" + p.run(s[24:]))
	return string(out)
}

func (p pseudonyms) run(s string) string {
	if strings.Trim(s, "0") == "" {
		return s // an identifier of zeros says that there is none
	}
	out := make([]byte, 0, len(s))
	isHex := isHexRun(s)
	for from, cuts := 0, []int{8, 12, len(s)}; from < len(s); cuts = cuts[1:] {
		to := min(cuts[0], len(s))
		if to <= from {
			continue
		}
		sum := p.digest("run", s[:to])
		for i := from; i < to; i++ {
			if i > from && (i-from)%len(sum) == 0 {
				sum = p.digest("more", string(sum[:]))
			}
			out = append(out, alike(s[i], sum[(i-from)%len(sum)], isHex))
		}
		from = to
	}
	return string(out)
}

// alike is a character of c's class, chosen by b.
func alike(c, b byte, isHex bool) byte {
	switch letters := byte(26); {
	case c >= '0' && c <= '9':
		return '0' + b%10
	case isHex && c >= 'a':
		return 'a' + b%6
	case isHex:
		return 'A' + b%6
	case c >= 'a':
		return 'a' + b%letters
	default:
		return 'A' + b%letters
	}
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isHexRun(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return true
}

func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
