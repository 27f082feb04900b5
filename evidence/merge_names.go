package evidence

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The names that vantages commonly bear.
const (
	ownerName   = "owner"
	bastionName = "bastion"
)

// nameVantages gives every vantage of every source a name of its own. Whoever
// looked without saying from where is called the owner's by default: only the
// first is, and one that saw no process looked from a bastion.
func nameVantages(sources []Source) []map[string]string {
	taken := make(map[string]bool)
	out := make([]map[string]string, len(sources))
	for i, s := range sources {
		out[i] = make(map[string]string)
		for n, v := range s.Bundle.Capture.Vantages {
			name := cmp.Or(MemberName(strings.ReplaceAll(v.Name, "/", "-")), ownerName)
			switch {
			case i == 0 && n == 0 && sawProcess(s.Bundle.Snapshot):
				name = ownerName
			case name == ownerName && i > 0 && !sawProcess(s.Bundle.Snapshot):
				name = bastionName
			}
			if _, known := out[i][v.Name]; known {
				continue // two of one name in one bundle: its probes cannot tell them apart either
			}
			name = unused(name, taken)
			taken[name], out[i][v.Name] = true, name
		}
	}
	return out
}

// unused is the name, with a number if somebody bears it.
func unused(name string, taken map[string]bool) string {
	for n, try := 2, name; ; n++ {
		if !taken[try] {
			return try
		}
		try = fmt.Sprintf("%s-%d", name, n)
	}
}

// addRaw takes a source's raw files over, each under the new name of the vantage
// in whose folder it lay, and says where each went. Files that no probe refers
// to are kept as well.
func (m *merger) addRaw(i int) map[string]string {
	b := m.sources[i].Bundle
	out := make(map[string]string, len(b.Raw))
	for _, old := range slices.Sorted(maps.Keys(b.Raw)) {
		folder, rest, nested := strings.Cut(old, "/")
		name, known := m.names[i][folder]
		if !nested || !known {
			name, rest = m.names[i][b.Capture.Vantages[0].Name], old
		}
		path := name + "/" + rest
		for n := 2; ; n++ {
			if _, there := m.raw[path]; !there {
				break
			}
			path = fmt.Sprintf("%s/%s@%d", name, rest, n)
		}
		out[old], m.raw[path] = path, b.Raw[old]
	}
	return out
}
