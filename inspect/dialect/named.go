package dialect

import "strings"

// Named takes LIBRARY:NAME apart, as people call a lock whose key the library
// makes: the keys under which it may lie. It is not ok when no library that is
// known begins the text; then it is a key as it stands.
func Named(text string) (keys []string, ok bool) {
	library, name, found := strings.Cut(text, ":")
	if !found || name == "" {
		return nil, false
	}
	for _, d := range Table() {
		if d.Keys != nil && strings.EqualFold(d.Name, library) {
			return d.Keys(name), true
		}
	}
	return nil, false
}
