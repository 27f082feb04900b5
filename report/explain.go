package report

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

// Topics are texts for people that are longer than a finding's advice.
//
//go:embed topics/*.md
var topics embed.FS

// Topics lists their names.
func Topics() []string {
	entries, _ := fs.ReadDir(topics, "topics") // embedded: it cannot fail
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".md"))
	}
	slices.Sort(out)
	return out
}

// Topic is one of them; not ok where there is none of that name.
func Topic(name string) (string, bool) {
	b, err := topics.ReadFile("topics/" + name + ".md")
	return string(b), err == nil
}
