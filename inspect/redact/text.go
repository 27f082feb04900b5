package redact

import (
	"net/netip"
	"regexp"
	"strings"
)

// text rewrites running text: every name of the dictionary, every address, every
// identifier that shows by its shape, every host of a known domain.
func (r *redactor) text(s string) string {
	var out strings.Builder
	kept := 0
	for i := 0; i < len(s); {
		n, to := r.wordAt(s, i)
		if n == 0 {
			i = skip(s, i)
			continue
		}
		if to != s[i:i+n] {
			out.WriteString(s[kept:i])
			out.WriteString(to)
			kept = i + n
		}
		i += n
	}
	if kept == 0 {
		return s
	}
	out.WriteString(s[kept:])
	return out.String()
}

// skip is the next place where a word may begin.
func skip(s string, i int) int {
	if !isAlnum(s[i]) {
		return i + 1
	}
	for i < len(s) && isAlnum(s[i]) {
		i++
	}
	return i
}

// wordAt finds what has to be replaced at s[i:], how long it is, and by what.
func (r *redactor) wordAt(s string, i int) (n int, to string) {
	if name, to, ok := r.at(s, i); ok {
		return len(name), to
	}
	if n, to := r.addressAt(s, i); n > 0 {
		return n, to
	}
	if i > 0 && isAlnum(s[i-1]) || !isAlnum(s[i]) {
		return 0, ""
	}
	window := s[i:min(len(s), i+256)]
	if id := identifier.FindString(window); id != "" && (len(id) == len(window) || !isAlnum(window[len(id)])) {
		return len(id), r.scramble(id)
	}
	if h := hostWord.FindString(window); h != "" && (r.ofDomain(h) || outside.MatchString(h) || cloudHost.MatchString(h)) {
		return len(h), r.host(h)
	}
	return 0, ""
}

var (
	identifier = regexp.MustCompile(`^(?:[0-9a-fA-F]{8}[-_][0-9a-fA-F]{4}[-_][0-9a-fA-F]{4}[-_][0-9a-fA-F]{4}[-_][0-9a-fA-F]{12}|[0-9a-f]{64}|[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5})`)
	hostWord   = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?`)
	outside    = regexp.MustCompile(`(?i)^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z0-9-]+\.(?:com|net|org|io|dev|cloud|internal|local|lan|corp|intra|example|invalid|localdomain|eu|de|fr|uk|us|nl|ch|pl|se|jp|cn|br|in|gov|edu)$`)
	cloudHost  = regexp.MustCompile(`^ip(?:-\d{1,3}){4}(?:\.|$)`)
)

// addressAt finds an IP address at s[i:]. A port behind it stays.
func (r *redactor) addressAt(s string, i int) (int, string) {
	c := s[i]
	if !(isAlnum(c) || c == ':') || i > 0 && (isAlnum(s[i-1]) || s[i-1] == '.' || c == ':' && s[i-1] == ':') {
		return 0, ""
	}
	j := i
	for j < len(s) && j < i+46 && (s[j] >= '0' && s[j] <= '9' || s[j]|0x20 >= 'a' && s[j]|0x20 <= 'f' || s[j] == ':' || s[j] == '.') {
		j++
	}
	if j < len(s) && isAlnum(s[j]) {
		return 0, ""
	}
	word := strings.TrimRight(s[i:j], ".")
	for _, w := range []string{word, strings.TrimSuffix(word, ":"), before(word, ':')} {
		if strings.Count(w, ".") != 3 && strings.Count(w, ":") < 2 {
			continue
		}
		if a, err := netip.ParseAddr(w); err == nil && (a.Is4() || len(w) > 3 || a.IsLoopback()) {
			return len(w), r.addr(a).String()
		}
	}
	return 0, ""
}

func before(s string, c byte) string {
	if i := strings.IndexByte(s, c); i >= 0 {
		return s[:i]
	}
	return s
}

// ofDomain says whether h lies in a domain that a known host is of.
func (r *redactor) ofDomain(h string) bool {
	for i := strings.IndexByte(h, '.'); i >= 0 && i+1 < len(h); {
		if r.domains[h[i+1:]] {
			return true
		}
		next := strings.IndexByte(h[i+1:], '.')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// host is a host name's pseudonym. The first label and the domain have their
// own, because people write one with and without the other.
func (r *redactor) host(h string) string {
	if a, err := netip.ParseAddr(h); err == nil {
		return r.addr(a).String()
	}
	label, domain, full := strings.Cut(h, ".")
	out := r.names.to[label]
	switch {
	case isCommon(label) || isNumber(label):
		out = label
	case out == "":
		out = r.word("host", label)
	}
	if full {
		out += "." + r.word("zone", domain)
	}
	return out
}
