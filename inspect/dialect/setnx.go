package dialect

import "github.com/lockscene/lockscene/evidence"

// The pattern of Redis's documentation: SET with NX and an expiry, a value that
// names the owner, a script of three lines to release. Most locks written by hand
// are one. It is the answer where no library's shape fits, and never beside one.
// Who renews is left open: the pattern does not, programs that grew from it may.
func setNX() Dialect {
	const name, most = "SET NX pattern", 1024
	return Dialect{Name: name, Keys: verbatim, Scripts: []string{"redis-docs-pattern"}, Recognise: func(s Shape) Reading {
		if s.Type != "string" || s.Endless || s.Value == "" || len(s.Value) > most {
			return misfit // a long value is a document in a cache, not an owner
		}
		for _, d := range Table() {
			if d.Name != name && d.Recognise(s).Fit > evidence.Misfit {
				return misfit
			}
		}
		owner := evidence.NamedIn(s.Value)
		r := Reading{
			Fit: evidence.Possible, Because: []string{"a string that expires, and no library's"},
			Dialect: evidence.Dialect{
				Form:    "lock",
				Holders: []evidence.Locker{{Text: evidence.Printable(evidence.Clip(s.Value, 120)), Host: owner.Host, Pid: owner.Pid}},
				Release: "Delete only while the key still has this value, both in one step; a value that is the same for everyone cannot be compared. Whether the program renews, and what else it keeps, only its source tells.",
			},
		}
		if len(s.Value) < 8 && owner.Host == "" {
			r.Dialect.Notes = append(r.Dialect.Notes, "the value is too short to tell one owner from another")
		}
		return r
	}}
}
