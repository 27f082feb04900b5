package dialect

import (
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

func TestGitLab(t *testing.T) {
	d := gitlab()
	key := d.Keys("projects/7/housekeeping")[0]
	r := wantFit(t, d, expiring(key, rbUUID), evidence.Certain)
	if r.Dialect.Holders[0].Text != rbUUID || r.Dialect.Lease != 0 || r.Dialect.Renews != evidence.ByCall || r.Dialect.Endless {
		t.Errorf("it says %+v", r.Dialect)
	}
	if r := wantFit(t, d, expiring("gitlab:exclusive_lease:el:throttle:users:7", rbUUID), evidence.Certain); r.Dialect.Renews != evidence.NeverRenews || !strings.Contains(r.Dialect.Form, "throttles") {
		t.Errorf("a throttle: %+v", r.Dialect)
	}
	wantFit(t, d, expiring("prod:gitlab:exclusive_lease:x", rbUUID), evidence.Certain)
	endless, hash := expiring(key, rbUUID), expiring(key, rbUUID)
	endless.Endless, hash.Type = true, "hash"
	if r := wantFit(t, d, endless, evidence.Certain); len(r.Dialect.Notes) != 2 {
		t.Errorf("a lease without an end goes unremarked: %q", r.Dialect.Notes)
	}
	for name, s := range map[string]Shape{
		"another type":   hash,
		"one letter off": expiring("gitlab:exclusive_leases:x", rbUUID),
		"no name":        expiring("gitlab:exclusive_lease:", rbUUID),
		"no UUID":        expiring(key, rbUUID[1:]),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, expiring(key, rbUUID))
}
