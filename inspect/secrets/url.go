package secrets

import "strings"

// maskURLs masks the password, or the only part, of what stands before the @ of
// an address: scheme://user:password@host keeps scheme, user and host.
func maskURLs(s string) string {
	var out strings.Builder
	kept := 0
	for at := 0; ; {
		i := strings.Index(s[at:], "://")
		if i < 0 {
			break
		}
		from := at + i + len("://")
		end := from + urlEnd(s[from:])
		if stop, ok := userInfo(s[from:end], scheme(s[:from-3])); ok {
			user, _, both := strings.Cut(s[from:from+stop], ":")
			out.WriteString(s[kept:from])
			if both {
				out.WriteString(user + ":")
			}
			out.WriteString(Mark)
			kept = from + stop
		}
		at = max(kept, from)
	}
	if kept == 0 {
		return s
	}
	out.WriteString(s[kept:])
	return out.String()
}

// urlEnd is where an address ends in running text.
func urlEnd(s string) int {
	if i := strings.Index(s, "://"); i >= 0 {
		s = s[:i] // another address begins: each byte is looked at once
	}
	if i := strings.IndexAny(s, " \t\"'`<>|"); i >= 0 {
		s = s[:i]
	}
	return len(s)
}

func scheme(before string) string {
	i := len(before)
	for i > 0 && (isNameByte(before[i-1]) || before[i-1] == '+') {
		i--
	}
	return strings.ToLower(before[i:])
}

// userInfo finds the @ that ends user and password. They may hold slashes that
// somebody forgot to escape; in web addresses an @ behind a slash is part of the
// path.
func userInfo(s, scheme string) (int, bool) {
	authority := s
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		authority = s[:i]
	}
	i := strings.LastIndexByte(authority, '@')
	if i < 0 && scheme != "http" && scheme != "https" && strings.Contains(authority, ":") {
		i = strings.LastIndexByte(s, '@')
	}
	return i, i > 0
}
