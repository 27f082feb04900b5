package dialect

import (
	"strings"

	"github.com/lockscene/lockscene/evidence"
)

// GitLab's exclusive lease: gitlab:exclusive_lease:NAME with a random UUID. The
// caller chooses the lease and may renew it; many let it run out on purpose, so that
// a thing is done no more than once in a while.
func gitlab() Dialect {
	keys := func(name string) []string { return []string{gitlabPrefix + name} }
	return Dialect{Name: "gitlab", Keys: keys, Scripts: []string{"gitlab-exclusive-lease"}, Clients: []string{"redis-client", "redis-rb"}, Recognise: func(s Shape) Reading {
		_, name, named := strings.Cut(s.Key, gitlabPrefix) // a namespace may stand before it
		_, isUUID := uuid(s.Value)
		if s.Type != "string" || !named || name == "" || !isUUID {
			return misfit
		}
		r := Reading{
			Fit: evidence.Certain, Because: []string{"the key is GitLab's for an exclusive lease, the value a UUID"},
			Dialect: evidence.Dialect{
				Form: "exclusive lease", Renews: evidence.ByCall, Holders: []evidence.Locker{{Text: s.Value}},
				Notes: []string{"a lease that is there proves no holder that lives: many are left to expire, to limit how often something runs"},
				Release: "Find out first whether this lease guards work or only limits how often it begins: one of the second kind must be left to expire. " +
					"GitLab cancels a lease only while it has the holder's UUID: compare that before the delete.",
			},
		}
		if strings.HasPrefix(name, "el:throttle:") {
			r.Dialect.Form, r.Dialect.Renews = "exclusive lease that throttles", evidence.NeverRenews
		}
		if s.Endless {
			r.Dialect.Notes = append(r.Dialect.Notes, "it has no expiry, which GitLab always sets")
		}
		return r
	}}
}

const gitlabPrefix = "gitlab:exclusive_lease:"
