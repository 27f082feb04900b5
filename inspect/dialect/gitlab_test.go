package dialect

import (
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

func TestGitLab(t *testing.T) {
	d := gitlab()
	key := d.Keys("projects/7/housekeeping")[0]
	r := nxFit(t, d, nxExpiring(key, rbUUID), evidence.Certain)
	if r.Dialect.Holders[0].Text != rbUUID || r.Dialect.Lease != 0 || r.Dialect.Renews != evidence.ByCall || r.Dialect.Endless {
		t.Errorf("it says %+v", r.Dialect)
	}
	if r := nxFit(t, d, nxExpiring("gitlab:exclusive_lease:el:throttle:users:7", rbUUID), evidence.Certain); r.Dialect.Renews != evidence.NeverRenews || !strings.Contains(r.Dialect.Form, "throttles") {
		t.Errorf("a throttle: %+v", r.Dialect)
	}
	nxFit(t, d, nxExpiring("prod:gitlab:exclusive_lease:x", rbUUID), evidence.Certain)
	endless, hash := nxExpiring(key, rbUUID), nxExpiring(key, rbUUID)
	endless.Endless, hash.Type = true, "hash"
	if r := nxFit(t, d, endless, evidence.Certain); len(r.Dialect.Notes) != 2 {
		t.Errorf("a lease without an end goes unremarked: %q", r.Dialect.Notes)
	}
	for name, s := range map[string]Shape{
		"another type":   hash,
		"one letter off": nxExpiring("gitlab:exclusive_leases:x", rbUUID),
		"no name":        nxExpiring("gitlab:exclusive_lease:", rbUUID),
		"no UUID":        nxExpiring(key, rbUUID[1:]),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	nxSurvive(t, d, nxExpiring(key, rbUUID))
}
