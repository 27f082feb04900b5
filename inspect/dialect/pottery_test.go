package dialect

import (
	"strings"
	"testing"
	"time"

	"github.com/lockscene/lockscene/evidence"
)

func TestPottery(t *testing.T) {
	d := pottery()
	s := expiring("redlock:printer", rbUUID)
	s.Left = 9 * time.Second
	r := wantFit(t, d, s, evidence.FitsWell)
	if r.Dialect.Holders[0].Text != rbUUID || r.Dialect.Lease != 10*time.Second || r.Dialect.RenewEvery != 0 || r.Dialect.Renews != evidence.ByCall || len(r.Dialect.Notes) != 0 {
		t.Errorf("it says %+v", r.Dialect)
	}
	if keys := d.Keys("printer"); keys[0] != "redlock:printer" {
		t.Errorf("keys %q", keys)
	}
	s.Left = 11 * time.Second
	if r := wantFit(t, d, s, evidence.FitsWell); len(r.Dialect.Notes) != 1 {
		t.Errorf("a lease that is not the default goes unremarked")
	}
	endless, set := s, s
	endless.Endless, set.Type = true, "set"
	for name, s := range map[string]Shape{
		"endless": endless, "another type": set,
		"one letter off": expiring("redlok:printer", rbUUID),
		"no name":        expiring("redlock:", rbUUID),
		"no dashes":      expiring("redlock:printer", strings.ReplaceAll(rbUUID, "-", "")),
		"version 1":      expiring("redlock:printer", strings.Replace(rbUUID, "-4e6f", "-1e6f", 1)),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, s)
}
