package dialect

import (
	"strings"
	"testing"

	"github.com/lockscene/lockscene/evidence"
)

const rbUUID = "3f2b8c1e-5d4a-4e6f-9a7b-0c1d2e3f4a5b"

func TestRedlockRb(t *testing.T) {
	d := redlockRb()
	r := wantFit(t, d, expiring("invoices", rbUUID), evidence.Possible)
	if r.Dialect.Holders[0].Text != rbUUID || r.Dialect.Lease != 0 || r.Dialect.RenewEvery != 0 || r.Dialect.Renews != evidence.ByCall {
		t.Errorf("it says %+v", r.Dialect)
	}
	endless, hash := expiring("k", rbUUID), expiring("k", rbUUID)
	endless.Endless, hash.Type = true, "hash"
	for name, s := range map[string]Shape{
		"endless": endless, "another type": hash,
		"capital letters": expiring("k", strings.ToUpper(rbUUID)),
		"version 1":       expiring("k", strings.Replace(rbUUID, "-4e6f", "-1e6f", 1)),
		"no dashes":       expiring("k", strings.ReplaceAll(rbUUID, "-", "")),
		"one more":        expiring("k", rbUUID+":1"),
	} {
		if r := d.Recognise(s); r.Fit != evidence.Misfit {
			t.Errorf("%s: fit %d", name, r.Fit)
		}
	}
	survive(t, d, expiring("k", rbUUID))
}
